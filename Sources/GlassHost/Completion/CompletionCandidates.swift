import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import GlassAuthoring

/// The candidates for completing a word of a command line.
enum CompletionCandidates {
    /// If at least this many paths match, only the next name is completed.
    private static let maximumPaths = 200

    /// The maximum number of references to request from git.
    private static let maximumReferences = 1000

    /// Whether a candidate is safe in every shell. bash expands candidates like words (`compgen -W`), so a file or
    /// branch named `$(rm …)` would be executed; zsh treats a colon as the end of a candidate; and a leading hyphen
    /// makes an option.
    static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && !name.hasPrefix("-")
            && name.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"):
                    true
                default: ".-_/@+".utf8.contains(byte)
                }
            }
    }

    /// The key paths of the market that the words select.
    static func keys(_ words: CompletionWords) throws -> [String] {
        let paths = try words.market.keyPaths(budget: WorkBudget())
        return keyPaths(paths.map(\.description).filter(isPlain), beginningWith: words.word)
    }

    /// The flags of the market that the words select, or of all markets that load.
    static func flags(_ words: CompletionWords) throws -> [String] {
        let catalog = try words.catalog
        guard try words.options.namedMarket == nil else { return try words.market.flags.set.inOrder.map(\.name) }
        let markets = try catalog.marketIDs().compactMap { try? catalog.load($0) }  // as for a single market
        return Set(markets.flatMap(\.flags.set.flags.keys)).sorted()
    }

    /// The completions of the beginning of a key path: complete paths if there are few, otherwise up to the next name.
    static func keyPaths(_ paths: [String], beginningWith beginning: String) -> [String] {
        var matches = paths.filter { $0.hasPrefix(beginning) }
        guard matches.count >= maximumPaths else { return matches.sorted() }
        var length = beginning.utf8.count
        while true {
            var next = Set(
                matches.map { path in
                    let dot = path.utf8.dropFirst(length).firstIndex(of: UInt8(ascii: "."))
                    return dot.map { String(path[...$0]) } ?? path
                })
            // Drop the path of a section itself if the keys in it are offered.
            next = next.filter { !next.contains($0 + ".") }
            // A shell adds a space after a single candidate, and users seldom want a section alone.
            guard next.count == 1, let only = next.first, only.hasSuffix(".") else { return next.sorted() }
            length = only.utf8.count
            matches = matches.filter { $0.hasPrefix(only) }
        }
    }

    /// The attributes that the market's conditions can test, each with an equals sign, or the values of the attribute
    /// that the word ends with.
    ///
    /// bash splits words at equals signs, so that the part before one is another word. Then only values are offered.
    static func attributes(_ words: CompletionWords) throws -> [String] {
        let attributes = try words.market.attributes
        let start = words.word.lastIndex(of: ",").map { words.word[...$0] } ?? ""
        let last = words.word.dropFirst(start.count)
        let candidates: [String]
        if let sign = last.firstIndex(of: "=") {
            let name = last[..<sign]
            let values = attributes.first { $0.name == name }?.names ?? []
            candidates = values.map { "\(start)\(name)=\($0)" }
        } else {
            candidates = attributes.map { "\(start)\($0.name)=" }.sorted()
        }
        return candidates.filter { candidate in
            candidate.hasPrefix(words.word) && isPlain(candidate.filter { $0 != "," && $0 != "=" })
        }
    }

    /// The branches and tags of the repository that contains the markets or, without markets, the working directory.
    static func references(_ words: CompletionWords) throws -> [String] {
        try GitRepository(around: words.options.markets).references(atMost: maximumReferences)
    }

    /// Branches and tags, or both ends of a range of them, `main..feature`.
    static func ranges(_ words: CompletionWords) throws -> [String] {
        let references = try references(words)
        guard let dots = words.word.range(of: "..", options: .backwards) else { return references }
        let start = String(words.word[..<dots.upperBound])
        return references.map { start + $0 }
    }

    /// The folders that complete the word, each with a trailing slash.
    static func folders(_ words: CompletionWords) -> [String] {
        let text = words.word
        let end = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
        let (parent, start) = (String(text[..<end]), text[end...])
        let place = parent.isEmpty ? "." : parent
        // A folder that is missing or cannot be listed offers no candidates.
        let names = (try? ConfinedDirectory(place).names()) ?? []  // as above
        return names.filter { name in
            name.hasPrefix(start) && (start.hasPrefix(".") || !name.hasPrefix("."))
                && ConfinedDirectory.isFolder("\(place)/\(name)")
        }.sorted().map { "\(parent)\($0)/" }
    }
}

extension ContextAttribute {
    /// The names that the attribute accepts; nil if any name is possible.
    var names: [String]? {
        switch type {
        case .boolean: ["false", "true"]
        case .choice(let names), .locale(let names): names
        case .set(let names): names
        case .integer, .number, .text, .version, .date, .localDate, .region, .bucket: nil
        }
    }
}

extension CompletionWords {
    /// The markets in the folder that the words select.
    var catalog: SessionMarkets {
        get throws {
            SessionMarkets(MarketLoader(HostSettings.current.module, folder: try options.marketFolder))
        }
    }

    /// The market that the words select; the first one if they leave it open. No service is created, and nothing is
    /// stored on disk.
    var market: Market {
        get throws {
            let catalog = try catalog
            if let named = try options.namedMarket { return try catalog.load(named) }
            let choice = try catalog.choice(.current)
            return try catalog.load(choice.usual ?? choice.ids[0])
        }
    }
}
