import GlassBase
import GlassMarketFiles
import GlassMarkets
package import GlassSchema

/// What a market's own files mention, to find a value that belongs to another market.
///
/// The market itself is not kept, so a folder may contain any number of markets.
package struct MarketMentions: Sendable, Equatable {
    /// A text that may name a market, such as that of a tenant or a secret.
    fileprivate struct Name: Sendable, Equatable, Hashable {
        let text: String
        let path: ConfigurationPath
        let position: SourcePosition?

        /// The words of the text, in lowercase.
        var words: [String] { text.nameWords }

        /// Nil for a value that names no market: a text for readers, an element of a list such as the code of a region,
        /// and an identifier that has a rule of its own.
        init?(_ written: WrittenValue, in schema: MarketSchema) {
            guard !written.isInherited, !written.isProse, schema.canName(written.path) else { return nil }
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
    /// The texts that may name a market.
    fileprivate let names: [Name]
    /// The words by which a text names the market: its id, and its country if that has one word.
    fileprivate let words: [String]
    /// The code of the market's country.
    fileprivate let country: String?
    /// The languages of the market's locales.
    let languages: Set<String>
    /// The values that the market includes from other files.
    let includes: [Include]

    /// The maximum number of texts that are compared.
    private static let maximumCount = 1_000

    /// Collects the mentions of a market.
    init(_ lint: MarketLint) {
        id = lint.market.id
        bases = lint.market.origin.bases
        country = lint.country?.code
        words = [id.lowercased()] + [lint.country?.word].compactMap(\.self)
        languages = Set(lint.market.definition.locales.map { String($0.prefix { $0 != "-" }) })
        includes = Include.all(in: lint)
        let schema = lint.market.schema
        names = lint.written.lazy.compactMap { Name($0, in: schema) }.prefix(Self.maximumCount).map(\.self)
    }
}

extension [MarketMentions] {
    /// The values that belong to another market, each at its market.
    package var confusedMarkets: [ConfusedMarket] { copiedNames + foreignTexts }

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

extension MarketSchema {
    /// Whether the value at a path may name the market: one of a module's section. Codes in lists, such as those of regions,
    /// are names of other things; countries, addresses, identifiers of apps, and languages have rules of their own.
    fileprivate func canName(_ path: ConfigurationPath) -> Bool {
        let tables = (paths(.regions) + paths(.postalPattern)).map { $0.elements.dropLast() }
        let others = paths(.country) + paths(.bundleIdentifier) + paths(.androidPackage)
        return isOfSection(path) && !tables.contains { path.elements.starts(with: $0) } && !others.contains(path)
            && !["country", "accept-language"].contains(path.lastKey?.lowercased())
            && !path.elements.contains { if case .index = $0 { true } else { false } }
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
