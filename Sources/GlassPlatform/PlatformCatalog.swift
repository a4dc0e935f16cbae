/// Which services the platform has: one entry each, in the file of its group, and nothing is registered elsewhere.
enum PlatformCatalog {
    /// The services.
    static let services = network + storage + telemetry + device + market
}
