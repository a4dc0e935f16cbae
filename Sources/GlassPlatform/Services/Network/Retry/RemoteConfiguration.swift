public import Foundation
public import GlassMarkets
public import GlassSchema

/// A market's remote configuration: values that override the market's own until the next one arrives.
///
/// The keys have the same structure as in a market file, and the declaration of each must be marked `remote`. Policies
/// of individual notifiers are under `retry`.
///
/// ```json
/// {
///   "platform": { "networking": { "retry": { "maxRetries": 5 }, "tracking": false } },
///   "retry": { "checkout": { "maxRetries": 1 } }
/// }
/// ```
public struct RemoteConfiguration: Sendable, Equatable {
    /// The keys of `platform.networking.retry` that override the market's, by the name of a notifier; `default` applies
    /// to all notifiers.
    public var retry: [String: ConfigurationValue]
    /// The keys that override the market's, by top-level section of a market: `platform` and an app's own.
    public var sections: [String: ConfigurationValue]

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - retry: The overriding keys, by the name of a notifier.
    ///   - sections: The overriding keys, by top-level section of a market.
    public init(retry: [String: ConfigurationValue] = [:], sections: [String: ConfigurationValue] = [:]) {
        self.retry = retry
        self.sections = sections
    }

    /// Decodes a configuration. Unknown top-level keys are ignored. A known section must conform to the market's schema
    /// and contain only remotely configurable keys.
    ///
    /// - Parameters:
    ///   - data: JSON.
    ///   - origin: The origin, for messages.
    /// - Throws: ``RemoteConfigurationError/malformed(origin:problems:)`` with every problem.
    public init(json data: Data, origin: String) throws(RemoteConfigurationError) {
        let root: ConfigurationValue
        do {
            root = try JSONDecoder().decode(JSONValue.self, from: data).value
        } catch {
            throw .malformed(origin: origin, problems: ["it is not valid JSON, or a list contains null"])
        }
        guard case .map(let entries) = root else {
            throw .malformed(origin: origin, problems: ["expected an object, got \(root.found)"])
        }
        self.init(entries)
        let findings = retryFindings(entries["retry"]) + findings(in: [PlatformConfig.self])
        guard findings.isEmpty else {
            throw .malformed(origin: origin, problems: findings.map(\.problem))
        }
    }

    /// Creates a configuration from a tree, without validation.
    init(_ entries: [String: ConfigurationNode]) {
        self.init()
        if case .map(let retry)? = entries["retry"]?.value { self.retry = retry.mapValues(\.value) }
        for (key, node) in entries where key != "retry" { sections[key] = node.value }
    }

    /// The configuration as a tree that ``init(json:origin:)`` can decode.
    var configurationValue: ConfigurationValue {
        var entries = sections
        if !retry.isEmpty { entries["retry"] = .map(values: retry) }
        return .map(values: entries)
    }

    /// Applies the remote values to a section of a market. Secrets keep their values.
    ///
    /// - Parameter section: The market's section.
    /// - Returns: The effective section. O(keys of the section) if it is changed.
    public func applied<S: MarketSection>(to section: S) -> S {
        sections[S.key].map { section.changed(by: $0) } ?? section
    }

    /// The value that overrides a market's, if any.
    package func value(at path: ConfigurationPath) -> ConfigurationValue? {
        ConfigurationNode(.map(values: sections)).node(at: path)?.value
    }

    /// The effective policy of a notifier: the market's, overridden by the values for all notifiers, and then by those
    /// for this one.
    func policy(for name: String, market: NetworkingConfiguration.Retry) -> NetworkingConfiguration.Retry {
        var platform = PlatformConfig()
        platform.networking.retry = market
        var policy = applied(to: platform).networking.retry
        for layer in [retry["default"], retry[name]] { if let layer { policy = policy.changed(by: layer) } }
        return policy
    }
}

extension RemoteConfiguration {
    /// The problems that prevent use of the configuration with a market, in the form in which `check` reports those of
    /// a file.
    package func findings(over market: [any MarketSection]) -> [Finding] {
        let findings = self.findings(in: market.map { type(of: $0) })
        // Combine the values only if each of them is valid.
        return findings.isEmpty ? market.flatMap { contradictions(in: $0) } + retryContradictions(market) : findings
    }

    /// The problems of the values of individual sections.
    private func findings(in types: [any MarketSection.Type]) -> [Finding] {
        types.flatMap { type -> [Finding] in
            guard let value = sections[type.key] else { return [] }
            let path = ConfigurationPath([.key(type.key)])
            guard case .map = value else {
                return ConfigurationValidator.findings(in: ConfigurationNode(value), type: type.valueType, path: path)
            }
            return type.declaration.findings(inChanges: ConfigurationNode(value), path: path)
        }
    }

    private func retryFindings(_ retry: ConfigurationNode?) -> [Finding] {
        guard let retry else { return [] }
        let type = ValueType.map(of: NetworkingConfiguration.Retry.valueType, keys: .nonEmpty)
        return ConfigurationValidator.findings(in: retry, type: type, path: "retry").filter {
            $0.code != .inconsistent && $0.code != .numbersDisagree
        }
    }

    /// The problems that appear only in the changed section, without those of the market's own section.
    private func contradictions<S: MarketSection>(in section: S) -> [Finding] {
        guard sections[S.key] != nil else { return [] }
        let path = ConfigurationPath([.key(S.key)])
        let before = Set(
            ConfigurationValidator.findings(
                in: ConfigurationNode(section.configurationValue), type: S.valueType, path: path))
        return ConfigurationValidator.findings(
            in: ConfigurationNode(applied(to: section).configurationValue), type: S.valueType, path: path
        ).filter { $0.severity == .error && !before.contains($0) }
    }

    private func retryContradictions(_ market: [any MarketSection]) -> [Finding] {
        guard let platform = market.lazy.compactMap({ $0 as? PlatformConfig }).first else { return [] }
        return retry.keys.sorted().flatMap { name in
            policy(for: name, market: platform.networking.retry).inconsistencies().compactMap { found in
                // With numbers that only look wrong the policy works.
                guard found.severity == .error else { return nil }
                let path = ConfigurationPath([.key("retry"), .key(name)] + found.path.elements)
                return Finding(.inconsistent, at: nil, path: path, found.message, hint: found.hint)
            }
        }
    }
}

extension Finding {
    /// The finding in one line: its path and message.
    fileprivate var problem: String { "\(path): \(message)" }
}

/// A source of remote configuration.
public protocol RemoteConfigurationSource: Sendable {
    /// Fetches the configuration.
    ///
    /// - Returns: The current configuration.
    /// - Throws: ``RemoteConfigurationError``, in which case the caller keeps its earlier values.
    func fetch() async throws(RemoteConfigurationError) -> RemoteConfiguration
}

/// The reason why there is no remote configuration.
public enum RemoteConfigurationError: DescriptiveError {
    /// The response is not valid.
    case malformed(origin: String, problems: [String])
    /// The values are not valid for the market. Each finding names a key.
    case refused(findings: [Finding])
    /// The response came from a host that does not belong to the market, or was not encrypted.
    case foreign(host: String)
    /// The file cannot be read.
    case unreadable(file: String, cause: any Error)
    /// The values are in use, but could not be stored for the next launch.
    case notKept(file: String, cause: any Error)
    /// The server did not provide it.
    case unreachable(cause: NetworkingError)
    /// The storage did not provide the identity for the request.
    case noIdentity(cause: StorageError)
    /// Nothing is fetched: the market names no service that provides it, or its publisher or the device has rolled back
    /// to it.
    case notAsked(reason: String)

    /// The problem, its origin, and its cause.
    public var description: String {
        switch self {
        case .malformed(let origin, let problems):
            "the remote configuration from \(origin) is not used: \(problems.joined(separator: "; "))"
        case .refused(let findings):
            "the remote configuration is not used: \(findings.map(\.problem).joined(separator: "; "))"
        case .foreign(let host):
            "the remote configuration is not used: it came from \(host), which is not an https host of the market"
        case .unreadable(let file, let cause): "the remote configuration \(file) cannot be read: \(cause)"
        case .notKept(let file, let cause):
            "the remote configuration is in use, but cannot be stored in \(file) for the next launch: \(cause)"
        case .unreachable(let cause): "no remote configuration: \(cause)"
        case .noIdentity(let cause): "no remote configuration: the customer's identity cannot be read: \(cause)"
        case .notAsked(let reason): "no remote configuration: \(reason)"
        }
    }

    /// The underlying error, if there is one.
    public var cause: (any Error)? {
        switch self {
        case .malformed, .refused, .foreign, .notAsked: nil
        case .unreadable(_, let cause), .notKept(_, let cause): cause
        case .unreachable(let cause): cause
        case .noIdentity(let cause): cause
        }
    }
}
