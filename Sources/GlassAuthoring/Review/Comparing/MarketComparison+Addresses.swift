import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema

/// Schemes, hosts, and domains: how the links of a market begin.
extension MarketComparison {
    mutating func compareAddresses() throws {
        let (old, new) = (base.definition.deepLinking, head.definition.deepLinking)
        try compareBeginnings(
            old.schemes, new.schemes, at: "deepLinking.schemes", rules: (.schemeRemoved, .schemeAdded),
            link: { "\($0)://\($1)" })
        try compareBeginnings(
            old.universalLinks, new.universalLinks, at: "deepLinking.universalLinks",
            rules: (.hostRemoved, .hostAdded), link: { "https://\(UniversalHost($0).example)/\($1)" })
        try compareBrowserPaths(old, new)
        compareDomains(old.allowedDomains, new.allowedDomains)
    }

    private mutating func compareBeginnings(
        _ old: [String], _ new: [String], at path: ConfigurationPath, rules: (gone: ChangeRule, new: ChangeRule),
        link: (String, String) -> String
    ) throws {
        // A host is also kept by a wildcard that covers it, as is a longer wildcard. Schemes have none.
        func isCovered(_ name: String, by names: [String]) -> Bool {
            names.contains { UniversalHost($0).covers(name.lowercased()) }
        }
        let after = head.source.node(at: path)?.position
        for (offset, name) in old.enumerated() where !isCovered(name, by: new) {
            let examples = try base.deepLinker.table.examples(budget: budget).compactMap { $0 }
            let witness = examples.prefix(Self.maximumProofs).map { link(name, $0) }.first { isLost($0) }
            let recorded = recorded.filter { UniversalHost(name).covers($0.beginning) }
            let count = examples.count.counted("route")
            let used = recorded.isEmpty ? "" : "; this affects \(recorded.count.counted("recorded link"))"
            add(
                PendingChange(
                    rules.gone, witness == nil && recorded.isEmpty ? .risky : nil, market: id, path: path,
                    subject: name,
                    "\(name.quotedForMessage) was removed: its links to \(count) no longer open the app\(used)",
                    before: base.source.node(at: path.appending(index: offset + 1))?.position, after: after,
                    witness: recorded.first?.link.text ?? witness, recorded: recorded.first?.link.place))
        }
        for (offset, name) in new.enumerated() where !isCovered(name, by: old) {
            add(
                PendingChange(
                    rules.new, market: id, path: path, subject: name,
                    "\(name.quotedForMessage) is new: links that begin with it open the app",
                    before: base.source.node(at: path)?.position,
                    after: head.source.node(at: path.appending(index: offset + 1))?.position))
        }
    }

    private mutating func compareDomains(
        _ old: [DeepLinkConfiguration.AllowedDomain], _ new: [DeepLinkConfiguration.AllowedDomain]
    ) {
        let path: ConfigurationPath = "deepLinking.allowedDomains"
        func hosts(_ domains: [DeepLinkConfiguration.AllowedDomain]) -> [(host: String, index: Int)] {
            domains.enumerated().flatMap { offset, domain in
                let name = domain.name.lowercased()
                return [(name, offset + 1)] + (domain.allowSubdomains ? [("any.\(name)", offset + 1)] : [])
            }
        }
        func compare(
            _ one: [DeepLinkConfiguration.AllowedDomain], _ market: Market, _ other: Market
        ) -> [(name: String, index: Int, witness: String)] {
            var seen: Set<Int> = []
            return hosts(one).compactMap { host, index in
                let link = "https://\(host)/"
                guard Self.open(link, in: market) == .outside, Self.open(link, in: other) == .nothing,
                    seen.insert(index).inserted
                else { return nil }
                return (one[index - 1].name, index, link)
            }
        }
        for (name, index, witness) in compare(old, base, head) {
            let host = witness.contains("//any.") ? "subdomains of \(name)" : name
            add(
                PendingChange(
                    .domainRemoved, market: id, path: path, subject: host,
                    "links of \(host) opened outside the app, and now open nothing",
                    before: base.source.node(at: path.appending(index: index))?.position,
                    after: head.source.node(at: path)?.position, witness: witness))
        }
        for (name, index, witness) in compare(new, head, base) {
            let host = witness.contains("//any.") ? "subdomains of \(name)" : name
            add(
                PendingChange(
                    .domainAdded, market: id, path: path, subject: host, "links of \(host) now open outside the app",
                    before: base.source.node(at: path)?.position,
                    after: head.source.node(at: path.appending(index: index))?.position, witness: witness))
        }
    }

    /// The maximum number of links to open to prove one change.
    static let maximumProofs = 8

    /// Whether a link opened something in the app and no longer does; a browser may open it.
    func isLost(_ link: String) -> Bool {
        guard case .routable = Self.open(link, in: base) else { return false }
        if case .routable = Self.open(link, in: head) { return false }
        return true
    }
}
