import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// What a word of a command line can become.
enum CompletionCandidates {
    /// More paths than these are too many to look through.
    private static let maximumPaths = 200

    /// The most references that git is asked for.
    private static let maximumReferences = 1000

    /// Whether a candidate is the same in every shell. bash expands candidates as it would words (`compgen -W`), so that a
    /// file or a branch called `$(rm …)` would be run; zsh takes a colon for the end of a candidate; and a leading hyphen
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

    /// The key paths of the market that the words name.
    static func keys(_ words: CompletionWords) throws -> [String] {
        let paths = try words.market.keyPaths(budget: WorkBudget())
        return keyPaths(paths.map(\.description).filter(isPlain), beginningWith: words.word)
    }

    /// What the beginning of a key path can become: whole paths where they are few, else each up to its next name.
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
            // A section stands there with what it holds.
            next = next.filter { !next.contains($0 + ".") }
            // A shell sets a space behind a single candidate, and a section alone is seldom meant.
            guard next.count == 1, let only = next.first, only.hasSuffix(".") else { return next.sorted() }
            length = only.utf8.count
            matches = matches.filter { $0.hasPrefix(only) }
        }
    }

    /// The branches and tags of the repository that the markets are in, or where there are none, this folder.
    static func references(_ words: CompletionWords) throws -> [String] {
        try GitRepository(around: words.options.markets).references(atMost: maximumReferences)
    }

    /// The same, or both ends of a range of them, `main..feature`.
    static func ranges(_ words: CompletionWords) throws -> [String] {
        let references = try references(words)
        guard let dots = words.word.range(of: "..", options: .backwards) else { return references }
        let start = String(words.word[..<dots.upperBound])
        return references.map { start + $0 }
    }

    /// The folders that the word can become, with a slash behind each.
    static func folders(_ words: CompletionWords) -> [String] {
        let text = words.word
        let end = text.lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
        let (parent, start) = (String(text[..<end]), text[end...])
        let place = parent.isEmpty ? "." : parent
        // A folder that is not there or cannot be listed has nothing to offer.
        let names = (try? ConfinedDirectory(place).names()) ?? []  // as above
        return names.filter { name in
            name.hasPrefix(start) && (start.hasPrefix(".") || !name.hasPrefix(".")) && isFolder("\(place)/\(name)")
        }.sorted().map { "\(parent)\($0)/" }
    }

    private static func isFolder(_ path: String) -> Bool {
        var isFolder: ObjCBool = false
        return FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) && isFolder.boolValue
    }
}

extension CompletionWords {
    /// The markets of the folder that the words name.
    var catalogue: SessionMarkets {
        get throws {
            SessionMarkets(MarketLoader(HostSettings.current.module, folder: try options.marketFolder))
        }
    }

    /// The market that the words name. No service is made, and nothing is kept on disk.
    var market: Market { get throws { try catalogue.load(try options.marketID) } }
}
