import ArgumentParser
import GlassMarketFiles
import GlassMarkets

extension CompletionKind {
    /// The ids of the markets.
    static let markets = names { try $0.catalogue.marketIDs() }

    /// The key paths of the market.
    static let keys = names(CompletionCandidates.keys)

    /// The preconditions of the market's links.
    static let preconditions = names { try $0.market.preconditions.names }

    /// The services of the program's module.
    static let services = names { _ in HostSettings.current.module.services.map(\.name) }

    /// Branches and tags; both ends of a range, `main..feature`.
    static let ranges = names(CompletionCandidates.ranges)

    /// Folders, branches and tags.
    static let foldersAndReferences = names { words in
        // Without git there are still folders.
        CompletionCandidates.folders(words) + ((try? CompletionCandidates.references(words)) ?? [])  // as above
    }

    /// Completions that are found when they are asked for. What cannot be found, such as the keys of a market that does not
    /// load, is none: somebody is in the middle of a line, where no message belongs.
    private static func names(
        _ find: @escaping @Sendable (CompletionWords) throws -> [String]
    ) -> CompletionKind {
        .custom { raw, index, beginning in
            let words = CompletionWords(raw, index: index, beginning: beginning)
            guard let names = try? find(words) else { return [] }  // as above
            return names.filter { $0.hasPrefix(words.word) && CompletionCandidates.isPlain($0) }
        }
    }
}
