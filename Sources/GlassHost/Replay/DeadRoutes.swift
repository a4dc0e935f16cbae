import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassMarkets

/// The routes that no link of a replay used, and those that unmatched links come close to.
struct DeadRoutes {
    /// The unmatched links that differ from a route in the same way.
    struct NearLinks {
        let match: NearMatch
        /// The first of them.
        let link: String
        fileprivate(set) var count: Int

        /// The difference, with an example.
        fileprivate var line: DisplayText {
            switch match.difference {
            case .slip(let written, let suggestion): "\"\(written)\" → \"\(suggestion)\": \(link)"
            case .additional: "one segment too many: \(link)"
            case .missing(let part): "\"\(part)\" is missing: \(link)"
            }
        }

        var json: String {
            let (difference, written, suggestion): (String, String?, String?) =
                switch match.difference {
                case .slip(let written, let suggestion): ("slip", written, suggestion)
                case .additional: ("additional", nil, nil)
                case .missing(let part): ("missing", nil, part)
                }
            func literal(_ text: String?) -> String { text?.jsonLiteral ?? "null" }
            return "{\"difference\":\"\(difference)\",\"link\":\(literal(link)),\"links\":\(count)"
                + ",\"pattern\":\(literal(match.declaration.pattern))"
                + ",\"routable\":\(literal(match.declaration.routableID))"
                + ",\"suggestion\":\(literal(suggestion)),\"written\":\(literal(written))}"
        }
    }

    let unused: [MarketRoute]
    /// The most frequent first.
    let near: [NearLinks]
    /// The number of unmatched links beyond the limits of ``UnmatchedLinks``.
    let uncompared: Int

    /// The maximum number of rows of a table; JSON has all.
    private static let maximumRows = 20

    var unusedJSON: [String] {
        unused.map { "{\"pattern\":\($0.pattern.jsonLiteral),\"routable\":\($0.routable.jsonLiteral)}" }
    }

    /// The routes as tables; empty if every route was used and no link is close to one.
    func lines(_ console: Console) -> [DisplayText] {
        var lines: [DisplayText] = []
        func add(_ table: Table, of count: Int) {
            lines.append("\n" + table.text(console))
            if count > Self.maximumRows {
                lines.append("and \(count - Self.maximumRows) more; list them with --format json")
            }
        }
        if !unused.isEmpty {
            var table = Table("UNUSED ROUTE", "ROUTABLE")
            for route in unused.prefix(Self.maximumRows) { table.add("\(route.pattern)", "\(route.routable)") }
            add(table, of: unused.count)
        }
        if !near.isEmpty {
            var table = Table("NEARLY MATCHED", "ROUTABLE", "LINKS", "DIFFERENCE")
            for links in near.prefix(Self.maximumRows) {
                let route = links.match.declaration
                table.add("\(route.pattern)", "\(route.routableID)", "\(links.count)", links.line)
            }
            add(table, of: near.count)
        }
        if uncompared > 0 {
            let isOne = uncompared == 1
            lines.append(
                "\(uncompared) unmatched link\(isOne ? " was" : "s were") not compared with the routes: only the first "
                    + "\(UnmatchedLinks.maximumPaths.grouped) different paths are")
        }
        return lines
    }
}

/// The links of a replay that belong to the market but match no route, and the routes that they come close to.
///
/// Each different path is compared with all routes once. Paths are limited in number and length, because a log may have
/// any number of them, each written by a stranger.
struct UnmatchedLinks {
    /// The maximum number of different paths.
    static let maximumPaths = 5_000
    /// The maximum length of a path in bytes; longer than any path of a route.
    private static let maximumLength = 1_024

    private let market: Market
    private let budget = WorkBudget(cpuTime: .seconds(2))
    /// What each path comes close to, as an index into the list; nil for nothing.
    private var paths: [[UInt8]: Int?] = [:]
    private var found: [DeadRoutes.NearLinks] = []
    private var places: [NearMatch: Int] = [:]
    private(set) var uncompared = 0

    init(market: Market) { self.market = market }

    /// The matches, the most frequent first; equally frequent ones in the order of the file.
    var nearest: [DeadRoutes.NearLinks] {
        found.enumerated().sorted { ($1.element.count, $0.offset) < ($0.element.count, $1.offset) }.map(\.element)
    }

    /// Counts a link if it matches no route.
    mutating func count(_ record: ReplayRecord) {
        guard record.pattern == nil, record.outcome == "unroutable" || record.outcome == "external" else { return }
        let path = Array(record.link.utf8.prefix { $0 != UInt8(ascii: "?") && $0 != UInt8(ascii: "#") })
        if let known = paths[path] {
            if let known { found[known].count += 1 }
            return
        }
        guard let link = try? DeepLink(record.link) else { return }  // a refused link is near nothing
        let configuration = market.definition.deepLinking
        guard link.isWebLink ? configuration.isUniversal(host: link.host) : configuration.hasScheme(link.scheme)
        else { return }
        guard paths.count < Self.maximumPaths, path.count <= Self.maximumLength else {
            uncompared += 1
            return
        }
        do {
            let match = try market.deepLinker.table.nearMatch(for: link, budget: budget)
            paths.updateValue(match.map { place(of: $0, record.link) }, forKey: path)
        } catch {
            uncompared += 1
        }
    }

    /// Counts a link for a match, and returns the index of the match.
    private mutating func place(of match: NearMatch, _ link: String) -> Int {
        if let place = places[match] {
            found[place].count += 1
            return place
        }
        places[match] = found.count
        found.append(DeadRoutes.NearLinks(match: match, link: link, count: 1))
        return found.count - 1
    }
}

extension DeepLinkConfiguration {
    /// What precedes the path of a request to make it a link: the host of universal links or, without one, a scheme.
    /// Routes don't depend on the host, so any host of the market will do, and an example of a wildcard.
    var requestBase: String? {
        universalLinks.exampleHost.map { "https://\($0)" } ?? schemes.first.map { "\($0):/" }
    }
}
