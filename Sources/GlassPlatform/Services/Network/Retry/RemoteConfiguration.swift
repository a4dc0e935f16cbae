public import Foundation
public import GlassMarkets
public import GlassSchema

/// What a market's remote configuration says: values that stand over the market's own until the next one.
///
/// Keys are where a market file has them, and each must be one whose declaration says `remote`; policies of single
/// notifiers stand under `retry`.
///
/// ```json
/// {
///   "platform": { "networking": { "retry": { "maxRetries": 5 }, "tracking": false } },
///   "retry": { "checkout": { "maxRetries": 1 } }
/// }
/// ```
public struct RemoteConfiguration: Sendable, Equatable {
    /// Keys of `platform.networking.retry` that override the market's, by the name of a notifier; `default` is for all
    /// notifiers.
    public var retry: [String: ConfigurationValue]
    /// Keys that override the market's, by the section at the top of a market: `platform`, and an app's own.
    public var sections: [String: ConfigurationValue]

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - retry: Overriding keys by the name of a notifier.
    ///   - sections: Overriding keys by the section at the top of a market.
    public init(retry: [String: ConfigurationValue] = [:], sections: [String: ConfigurationValue] = [:]) {
        self.retry = retry
        self.sections = sections
    }

    /// Reads a configuration. What this version does not know at the top is left alone; a section that it knows must be as
    /// the market's schema says, and have only keys that may be changed from afar.
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
        guard case .map(let entries) = root else {
            throw .malformed(origin: origin, problems: ["expected an object, got \(root.found)"])
        }
        self.init(entries)
        let findings = retryFindings(entries["retry"]) + findings(in: [PlatformConfig.self])
        guard findings.isEmpty else {
            throw .malformed(origin: origin, problems: findings.map(\.problem))
        }
    }

    /// Takes a tree as it is.
    init(_ entries: [String: ConfigurationNode]) {
        self.init()
        if case .map(let retry)? = entries["retry"]?.value { self.retry = retry.mapValues(\.value) }
        for (key, node) in entries where key != "retry" { sections[key] = node.value }
    }

    /// The configuration as a tree: what ``init(json:origin:)`` reads.
    var configurationValue: ConfigurationValue {
        var entries = sections
        if !retry.isEmpty { entries["retry"] = .map(values: retry) }
        return .map(values: entries)
    }

    /// A section of a market with what is said here in place of the market's values. Secrets keep their values.
    ///
    /// - Parameter section: The market's section.
    /// - Returns: The section as it holds now. O(keys of the section) where it is changed.
    public func applied<S: MarketSection>(to section: S) -> S {
        sections[S.key].map { section.changed(by: $0) } ?? section
    }

    /// The value that stands over a market's.
    package func value(at path: ConfigurationPath) -> ConfigurationValue? {
        ConfigurationNode(.map(values: sections)).node(at: path)?.value
    }

    /// The policy of a notifier: the market's, then what overrides it for all, then for this one.
    func policy(for name: String, market: NetworkingConfiguration.Retry) -> NetworkingConfiguration.Retry {
        var platform = PlatformConfig()
        platform.networking.retry = market
        var policy = applied(to: platform).networking.retry
        for layer in [retry["default"], retry[name]] { if let layer { policy = policy.changed(by: layer) } }
        return policy
    }
}

extension RemoteConfiguration {
    /// What keeps the configuration from being used with a market, as `check` would say it of a file.
    package func findings(over market: [any MarketSection]) -> [Finding] {
        let findings = self.findings(in: market.map { type(of: $0) })
        // Values are put together only when each is right.
        return findings.isEmpty ? market.flatMap { contradictions(in: $0) } + retryContradictions(market) : findings
    }

    /// What is wrong with the values of sections, each by itself.
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
        return ConfigurationValidator.findings(in: retry, type: type, path: "retry").filter { $0.code != .inconsistent }
    }

    /// What only the changed section can be asked, without what is wrong with the market's own.
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
            policy(for: name, market: platform.networking.retry).inconsistencies().map { found in
                let path = ConfigurationPath([.key("retry"), .key(name)] + found.path.elements)
                return Finding(.inconsistent, at: nil, path: path, found.message, hint: found.hint)
            }
        }
    }
}

extension Finding {
    /// The finding in one line: where and what.
    fileprivate var problem: String { "\(path): \(message)" }
}

/// Where remote configuration is fetched from.
public protocol RemoteConfigurationSource: Sendable {
    /// Gets the configuration.
    ///
    /// - Returns: The configuration as it is now.
    /// - Throws: ``RemoteConfigurationError``; who asked goes on with what it had.
    func fetch() async throws(RemoteConfigurationError) -> RemoteConfiguration
}

/// Why there is no remote configuration.
public enum RemoteConfigurationError: DescriptiveError {
    /// It is there, but not as it must be.
    case malformed(origin: String, problems: [String])
    /// It does not fit the market: each finding says which key.
    case refused(findings: [Finding])
    /// The answer came from a host that is none of the market's, or in cleartext.
    case foreign(host: String)
    /// The file cannot be read.
    case unreadable(file: String, cause: any Error)
    /// It is in use, but could not be kept for the next start.
    case notKept(file: String, cause: any Error)
    /// The server did not give it.
    case unreachable(cause: NetworkingError)
    /// The storage did not give the identity that the request carries.
    case noIdentity(cause: StorageError)
    /// Nobody asks for it: the market names no service that has it, or is one that its publisher or the device went back to.
    case notAsked(reason: String)

    /// What failed, where, and what is wrong with it.
    public var description: String {
        switch self {
        case .malformed(let origin, let problems):
            "the remote configuration of \(origin) is not used: \(problems.joined(separator: "; "))"
        case .refused(let findings):
            "the remote configuration is not used: \(findings.map(\.problem).joined(separator: "; "))"
        case .foreign(let host):
            "the remote configuration is not used: it came from \(host), which is no https host of the market"
        case .unreadable(let file, let cause): "the remote configuration \(file) cannot be read: \(cause)"
        case .notKept(let file, let cause):
            "the remote configuration is in use, but cannot be kept in \(file) for the next start: \(cause)"
        case .unreachable(let cause): "no remote configuration: \(cause)"
        case .noIdentity(let cause): "no remote configuration: the customer's identity cannot be read: \(cause)"
        case .notAsked(let reason): "no remote configuration: \(reason)"
        }
    }

    /// The error that this one comes from, if there is one.
    public var cause: (any Error)? {
        switch self {
        case .malformed, .refused, .foreign, .notAsked: nil
        case .unreadable(_, let cause), .notKept(_, let cause): cause
        case .unreachable(let cause): cause
        case .noIdentity(let cause): cause
        }
    }
}
