import Foundation
import GlassBase
public import GlassMarkets

/// Why a file of signed metadata, or a file that it lists, is not used.
///
/// Nothing of the refresh that ran into it is used beyond what was verified before; what an app runs on runs on.
public struct MetadataError: DescriptiveError, Sendable, Equatable {
    /// The rule that is not kept.
    public enum Rule: String, Sendable, CaseIterable {
        /// Fewer keys signed than the role asks for.
        case unsigned
        /// Older than what is known.
        case rollback
        /// Another version than the one that was announced.
        case wrongVersion = "wrong version"
        /// No longer valid.
        case expired
        /// Other bytes than the listed ones.
        case hash
        /// Longer than the limit, or than listed.
        case tooLarge = "too large"
        /// Not in the format.
        case malformed
        /// In a format that this version does not know.
        case unsupported
        /// The server could not be asked, or gave no answer.
        case network
    }

    /// The role or, for a file that targets list, its path.
    public let role: String
    /// The version of the metadata that is not used, nil where it could not be read.
    public let version: Int?
    /// The rule that is not kept.
    public let rule: Rule
    /// What is wrong, in a sentence without a full stop.
    public let text: String

    /// Creates an error.
    package init(_ role: String, version: Int? = nil, _ rule: Rule, _ text: String) {
        self.role = role
        self.version = version
        self.rule = rule
        self.text = text
    }

    /// Role, version, rule and what is wrong.
    public var description: String {
        let version = version.map { " \($0)" } ?? ""
        return DisplayText("\(role)\(version): \(rule.rawValue): \(text)").plain
    }
}
