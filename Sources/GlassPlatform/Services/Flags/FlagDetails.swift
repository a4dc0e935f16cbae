import Foundation
public import GlassMarkets
public import GlassSchema

/// The value of a flag, and where it comes from.
public struct FlagDetails<Value: Sendable>: Sendable {
    /// The name of the flag.
    public let name: String
    /// The value.
    public let value: Value
    /// The variant that the value belongs to; nil for a flag without variants.
    public var variant: String?
    /// Why the flag has the value.
    public var reason: FlagReason
    /// What is wrong. The value is then that of the next layer that has one; if that is the code, ``reason`` is `error`.
    public var error: FlagError?
    /// The rule of the market that holds; nil if none does.
    public var rule: FlagRule?
    /// Where the value comes from: `market ca@9f3c01ab22de`, `forced`, `code`, or the name of a provider.
    public var provider: String
    /// The attribute by which a percentage would have spread units, if it is missing. The rule with the percentage does
    /// not hold then.
    public var missingUnit: String?
    /// Whether a tester has forced another value, which does not count because the build is neither debug nor beta.
    public var ignoresForcedValue = false

    /// Creates details.
    ///
    /// - Parameters:
    ///   - name: The name of the flag.
    ///   - value: The value.
    ///   - reason: Why the flag has the value.
    ///   - provider: Where the value comes from.
    public init(_ name: String, value: Value, reason: FlagReason, provider: String) {
        self.name = name
        self.value = value
        self.reason = reason
        self.provider = provider
    }

    /// The details with another value.
    func with<Other>(_ value: Other) -> FlagDetails<Other> {
        var details = FlagDetails<Other>(name, value: value, reason: reason, provider: provider)
        details.variant = variant
        details.error = error
        details.rule = rule
        details.missingUnit = missingUnit
        details.ignoresForcedValue = ignoresForcedValue
        return details
    }
}

extension FlagDetails: Equatable where Value: Equatable {}

/// A rule of a flag.
public struct FlagRule: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The position in the market file; nil for a compiled market without positions.
    public let position: SourcePosition?
}

/// What is wrong with a flag, or with a value that was to be forced.
public struct FlagError: DescriptiveError, Hashable {
    /// The kinds of errors. The names are those of OpenFeature.
    ///
    /// Source: OpenFeature specification, §1.4.8 and the types of error codes.
    public enum Code: String, Sendable, Hashable, CaseIterable {
        /// A provider, or the market, is not there yet.
        case providerNotReady = "PROVIDER_NOT_READY"
        /// Nothing knows the flag.
        case flagNotFound = "FLAG_NOT_FOUND"
        /// A provider could not read its data.
        case parseError = "PARSE_ERROR"
        /// The value has another type than the flag, or is none of its variants.
        case typeMismatch = "TYPE_MISMATCH"
        /// A provider needs a unit that the situation does not have.
        case targetingKeyMissing = "TARGETING_KEY_MISSING"
        /// The situation has an attribute that does not exist, or whose value has another type.
        case invalidContext = "INVALID_CONTEXT"
        /// A provider does not work and will not.
        case providerFatal = "PROVIDER_FATAL"
        /// Any other error.
        case general = "GENERAL"
    }

    /// The kind of error.
    public let code: Code
    /// What is wrong, and how to fix it. It has no values of a person.
    public let message: String

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - code: The kind of error.
    ///   - message: What is wrong, and how to fix it.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The code and the message.
    public var description: String { "\(code.rawValue): \(message)" }
}
