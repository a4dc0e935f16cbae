import GlassBase
package import GlassMarkets
package import GlassSchema

/// The values that must be unique among the markets of a folder. If two markets share one, a system cannot distinguish
/// their apps or links.
///
/// The market itself is not kept, so a folder may contain any number of markets.
package struct MarketIdentity: Sendable, Equatable {
    /// A value and the position where it is written.
    private struct Claim: Sendable, Equatable {
        let name: Name
        let written: String
        let path: ConfigurationPath
        let position: SourcePosition?
        /// Whether the value comes from the market's own file or a file that it includes.
        let isOwn: Bool
    }

    /// The value that a system compares.
    fileprivate struct Name: Sendable, Hashable {
        /// The kind of value, for messages.
        let kind: String
        let value: String
    }

    private static let packageKind = "Android package"
    fileprivate static let hostKind = "universal link host"

    /// The keys, with the kinds of their values for messages.
    private static func keys(of schema: MarketSchema) -> [(kind: String, path: ConfigurationPath)] {
        schema.paths(.bundleIdentifier).map { ("bundle identifier", $0) }
            + schema.paths(.androidPackage).map { (packageKind, $0) }
            + [("scheme", "deepLinking.schemes"), (hostKind, "deepLinking.universalLinks")]
    }

    /// The market's id.
    package let id: String
    /// The base markets, nearest first.
    private let bases: [String]
    private let extends: SourcePosition?
    private let decisions: MarketDecisions
    /// The keys whose inherited values the finding `undecided` lists.
    private let identifyingKeys: Set<ConfigurationPath>
    private var claims: [Claim] = []

    /// Collects the unique values of a market.
    package init(_ market: ValidValues) {
        id = market.id
        bases = market.origin.bases
        extends = market.source.node(at: "extends")?.position
        decisions = market.origin.decisions
        identifyingKeys = Set(market.schema.declaration.identifyingKeys.map(\.path))
        for (kind, path) in Self.keys(of: market.schema) {
            guard let node = market.source.node(at: path) else { continue }
            let own = market.origin.ownLayers.reduce(into: Set()) { $0.formUnion(Self.places(of: $1.node(at: path))) }
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
        // Packages are case-sensitive. Bundle identifiers, schemes and hosts are not.
        let name = Name(kind: kind, value: kind == Self.packageKind ? value : value.lowercased())
        claims.append(
            Claim(
                name: name, written: value, path: path, position: node.position,
                isOwn: node.position.map(own.contains) ?? false))
    }

    /// The positions of a key's values in the files.
    private static func places(of node: ConfigurationNode?) -> Set<SourcePosition> {
        guard let node else { return [] }
        var nodes = [node]
        if case .list(let elements) = node.value { nodes += elements }
        if case .directive(let directive) = node.value {
            switch directive.kind {
            case .append(let elements), .prepend(let elements): nodes += elements
            case .remove, .unset, .vary: break
            }
        }
        return Set(nodes.compactMap(\.position))
    }

    /// Two markets with the same value.
    package struct Clash: Sendable, Equatable {
        /// The market that changed the value: the one that extends the other, or else the one with the later id.
        package let market: String
        /// The other market.
        package let other: String
        /// The finding, without its source line.
        package let finding: Finding
        /// Whether the market inherits the value and says so.
        fileprivate let isMeant: Bool
        /// Whether the market inherits the value, and another finding lists the key as undecided.
        fileprivate let isUndecided: Bool
    }

    /// The clash of two markets that share a value.
    private func clash(_ claim: Claim, _ other: MarketIdentity, _ first: Claim, severity: Finding.Severity) -> Clash {
        // Two files may include the same file, and share a position without one market extending the other.
        let isInherited = first.position == claim.position && !claim.isOwn
        let verb = isInherited && bases.contains(other.id) ? "inherits" : "has"
        let place = first.position.map { " (\($0))" } ?? ""
        var finding = Finding(
            .sharedIdentity, severity: severity, at: isInherited ? extends ?? claim.position : claim.position,
            path: claim.path, subject: "\(id) \(claim.name.kind) \(claim.written) \(other.id)",
            "\(id) \(verb) the \(claim.name.kind) \(claim.written.quotedForMessage) of \(other.id)\(place)",
            hint: "set a different one in \(id).lua")
        if let position = first.position, position != finding.position {
            finding.related = [Finding.RelatedPosition(position, ofClashWith: "that of \(other.id)")]
        }
        let key = ConfigurationPath(claim.path.elements.filter { if case .key = $0 { true } else { false } })
        let isOfBase = isInherited && bases.contains(other.id)
        return Clash(
            market: id, other: other.id, finding: finding, isMeant: isOfBase && decisions.inherits(key),
            isUndecided: isOfBase && identifyingKeys.contains(key))
    }

    /// Finds the values that markets share but must not share.
    fileprivate static func clashes(_ all: [MarketIdentity], severity: Finding.Severity) -> [Clash] {
        let markets = all.sorted { $0.id < $1.id }
        var owners: [Name: [(market: MarketIdentity, claim: Claim)]] = [:]
        for market in markets {
            // A list may repeat a value, which is a separate finding.
            var seen: Set<Name> = []
            for claim in market.claims where seen.insert(claim.name).inserted {
                owners[claim.name, default: []].append((market, claim))
            }
        }
        var found: [Clash] = []
        for owners in owners.values where owners.count > 1 {
            let byID = Dictionary(owners.map { ($0.market.id, $0) }) { first, _ in first }
            // A market that extends another with the value got it from there. Other markets are independent.
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
    /// The values that markets share but must not share, each reported at the market that changed it.
    package func clashes(severity: Finding.Severity) -> [MarketIdentity.Clash] {
        MarketIdentity.clashes(self, severity: severity)
    }
}

extension [MarketIdentity.Clash] {
    /// The clashes that `check` reports: not those of inherited values that the market means to inherit, or, as
    /// warnings, that it is already told to decide about.
    package var unexplained: [MarketIdentity.Clash] {
        filter { !$0.isMeant && !($0.isUndecided && $0.finding.severity == .warning) }
    }

    /// The clashes that involve any of these markets.
    package func concerning(_ markets: Set<String>) -> [MarketIdentity.Clash] {
        filter { markets.contains($0.market) || markets.contains($0.other) }
    }
}

/// What a comparison of a folder's markets finds in one of them.
package protocol FolderFinding {
    /// The market.
    var market: String { get }
    /// The finding, without its source line.
    var finding: Finding { get }
}

extension MarketIdentity.Clash: FolderFinding {}

extension Collection where Element: FolderFinding {
    /// The findings with their source lines.
    ///
    /// - Parameters:
    ///   - markets: Loads a market again whose files are not known, instead of keeping all markets.
    ///   - known: The files of markets by their ids.
    package func findings(by markets: any MarketSource, _ known: [String: [MarketFile]] = [:]) -> [Finding] {
        Dictionary(grouping: self, by: \.market).flatMap { id, found in
            // A market that has become unreadable has no source lines.
            let files = known[id] ?? (try? markets.check(id))?.files ?? []
            return found.map(\.finding).withLines(of: files).withPlacesAndFixes(in: files, budget: .unlimited)
        }.sortedByPosition()
    }
}

extension Sequence<Finding> {
    /// The findings without those that only follow from another one: a host that belongs to another market need not be
    /// allowed here.
    package var withoutConsequences: [Finding] {
        let shared = filter { $0.code == .sharedIdentity }
        return filter { finding in
            finding.code != .unlistedHost
                || !shared.contains {
                    $0.position?.file == finding.position?.file
                        && $0.subject.contains(" \(MarketIdentity.hostKind) \(finding.subject) ")
                }
        }
    }
}
