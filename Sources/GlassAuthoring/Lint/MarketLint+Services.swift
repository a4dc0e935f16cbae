import GlassBase
import GlassMarkets
import GlassSchema

/// The environments of a section and the URLs of their services, as the files are merged in the default situation.
private struct Environments {
    /// The path of the environments.
    let path: ConfigurationPath
    /// The name of the URLs in each of them.
    private let services: String
    /// The environment that the app starts in; nil if the section does not say it, or has no valid one.
    let first: String?
    /// The URLs by environment and service.
    let urls: [String: [String: ConfigurationNode]]

    /// The environments of each section of a market that has some.
    static func all(in lint: MarketLint) -> [Environments] {
        let schema = lint.market.schema
        return lint.paths(.environments).compactMap { path in
            guard let services = schema.name(of: .serviceURLs, inEach: path) else { return nil }
            var first: String?
            if let place = schema.path(.firstEnvironment, beside: path) {
                first = lint.source.node(at: place)?.value.stringValue
            }
            return Environments(path: path, services: services, first: first, in: lint.source)
        }
    }

    private init(path: ConfigurationPath, services: String, first: String?, in source: ConfigurationNode) {
        self.path = path
        self.services = services
        self.first = first
        urls = Self.urls(at: path, services, in: source)
    }

    private static func urls(
        at path: ConfigurationPath, _ services: String, in source: ConfigurationNode
    ) -> [String: [String: ConfigurationNode]] {
        guard case .map(let environments)? = source.node(at: path)?.value else { return [:] }
        return environments.mapValues { environment in
            guard case .map(let urls)? = environment.node(at: ConfigurationPath([.key(services)]))?.value else {
                return [:]
            }
            return urls.filter { if case .string = $0.value.value { true } else { false } }
        }
    }

    /// The URLs in another source, such as a base market.
    func urls(in source: ConfigurationNode) -> [String: [String: ConfigurationNode]] {
        Self.urls(at: path, services, in: source)
    }

    func path(of environment: String, _ service: String? = nil) -> ConfigurationPath {
        let urls = path.appending(environment).appending(services)
        return service.map(urls.appending) ?? urls
    }

    /// How a file writes URLs of an environment.
    func text(of environment: String, _ lines: String) -> String { "\(environment) = { \(services) = { \(lines) } }" }
}

extension MarketLint {
    /// The environments that use URLs of the environment that the app starts in: a staging that is production.
    var sharedURLs: [Finding] { Environments.all(in: self).flatMap(sharedURLs) }

    private func sharedURLs(of environments: Environments) -> [Finding] {
        guard let start = environments.first, let first = environments.urls[start] else { return [] }
        return environments.urls.sorted { $0.key < $1.key }.flatMap { name, services -> [Finding] in
            guard name != start else { return [] }
            let shared = services.filter { service, node in
                guard let other = first[service], isOwn(node) || isOwn(other) else { return false }
                return node.urlForComparing == other.urlForComparing
            }
            return byAcceptance(of: .sharedURL, shared).map { services in
                sharedURL(services, of: name, services.compactMap { first[$0.service] }, start, environments)
            }
        }
    }

    private func sharedURL(
        _ services: [(service: String, node: ConfigurationNode)], of name: String, _ others: [ConfigurationNode],
        _ first: String, _ environments: Environments
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
            path: environments.path(of: isFirstWrong ? first : name, isOne ? names[0] : nil),
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
    var inheritedServices: [Finding] { Environments.all(in: self).flatMap(inheritedServices) }

    private func inheritedServices(of environments: Environments) -> [Finding] {
        guard let base = market.definition.extends, environments.first != nil else { return [] }
        var inherited: [String: [String: ConfigurationNode]] = [:]
        for layer in market.origin.baseLayers {
            for (name, services) in environments.urls(in: layer) {
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
            return keptHosts(services, of: name, inherited[name] ?? [:], base, environments)
                + byAcceptance(of: .inheritedService, left).map { left in
                    inheritedService(left.map(\.service), of: name, base, environments)
                }
        }
    }

    /// The services of an environment that the market writes with the host that they have in its base, although all of
    /// its others are on a domain of its own.
    private func keptHosts(
        _ services: [String: ConfigurationNode], of name: String, _ inherited: [String: ConfigurationNode],
        _ base: String, _ environments: Environments
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
                .inheritedService, at: node.position, path: environments.path(of: name, service),
                subject: "\(base) \(service)",
                "\(service) of \(name) uses the host of \(base.quotedForMessage), "
                    + "but the other services are on \(domain)",
                hint: "write a URL on \(domain), or accept it with a reason")
        }
    }

    private func inheritedService(
        _ names: [String], of name: String, _ base: String, _ environments: Environments
    ) -> Finding {
        let lines = names.map { "\($0) = \"https://…\"" }.joined(separator: ", ")
        let own = market.origin.own
        // The nearest table that the market writes.
        let paths = [environments.path(of: name), environments.path.appending(name), environments.path]
        let table = paths.lazy.compactMap { own?.node(at: $0) }.first
        return warning(
            .inheritedService, at: table?.keyPosition ?? table?.position, path: environments.path(of: name),
            subject: "\(base) \(names.joined(separator: " "))",
            "\(name) inherits \(names.inProse()) from \(base.quotedForMessage), but another environment sets "
                + "\(names.count == 1 ? "it" : "them")",
            hint: "write \(environments.text(of: name, lines))")
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
