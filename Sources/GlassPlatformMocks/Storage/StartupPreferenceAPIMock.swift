import GlassBase
package import GlassPlatform

/// Remembers in memory.
package final class StartupPreferenceAPIMock: StartupPreferenceAPI {
    private let remembered: Lock<StartupPreferences>
    private let atStart: StartupPreferences

    /// Creates a mock.
    package init(_ preferences: StartupPreferences = StartupPreferences()) {
        remembered = Lock(preferences)
        atStart = preferences
    }

    /// What the next launch would find.
    package var preferences: StartupPreferences { remembered.withLock { $0 } }

    /// The market that was chosen.
    package var market: String? { preferences.market }
    /// The environment that was chosen.
    package var environment: String? { preferences.environment }
    /// Whether no earlier launch was given.
    package var isFirstLaunch: Bool { atStart.launches == 0 }
    /// The version of the earlier launch.
    package var lastVersion: String? { atStart.lastVersion }

    /// Remembers the market.
    package func setMarket(_ market: String?) { remembered.withLock { $0.market = market } }

    /// Remembers the environment.
    package func setEnvironment(_ environment: String?) { remembered.withLock { $0.environment = environment } }

    /// Remembers a launch.
    package func recordLaunch(version: String) {
        remembered.withLock { preferences in
            preferences.lastVersion = version
            preferences.launches += 1
        }
    }
}
