public import Foundation

/// The settings of the program that embeds the platform. They do not depend on the market.
public struct PlatformHost: Sendable {
    /// The folder for persistent data of the services; `nil` keeps everything in memory.
    public var stateFolder: URL?
    /// The locking and observation of stored values.
    public var storage = StorageHost() {
        didSet { telemetry.suspension = storage.suspension }
    }
    /// The source of permission prompts and locations, and the opener of links.
    public var device = DeviceHost()
    /// The destinations of analytics events, and how they are sent.
    public var telemetry = TelemetryHost() {
        // Events are in a separate database, which is suspended with the others.
        didSet { telemetry.suspension = storage.suspension }
    }
    /// The source of remote configuration.
    public var remoteConfiguration = RemoteConfigurationChoice.market
    /// The clock and the random numbers for network retries.
    package var timing = RetryTiming()

    /// The clock for the expiration of waiting links.
    package var clock = HostClock()

    /// Creates a host.
    ///
    /// - Parameter stateFolder: The folder for persistent data of the services; `nil` keeps everything in memory.
    public init(stateFolder: URL? = nil) {
        self.stateFolder = stateFolder
        telemetry.suspension = storage.suspension
    }

    /// Prepares the services for suspension of the process. Call it when the app enters the background, and again when
    /// its background time ends.
    ///
    /// Databases roll back transactions that hold a lock, and writes throw ``StorageError/suspended(_:)`` until
    /// ``applicationDidResume()``; open databases can still be read. Without this call, iOS terminates an app that is
    /// suspended while it holds a lock on a file of an app group. It suspends every database in the process that
    /// observes GRDB's notifications, including those of other hosts.
    public func applicationWillSuspend() { storage.suspension.suspend() }

    /// Resumes the databases. Call it when the app enters the foreground, and when it starts background work.
    public func applicationDidResume() { storage.suspension.resume() }
}
