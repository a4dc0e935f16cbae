/// Which services the platform registers: one entry each, in the file of its group, and nothing is registered elsewhere.
///
/// ``GlassContainer/Container/setupPlatformDependencies(with:deepLinking:host:)`` registers exactly these, `glass-host
/// services` lists them, and `glass-host check` validates every market against them.
public enum PlatformCatalogue {
    /// The services, by name.
    public static let services: [PlatformService] = (network + storage + telemetry + device + market)
        .sorted { $0.name < $1.name }

    /// The service of a name.
    ///
    /// - Parameter name: The protocol's name, such as `AppInfoAPI`.
    /// - Returns: The service, or nil. O(services).
    public static func service(named name: String) -> PlatformService? {
        services.first { $0.name == name }
    }

    /// The types that a complete container has: what `validate(requiring:)` is asked for.
    public static var types: [Any.Type] { services.map(\.type) }
}
