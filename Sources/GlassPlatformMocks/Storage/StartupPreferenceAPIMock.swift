import GlassBase
public import GlassPlatform

/// Remembers in memory.
public final class StartupPreferenceAPIMock: StartupPreferenceAPI {
    private let remembered: Lock<StartupPreferences>
    private let atStart: StartupPreferences

    /// Creates a mock.
    ///
    /// - Parameter preferences: What earlier launches left; nothing for a first launch.
    public init(_ preferences: StartupPreferences = StartupPreferences()) {
        remembered = Lock(preferences)
        atStart = preferences
    }

    /// What the next launch would find.
    public var preferences: StartupPreferences { remembered.withLock { $0 } }

    /// The market that was chosen.
    public var market: String? { preferences.market }
    /// The environment that was chosen.
    public var environment: String? { preferences.environment }
    /// Whether no earlier launch was given.
    public var isFirstLaunch: Bool { atStart.launches == 0 }
    /// The version of the earlier launch.
    public var lastVersion: String? { atStart.lastVersion }

    /// Remembers the market.
    ///
    /// - Parameter market: The market's id, or nil.
    public func setMarket(_ market: String?) { remembered.withLock { $0.market = market } }

    /// Remembers the environment.
    ///
    /// - Parameter environment: The environment's name, or nil.
    public func setEnvironment(_ environment: String?) { remembered.withLock { $0.environment = environment } }

    /// Remembers a launch.
    ///
    /// - Parameter version: The app's version.
    public func recordLaunch(version: String) {
        remembered.withLock { preferences in
            preferences.lastVersion = version
            preferences.launches += 1
        }
    }
}
