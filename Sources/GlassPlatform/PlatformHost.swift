public import Foundation
import GlassContainer
public import GlassFlags
public import GlassMarkets

/// The settings of the program that embeds the platform. They do not depend on the market.
public struct PlatformHost: Sendable {
    /// The folder for persistent data of the services; `nil` keeps everything in memory.
    ///
    /// All markets of the host use the same folder, unless it is the one of ``standard``. Nothing looks at the disk
    /// until a service first reads or writes.
    public var stateFolder: URL? {
        get { place.state }
        set { place = newValue.map { .folder($0) } ?? .memory }
    }
    /// Where persistent data is stored.
    private(set) package var place = StatePlace.memory
    /// The folder for what an app reads before it knows its market.
    package var programFolder: URL? { place.program }
    /// The folder for data that services can fetch again; `nil` keeps it in memory.
    package var cacheFolder: URL? { place.caches }
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

    /// A host that keeps everything in memory: the same as `PlatformHost()`.
    public static var inMemory: PlatformHost { PlatformHost() }

    /// A host that stores data in the system's standard location for the program, where each market has its own folder.
    ///
    /// | Systems | Data | Caches |
    /// |---|---|---|
    /// | Apple's | `Application Support/<bundle identifier>/<market>` | `Caches/<bundle identifier>/<market>` |
    /// | others | `$XDG_STATE_HOME/<program>/<market>` | `$XDG_CACHE_HOME/<program>/<market>` |
    ///
    /// Without these variables, or if one is not an absolute path, `~/.local/state` and `~/.cache` are used. In a
    /// container without a market, the folder has the name of the configuration's bundle identifier. What belongs to the
    /// program and no market is in a folder `_app`, such as the startup preferences. It is the
    /// ``stateFolder`` of this value itself.
    ///
    /// The folder is created when a service first writes, and only its owner can open it. If it cannot be used, services
    /// throw ``StorageError`` with the path, and `Container.validate(requiring:)` has a finding. They do not fall back to
    /// memory.
    ///
    /// In an Xcode preview and in a test with the `.container` trait, this is ``inMemory``.
    public static var standard: PlatformHost {
        FactoryContext.current.isPreview || FactoryContext.isOfTest ? .inMemory : ofSystem
    }

    /// One host, so that ``applicationWillSuspend()`` reaches the services of all markets.
    private static let ofSystem: PlatformHost = {
        var host = PlatformHost()
        host.place = .standard(owner: StatePlace.shared)
        return host
    }()

    /// The host for the services of one market.
    ///
    /// - Parameter owner: The market's id, or an app's bundle identifier in a container without a market.
    func placed(for owner: String) -> PlatformHost {
        var host = self
        host.place = place.owned(by: owner)
        return host
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
