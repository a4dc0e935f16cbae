import Foundation
import GlassMarkets
import GlassPlatform
@testable import GlassAuthoring
import GlassSchema
import Testing

/// Each rule reports its change and no other, and the inverse rule reports the reverse change.
@Suite(.timeLimit(.minutes(2)))
struct RuleTests {
    @Test func everyRuleHasFixtureOrIsInverseOfOne() {
        let own = Set(RuleFixture.all.map(\.rule)).union(RuleFixture.elsewhere)
        let mirrors = own.compactMap { rule in if case .rule(let other) = rule.mirror { other } else { nil } }
        #expect(own.union(mirrors) == Set(ChangeRule.allCases))
    }

    @Test(arguments: RuleFixture.all)
    func ruleReportsItsChange(_ fixture: RuleFixture) throws {
        let base = try ReviewFixture.us([(fixture.anchor, fixture.base)])
        let head = try ReviewFixture.us([(fixture.anchor, fixture.head)])
        let changes = try ReviewFixture.changes(base, head)
        let found = changes.of(fixture.rule)
        #expect(!found.isEmpty)
        #expect(found.map(\.severity).max() == fixture.rule.severity)
        for change in found {
            #expect(change.market == "us")
            #expect(change.before?.file == "markets/us.lua" || change.after?.file == "markets/us.lua", "\(change)")
            #expect(!change.summary.hasSuffix("."))
        }
        let back = try ReviewFixture.changes(head, base)
        switch fixture.rule.mirror {
        case .rule(let mirror): #expect(!back.of(mirror).isEmpty, "\(mirror)")
        case .itself: #expect(!back.of(fixture.rule).isEmpty)
        case .none: break
        }
        Self.expectDistinct(changes)
        Self.expectDistinct(back)
        try Self.expectOpen(changes + back, base, head)
        let passing = try fixture.harmless.map { harmless in
            try ReviewFixture.changes(base, ReviewFixture.us([(fixture.anchor, harmless)]))
        }
        #expect((passing ?? back).of(fixture.rule).isEmpty)
    }

    /// Each witness opens something on one of the sides.
    private static func expectOpen(_ changes: [Change], _ sides: ReviewFixture.Files...) throws {
        let witnesses = changes.compactMap(\.witness)
        guard !witnesses.isEmpty else { return }
        let markets = try sides.map { try #require(ReviewFixture.folder("side", $0).loader).load("us") }
        for market in markets { market.preconditions.satisfyAll() }
        for link in witnesses {
            #expect(markets.contains { MarketComparison.open(link, in: $0) != .nothing }, "\(link)")
        }
    }

    /// Accepting one change must not accept another in the same review: no fingerprint needed a number to be unique.
    private static func expectDistinct(_ changes: [Change]) {
        for change in changes {
            let numbered = Change.fingerprint([change.fingerprint, "2"])
            #expect(!changes.contains { $0.fingerprint == numbered }, "\(change.summary)")
        }
    }

    @Test func removedAndAddedMarketsAreReported() throws {
        let one = try ReviewFixture.us()
        var two = one
        two["xx.lua"] = ReviewFixture.market("xx", "deepLinking = { schemes = { \"xx\" } }")
        let gone = try ReviewFixture.result(two, one).review
        #expect(gone.changes.map(\.rule) == ["market.removed"])
        #expect(gone.changes.first?.before == SourcePosition(file: "markets/xx.lua", line: 1, column: 1))
        #expect(gone.unchanged == ["us"])
        #expect(try ReviewFixture.changes(one, two).map(\.rule) == ["market.added"])
    }

    @Test func missingRequiredKeyIsBreakingChange() throws {
        let (base, head) = (try ReviewFixture.us(), try ReviewFixture.us([("name = \"Walmart\",", "")]))
        let result = try ReviewFixture.result(base, head)
        let change = try #require(result.review.changes.of(.keyRequired).first)
        #expect(change.summary == "platform.appInfo.name is required, was \"Walmart\", and was removed")
        #expect(change.severity == .breaking && result.brokenHead.isEmpty)
        // With another error, the sides cannot be compared.
        let worse = try ReviewFixture.us([("name = \"Walmart\",", ""), ("maxRetries = 3", "maxRetries = 99")])
        #expect(try ReviewFixture.result(base, worse).brokenHead.map(\.id) == ["us"])
        // In the reverse direction, the base does not load.
        #expect(try ReviewFixture.result(head, base).brokenBase.map(\.id) == ["us"])
    }

    @Test func overrideWithInheritedValueIsNoteUnlessIdentifying() throws {
        var (base, head) = (try ReviewFixture.us(), try ReviewFixture.us())
        base["xx.lua"] = ReviewFixture.market("xx", "deepLinking = { schemes = { \"xx\" } }")
        head["xx.lua"] = ReviewFixture.market(
            "xx",
            """
            deepLinking = { schemes = { "xx" } }, currency = "USD",
            platform = { networking = { retry = { multiplier = 2 } } }
            """)
        let changes = try ReviewFixture.changes(base, head)
        #expect(changes.map(\.rule) == ["override.same"])
        #expect(changes.first?.path == "platform.networking.retry.multiplier")
        #expect(try ReviewFixture.changes(head, base).isEmpty)
    }

    // MARK: Strictness

    /// The keys that declare their direction, each with a stricter and a looser value.
    static let senses: [(path: String, narrow: String, wide: String)] = [
        ("platform.networking.retry.maxRetries", "maxRetries = 1", "maxRetries = 5"),
        ("platform.networking.retry.statuses", "statuses = { 429 }", "statuses = { 429, 503 }"),
        (
            "platform.networking.media.maximumConcurrentDownloads",  // The last key on its table's line.
            "maximumConcurrentDownloads = 2 }", "maximumConcurrentDownloads = 8 }"
        ),
        ("platform.urlSession.requestTimeoutSeconds", "requestTimeoutSeconds = 5", "requestTimeoutSeconds = 50"),
        ("platform.urlSession.resourceTimeoutSeconds", "resourceTimeoutSeconds = 50", "resourceTimeoutSeconds = 500"),
        (
            "platform.urlSession.maximumConnectionsPerHost", "maximumConnectionsPerHost = 1",
            "maximumConnectionsPerHost = 9"
        ),
        ("platform.urlSession.allowsCellularAccess", "allowsCellularAccess = false", "allowsCellularAccess = true"),
        (
            "platform.urlSession.allowsExpensiveNetworkAccess", "allowsExpensiveNetworkAccess = false",
            "allowsExpensiveNetworkAccess = true"
        ),
        (
            "platform.urlSession.allowsConstrainedNetworkAccess", "allowsConstrainedNetworkAccess = false",
            "allowsConstrainedNetworkAccess = true"
        ),
        (
            "platform.address.regions", "regions = { { code = \"AL\", name = \"Alabama\" } }",
            "regions = { { code = \"AL\", name = \"Alabama!\" }, { code = \"AK\", name = \"Alaska\" } }"
        ),
        (
            "platform.address.requiredFields", "requiredFields = { \"street\", \"city\" }",
            "requiredFields = { \"street\" }"
        ),
        ("locales", "locales = { \"en-US\" }", "locales = { \"en-US\", \"es-US\" }"),
        ("deepLinking.outboundSchemes", "outboundSchemes = { \"tel\" }", "outboundSchemes = { \"tel\", \"sms\" }"),
    ]

    @Test func everyDirectionalKeyHasRow() {
        func declared(_ section: SectionDeclaration, _ path: String) -> [String] {
            section.keys.flatMap { key in
                let inner = path.isEmpty ? key.name : "\(path).\(key.name)"
                return (key.sense == nil ? [] : [inner]) + (key.type.section.map { declared($0, inner) } ?? [])
            }
        }
        #expect(Set(declared(MarketSchema(.platform).declaration, "")) == Set(Self.senses.map(\.path)))
    }

    @Test func everyDirectionIsCorrectBothWays() throws {
        func market(_ text: (String, String, String) -> String) throws -> ReviewFixture.Files {
            var files = try ReviewFixture.us()
            var source = try #require(files["us.lua"])
            for (path, narrow, wide) in Self.senses {
                let key = try #require(path.split(separator: ".").last)
                // The key's value in the file, up to the comma at its end.
                let start = try #require(source.range(of: " \(key) = "))
                let end = try #require(source[start.upperBound...].range(of: ",\n"))
                source.replaceSubrange(start.lowerBound..<end.lowerBound, with: " " + text(path, narrow, wide))
            }
            files["us.lua"] = source
            return files
        }
        let (narrow, wide) = (try market { _, narrow, _ in narrow }, try market { _, _, wide in wide })
        let paths = Set(Self.senses.map(\.path))
        #expect(
            Set(try ReviewFixture.changes(wide, narrow).of(.keyNarrowed).compactMap { $0.path?.description }) == paths)
        #expect(
            Set(try ReviewFixture.changes(narrow, wide).of(.keyWidened).compactMap { $0.path?.description }) == paths)
    }
}
