package import Foundation
import GlassContainer
import GlassDeepLinking
import GlassSchema

/// An error whose `localizedDescription` is its `description`: what alerts show and crash reporters record. For an error
/// that is not a `LocalizedError`, Foundation says only that the operation could not be completed. One that has another text
/// for the user, as `CoordinatedError` of the platform has, says so itself.
package protocol LocalizedText: LocalizedError, CustomStringConvertible {}

extension LocalizedText {
    /// What is wrong, where, and what to do; in English, whatever the user's language.
    public var errorDescription: String? { description }
}

// The errors of the modules below, which do without Foundation.
extension ContainerError: LocalizedText {}
extension DeepLinkRefusal: LocalizedText {}
extension LinkBuildingError: LocalizedText {}
extension RoutePatternError: LocalizedText {}
extension RouteTableError: LocalizedText {}
extension ScriptArgumentError: LocalizedText {}
extension SecretError: LocalizedText {}
