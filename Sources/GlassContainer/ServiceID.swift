import GlassBase

/// The key of a service in a container: a type, and the name or the property that distinguishes it from other services
/// of that type.
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
    /// The property that declares the service as a `Factory`, if any.
    public let property: String?

    /// Creates the key of a service in the Glass style.
    /// - Parameters:
    ///   - type: The type of the service.
    ///   - name: The name that the service is registered with.
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

    /// The type's name, without `any` and without its module.
    public var displayName: String {
        Self.withoutAny(String(describing: type))
    }

    /// The type's name with its module, without `any`.
    package var qualifiedName: String {
        Self.withoutAny(String(reflecting: type))
    }

    private static func withoutAny(_ text: String) -> String {
        text.hasPrefix("any ") ? String(text.dropFirst(4)) : text
    }

    /// The display name, followed by the name or the property: `Cache`, `Cache named "images"`, or `Cache (images)`.
    public var description: String {
        describe(displayName)
    }

    func describe(_ typeName: String) -> String {
        if let name { return "\(typeName) named \"\(name)\"" }
        if let property { return "\(typeName) (\(property))" }
        return typeName
    }

    /// The Swift expression for this type: `(any Networking).self` for a protocol, `Cache.self` for any other type.
    var source: String {
        // The metatype of a protocol type prints as `Networking.Protocol`, that of another type as `Cache.Type`.
        String(describing: Swift.type(of: type)).hasSuffix(".Protocol")
            ? "(any \(displayName)).self" : "\(displayName).self"
    }

    /// Returns whether two keys identify the same service.
    public static func == (first: Self, second: Self) -> Bool {
        first.type == second.type && first.name == second.name && first.property == second.property
    }

    /// Hashes the type, the name, and the property.
    /// - Parameter hasher: The hasher to use.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(typeIdentifier)
        hasher.combine(name)
        hasher.combine(property)
    }
}

/// Returns at most three keys with names similar to that of `missing`, the most similar first.
func nearest(to missing: ServiceID, among ids: [ServiceID]) -> [ServiceID] {
    var seen: Set<ServiceID> = []
    let name = missing.displayName
    let letters = Array(name.lowercased())
    let candidates = ids.filter { $0.property == nil && seen.insert($0).inserted }.prefix(Suggestion.maximumCandidates)
    let ranked = candidates.compactMap { id -> (Int, ServiceID)? in
        let other = id.displayName
        // The same type under another name ranks first. A name that contains the other one is similar, too, unless the
        // contained name is so short that many names contain it.
        if id.type == missing.type { return (-1, id) }
        // A third of the letters may differ, but never all of them, or a one-letter name would be similar to every
        // other one.
        let limit = min(max(1, name.count / 3), name.count - 1)
        if let distance = Suggestion.distance(letters, Array(other.lowercased()), limit: limit) {
            return (distance, id)
        }
        guard min(name.count, other.count) >= 4, other.contains(name) || name.contains(other) else { return nil }
        return (name.count, id)
    }
    return ranked.sorted { ($0.0, $0.1.description) < ($1.0, $1.1.description) }.prefix(3).map(\.1)
}
