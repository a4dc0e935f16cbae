package import Foundation
public import GlassSchema

/// The user defaults of the market, with the values that the market registers.
public protocol UserDefaultsRegistrationAPI: AnyObject, Sendable {
    /// The suite that app and extensions share.
    var suite: String { get }
    /// The keys that the market registers, in byte order.
    var registeredKeys: [String] { get }
    /// The value of a key: what somebody set, else what the market registers.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or nil for a key without one.
    func value(for key: String) -> ConfigurationScalar?
}

extension UserDefaultsRegistrationAPI {
    /// The getters.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("suite", [], "The suite that app and extensions share.") { _ in .string(self.suite) },
            ScriptMethod("keys", [], "The keys that the market registers.") { _ in
                .list(self.registeredKeys.map { .string($0) })
            },
            ScriptMethod("value", ["key"], "The value of a key, or nil.") { arguments in
                self.value(for: try arguments.string(0, "key")).map { ScriptValue($0.configurationValue) } ?? .nil
            },
        ]
    }
}

/// A real `UserDefaults` suite with the market's values in its registration domain.
public final class UserDefaultsRegistrationPlatformAPI: UserDefaultsRegistrationAPI {
    /// What the market declares.
    public typealias Configuration = UserDefaultsRegistrationConfiguration

    /// The suite that app and extensions share.
    public let suite: String
    private let configuration: Configuration

    /// Creates the service and registers the market's values.
    ///
    /// Registered values live in memory and are never written, so a value that somebody set wins and one that the
    /// market stops registering is gone.
    ///
    /// - Parameter configuration: What the market declares.
    public init(configuration: Configuration) {
        self.configuration = configuration
        suite = configuration.suite
        userDefaults.register(defaults: configuration.defaults.mapValues(\.foundationValue))
    }

    /// The suite itself. `UserDefaults` is thread-safe, but Foundation on Linux does not declare it Sendable, so it is
    /// made on each access; suites of one name share their values.
    package var userDefaults: UserDefaults { UserDefaults(suiteName: suite) ?? .standard }

    /// The keys that the market registers, in byte order.
    public var registeredKeys: [String] { configuration.defaults.keys.sorted() }

    /// The value of a key: what somebody set in the suite, else what the market registers.
    ///
    /// The registration domain belongs to the whole process, so with two markets loaded it holds the values of the one
    /// that registered last; the answer here comes from the suite and from this market alone.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or nil for a key without one or with one that is no scalar.
    public func value(for key: String) -> ConfigurationScalar? {
        let registered = configuration.defaults[key]
        guard let stored = userDefaults.persistentDomain(forName: suite)?[key] else { return registered }
        return ConfigurationScalar(foundationValue: stored, like: registered)
    }
}

extension ConfigurationScalar {
    fileprivate var foundationValue: Any {
        switch self {
        case .boolean(let value): value
        case .integer(let value): value
        case .number(let value): value
        case .string(let value): value
        }
    }

    /// Reads a stored value as the kind that was registered, because property lists blur booleans and numbers; a value
    /// nobody registered is read as what it looks like.
    fileprivate init?(foundationValue: Any, like registered: ConfigurationScalar?) {
        switch (registered, foundationValue) {
        case (.boolean?, let flag as Bool): self = .boolean(flag)
        case (.integer?, let number as Int): self = .integer(number)
        case (.number?, let number as Double): self = .number(number)
        case (_, let text as String): self = .string(text)
        case (_, let flag as Bool): self = .boolean(flag)
        case (_, let number as Int): self = .integer(number)
        case (_, let number as Double): self = .number(number)
        default: return nil
        }
    }
}
