public import Foundation

/// What the program that embeds the platform decides, whatever the market.
public struct PlatformHost: Sendable {
    /// Where services keep what outlives the process; nil keeps everything in memory.
    public var stateFolder: URL?
    /// How stored values are waited for and watched.
    public var storage = StorageHost() {
        didSet { telemetry.suspension = storage.suspension }
    }
    /// How users are asked, where places come from, and what opens links.
    public var device = DeviceHost()
    /// Where analytics events go, and how.
    public var telemetry = TelemetryHost() {
        // Events are in a database of their own, which is suspended with the others.
        didSet { telemetry.suspension = storage.suspension }
    }
    /// Where remote configuration comes from.
    public var remoteConfiguration = RemoteConfigurationChoice.market
    /// Clock and randomness of network retries.
    package var timing = RetryTiming()

    /// The clock of waiting links.
    package var clock = HostClock()

    /// Creates a host.
    ///
    /// - Parameter stateFolder: Where services keep what outlives the process; nil keeps everything in memory.
    public init(stateFolder: URL? = nil) {
        self.stateFolder = stateFolder
        telemetry.suspension = storage.suspension
    }

    /// Tells the services that the process is about to be suspended: when the app goes to the background, and when the
    /// time that it got there ends.
    ///
    /// Databases roll back what holds a lock, and what would write throws ``StorageError/suspended(_:)`` until
    /// ``applicationDidResume()``; reads of open databases go on. Without it iOS ends an app that is suspended while it
    /// holds a lock on a file of an app group. Every database of the process that follows GRDB's notifications is
    /// suspended, also those of other hosts.
    public func applicationWillSuspend() { storage.suspension.suspend() }

    /// Lets the databases go on: when the app comes to the foreground, and when it begins to work in the background.
    public func applicationDidResume() { storage.suspension.resume() }
}
