package import GlassSchema

/// What an app must know before it builds its container: which market, which environment, and whether it ran before.
public protocol StartupPreferenceAPI: AnyObject, Sendable {
    /// The market that was chosen, or nil for the app's own choice.
    var market: String? { get }
    /// The environment that was chosen, or nil for the market's default.
    var environment: String? { get }
    /// Whether no launch was recorded before this object was made. It stays so until the process ends.
    var isFirstLaunch: Bool { get }
    /// The version whose launch was recorded last before this object was made. It stays so until the process ends.
    var lastVersion: String? { get }

    /// Remembers the market for the next start.
    ///
    /// - Parameter market: The market's id; nil leaves the choice to the app.
    /// - Throws: ``StorageError``; nothing has changed then.
    func setMarket(_ market: String?) throws(StorageError)

    /// Remembers the environment for the next start.
    ///
    /// - Parameter environment: The environment's name; nil goes back to the market's default.
    /// - Throws: ``StorageError``; nothing has changed then.
    func setEnvironment(_ environment: String?) throws(StorageError)

    /// Remembers that the app started well. The app calls it when it is up, so that a first launch that crashes is
    /// followed by another first launch.
    ///
    /// - Parameter version: The app's version.
    /// - Throws: ``StorageError``; nothing has changed then.
    func recordLaunch(version: String) throws(StorageError)
}

extension StartupPreferenceAPI {
    /// The getters and setters.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("market", [], "The market that was chosen, or nil.") { _ in
                self.market.map { .string($0) } ?? .nil
            },
            ScriptMethod("environment", [], "The environment that was chosen, or nil.") { _ in
                self.environment.map { .string($0) } ?? .nil
            },
            ScriptMethod("isFirstLaunch", [], "Whether no launch was recorded before.") { _ in
                .boolean(self.isFirstLaunch)
            },
            ScriptMethod("lastVersion", [], "The version that was launched last before this time, or nil.") { _ in
                self.lastVersion.map { .string($0) } ?? .nil
            },
            ScriptMethod("setMarket", ["market?"], "Remembers the market for the next start.") { arguments in
                try self.setMarket(try arguments.optionalString(0, "market"))
                return .nil
            },
            ScriptMethod("setEnvironment", ["environment?"], "Remembers the environment for the next start.") {
                arguments in
                try self.setEnvironment(try arguments.optionalString(0, "environment"))
                return .nil
            },
            ScriptMethod("recordLaunch", ["version"], "Remembers that the app started well.") { arguments in
                try self.recordLaunch(version: try arguments.string(0, "version"))
                return .nil
            },
        ]
    }
}

/// What is remembered from one start to the next.
public struct StartupPreferences: Codable, Sendable, Equatable {
    /// The market that was chosen.
    public var market: String?
    /// The environment that was chosen.
    public var environment: String?
    /// The version whose launch was recorded last.
    public var lastVersion: String?
    /// How many launches were recorded.
    public var launches = 0

    /// Creates what is remembered before the first launch: nothing.
    package init() {}
}
