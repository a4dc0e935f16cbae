import GlassBase
import GlassMarkets
import GlassSchema

/// The environments of a market and the URLs of their services, as its files are merged in the default situation.
private struct Environments {
    static let path: ConfigurationPath = "platform.environment.environments"

    /// The environment that the app starts in.
    let first: String
    /// The URLs by environment and service.
    let urls: [String: [String: ConfigurationNode]]

    /// Nil for a market without environments.
    init?(_ source: ConfigurationNode) {
        guard case .string(let first)? = source.node(at: "platform.environment.default")?.value else { return nil }
        self.first = first
        urls = Self.urls(in: source)
    }

    static func urls(in source: ConfigurationNode) -> [String: [String: ConfigurationNode]] {
        guard case .map(let environments)? = source.node(at: path)?.value else { return [:] }
        return environments.mapValues { environment in
            guard case .map(let services)? = environment.node(at: "services")?.value else { return [:] }
            return services.filter { if case .string = $0.value.value { true } else { false } }
        }
    }

    static func path(of environment: String, _ service: String? = nil) -> ConfigurationPath {
        let services = path.appending(environment).appending("services")
        return service.map(services.appending) ?? services
    }
}

extension MarketMeaning {
    /// The environments that use URLs of the environment that the app starts in: a staging that is production.
    var sharedURLs: [Finding] {
        guard let environments = Environments(source), let first = environments.urls[environments.first] else {
            return []
        }
        return environments.urls.sorted { $0.key < $1.key }.flatMap { name, services -> [Finding] in
            guard name != environments.first else { return [] }
            let shared = services.filter { service, node in
                guard let other = first[service], isOwn(node) || isOwn(other) else { return false }
                return node.urlForComparing == other.urlForComparing
            }
            return byAcceptance(of: .sharedURL, shared).map { services in
                sharedURL(services, of: name, services.compactMap { first[$0.service] }, environments.first)
            }
        }
    }

    private func sharedURL(
        _ services: [(service: String, node: ConfigurationNode)], of name: String, _ others: [ConfigurationNode],
        _ first: String
    ) -> Finding {
        let names = services.map(\.service)
        let isOne = names.count == 1
        let urls = isOne ? "URL" : "URLs"
        // A host such as `stage.walmart.com` tells which of the two is wrong.
        let isForTests = others.contains { $0.urlForComparing?.hostOfURL?.isForTests == true }
        let isFirstWrong = !services.contains { isOwn($0.node) } || isForTests && others.contains(where: isOwn)
        let places = services.map(\.node)
        let place = (isFirstWrong ? others + places : places + others).first(where: isOwn)?.position
        var finding = warning(
            .sharedURL, at: place,
            path: Environments.path(of: isFirstWrong ? first : name, isOne ? names[0] : nil),
            subject: "\(name) \(first) \(names.joined(separator: " "))",
            isFirstWrong
                ? "\(first) uses the \(name) \(urls) for \(names.inProse())"
                : "\(name) uses the \(first) \(urls) for \(names.inProse())",
            hint: "write the \(urls) of \(isFirstWrong ? first : name), or accept it with a reason")
        if let other = (isFirstWrong ? services[0].node : others.first)?.position, other != place {
            finding.related = [Finding.RelatedPosition(other, ofClashWith: "that of \(isFirstWrong ? name : first)")]
        }
        return finding
    }

    /// The environments in which a service is inherited that another environment of the market sets: a staging of
    /// Canada that calls the United States.
    var inheritedServices: [Finding] {
        guard let base = market.definition.extends, let environments = Environments(source) else { return [] }
        var inherited: [String: [String: ConfigurationNode]] = [:]
        for layer in market.origin.baseLayers {
            for (name, services) in Environments.urls(in: layer) {
                inherited[name, default: [:]].merge(services) { $1 }
            }
        }
        // The services that the market sets to another URL than its base.
        var moved: Set<String> = []
        for (name, services) in environments.urls {
            for (service, node) in services where isOwn(node) {
                guard let from = inherited[name]?[service]?.urlForComparing, let to = node.urlForComparing, from != to,
                    // The URL of another environment is reported as such.
                    !environments.urls.contains(where: { $0.key != name && $0.value[service]?.urlForComparing == to })
                else { continue }
                moved.insert(service)
            }
        }
        guard !moved.isEmpty else { return [] }
        return environments.urls.sorted { $0.key < $1.key }.flatMap { name, services -> [Finding] in
            let left = services.filter { service, node in
                moved.contains(service) && inherited[name]?[service] != nil && !isOwn(node)
            }
            return keptHosts(services, of: name, inherited[name] ?? [:], base)
                + byAcceptance(of: .inheritedService, left).map { left in
                    inheritedService(left.map(\.service), of: name, base)
                }
        }
    }

    /// The services of an environment that the market writes with the host that they have in its base, although all of
    /// its others are on a domain of its own.
    private func keptHosts(
        _ services: [String: ConfigurationNode], of name: String, _ inherited: [String: ConfigurationNode],
        _ base: String
    ) -> [Finding] {
        let own = services.filter { isOwn($0.value) }.sorted { $0.key < $1.key }
        let kept = own.filter { service, node in
            node.urlForComparing?.hostOfURL != nil
                && node.urlForComparing?.hostOfURL == inherited[service]?.urlForComparing?.hostOfURL
        }
        let hosts = own.compactMap { service, node in
            kept.contains { $0.key == service } ? nil : node.urlForComparing?.hostOfURL
        }
        guard !kept.isEmpty, hosts.count > 1, kept.count < hosts.count,
            let domain = Set(hosts.map(\.domain)).first, hosts.allSatisfy({ $0.domain == domain })
        else { return [] }
        return kept.compactMap { service, node in
            guard let host = node.urlForComparing?.hostOfURL, host.domain != domain,
                // Another company's service may serve all markets.
                host.domainName == domain.domainName
            else { return nil }
            return warning(
                .inheritedService, at: node.position, path: Environments.path(of: name, service),
                subject: "\(base) \(service)",
                "\(service) of \(name) has the host of \(base.quotedForMessage), but the other services are on \(domain)",
                hint: "write its URL on \(domain), or accept it with a reason")
        }
    }

    private func inheritedService(_ names: [String], of name: String, _ base: String) -> Finding {
        let lines = names.map { "\($0) = \"https://…\"" }.joined(separator: ", ")
        let own = market.origin.own
        // The nearest table that the market writes.
        let paths = [Environments.path(of: name), Environments.path.appending(name), Environments.path]
        let table = paths.lazy.compactMap { own?.node(at: $0) }.first
        return warning(
            .inheritedService, at: table?.keyPosition ?? table?.position, path: Environments.path(of: name),
            subject: "\(base) \(names.joined(separator: " "))",
            "\(name) inherits \(names.inProse()) from \(base.quotedForMessage), but another environment sets "
                + "\(names.count == 1 ? "it" : "them")",
            hint: "write \(name) = { services = { \(lines) } }")
    }
}

extension ConfigurationNode {
    /// A URL without a slash at its end and with its host in lowercase.
    fileprivate var urlForComparing: String? {
        guard case .string(let url) = value else { return nil }
        let text = url.hasSuffix("/") ? String(url.dropLast()) : url
        return text.hostOfURL.flatMap { text.replacing(host: $0, with: $0) } ?? text
    }
}

extension String {
    /// The domain that a host belongs to: `walmart.com.mx` for `api.walmart.com.mx`.
    fileprivate var domain: String { DomainName(self).domain }
    /// The name of this domain without its suffix: `walmart`.
    fileprivate var domainName: String { DomainName(self).name }
}
