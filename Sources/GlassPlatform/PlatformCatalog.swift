/// The services of the platform: one entry each, in the file of its group. Nothing is registered elsewhere.
enum PlatformCatalog {
    /// The services.
    static let services = network + storage + telemetry + device + market
}
