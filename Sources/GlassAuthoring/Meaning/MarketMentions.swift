import GlassBase
import GlassMarketFiles
import GlassMarkets
package import GlassSchema

/// What a market's own files mention, to find a host that is nearly another and a value that belongs to another market.
///
/// The market itself is not kept, so a folder may contain any number of markets.
package struct MarketMentions: Sendable, Equatable {
    /// A host and where it is written.
    fileprivate struct Mention: Sendable, Equatable {
        /// The host in lowercase, without a dot or a wildcard at its start.
        let host: String
        /// The text that contains it.
        let text: String
        let path: ConfigurationPath
        let position: SourcePosition?
        /// Whether the app takes links of the host, so that somebody has set it up.
        let isOfLinks: Bool
    }

    /// A text that may name a market, such as that of a tenant or a secret.
    fileprivate struct Name: Sendable, Equatable, Hashable {
        let text: String
        let path: ConfigurationPath
        let position: SourcePosition?

        /// The words of the text, in lowercase.
        var words: [String] { text.nameWords }

        /// Nil for a value that names no market: a text for readers, an element of a list such as the code of a region,
        /// and an identifier that has a rule of its own.
        init?(_ written: WrittenValue) {
            guard !written.isInherited, !written.isProse, written.path.isNameOfPlatform else { return nil }
            if case .secret(let secret) = written.value {
                text = secret.name
            } else if let written = written.text, written.utf8.count <= 200, !written.contains(where: \.isWhitespace) {
                text = written
            } else {
                return nil
            }
            path = written.path
            position = written.position
        }
    }

    /// The market's id.
    package let id: String
    /// The base markets, nearest first.
    let bases: [String]
    fileprivate private(set) var mentions: [Mention] = []

    /// The texts that may name a market.
    fileprivate private(set) var names: [Name] = []
    /// The words by which a text names the market: its id, and its country if that has one word.
    fileprivate let words: [String]
    /// The code of the market's country.
    fileprivate let country: String?
    /// The languages of the market's locales.
    let languages: Set<String>
    /// The values that the market includes from other files.
    let includes: [Include]
    /// The cookies that are named like a preference.
    let pairs: [Pair]

    /// The maximum number of hosts, and of texts, that are compared.
    private static let maximumCount = 1_000

    /// Collects the mentions of a market.
    init(_ meaning: MarketMeaning) {
        id = meaning.market.id
        bases = meaning.market.origin.bases
        country = meaning.country?.code
        words = [id.lowercased()] + [meaning.country?.word].compactMap(\.self)
        languages = Set(meaning.market.definition.locales.map { String($0.prefix { $0 != "-" }) })
        includes = Include.all(in: meaning)
        pairs = Pair.all(in: meaning)
        names = meaning.written.lazy.compactMap(Name.init).prefix(Self.maximumCount).map(\.self)
        for written in meaning.written {
            guard mentions.count < Self.maximumCount else { return }
            guard let text = written.text, !written.isProse else { continue }
            let isOfLinks = Self.isOfLinks(written.path)
            let host =
                text.hostOfURL ?? (isOfLinks || written.path.lastKey == "domain" ? text.lowercased() : nil)
            guard var host, host.contains("."), !host.isPrivateHost else { continue }
            host.trimPrefix { $0 == "*" || $0 == "." }
            mentions.append(
                Mention(
                    host: host, text: text, path: written.path, position: written.position, isOfLinks: isOfLinks))
        }
    }

    private static func isOfLinks(_ path: ConfigurationPath) -> Bool {
        guard path.elements.count > 1, path.elements[0] == .key("deepLinking") else { return false }
        switch path.elements[1] {
        case .key("universalLinks"): return true
        case .key("allowedDomains"): return path.lastKey == "name"
        default: return false
        }
    }
}

extension [MarketMentions] {
    /// The hosts that are nearly another one and are mentioned once in all markets, and the values that belong to another
    /// market, each at its market.
    package var confusedMarkets: [ConfusedMarket] {
        SimilarHosts(self).found + copiedNames + foreignTexts + unequalPairs
    }

    /// The values that name another market, which has the same value.
    private var copiedNames: [ConfusedMarket] {
        let markets = sorted { $0.id < $1.id }
        var owners: [NamedValue: MarketMentions] = [:]
        for market in markets {
            for name in market.names where name.words.contains(where: market.words.contains) {
                owners[NamedValue(text: name.text, path: name.path)] = market
            }
        }
        return markets.flatMap { market in
            market.names.compactMap { name in
                guard let owner = owners[NamedValue(text: name.text, path: name.path)], owner.id != market.id,
                    !name.words.contains(where: market.words.contains),
                    // Two markets of one country may share a host.
                    name.text.hostOfURL == nil || market.country == nil || market.country != owner.country
                else { return nil }
                return ConfusedMarket(market: market.id, finding: copied(name, from: owner, into: market))
            }
        }
    }

    private func copied(
        _ name: MarketMentions.Name, from owner: MarketMentions, into market: MarketMentions
    ) -> Finding {
        // A host of another market has more differences than a word.
        let meant = name.text.hostOfURL == nil ? name.text.replacing(words: owner.words, with: market.words) : nil
        return Finding(
            .foreignName, severity: .warning, at: name.position, path: name.path, subject: "\(name.text) \(owner.id)",
            "\(name.text.quotedForMessage) is also the value of the market \(owner.id)",
            advice: Advice(
                meant.map { "did you mean \($0.quotedForMessage)?" } ?? "write this market's own value",
                meant.map { .spelling(name.text, meant: $0, isUnambiguous: false) }))
    }
}

/// A text at a key.
private struct NamedValue: Hashable {
    let text: String
    let path: ConfigurationPath
}

/// A value of a market that is probably meant to be another one, as a comparison with the other markets shows.
package struct ConfusedMarket: FolderFinding, Sendable, Equatable {
    /// The market.
    package let market: String
    /// The finding, without its source line.
    package let finding: Finding
}

/// Compares the hosts of a folder's markets.
private struct SimilarHosts {
    private let markets: [MarketMentions]
    /// How often each domain and each first label are mentioned.
    private var domains: [String: Int] = [:]
    private var labels: [String: Int] = [:]
    private var hosts: [String: Int] = [:]
    /// The domains of links.
    private var ofLinks: Set<String> = []
    /// How often each market mentions domains with a suffix such as `ca`.
    private var suffixes: [String: [String: Int]] = [:]

    init(_ markets: [MarketMentions]) {
        self.markets = markets.sorted { $0.id < $1.id }
        var seen: Set<SourcePosition> = []
        for market in self.markets {
            for mention in market.mentions {
                let name = DomainName(mention.host)
                suffixes[market.id, default: [:]][name.suffix, default: 0] += 1
                if mention.isOfLinks { ofLinks.insert(name.domain) }
                if let position = mention.position, !seen.insert(position).inserted { continue }
                domains[name.domain, default: 0] += 1
                hosts[mention.host, default: 0] += 1
                for label in name.labels { labels[label, default: 0] += 1 }
            }
        }
    }

    var found: [ConfusedMarket] {
        // The domains that are used more than once, by what a similar one has in common with them.
        var bySuffix: [String: [String]] = [:]
        var byName: [String: [String]] = [:]
        for domain in domains.keys.sorted() where domains[domain, default: 0] > 1 || ofLinks.contains(domain) {
            let name = DomainName(domain)
            bySuffix["\(name.suffix) \(name.name.utf8.count)", default: []].append(domain)
            byName[name.name, default: []].append(domain)
        }
        let repeated = Dictionary(
            grouping: labels.filter { $0.value > 1 }.map(\.key).sorted(), by: \.utf8.count)
        var seen: Set<SourcePosition> = []
        return markets.flatMap { market in
            market.mentions.compactMap { mention in
                guard hosts[mention.host] == 1 else { return nil }
                if let position = mention.position, !seen.insert(position).inserted { return nil }
                guard let meant = meant(mention, in: market, bySuffix, byName, repeated) else { return nil }
                return ConfusedMarket(market: market.id, finding: Self.finding(mention, meant: meant))
            }
        }
    }

    /// The host that may be meant; nil if the host may be right.
    private func meant(
        _ mention: MarketMentions.Mention, in market: MarketMentions, _ bySuffix: [String: [String]],
        _ byName: [String: [String]], _ repeated: [Int: [String]]
    ) -> String? {
        let name = DomainName(mention.host)
        if domains[name.domain] == 1 {
            let near = (-1...1).lazy.flatMap { bySuffix["\(name.suffix) \(name.name.utf8.count + $0)"] ?? [] }
                .first { DomainName($0).name.isSlip(of: name.name) && $0 != name.domain }
            if let near { return name.prefix + near }
            // Another top-level domain: it may be the one of a new site, so the market must use others instead.
            guard !mention.isOfLinks, suffixes[market.id]?[name.suffix] == 1, name.name.utf8.count > 3 else {
                return nil
            }
            let others = (byName[name.name] ?? []).filter { $0 != name.domain }
            // The one that the market itself uses most, or else its base markets.
            func uses(_ domain: String) -> [Int] {
                let suffix = DomainName(domain).suffix
                return ([market.id] + market.bases).map { suffixes[$0]?[suffix] ?? 0 }
            }
            return others.max { uses($0).lexicographicallyPrecedes(uses($1)) }.map { name.prefix + $0 }
        }
        // The domain is known: a slip in one of the labels before it.
        for (index, label) in name.labels.enumerated() where labels[label] == 1 && label.utf8.count > 4 {
            let near = (-1...1).lazy.flatMap { repeated[label.utf8.count + $0] ?? [] }.first {
                $0.isSlip(of: label) && !$0.isPlural(of: label)
            }
            guard let near else { continue }
            var labels = name.labels
            labels[index] = near
            return (labels + [name.domain]).joined(separator: ".")
        }
        return nil
    }

    private static func finding(_ mention: MarketMentions.Mention, meant: String) -> Finding {
        let text = mention.text.replacing(host: mention.host, with: meant)
        return Finding(
            .similarHost, severity: .warning, at: mention.position, path: mention.path,
            subject: "\(mention.host) \(meant)",
            "no other value has the host \(mention.host.quotedForMessage), which is nearly \(meant.quotedForMessage)",
            advice: Advice(
                "write \"\(text ?? meant)\"",
                text.map { .spelling(mention.text, meant: $0, isUnambiguous: false) }))
    }
}

/// The parts of a host's name.
struct DomainName {
    /// The labels before the domain: `quimby`, `mobile`.
    let labels: [String]
    /// The name in front of the suffix: `walmart`.
    let name: String
    /// The public suffix: `ca` or `com.mx`.
    let suffix: String

    /// The labels that are part of a public suffix in front of a country's code.
    private static let secondLevels: Set<String> = ["ac", "co", "com", "edu", "gob", "gov", "net", "or", "org"]

    init(_ host: String) {
        var labels = host.split(separator: ".").map(String.init)
        var suffix = labels.popLast() ?? ""
        if suffix.utf8.count == 2, labels.count > 1, let second = labels.last, Self.secondLevels.contains(second) {
            suffix = "\(labels.removeLast()).\(suffix)"
        }
        self.suffix = suffix
        name = labels.popLast() ?? ""
        self.labels = labels
    }

    /// Whether the host has no name before its suffix: `mx`, `com.mx`.
    var isSuffix: Bool {
        name.isEmpty || labels.isEmpty && suffix.utf8.count == 2 && Self.secondLevels.contains(name)
    }

    var domain: String { "\(name).\(suffix)" }
    var prefix: String { labels.map { $0 + "." }.joined() }
}

extension String {
    /// Whether a name is this one with a slip of the fingers: a letter too many or too few, two letters swapped, or one
    /// letter for another behind the first. Names of fewer than five letters are too near to each other, and digits
    /// make different names on purpose.
    func isSlip(of other: String) -> Bool {
        let (left, right) = (Array(utf8), Array(other.utf8))
        guard left != right, min(left.count, right.count) >= 5, left.first == right.first,
            Suggestion.distance(left, right, limit: 1) == 1
        else { return false }
        let start = zip(left, right).prefix { $0 == $1 }.count
        let end = zip(left.reversed(), right.reversed()).prefix { $0 == $1 }.count
        let changed =
            left[min(start, left.count)..<max(min(start, left.count), left.count - end)]
            + right[min(start, right.count)..<max(min(start, right.count), right.count - end)]
        return changed.allSatisfy { (0x61...0x7A).contains($0 | 0x20) }
    }
}

extension ConfigurationPath {
    /// Whether the value may name the market: one of the platform's configuration. Codes in lists, such as those of
    /// regions, are names of other things; identifiers of apps and languages have rules of their own.
    fileprivate var isNameOfPlatform: Bool {
        elements.first == .key("platform") && elements.dropFirst().first != .key("address")
            && !["country", "bundleIdentifier", "package"].contains(lastKey)
            && lastKey?.lowercased() != "accept-language"
            && !elements.contains { if case .index = $0 { true } else { false } }
    }
}

extension String {
    /// The words of a name such as `GLASS_MX_KEY` or `tenant-us`, in lowercase.
    fileprivate var nameWords: [String] {
        split { !($0.isLetter || $0.isNumber) }.map { $0.lowercased() }
    }

    /// The name with other words in place of some, in their case; nil if one lacks its counterpart.
    fileprivate func replacing(words old: [String], with new: [String]) -> String? {
        var result = ""
        var rest = self[...]
        while !rest.isEmpty {
            let part = rest.prefix { $0.isLetter || $0.isNumber }
            if let index = old.firstIndex(of: part.lowercased()) {
                guard new.indices.contains(index) else { return nil }
                result += part.contains(where: \.isLowercase) ? new[index] : new[index].uppercased()
            } else {
                result += part
            }
            rest = rest[part.endIndex...]
            if let separator = rest.popFirst() { result.append(separator) }
        }
        return result
    }
}

extension Country {
    /// The name in lowercase and without accents; nil if it has several words.
    fileprivate var word: String? {
        let word = name.foldedToASCII.lowercased()
        return word.utf8.count > 3 && word.allSatisfy(\.isLetter) ? word : nil
    }
}
