package import GlassSchema

/// The preferences that an app needs before it builds its container: the market, the environment, and whether it has
/// run before.
public protocol StartupPreferenceAPI: AnyObject, Sendable {
    /// The selected market, or `nil` if the app decides.
    var market: String? { get }
    /// The selected environment, or `nil` for the market's default.
    var environment: String? { get }
    /// Whether no launch was recorded before this object was created. It does not change until the process ends.
    var isFirstLaunch: Bool { get }
    /// The version of the last launch recorded before this object was created. It does not change until the process
    /// ends.
    var lastVersion: String? { get }

    /// Stores the market for the next launch.
    ///
    /// - Parameter market: The market's id; `nil` lets the app decide.
    /// - Throws: ``StorageError``, in which case nothing changes.
    func setMarket(_ market: String?) throws(StorageError)

    /// Stores the environment for the next launch.
    ///
    /// - Parameter environment: The environment's name; `nil` restores the market's default.
    /// - Throws: ``StorageError``, in which case nothing changes.
    func setEnvironment(_ environment: String?) throws(StorageError)

    /// Records a successful launch. The app calls it once it is running, so that a first launch that crashes is
    /// followed by another first launch.
    ///
    /// - Parameter version: The app's version.
    /// - Throws: ``StorageError``, in which case nothing changes.
    func recordLaunch(version: String) throws(StorageError)
}

extension StartupPreferenceAPI {
    /// The getters and setters.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("market", [], "The selected market, or nil.") { _ in
                self.market.map { .string($0) } ?? .nil
            },
            ScriptMethod("environment", [], "The selected environment, or nil.") { _ in
                self.environment.map { .string($0) } ?? .nil
            },
            ScriptMethod("isFirstLaunch", [], "Whether no launch was recorded before.") { _ in
                .boolean(self.isFirstLaunch)
            },
            ScriptMethod("lastVersion", [], "The version of the last recorded launch, or nil.") { _ in
                self.lastVersion.map { .string($0) } ?? .nil
            },
            ScriptMethod("setMarket", ["market?"], "Stores the market for the next launch.") { arguments in
                try self.setMarket(try arguments.optionalString(0, "market"))
                return .nil
            },
            ScriptMethod("setEnvironment", ["environment?"], "Stores the environment for the next launch.") {
                arguments in
                try self.setEnvironment(try arguments.optionalString(0, "environment"))
                return .nil
            },
            ScriptMethod("recordLaunch", ["version"], "Records a successful launch.") { arguments in
                try self.recordLaunch(version: try arguments.string(0, "version"))
                return .nil
            },
        ]
    }
}

/// The values that are stored between launches.
public struct StartupPreferences: Codable, Sendable, Equatable {
    /// The selected market.
    public var market: String?
    /// The selected environment.
    public var environment: String?
    /// The version of the last recorded launch.
    public var lastVersion: String?
    /// The number of recorded launches.
    public var launches = 0

    /// Creates the values before the first launch, which are empty.
    package init() {}
}
