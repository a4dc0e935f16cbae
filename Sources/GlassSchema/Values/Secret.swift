/// A value that a configuration names but never contains.
///
/// A market file contains `secret "GLASS_CONSUMER_KEY"`; the host looks up the name after the file has run. Only
/// ``reveal()`` returns the value: descriptions, dumps and differences show the name.
public struct Secret: Sendable {
    /// The name under which the host looks the value up.
    public let name: String
    private let value: String?
    /// Distinguishes values in this process, even where the value itself is removed. Hashes are seeded for each
    /// process.
    private let mark: Int?

    /// Creates a secret.
    ///
    /// - Parameters:
    ///   - name: The name under which the host looks the value up.
    ///   - value: The value, or nil if the host has none.
    public init(name: String, value: String? = nil) {
        self.init(name: name, value: value, mark: value?.hashValue)
    }

    private init(name: String, value: String?, mark: Int?) {
        self.name = name
        self.value = value
        self.mark = mark
    }

    /// Whether the host has a value for the name.
    public var isSet: Bool { value != nil }

    /// The value.
    ///
    /// - Returns: The text that the host found under ``name``.
    /// - Throws: ``SecretError/unset(name:)`` if the host has none.
    public func reveal() throws(SecretError) -> String {
        guard let value else { throw .unset(name: name) }
        return value
    }

    /// The same secret without its value. It is equal to this one, but its value cannot be read.
    var sealed: Secret { Secret(name: name, value: nil, mark: mark) }

    /// The same secret with the value that `lookup` returns.
    package func resolved(by lookup: (String) -> String?) -> Secret {
        Secret(name: name, value: lookup(name))
    }
}

extension Secret: Hashable {
    /// Two secrets are equal if they have the same name and the same value, or both have no value.
    public static func == (left: Secret, right: Secret) -> Bool {
        left.name == right.name && left.mark == right.mark
    }

    /// Hashes the name and the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(name)
        hasher.combine(mark)
    }
}

extension Secret: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The name, never the value.
    public var description: String { "<secret \(name)>" }
    /// The name, never the value.
    public var debugDescription: String { description }
    /// Contains only the name, so that `dump` and string interpolation of a structure that contains a secret cannot
    /// reach the value.
    public var customMirror: Mirror { Mirror(self, children: ["name": name]) }
}

/// The reason why a secret could not be read.
public enum SecretError: Error, Equatable, CustomStringConvertible {
    /// The host has no value under the name.
    case unset(name: String)

    /// The problem, and what to do.
    public var description: String {
        switch self {
        case .unset(let name):
            "the secret \(name) is not set: set it in the host's environment"
        }
    }
}
