import GlassBase
package import GlassMarkets
package import GlassSchema

/// What of a market only one market of a folder can have: with two of them a system cannot tell the apps apart, and their
/// links.
///
/// The market itself is not kept, so that a folder may have any number of them.
package struct MarketIdentity: Sendable, Equatable {
    /// A value, and where it was written.
    private struct Claim: Sendable, Equatable {
        let name: Name
        let written: String
        let path: ConfigurationPath
        let position: SourcePosition?
        /// Whether the market's own file has it, or what that includes.
        let isOwn: Bool
    }

    /// What a system compares.
    fileprivate struct Name: Sendable, Hashable {
        /// What a message calls it.
        let kind: String
        let value: String
    }

    private static let androidPackage: ConfigurationPath = "platform.appInfo.android.package"

    /// The keys, with what a message calls their values.
    private static let keys: [(kind: String, path: ConfigurationPath)] = [
        ("bundle identifier", "platform.appInfo.bundleIdentifier"),
        ("Android package", androidPackage),
        ("scheme", "deepLinking.schemes"), ("universal link host", "deepLinking.universalLinks"),
    ]

    /// The market's id.
    package let id: String
    /// The markets that it extends, the nearest first.
    private let bases: [String]
    private let extends: SourcePosition?
    private var claims: [Claim] = []

    /// What a market has.
    package init(_ market: Market) {
        id = market.id
        bases = market.origin.layers.dropLast().reversed().compactMap { layer in
            if case .string(let id)? = layer.node(at: "id")?.value { id } else { nil }
        }
        extends = market.source.node(at: "extends")?.position
        for (kind, path) in Self.keys {
            guard let node = market.source.node(at: path) else { continue }
            let own = Self.places(of: market.origin.layers.last?.node(at: path))
            if case .list(let nodes) = node.value {
                for (offset, element) in nodes.enumerated() {
                    add(kind, element, path.appending(index: offset + 1), own)
                }
            } else {
                add(kind, node, path, own)
            }
        }
    }

    private mutating func add(
        _ kind: String, _ node: ConfigurationNode, _ path: ConfigurationPath, _ own: Set<SourcePosition>
    ) {
        guard case .string(let value) = node.value else { return }
        // Bundle identifiers, schemes and hosts are compared without case, and packages with it.
        let name = Name(kind: kind, value: path == Self.androidPackage ? value : value.lowercased())
        claims.append(
            Claim(
                name: name, written: value, path: path, position: node.position,
                isOwn: node.position.map(own.contains) ?? false))
    }

    /// Where a file has the values of a key.
    private static func places(of node: ConfigurationNode?) -> Set<SourcePosition> {
        guard let node else { return [] }
        var nodes = [node]
        if case .list(let elements) = node.value { nodes += elements }
        if case .append(let elements)? = node.value.word?.kind { nodes += elements }
        return Set(nodes.compactMap(\.position))
    }

    /// Two markets with one value.
    package struct Clash: Sendable, Equatable {
        /// The market that changed it: of two of which one extends the other the one that extends, else the later id.
        package let market: String
        /// The market that has it, too.
        package let other: String
        /// What is said, without the line that it is about.
        package let finding: Finding
    }

    /// What is said of two markets that have a value.
    private func clash(_ claim: Claim, _ other: MarketIdentity, _ first: Claim, severity: Finding.Severity) -> Clash {
        // Two files may include one, and have a value from the same place without one of them extending the other.
        let isInherited = first.position == claim.position && !claim.isOwn
        let verb = isInherited && bases.contains(other.id) ? "inherits" : "has"
        let place = first.position.map { " (\($0))" } ?? ""
        var finding = Finding(
            .sharedIdentity, severity: severity, at: isInherited ? extends ?? claim.position : claim.position,
            path: claim.path, subject: "\(id) \(claim.name.kind) \(claim.written) \(other.id)",
            "\(id) \(verb) the \(claim.name.kind) \(claim.written.quotedForMessage) of \(other.id)\(place)",
            hint: "give \(id) one of its own")
        if let position = first.position, position != finding.position {
            finding.related = [Finding.RelatedPlace(position, ofClashWith: "that of \(other.id)")]
        }
        return Clash(market: id, other: other.id, finding: finding)
    }

    /// What the markets have of which only one can have it.
    fileprivate static func clashes(_ all: [MarketIdentity], severity: Finding.Severity) -> [Clash] {
        let markets = all.sorted { $0.id < $1.id }
        var owners: [Name: [(market: MarketIdentity, claim: Claim)]] = [:]
        for market in markets {
            // A list may have a value twice, which is another finding.
            var seen: Set<Name> = []
            for claim in market.claims where seen.insert(claim.name).inserted {
                owners[claim.name, default: []].append((market, claim))
            }
        }
        var found: [Clash] = []
        for owners in owners.values where owners.count > 1 {
            let byID = Dictionary(owners.map { ($0.market.id, $0) }) { first, _ in first }
            // Who extends a market with the value got it from there; the others stand beside each other.
            let root = owners.first { owner in !owner.market.bases.contains { byID[$0] != nil } }
            for (market, claim) in owners {
                let base = market.bases.lazy.compactMap { byID[$0] }.first
                guard let other = base ?? root, other.market.id != market.id else { continue }
                found.append(market.clash(claim, other.market, other.claim, severity: severity))
            }
        }
        return found
    }
}

extension [MarketIdentity] {
    /// What two of the markets have and only one can have, each told at the market that changed it.
    package func clashes(severity: Finding.Severity) -> [MarketIdentity.Clash] {
        MarketIdentity.clashes(self, severity: severity)
    }
}

extension [MarketIdentity.Clash] {
    /// The clashes that a market has a part in.
    package func concerning(_ markets: Set<String>) -> [MarketIdentity.Clash] {
        filter { markets.contains($0.market) || markets.contains($0.other) }
    }

    /// The findings with the lines that they are about. Markets with a clash are few, so that they are read once more
    /// rather than all of them kept.
    package func findings(by markets: any MarketSource) -> [Finding] {
        Dictionary(grouping: self, by: \.market).flatMap { id, clashes in
            // One that has become unreadable has no lines to show.
            let files = (try? markets.check(id))?.files ?? []
            return clashes.map(\.finding).withLines(of: files).withPlaces(in: files, allowance: .unlimited)
        }.sortedByPosition()
    }
}
