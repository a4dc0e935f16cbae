/// A value that a configuration names but never contains.
///
/// A market file says `secret "GLASS_CONSUMER_KEY"`; the host looks the name up after the file ran. The value is reachable
/// only through ``reveal()``: descriptions, dumps and differences show the name.
public struct Secret: Sendable {
    /// The name under which the host looks the value up.
    public let name: String
    private let value: String?
    /// What tells values apart in this process, also where the value itself is not; hashes are seeded by process.
    private let mark: Int?

    /// Creates a secret.
    ///
    /// - Parameters:
    ///   - name: The name under which the host looks the value up.
    ///   - value: The value, or nil when the host has none.
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
    /// - Throws: ``SecretError/unset(name:)`` when the host has none.
    public func reveal() throws(SecretError) -> String {
        guard let value else { throw .unset(name: name) }
        return value
    }

    /// The same secret without its value: equal to it, but nothing can be read from it.
    var sealed: Secret { Secret(name: name, value: nil, mark: mark) }

    /// The same secret with the value that a lookup finds.
    package func resolved(by lookup: (String) -> String?) -> Secret {
        Secret(name: name, value: lookup(name))
    }
}

extension Secret: Hashable {
    /// Secrets are equal when they have one name and, as far as the host has one, one value.
    public static func == (left: Secret, right: Secret) -> Bool {
        left.name == right.name && left.mark == right.mark
    }

    /// By name and value.
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
