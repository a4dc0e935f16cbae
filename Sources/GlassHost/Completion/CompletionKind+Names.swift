import ArgumentParser
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension CompletionKind {
    /// The ids of the markets.
    static let markets = names { try $0.catalog.marketIDs() }

    /// The key paths of the market.
    static let keys = names(CompletionCandidates.keys)

    /// The flags of the market, or of all markets if the words select none.
    static let flags = names(CompletionCandidates.flags)

    /// The preconditions of the market's links.
    static let preconditions = names { try $0.market.preconditions.names }

    /// The services of the program's module.
    static let services = names { _ in HostSettings.current.module.services.map(\.name) }

    /// Branches and tags, or both ends of a range of them, `main..feature`.
    static let ranges = names(CompletionCandidates.ranges)

    /// Folders, branches, and tags.
    static let foldersAndReferences = names { words in
        // Without git, only folders are offered.
        CompletionCandidates.folders(words) + ((try? CompletionCandidates.references(words)) ?? [])  // as above
    }

    /// The attributes of a situation: `build=`, and the values of one with names, `build=debug`.
    static let attributes = CompletionKind.custom { raw, index, beginning in
        let words = CompletionWords(raw, index: index, beginning: beginning)
        return (try? CompletionCandidates.attributes(words)) ?? []  // as below
    }

    /// The names of the attributes of a situation.
    static let attributeNames = names { words in try words.market.attributes.filter { $0.names != nil }.map(\.name) }

    /// Completions that are computed on request. Candidates that cannot be computed, such as the keys of a market that
    /// does not load, are omitted silently, because a message would disturb the line that the user is typing.
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
