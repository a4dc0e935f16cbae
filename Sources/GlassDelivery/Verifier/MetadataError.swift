import Foundation
import GlassBase
public import GlassMarkets

/// The reason why a file of signed metadata, or a file that it lists, is not used.
///
/// The refresh that encountered it uses nothing beyond the files verified before. The markets in use keep running.
public struct MetadataError: DescriptiveError, Sendable, Equatable {
    /// The rule that was violated.
    public enum Rule: String, Sendable, CaseIterable {
        /// Fewer keys signed than the role requires.
        case unsigned
        /// Older than the known version.
        case rollback
        /// A version other than the announced one.
        case wrongVersion = "wrong version"
        /// Expired.
        case expired
        /// The bytes differ from the listed ones.
        case hash
        /// Larger than the limit or the listed length.
        case tooLarge = "too large"
        /// Not in the expected format.
        case malformed
        /// In a format that this version does not support.
        case unsupported
        /// The server could not be reached or did not respond.
        case network
    }

    /// The role, or the path of a file listed in targets metadata.
    public let role: String
    /// The version of the rejected metadata, or `nil` if it could not be read.
    public let version: Int?
    /// The rule that was violated.
    public let rule: Rule
    /// A description of the problem, without a final period.
    public let text: String

    /// Creates an error.
    package init(_ role: String, version: Int? = nil, _ rule: Rule, _ text: String) {
        self.role = role
        self.version = version
        self.rule = rule
        self.text = text
    }

    /// The role, version, rule, and description of the problem.
    public var description: String {
        let version = version.map { " \($0)" } ?? ""
        return DisplayText("\(role)\(version): \(rule.rawValue): \(text)").plain
    }
}
