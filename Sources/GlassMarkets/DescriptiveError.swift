package import Foundation
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// An error whose `localizedDescription` is its `description`, which alerts show and crash reporters record. For an
/// error that is not a `LocalizedError`, Foundation only says that the operation could not be completed. An error with
/// another text for users, such as the platform's `CoordinatedError`, provides that text itself.
package protocol DescriptiveError: LocalizedError, CustomStringConvertible {}

extension DescriptiveError {
    /// The problem, its position and its solution, in English regardless of the user's language.
    public var errorDescription: String? { description }
}

// The errors of the modules below, which do not use Foundation.
extension ContainerError: DescriptiveError {}
extension DeepLinkRefusal: DescriptiveError {}
extension LinkBuildingError: DescriptiveError {}
extension RoutePatternError: DescriptiveError {}
extension RouteTableError: DescriptiveError {}
extension ScriptArgumentError: DescriptiveError {}
extension SecretError: DescriptiveError {}
