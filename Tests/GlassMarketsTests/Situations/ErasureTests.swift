import GlassBase
@testable import GlassMarkets
import GlassSchema
import Testing
import TestSupport

/// A market in a situation is what its files say when everything that does not hold is struck out.
@Suite struct ErasureTests {
    private let schema = MarketSchema(MarketModule("test"))

    private func situations(of chain: GeneratedChain, _ findings: FindingList) throws -> SituationRules {
        try #require(
            try SituationReader.situations(
                of: chain.files, schema: schema, zones: .utc, budget: .unlimited, findings: findings))
    }

    private func merged(_ layers: [ConfigurationNode]) throws -> ConfigurationNode {
        var merger = MarketMerger(schema: schema.declaration, budget: .unlimited)
        return try merger.merge(layers)
    }

    @Test(
        "in every situation, both ways of reading a market give what is left of its files",
        arguments: 0..<40 as Range<UInt64>)
    func readsWhatIsLeft(seed: UInt64) throws {
        let chain = GeneratedChain(seed: seed)
        let findings = FindingList()
        let situations = try situations(of: chain, findings)
        try #require(!findings.hasErrors, "\(findings.sorted())")
        let varied = try #require(try VariedMarket(situations, budget: .unlimited))
        for context in GeneratedChain.situations {
            let expected = try merged(chain.struckOut(in: context)).normalized
            let read = try merged(situations.layers(in: MarketSituation(context)).nodes).normalized
            #expect(read == expected, "seed \(seed), \(context)")
            let resolved = varied.root.resolved { condition, _ in condition.holds(in: context) }
            #expect(resolved?.normalized == expected, "seed \(seed), \(context)")
        }
    }

    @Test(
        "the alternatives of a key are its values, each with a situation that has it",
        arguments: 200..<212 as Range<UInt64>)
    func listsAlternatives(seed: UInt64) throws {
        let chain = GeneratedChain(seed: seed)
        let findings = FindingList()
        let situations = try situations(of: chain, findings)
        let varied = try #require(try VariedMarket(situations, budget: .unlimited))
        for path in varied.variedPaths {
            let alternatives = try varied.alternatives(at: path)
            var seen: Set<ConfigurationValue?> = []
            for context in GeneratedChain.situations {
                seen.insert(try merged(chain.struckOut(in: context)).node(at: path)?.value)
            }
            for alternative in alternatives {
                let found = try merged(chain.struckOut(in: alternative.context)).node(at: path)
                let node = alternative.node?.resolved { condition, _ in condition.holds(in: alternative.context) }
                #expect(node?.normalized == found?.normalized, "seed \(seed), \(path), \(alternative.context)")
            }
            #expect(alternatives.count >= seen.count, "seed \(seed), \(path)")
        }
    }

    @Test func generatesWhatMatters() throws {
        var (varied, differing, erroneous) = (0, 0, 0)
        for seed in 0..<120 as Range<UInt64> {
            let chain = GeneratedChain(seed: seed)
            let findings = FindingList()
            let situations = try situations(of: chain, findings)
            if findings.hasErrors { erroneous += 1 }
            if !situations.deciding.isEmpty { varied += 1 }
            let values = Set(try GeneratedChain.situations.map { try merged(chain.struckOut(in: $0)).value })
            if values.count > 3 { differing += 1 }
        }
        #expect(varied > 100 && differing > 60 && erroneous == 0, "\(varied) \(differing) \(erroneous)")
    }
}

extension ConfigurationNode {
    /// The values alone, with one spelling for tables without keys.
    fileprivate var normalized: ConfigurationValue { value.normalized }
}

extension ConfigurationValue {
    fileprivate var normalized: ConfigurationValue {
        switch self {
        case .map(let entries):
            entries.isEmpty ? .emptyTable : .map(entries.mapValues { ConfigurationNode($0.value.normalized) })
        case .list(let nodes): nodes.isEmpty ? .emptyTable : self
        default: self
        }
    }
}
