/// The value of a header field: a text, or a secret.
///
/// A section declares it for what goes into a header, so that a market writes a text or `secret "NAME"`:
///
/// ```swift
/// struct Gateway: ConfigurationSection {
///     var headers: [String: HeaderValue] = ["X-Channel": "app"]
///     static let keys: [ConfigurationKey<Gateway>] = [
///         .init("headers", \.headers, .map(of: HeaderValue.valueType, keys: .headerName), "Headers of each request.")
///     ]
/// }
/// ```
///
/// Only ``reveal()`` returns the value of a secret.
public enum HeaderValue: Sendable, Hashable {
    /// A text that the market contains.
    case text(String)
    /// A secret, which the host looks up.
    case secret(Secret)

    /// The text of the field.
    ///
    /// - Returns: The text, or the value of the secret.
    /// - Throws: ``SecretError/unset(name:)`` if the host has no value for the secret.
    public func reveal() throws(SecretError) -> String {
        switch self {
        case .text(let text): text
        case .secret(let secret): try secret.reveal()
        }
    }

    /// The secret, if it is one.
    public var secret: Secret? { if case .secret(let secret) = self { secret } else { nil } }
    /// The text, unless it is a secret.
    public var text: String? { if case .text(let text) = self { text } else { nil } }
}

extension HeaderValue: ExpressibleByStringInterpolation {
    /// Creates a text from a literal.
    ///
    /// - Parameter value: The text.
    public init(stringLiteral value: String) { self = .text(value) }
}

extension HeaderValue: CustomStringConvertible {
    /// The text, or the name of the secret, never its value.
    public var description: String {
        switch self {
        case .text(let text): text
        case .secret(let secret): "\(secret)"
        }
    }
}

extension HeaderValue: ConfigurationRepresentable {
    /// Printable ASCII text, or a secret.
    public static var valueType: ValueType { .either([.string(.headerValue), .secret]) }
    /// Reads a text or a secret.
    public init(validated value: ConfigurationValue) {
        if case .secret = value {
            self = .secret(Secret(validated: value))
        } else {
            self = .text(String(validated: value))
        }
    }
    /// The text, or the secret without its value.
    public var configurationValue: ConfigurationValue {
        switch self {
        case .text(let text): text.configurationValue
        case .secret(let secret): secret.configurationValue
        }
    }
}

extension [String: HeaderValue] {
    /// The fields that have a text.
    package var texts: [String: String] { compactMapValues(\.text) }
    /// The fields that have a secret.
    package var secrets: [String: Secret] { compactMapValues(\.secret) }
}
