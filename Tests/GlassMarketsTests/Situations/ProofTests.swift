import GlassBase
import GlassSchema
import TestSupport
import Testing

@testable import GlassMarkets

/// The proof of a market finds an error exactly if some situation has one.
@Suite struct ProofTests {
    private struct Span: MarketSection {
        var low = 1
        var high = 5
        var label = ""

        static let key = "span"
        static let summary = "A span."
        static let keys: [ConfigurationKey<Self>] = [
            .init("low", \.low, .integer(0...9), "Its start."),
            .init("high", \.high, .integer(0...9), "Its end."),
            .init("label", \.label, .string(.nonEmpty), required: true, "Its name."),
        ]
        static let rules: [ConfigurationRule<Self>] = [
            .init(reads: ["low", "high"]) { span in
                span.low > span.high ? [Inconsistency("low", "it is more than high", others: ["high"])] : []
            }
        ]
    }

    private static let assembly = MarketAssembly(MarketModule("test", sections: [Span.self])) { _ in nil }
    private static let situations: [MarketContext] =
        ["s", "m", "l"].flatMap { size in
            [true, false].flatMap { isGold in
                ["1", "2", "3"].map { api in
                    var context = MarketContext(["size": .text(size), "isGold": .boolean(isGold)])
                    context["api"] = ContextVersion(api).map { .version($0) }
                    return context
                }
            } + [MarketContext(["size": .text(size)])]
        } + [MarketContext()]

    /// A random market in which values, gaps, rules and routes depend on the situation.
    private static func market(seed: UInt64) -> ConfigurationNode {
        var random = SplitMix64(state: seed)
        func any<Element>(_ list: [Element]) -> Element { list[Int.random(in: 0..<list.count, using: &random)] }
        func condition() -> ConfigurationNode {
            let tests: [[String: ConfigurationValue]] = [
                ["size": .string(any(["s", "m", "l"]))], ["isGold": .boolean(any([true, false]))],
                ["api": .string(any([">= 2", "< 3", "< 2"]))],
                ["size": .string(any(["s", "m"])), "isGold": .boolean(true)],
                ["size": .map(values: ["no": .string("l")])],
            ]
            return ConfigurationNode(.map(values: any(tests)))
        }
        func varied(_ values: [ConfigurationValue], hasDefault: Bool) -> ConfigurationNode {
            var choices = (0..<Int.random(in: 1...2, using: &random)).map { _ in
                MergeDirective.Choice(when: condition(), value: ConfigurationNode(any(values)))
            }
            if hasDefault { choices.append(MergeDirective.Choice(when: nil, value: ConfigurationNode(any(values)))) }
            return ConfigurationNode(.directive(MergeDirective(.vary(choices, isPerLocale: false))))
        }
        func routable(_ screen: String) -> ConfigurationNode {
            let values: [ConfigurationValue] = ["x/:a", "x/:b", "y/:n(int)"].map { path in
                .map(values: [
                    "paths": .list(values: [.string(path)]), "show": .map(values: ["screen": .string(screen)]),
                ])
            }
            return any([true, false]) ? varied(values, hasDefault: false) : ConfigurationNode(any(values))
        }
        let numbers = [1, 3, 4, 6].map { ConfigurationValue.integer($0) }
        var span: [String: ConfigurationNode] = [:]
        span["low"] = any([nil, varied(numbers, hasDefault: any([true, false]))])
        span["high"] = any([nil, varied([4, 6, 9].map { .integer($0) }, hasDefault: any([true, false]))])
        span["label"] = any([
            ConfigurationNode(.string("a")),
            varied([.string("a"), .string("b")], hasDefault: any([true, true, false])),
        ])
        var overlay: [String: ConfigurationNode] = [
            "name": ConfigurationNode(.string("one")), "when": condition(),
            "span": ConfigurationNode(.map(["low": ConfigurationNode(any(numbers + [.integer(99)]))])),
        ]
        if any([true, false, false]) { overlay = overlay.filter { $0.key != "span" } }
        let attributes = GeneratedChain.world.filter { $0.name != "groups" }.map {
            ($0.name, ConfigurationValue.map(values: $0.definition))
        }
        return ConfigurationNode(
            .map([
                "id": ConfigurationNode(.string("t")), "name": ConfigurationNode(.string("T")),
                "locales": ConfigurationNode(.list(values: [.string("en-US")])),
                "currency": ConfigurationNode(.string("USD")),
                "deepLinking": ConfigurationNode(.map(values: ["schemes": .list(values: [.string("t")])])),
                "attributes": ConfigurationNode(.map(values: Dictionary(uniqueKeysWithValues: attributes))),
                "overlays": ConfigurationNode(.list([ConfigurationNode(.map(overlay))])),
                "span": ConfigurationNode(.map(span)),
                "routables": ConfigurationNode(.map(["one": routable("one"), "two": routable("two")])),
            ]))
    }

    private func origin(_ layers: [ConfigurationNode]) -> MarketOrigin {
        MarketOrigin(layers: layers, files: [], revision: MarketRevision(digest: "0")) { true }
    }

    /// The errors of a market; without those about conditions, which concern no situation.
    private func errors(
        in layers: [ConfigurationNode], proving: Bool
    ) throws -> [Finding] {
        let findings = FindingList()
        var reading = MarketAssembly.Reading()
        reading.provesAllSituations = proving
        _ = try Self.assembly.market(
            from: origin(layers), reading: reading, budget: .unlimited, findings: findings)
        let aside: Set<FindingCode> = [.neverHolds, .unreachable]
        return findings.sorted().filter { $0.severity == .error && !aside.contains($0.code) }
    }

    @Test func proofAgreesWithEverySituation() throws {
        var (found, clean) = (0, 0)
        for seed in 0..<400 as Range<UInt64> {
            let market = Self.market(seed: seed)
            let findings = FindingList()
            let situations = try #require(
                try SituationReader.situations(
                    of: [market], schema: Self.assembly.schema, zones: .utc, budget: .unlimited, findings: findings))
            try #require(!findings.hasErrors)
            let broken = try Self.situations.filter { context in
                try !errors(in: situations.layers(in: MarketSituation(context)).nodes, proving: false).isEmpty
            }
            let all = FindingList()
            var reading = MarketAssembly.Reading()
            reading.provesAllSituations = true
            _ = try Self.assembly.market(
                from: origin([market]), reading: reading, budget: .unlimited, findings: all)
            // A condition that never decides stops the proof before the rest, and is an error of its own.
            let isAboutConditions = all.sorted().contains { [.neverHolds, .unreachable].contains($0.code) }
            let proven = try errors(in: [market], proving: true)
            if broken.isEmpty {
                #expect(proven.isEmpty, "seed \(seed): \(proven)")
                clean += 1
            } else {
                #expect(!proven.isEmpty || isAboutConditions, "seed \(seed): \(broken)")
                found += 1
            }
            // A situation that a finding names has the error.
            for finding in proven {
                guard let situation = finding.situation else { continue }
                let layers = situations.layers(in: MarketSituation(situation)).nodes
                #expect(try !errors(in: layers, proving: false).isEmpty, "seed \(seed): \(finding)")
            }
        }
        #expect(found > 50 && clean > 30, "\(found) \(clean)")
    }
}
