import Foundation
import GlassBase
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassMarketFiles
import MarketTesting
@testable import GlassAuthoring

/// The verdicts of policies on markets whose values depend on the situation.
@Suite(.timeLimit(.minutes(2)))
struct PolicySituationTests {
    private let fixture: MarketFixture

    init() throws {
        fixture = try MarketFixture()
    }

    private static func market(_ body: String) -> String {
        "return { id = \"xx\", name = \"Test\", extends = \"us\", \(body) }"
    }

    private func market(_ body: String) throws -> Market {
        try fixture.write(Self.market(body), to: "xx.lua")
        return try #require(try fixture.loader(limits: MarketFixture.patientLimits).check("xx").market)
    }

    private func policies(
        _ text: String, print: @escaping @Sendable (String) -> Void = { _ in }
    ) throws -> PolicySet {
        try fixture.write(text, to: "policies/a.lua")
        return PolicySet(reading: MarketFolder(path: fixture.folder.path + "/policies"), print: print)
    }

    /// Denies the number of retries from a limit on.
    private static func retries(below limit: Int) -> String {
        """
        glass.policy("few retries", { severity = "breaking" }, function(market, deny)
          if market.config.platform.networking.retry.maxRetries >= \(limit) then
            deny("platform.networking.retry.maxRetries", "too many")
          end
        end)
        """
    }

    private static func varied(_ alternatives: String) -> String {
        "platform = { networking = { retry = { maxRetries = vary { \(alternatives) } } } }"
    }

    @Test func denialOfOtherSituationNamesItsContext() throws {
        let market = try market(Self.varied("{ when = { build = \"debug\" }, value = 9 }, default = 2"))
        let verdict = try policies(Self.retries(below: 9)).verdict(on: market)
        #expect(verdict.failures.isEmpty && verdict.notes.isEmpty)
        let finding = try #require(verdict.findings.first)
        #expect(verdict.findings.count == 1)
        #expect(finding.situation?.commandText == "build=debug")
        #expect(finding.description.contains("\n  when: --context build=debug\n  hint: denied by \"few retries\""))
        // The value of that situation, and not the one of the default.
        #expect(finding.position?.file.hasSuffix("xx.lua") == true)
    }

    @Test func denialInOwnSituationIsReportedOnceWithoutContext() throws {
        let market = try market(Self.varied("{ when = { build = \"debug\" }, value = 9 }, default = 8"))
        let verdict = try policies(Self.retries(below: 5)).verdict(on: market)
        #expect(verdict.findings.count == 1)
        #expect(verdict.findings.first?.situation == nil)
    }

    @Test func fingerprintDoesNotDependOnSituation() throws {
        let set = try policies(Self.retries(below: 9))
        let own = try set.verdict(on: market(Self.varied("default = 9"))).findings.first
        let other = try set.verdict(
            on: market(Self.varied("{ when = { build = \"debug\" }, value = 9 }, default = 2"))
        ).findings.first
        #expect(own != nil)
        #expect(own?.fingerprint == other?.fingerprint)
    }

    @Test func givenAttributesAreKept() throws {
        let body = Self.varied(
            "{ when = { build = \"debug\" }, value = 9 }, { when = { build = \"beta\" }, value = 8 }, default = 2")
        let market = try market(body).with(MarketContext(["build": .text("beta")]))
        let set = try policies(Self.retries(below: 8))
        let fixed = set.verdict(on: market, keeping: market.given.live)
        #expect(fixed.findings.map(\.situation) == [nil])
        let few = try policies(Self.retries(below: 9))
        #expect(few.verdict(on: market, keeping: market.given.live).findings.isEmpty)
        #expect(few.verdict(on: market).findings.map { $0.situation?.commandText } == ["build=debug"])
    }

    @Test func policyThatFailsInOtherSituationHasNoVerdict() throws {
        let market = try market(Self.varied("{ when = { build = \"debug\" }, value = 9 }, default = 2"))
        let verdict = try policies(
            """
            glass.policy("p", {}, function(market, deny)
              if market.config.platform.networking.retry.maxRetries == 9 then error("nine") end
            end)
            """
        ).verdict(on: market)
        #expect(verdict.failed == ["p"])
        #expect(verdict.failures.map { $0.situation?.commandText } == ["build=debug"])
    }

    @Test func numberOfSituationsIsLimited() throws {
        let alternatives = (1...40).map { "{ when = { appVersion = \"\($0)\" }, value = \($0 % 9 + 1) }" }
        let market = try market(
            "\(Self.varied(alternatives.joined(separator: ", ") + ", default = 10")), "
                + "conditions = {}, deepLinking = { universalLinks = vary { "
                + (1...40).map { "{ when = { appVersion = \"\($0)\" }, value = { \"www\($0).example.com\" } }" }
                .joined(separator: ", ") + ", default = { \"www.example.com\" } } }")
        let runs = Lock(0)
        let verdict = try policies("glass.policy('p', {}, function(market, deny) deny('id', market.id) end)") { _ in
            runs.withLock { $0 += 1 }
        }.verdict(on: market)
        #expect(verdict.findings.count == 1)
        #expect(verdict.notes.map(\.message) == ["the policies ran in 17 situations, and values differ in more"])
        #expect(verdict.notes.map(\.severity) == [.note])
    }

    @Test func policyPrintsOnceAndRunsOnceWithoutConditions() throws {
        let printed = Lock<[String]>([])
        let set = try policies("glass.policy('p', {}, function(market) print(market.id) end)") { text in
            printed.withLock { $0.append(text) }
        }
        let market = try market(Self.varied("{ when = { build = \"debug\" }, value = 9 }, default = 2"))
        #expect(market.dependsOnSituation)
        _ = set.verdict(on: market)
        #expect(printed.withLock { $0 } == ["xx\n"])
        let plain = MarketModule("plain")
        let folder = try MarketFixture(["pp.lua": Self.plain])
        let loader = MarketLoader(plain, folder: MarketFolder(path: folder.folder.path))
        let other = try #require(try loader.check("pp").market)
        #expect(try other.witnesses(budget: WorkBudget()).contexts.isEmpty)
    }

    private static let plain = """
        return { id = "pp", name = "P", locales = { "en-US" }, currency = "USD", deepLinking = { schemes = { "p" } },
          routables = {} }
        """

    @Test func findingsThatDifferInSituationAreOne() throws {
        var one = Finding(.policy, at: nil, "text")
        let plain = one
        one.situation = MarketContext(["build": .text("debug")])
        var two = plain
        two.situation = MarketContext(["build": .text("beta")])
        #expect([one, two].sortedByPosition() == [one])
        #expect([one, two, plain].sortedByPosition() == [plain])
    }
}
