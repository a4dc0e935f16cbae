import Foundation
public import GlassMarkets
public import GlassSchema

/// The value of a flag, and where it comes from.
public struct FlagDetails<Value: FlagValue>: Sendable {
    /// The value.
    public let value: Value
    /// What the layers answered.
    private let answer: FlagAnswer

    init(value: Value, answer: FlagAnswer) {
        self.value = value
        self.answer = answer
    }

    /// The name of the flag.
    public var name: String { answer.name }
    /// The variant that the value belongs to; nil for a flag without variants.
    public var variant: String? { answer.variant }
    /// Why the flag has the value.
    public var reason: FlagReason { answer.reason }
    /// What is wrong. The value is then that of the next layer that has one; if that is the code, ``reason`` is `error`.
    public var error: FlagError? { answer.error }
    /// The rule of the market that holds; nil if none does.
    public var rule: FlagRule? { answer.rule }
    /// Where the value comes from: `market ca@9f3c01ab22de`, `forced`, `code`, or the name of a provider.
    public var provider: String { answer.provider }
    /// The attribute by which a percentage would have spread units, if it is missing. The rule with the percentage does
    /// not hold then.
    public var missingUnit: String? { answer.missingUnit }
    /// Whether a tester has forced another value, which does not count because the build is neither debug nor beta.
    public var ignoresForcedValue: Bool { answer.ignoresForcedValue }
}

/// What the layers answer about a flag, whatever type the caller expects. It is a class, so that an answer that is kept
/// is handed out without a copy.
public final class FlagAnswer: Sendable {
    /// The name of the flag.
    public let name: String
    /// The value; nil if the default in code applies.
    public let content: FlagContent?
    /// The variant that the value belongs to.
    public let variant: String?
    /// Why the flag has the value.
    public let reason: FlagReason
    /// What is wrong.
    public let error: FlagError?
    /// The rule of the market that holds.
    public let rule: FlagRule?
    /// Where the value comes from.
    public let provider: String
    /// The attribute of a percentage that is missing.
    public let missingUnit: String?
    /// Whether a forced value does not count.
    public let ignoresForcedValue: Bool

    /// Creates an answer.
    ///
    /// - Parameters:
    ///   - name: The name of the flag.
    ///   - content: The value; nil if the default in code applies.
    ///   - reason: Why the flag has the value.
    ///   - provider: Where the value comes from.
    ///   - variant: The variant that the value belongs to.
    ///   - error: What is wrong.
    ///   - rule: The rule of the market that holds.
    ///   - missingUnit: The attribute of a percentage that is missing.
    ///   - ignoresForcedValue: Whether a forced value does not count.
    public init(
        _ name: String, content: FlagContent?, reason: FlagReason, provider: String, variant: String? = nil,
        error: FlagError? = nil, rule: FlagRule? = nil, missingUnit: String? = nil, ignoresForcedValue: Bool = false
    ) {
        self.name = name
        self.content = content
        self.variant = variant
        self.reason = reason
        self.error = error
        self.rule = rule
        self.provider = provider
        self.missingUnit = missingUnit
        self.ignoresForcedValue = ignoresForcedValue
    }

    /// Whether there is a value that a caller who expects a type can read.
    package func reaches(_ type: FlagType) -> Bool { content.map { type.accepts($0.type) } == true }

    /// The details for a key, whose default applies where no layer has a value of its type.
    func details<Value>(for key: FlagKey<Value>) -> FlagDetails<Value> {
        guard let content else { return FlagDetails(value: key.default, answer: self) }
        if let value = Value(content: content) { return FlagDetails(value: value, answer: self) }
        let (found, wanted) = (content.type.rawValue, Value.flagType.rawValue)
        let error = FlagError(
            .typeMismatch, "\(name) has the type \(found) in \(provider), and \(wanted) in code; change one of them")
        return FlagDetails(
            value: key.default,
            answer: FlagAnswer(
                name, content: nil, reason: .error, provider: "code", error: error,
                ignoresForcedValue: ignoresForcedValue))
    }
}

/// A rule of a flag.
public struct FlagRule: Sendable, Hashable {
    /// The name.
    public let name: String
    /// The position in the market file; nil for a compiled market without positions.
    public let position: SourcePosition?

    /// Creates a rule.
    ///
    /// - Parameters:
    ///   - name: The name.
    ///   - position: The position in the market file; nil for a compiled market without positions.
    public init(name: String, position: SourcePosition?) {
        self.name = name
        self.position = position
    }
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
        /// The value has another type than the flag, or is not that of a variant.
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
