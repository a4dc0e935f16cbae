package import Foundation
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// An error whose `localizedDescription` is its `description`: what alerts show and crash reporters record. For an error
/// that is not a `LocalizedError`, Foundation says only that the operation could not be completed. One that has another text
/// for the user, as `CoordinatedError` of the platform has, says so itself.
package protocol DescriptiveError: LocalizedError, CustomStringConvertible {}

extension DescriptiveError {
    /// What is wrong, where, and what to do; in English, whatever the user's language.
    public var errorDescription: String? { description }
}

// The errors of the modules below, which do without Foundation.
extension ContainerError: DescriptiveError {}
extension DeepLinkRefusal: DescriptiveError {}
extension LinkBuildingError: DescriptiveError {}
extension RoutePatternError: DescriptiveError {}
extension RouteTableError: DescriptiveError {}
extension ScriptArgumentError: DescriptiveError {}
extension SecretError: DescriptiveError {}
