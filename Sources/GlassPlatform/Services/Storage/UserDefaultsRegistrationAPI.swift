package import Foundation
public import GlassSchema

/// The user defaults of the market, including the values that the market registers.
public protocol UserDefaultsRegistrationAPI: AnyObject, Sendable {
    /// The suite that the app and its extensions share.
    var suite: String { get }
    /// The keys that the market registers, in byte order.
    var registeredKeys: [String] { get }
    /// The value of a key: the one that was set, or else the one that the market registers.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or `nil` if there is none.
    func value(for key: String) -> ConfigurationScalar?
}

extension UserDefaultsRegistrationAPI {
    /// The getters.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("suite", [], "The suite that the app and its extensions share.") { _ in .string(self.suite) },
            ScriptMethod("keys", [], "The keys that the market registers.") { _ in
                .list(self.registeredKeys.map { .string($0) })
            },
            ScriptMethod("value", ["key"], "The value of a key, or nil.") { arguments in
                self.value(for: try arguments.string(0, "key")).map { ScriptValue($0) } ?? .nil
            },
        ]
    }
}

/// A real `UserDefaults` suite with the market's values in its registration domain.
public final class UserDefaultsRegistrationPlatformAPI: UserDefaultsRegistrationAPI {
    /// The market's declaration.
    public typealias Configuration = UserDefaultsRegistrationConfiguration

    /// The suite that the app and its extensions share.
    public let suite: String
    private let configuration: Configuration

    /// Creates the service and registers the market's values.
    ///
    /// Registered values are only in memory and never written. A value that was set overrides them, and a value that
    /// the market no longer registers disappears.
    ///
    /// - Parameter configuration: The market's declaration.
    public init(configuration: Configuration) {
        self.configuration = configuration
        suite = configuration.suite
        userDefaults.register(defaults: configuration.defaults.mapValues(\.foundationValue))
    }

    /// The suite itself. `UserDefaults` is thread-safe, but Foundation on Linux does not declare it Sendable, so it is
    /// created on each access. Suites with the same name share their values.
    package var userDefaults: UserDefaults { UserDefaults(suiteName: suite) ?? .standard }

    /// The keys that the market registers, in byte order.
    public var registeredKeys: [String] { configuration.defaults.keys.sorted() }

    /// The value of a key: the one that was set in the suite, or else the one that the market registers.
    ///
    /// The registration domain belongs to the whole process, so with two loaded markets, it contains the values of the
    /// one that registered last. The result of this method depends only on the suite and on this market.
    ///
    /// - Parameter key: The key.
    /// - Returns: The value, or `nil` if there is none or it is not a scalar.
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

    /// Converts a stored value to the type of the registered one, because property lists do not clearly separate
    /// booleans and numbers. If no value is registered, the type is inferred.
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
