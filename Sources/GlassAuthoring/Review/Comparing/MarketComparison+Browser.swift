import GlassBase
import GlassDeepLinking
import GlassMarkets
import GlassSchema
import GlassSites

/// The links of a market that stay in the browser.
extension MarketComparison {
    /// The paths that are now kept in the browser, and those that no longer are. A path that opens nothing in the app
    /// breaks nothing.
    mutating func compareBrowserPaths(_ old: DeepLinkConfiguration, _ new: DeepLinkConfiguration) throws {
        let path: ConfigurationPath = "deepLinking.browser"
        let (before, after) = (old.browser.map(BrowserPath.init), new.browser.map(BrowserPath.init))
        // A host that both versions have, also if a wildcard replaces its name.
        let hosts = (old.universalLinks + new.universalLinks).map { UniversalHost($0.lowercased()).example }
        guard before != after, let host = hosts.first(where: { old.isUniversal(host: $0) && new.isUniversal(host: $0) })
        else { return }
        let beginning = "https://\(host)/"
        /// The first link of a path that opens the app in one version only.
        func witness(_ kept: BrowserPath, in one: Market, not other: Market) throws -> String? {
            let own = kept.segments.map(SiteText.pathSegment).joined(separator: "/")
            let made = [own] + (kept.includesBelow ? ["\(own)/zq7700013x"] : [])
            let examples = try one.deepLinker.table.examples(budget: budget).compactMap { $0 }
            return (made + examples).map { beginning + $0 }.filter { link in
                do {
                    return kept.keeps(try DeepLink(link).segments)
                } catch {
                    return false  // no market opens what the gate refuses
                }
            }.prefix(Self.maximumProofs).first { link in
                guard case .routable = Self.open(link, in: one) else { return false }
                return Self.open(link, in: other) == .nothing
            }
        }
        for (offset, kept) in after.enumerated() where !before.contains(where: { $0.includes(kept) }) {
            let lost = try witness(kept, in: base, not: head)
            add(
                PendingChange(
                    .browserAdded, lost == nil ? .note : nil, market: id, path: path, subject: kept.text,
                    "\(kept.text.quotedForMessage) now stays in the browser"
                        + (lost == nil ? "; its links opened nothing before" : ": its links no longer open the app"),
                    before: base.source.node(at: path)?.position,
                    after: head.source.node(at: path.appending(index: offset + 1))?.position, witness: lost))
        }
        for (offset, kept) in before.enumerated() where !after.contains(where: { $0.includes(kept) }) {
            let found = try witness(kept, in: head, not: base)
            add(
                PendingChange(
                    .browserRemoved, market: id, path: path, subject: kept.text,
                    "\(kept.text.quotedForMessage) no longer stays in the browser"
                        + (found == nil ? "" : ": its links open the app"),
                    before: base.source.node(at: path.appending(index: offset + 1))?.position,
                    after: head.source.node(at: path)?.position, witness: found))
        }
    }
}
