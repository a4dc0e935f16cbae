public import Foundation
public import GlassMarkets

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
    /// The services whose values of flags come before the market's, the most important first.
    public var flagProviders: [any FlagProvider] = []
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

/// The reason why a host cannot be created.
public enum PlatformHostError: DescriptiveError, Equatable {
    /// The app lacks the entitlement for the group.
    case missingEntitlement(group: String)
    /// The system does not support app groups.
    case noAppGroups

    /// The problem and how to fix it.
    public var description: String {
        switch self {
        case .missingEntitlement(let group):
            "the app has no folder for the group \"\(group)\"; add it to com.apple.security.application-groups in the "
                + "target's entitlements"
        case .noAppGroups: "this system has no app groups; set the stateFolder of PlatformHost"
        }
    }
}

extension PlatformHost {
    /// Creates a host whose services store persistent data in the folder of an app group, which the app shares with its
    /// extensions.
    ///
    /// - Parameter appGroup: The group, such as `group.com.walmart.canada`.
    /// - Throws: ``PlatformHostError`` if the target lacks the entitlement or the system has no app groups.
    public init(appGroup: String) throws(PlatformHostError) {
        #if canImport(Darwin)
            try self.init(appGroup: appGroup) {
                FileManager.default.containerURL(forSecurityApplicationGroupIdentifier: $0)
            }
        #else
            throw .noAppGroups
        #endif
    }

    /// Creates a host with a lookup of the group's folder that tests can replace.
    package init(appGroup: String, container: (String) -> URL?) throws(PlatformHostError) {
        guard let folder = container(appGroup) else { throw .missingEntitlement(group: appGroup) }
        // The system owns the group's folder, so store data in a subfolder.
        self.init(stateFolder: folder.appending(path: "Library/Application Support/glass"))
    }
}
