public import Foundation
public import GlassSchema

/// What a market's remote configuration says: values that override the market's own until the next one.
///
/// ```json
/// { "retry": { "default": { "maxRetries": 5 }, "checkout": { "maxRetries": 1 } } }
/// ```
public struct RemoteConfiguration: Sendable, Equatable {
    /// Keys of `platform.networking.retry` that override the market's, by the name of a notifier; `default` is for all.
    public var retry: [String: ConfigurationValue]

    /// Creates a configuration.
    ///
    /// - Parameter retry: Overriding keys by the name of a notifier.
    public init(retry: [String: ConfigurationValue] = [:]) {
        self.retry = retry
    }

    /// Reads a configuration. Sections that this version does not know are left alone; a section that it knows must be
    /// as the market's schema says.
    ///
    /// - Parameters:
    ///   - data: JSON.
    ///   - origin: Where it comes from, for messages.
    /// - Throws: ``RemoteConfigurationError/malformed(origin:problems:)`` with every problem.
    public init(json data: Data, origin: String) throws(RemoteConfigurationError) {
        let root: ConfigurationValue
        do {
            root = try JSONDecoder().decode(JSONValue.self, from: data).value
        } catch {
            throw .malformed(origin: origin, problems: ["it is no JSON without nulls in lists"])
        }
        guard case .map(let sections) = root else {
            throw .malformed(origin: origin, problems: ["expected an object, got \(root.found)"])
        }
        guard let retry = sections["retry"] else {
            self.init()
            return
        }
        let type = ValueType.map(of: NetworkingConfiguration.Retry.valueType, keys: .nonEmpty)
        // Keys that contradict each other are judged with the market's, which some of them override.
        let findings = ConfigurationValidator.findings(in: retry, type: type, path: "retry")
            .filter { $0.code != .inconsistent }
        guard findings.isEmpty, case .map(let entries) = retry.value else {
            throw .malformed(
                origin: origin, problems: findings.map { finding in "\(finding.path): \(finding.message)" })
        }
        self.init(retry: entries.mapValues(\.value))
    }

    /// The policy of a notifier: the market's, then what overrides it for all, then for this one.
    ///
    /// - Parameters:
    ///   - name: The notifier's name.
    ///   - market: The market's policy.
    /// - Returns: The policy, and what contradicts itself in it; then the policy is the market's.
    func policy(for name: String, market: NetworkingConfiguration.Retry) -> (RetryPolicy, problems: [String]) {
        guard case .map(var merged) = market.configurationValue else { return (RetryPolicy(market), []) }
        for layer in [retry["default"], retry[name]] {
            guard case .map(let overrides)? = layer else { continue }
            merged.merge(overrides) { _, override in override }
        }
        let result = NetworkingConfiguration.Retry(validated: ConfigurationValue.map(merged))
        let problems = result.inconsistencies().map { "retry of \(name): \($0.path): \($0.message)" }
        return (RetryPolicy(problems.isEmpty ? result : market), problems)
    }
}

/// Where remote configuration comes from: the `ccmSource` of ``RetryNotifierFactory``.
public protocol RemoteConfigurationSource: Sendable {
    /// Gets the configuration.
    ///
    /// - Returns: The configuration as it is now.
    /// - Throws: ``RemoteConfigurationError``; who asked goes on with what it had.
    func fetch() async throws(RemoteConfigurationError) -> RemoteConfiguration
}

/// Why there is no remote configuration.
public enum RemoteConfigurationError: Error, CustomStringConvertible {
    /// It is there, but not as it must be.
    case malformed(origin: String, problems: [String])
    /// The file cannot be read.
    case unreadable(file: String, cause: any Error)
    /// The server did not give it.
    case unreachable(cause: NetworkingError)
    /// The storage did not give the identity that the request carries.
    case noIdentity(cause: StorageError)

    /// What failed, where, and what is wrong with it.
    public var description: String {
        switch self {
        case .malformed(let origin, let problems):
            "the remote configuration of \(origin) is not used: \(problems.joined(separator: "; "))"
        case .unreadable(let file, let cause): "the remote configuration \(file) cannot be read: \(cause)"
        case .unreachable(let cause): "no remote configuration: \(cause)"
        case .noIdentity(let cause): "no remote configuration: the customer's identity cannot be read: \(cause)"
        }
    }

    /// The error that this one comes from, if there is one.
    public var cause: (any Error)? {
        switch self {
        case .malformed: nil
        case .unreadable(_, let cause): cause
        case .unreachable(let cause): cause
        case .noIdentity(let cause): cause
        }
    }
}
