import GlassBase
package import GlassPlatform

/// Startup preferences in memory.
package final class StartupPreferenceAPIMock: StartupPreferenceAPI {
    private let remembered: Lock<StartupPreferences>
    private let atStart: StartupPreferences

    /// Creates a mock.
    package init(_ preferences: StartupPreferences = StartupPreferences()) {
        remembered = Lock(preferences)
        atStart = preferences
    }

    /// The values for the next launch.
    package var preferences: StartupPreferences { remembered.withLock { $0 } }

    /// The selected market.
    package var market: String? { preferences.market }
    /// The selected environment.
    package var environment: String? { preferences.environment }
    /// Whether the mock was created without an earlier launch.
    package var isFirstLaunch: Bool { atStart.launches == 0 }
    /// The version of the earlier launch.
    package var lastVersion: String? { atStart.lastVersion }

    /// Stores the market.
    package func setMarket(_ market: String?) { remembered.withLock { $0.market = market } }

    /// Stores the environment.
    package func setEnvironment(_ environment: String?) { remembered.withLock { $0.environment = environment } }

    /// Records a launch.
    package func recordLaunch(version: String) {
        remembered.withLock { preferences in
            preferences.lastVersion = version
            preferences.launches += 1
        }
    }
}
