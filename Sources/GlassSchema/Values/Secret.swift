/// A value that a configuration names but never contains.
///
/// A market file says `secret "GLASS_CONSUMER_KEY"`; the host looks the name up after the file ran. The value is reachable
/// only through ``reveal()``: descriptions, dumps and differences show the name.
public struct Secret: Sendable, Hashable {
    /// The name under which the host looks the value up.
    public let name: String
    private let value: String?

    /// Creates a secret.
    ///
    /// - Parameters:
    ///   - name: The name under which the host looks the value up.
    ///   - value: The value, or nil when the host has none.
    public init(name: String, value: String? = nil) {
        self.name = name
        self.value = value
    }

    /// Whether the host has a value for the name.
    public var isSet: Bool { value != nil }

    /// The value.
    ///
    /// - Returns: The text that the host found under ``name``.
    /// - Throws: ``SecretError/unset(name:)`` when the host has none.
    public func reveal() throws(SecretError) -> String {
        guard let value else { throw .unset(name: name) }
        return value
    }

    /// The same secret with the value that a lookup finds.
    ///
    /// - Parameter lookup: Answers the value of a name, or nil.
    /// - Returns: A secret with that value.
    public func resolved(by lookup: (String) -> String?) -> Secret {
        Secret(name: name, value: lookup(name))
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, never the value.
    public var description: String { "<secret \(name)>" }
    /// The name, never the value.
    public var debugDescription: String { description }
    /// No children: `dump` and string interpolation of a structure that holds a secret cannot reach the value.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// Why a secret could not be read.
public enum SecretError: Error, Equatable, CustomStringConvertible {
    /// The host has no value under the name.
    case unset(name: String)

    /// What failed and what to do.
    public var description: String {
        switch self {
        case .unset(let name):
            "the secret \(name) is not set: put it into the environment of the host"
        }
    }
}
