import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What only one market of a folder can have: with two of them a system cannot tell the apps apart, and their links.
struct MarketIdentities {
    private struct Identity: Hashable {
        let kind: String
        let value: String
    }

    private struct Owner {
        let market: String
        let position: SourcePosition?
    }

    /// The keys, with what a message calls their values.
    private static let keys: [(kind: String, path: ConfigurationPath)] = [
        ("bundle identifier", "platform.appInfo.bundleIdentifier"),
        ("Android package", "platform.appInfo.android.package"),
        ("scheme", "deepLinking.schemes"), ("universal link host", "deepLinking.universalLinks"),
    ]

    private let severity: Finding.Severity
    private var owners: [Identity: Owner] = [:]
    /// What two markets have, at the place of the second one.
    private(set) var findings: [Finding] = []

    /// Knows of no market yet.
    init(severity: Finding.Severity) {
        self.severity = severity
    }

    /// Compares a market with those before it.
    mutating func add(_ market: Market) {
        let root = market.source
        for (kind, path) in Self.keys {
            guard let node = root.node(at: path) else { continue }
            if case .list(let nodes) = node.value {
                for (offset, element) in nodes.enumerated() {
                    add(kind, element, path.appending(index: offset + 1), of: market)
                }
            } else {
                add(kind, node, path, of: market)
            }
        }
    }

    private mutating func add(_ kind: String, _ node: ConfigurationNode, _ path: ConfigurationPath, of market: Market) {
        guard case .string(let value) = node.value else { return }
        // Bundle identifiers, schemes and hosts are compared without case.
        let identity = Identity(kind: kind, value: value.lowercased())
        guard let owner = owners[identity] else {
            owners[identity] = Owner(market: market.id, position: node.position)
            return
        }
        let isInherited = owner.position == node.position
        let place = isInherited ? market.source.node(at: "extends")?.position ?? node.position : node.position
        let other = owner.position.map { " (\($0))" } ?? ""
        findings += [
            Finding(
                .sharedIdentity, severity: severity, at: place, path: path,
                subject: "\(market.id) \(kind) \(value) \(owner.market)",
                "\(market.id) \(isInherited ? "inherits" : "has") the \(kind) \(value.quotedForMessage) of "
                    + "\(owner.market)\(other)",
                hint: "give \(market.id) one of its own")
        ].withLines(of: market.origin.files).withPlaces(in: market.origin.files, allowance: .unlimited)
    }
}
