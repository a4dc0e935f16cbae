/// What a container finds a service by: a type, and the name or the property that tells it from others of that type.
///
/// ```swift
/// let id = ServiceID((any Networking).self)
/// print(id)  // Networking
/// ```
public struct ServiceID: Sendable, Hashable, CustomStringConvertible {
    /// The type of the service, a protocol or a concrete type.
    public let type: Any.Type
    /// The name given to `register`, if any.
    public let name: String?
    /// The property of a `Factory`, if the service was declared by one.
    public let property: String?

    /// The key of a service in the Glass style.
    /// - Parameters:
    ///   - type: The type of the service.
    ///   - name: The name it is registered with.
    public init(_ type: Any.Type, name: String? = nil) {
        self.type = type
        self.name = name
        property = nil
    }

    init(_ type: Any.Type, property: String) {
        self.type = type
        name = nil
        self.property = property
    }

    var typeIdentifier: ObjectIdentifier { ObjectIdentifier(type) }

    /// The type as one would say it: without `any` and without its module.
    public var displayName: String {
        Self.withoutAny(String(describing: type))
    }

    /// The type with its module, without `any`.
    package var qualifiedName: String {
        Self.withoutAny(String(reflecting: type))
    }

    private static func withoutAny(_ text: String) -> String {
        text.hasPrefix("any ") ? String(text.dropFirst(4)) : text
    }

    /// The display name, with the name or the property: `Cache`, `Cache named "images"` or `Cache (images)`.
    public var description: String {
        describe(displayName)
    }

    func describe(_ typeName: String) -> String {
        if let name { return "\(typeName) named \"\(name)\"" }
        if let property { return "\(typeName) (\(property))" }
        return typeName
    }

    /// The source that means this type: `(any Networking).self` for a protocol, `Cache.self` for another type.
    var source: String {
        // The metatype of a protocol type prints as `Networking.Protocol`, that of another type as `Cache.Type`.
        String(describing: Swift.type(of: type)).hasSuffix(".Protocol")
            ? "(any \(displayName)).self" : "\(displayName).self"
    }

    /// Whether two keys find the same service.
    public static func == (first: Self, second: Self) -> Bool {
        first.type == second.type && first.name == second.name && first.property == second.property
    }

    /// Feeds the type, the name and the property to a hasher.
    /// - Parameter hasher: What takes them.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(typeIdentifier)
        hasher.combine(name)
        hasher.combine(property)
    }
}
