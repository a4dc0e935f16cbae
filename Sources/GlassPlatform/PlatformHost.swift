public import Foundation

/// What the program that embeds the platform decides, whatever the market.
public struct PlatformHost: Sendable {
    /// Where services keep what outlives the process; nil keeps everything in memory.
    public var stateFolder: URL?
    /// How stored values are waited for and watched.
    public var storage = StorageHost()
    /// How users are asked, where places come from, and what opens links.
    public var device = DeviceHost()
    /// Where analytics events go, and how.
    public var telemetry = TelemetryHost()
    /// What the program decides about the network.
    public var network = NetworkHost()

    /// The clock of waiting links.
    package var clock = HostClock()

    /// Creates a host.
    ///
    /// - Parameter stateFolder: Where services keep what outlives the process; nil keeps everything in memory.
    public init(stateFolder: URL? = nil) {
        self.stateFolder = stateFolder
    }
}
