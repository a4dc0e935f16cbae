@testable import GlassAuthoring
import GlassSchema
import Testing

/// The proofs of a review, the cases that it leaves undecided, and the positions of its changes.
@Suite(.timeLimit(.minutes(2)))
struct ReviewerTests {
    private static let show = "show = { screen = \"promo\" }"

    private func changes(
        _ base: String, _ head: String, links: [String] = [], today: String = "2026-11-22"
    ) throws -> [Change] {
        try ReviewFixture.changes(
            ReviewFixture.us(routables: base), ReviewFixture.us(routables: head), links: links, today: today)
    }

    // MARK: Proof

    @Test func lostLinkHasWitnessAndBothPositions() throws {
        let lost = try changes(
            "promo = { paths = { \"promo/:id\" }, \(Self.show) },",
            "promo = { paths = { \"deal/:id\" }, \(Self.show) },")
        let change = try #require(lost.of(.linkLost).first)
        #expect(change.witness == "walmart://promo/zq7700013~")
        #expect(change.severity == .breaking)
        #expect(
            change.summary
                == "walmart://promo/zq7700013~ opened promo (\"promo/:id\") and now opens nothing")
        #expect(change.before?.line == change.after?.line)
        #expect(change.path == "routables.promo.paths[1]")
    }

    @Test func declinedLinkIsNotProof() throws {
        // The handler declined every link before, so none was lost.
        let handle = "handle = function(link, state) return false end"
        let found = try changes(
            "promo = { paths = { \"promo/:id\" }, \(handle) },", "promo = { paths = { \"deal/:id\" }, \(handle) },")
        #expect(found.of(.linkLost).map(\.severity) == [.risky])
        #expect(found.of(.linkLost).first?.summary.contains("not proven") == true)
    }

    @Test func narrowerTypeLosesParameters() throws {
        let found = try changes(
            "promo = { paths = { \"promo/:id\" }, \(Self.show) },",
            "promo = { paths = { \"promo/:id(int)\" }, \(Self.show) },")
        #expect(found.map(\.rule) == ["link.parameters"])
        #expect(found.first?.severity == .breaking)
        #expect(
            try changes(
                "promo = { paths = { \"promo/:id(int)\" }, \(Self.show) },",
                "promo = { paths = { \"promo/:id\" }, \(Self.show) },"
            ).map(\.severity) == [.note])
    }

    /// A link with one segment still opens it, one with two does not.
    @Test func catchAllReplacedByParameterLosesLongerLinks() throws {
        let found = try changes(
            "promo = { paths = { \"promo/*rest\" }, \(Self.show) },",
            "promo = { paths = { \"promo/:rest\" }, \(Self.show) },")
        #expect(found.first?.witness == "walmart://promo/zq7700013~/zq7700014")
        #expect(found.first?.severity == .breaking)
    }

    @Test func literalThatBecomesRouteIsRiskyUnlessUsed() throws {
        let base = "promo = { paths = { \"promo/:id\" }, \(Self.show) },"
        let head = base + " spring = { paths = { \"promo/spring\" }, \(Self.show) },"
        #expect(try changes(base, head).of(.linkMoved).map(\.severity) == [.risky])
        let used = try changes(base, head, links: ["walmart://promo/summer", "walmart://promo/spring"]).of(.linkMoved)
        #expect(used.map(\.severity) == [.breaking])
        #expect(used.first?.recorded == SourcePosition(file: "links/all.txt", line: 2))
        #expect(used.first?.witness == "walmart://promo/spring")
    }

    @Test func tooManyCombinationsAreUndecided() throws {
        let words = (1...17).map { "a\($0)" }.joined(separator: "|")
        let found = try changes(
            "promo = { paths = { \"promo/:a(\(words))/:b(\(words))\" }, \(Self.show) },",
            "promo = { paths = { \"deal/:a(\(words))/:b(\(words))\" }, \(Self.show) },")
        let undecided = found.of(.linkLost).filter { $0.summary.contains("too many word combinations") }
        #expect(undecided.map(\.severity) == [.risky])
    }

    /// `int` accepts a negative number, and `slug` does not.
    @Test func narrowerTypeIsReportedWithItsValue() throws {
        let found = try changes(
            "promo = { paths = { \"promo/:n(int)\" }, \(Self.show) },",
            "promo = { paths = { \"promo/:n(slug)\" }, \(Self.show) },")
        #expect(found.of(.linkParameters).map(\.severity) == [.breaking], "\(found.map(\.summary))")
        #expect(found.of(.linkParameters).first?.witness?.hasSuffix("promo/-7700015") == true)
    }

    @Test func removedRoutableIsReportedOnce() throws {
        let found = try changes("promo = { paths = { \"a\", \"b\", \"c\", \"d\" }, \(Self.show) },", "")
        #expect(found.map(\.rule) == ["routable.off"])
        #expect(
            found.first?.summary == "promo was removed, and its links open nothing: \"a\", \"b\", \"c\" and 1 more")
    }

    /// A routable that is turned off and one whose line is deleted are one change.
    @Test func disabledAndRemovedRoutableAreTheSameChange() throws {
        func changes(_ line: String) throws -> [Change] {
            try ReviewFixture.changes(ReviewFixture.us(), ReviewFixture.us([("    pharmacy = {},\n", line)]))
        }
        let (removed, disabled) = (try changes(""), try changes("    pharmacy = false,\n"))
        #expect(removed.map(\.severity) == [.breaking] && disabled.map(\.severity) == [.breaking])
        #expect(removed.map(\.fingerprint) == disabled.map(\.fingerprint))
        #expect(removed.first?.witness != nil && removed.first?.witness == disabled.first?.witness)
    }

    @Test func removedSchemeCountsAffectedRoutes() throws {
        let found = try ReviewFixture.changes(
            ReviewFixture.us(), ReviewFixture.us([("schemes = { \"walmart\" }", "schemes = { \"wm\" }")]),
            links: ["walmart://cart", "walmart://account", "https://www.walmart.com/cart"])
        let change = try #require(found.of(.schemeRemoved).first)
        #expect(change.severity == .breaking)
        #expect(
            change.summary.contains(
                /its links to \d\d routes no longer open the app; this affects 2 recorded links/))
        #expect(found.of(.linkLost).isEmpty)
    }

    // MARK: Deprecation

    @Test func deprecatedPathMayBeRemovedAfterItsDate() throws {
        let base = """
            promo = { paths = { "promo", "sale" }, \(Self.show),
              deprecated = { paths = { "sale" }, expires = "2026-11-21" } },
            """
        let head = "promo = { paths = { \"promo\" }, \(Self.show) },"
        #expect(try changes(base, head).of(.linkLost).map(\.severity) == [.note])
        let early = try changes(base, head, today: "2026-11-21").of(.linkLost)
        #expect(early.map(\.severity) == [.breaking])
        #expect(early.first?.summary.hasSuffix("; deprecated until 2026-11-21") == true)
    }

    // MARK: Propagation

    /// A change of a flag's key is reported once, also for markets that extend the flag.
    @Test func changeOfFlagIsReportedOnce() throws {
        func files(_ key: String) throws -> ReviewFixture.Files {
            var files = try ReviewFixture.us([("kind = \"release\",", "kind = \"release\",\(key)")])
            let rule = "{ name = \"own\", when = { build = \"debug\" }, value = true }"
            files["aa.lua"] = ReviewFixture.market(
                "aa",
                "deepLinking = { schemes = { \"aa\" } }, flags = { newCheckout = { rules = prepend { \(rule) } } }")
            return files
        }
        let found = try ReviewFixture.changes(files(""), files(" enabled = false,")).filter { $0.rule == "flag.rule" }
        #expect(found.map(\.market) == ["us"] && found.map(\.alsoIn) == [["aa"]], "\(found.map(\.summary))")
        #expect(found.first?.after?.file == "markets/us.lua")
    }

    @Test func changeIsReportedOnceWithAffectedMarkets() throws {
        func files(_ retries: String) throws -> ReviewFixture.Files {
            var files = try ReviewFixture.us([
                ("maxRetries = 3", "maxRetries = \(retries)"),
                ("cart = {},", retries == "3" ? "cart = {}," : "cart = { paths = { \"basket\" } },"),
            ])
            files["aa.lua"] = ReviewFixture.market("aa", "deepLinking = { schemes = { \"aa\" } }")
            files["bb.lua"] = ReviewFixture.market(
                "bb", of: "aa",
                "deepLinking = { schemes = { \"bb\" } }, platform = { networking = { retry = { maxRetries = 7 } } }")
            return files
        }
        let review = try ReviewFixture.result(files("3"), files("1")).review
        #expect(Set(review.changes.map(\.market)) == ["us"])
        #expect(review.changes.of(.keyNarrowed).map(\.alsoIn) == [["aa"]])
        let lost = review.changes.of(.linkLost)
        #expect(!lost.isEmpty && lost.allSatisfy { $0.alsoIn == ["aa", "bb"] })
        #expect(lost.allSatisfy { $0.witness?.hasPrefix("walmart://") == true })
        #expect(review.unchanged == ["aa", "bb"])
    }

    // MARK: Recorded links

    @Test func anyRecordedLinksAreHandled() throws {
        let links = [
            "", "nonsense", "walmart://a\u{1B}[2J", "walmart://\u{202E}x", String(repeating: "a/", count: 5000),
            "walmart://sale", "https://evil.example/sale",
        ]
        let found = try changes(
            "promo = { paths = { \"promo\", \"sale\" }, \(Self.show) },",
            "promo = { paths = { \"promo\" }, \(Self.show) },",
            links: links)
        #expect(found.of(.linkLost).count == 1)
        #expect(found.of(.linkLost).first?.recorded?.line == 6)
    }

    @Test func marketsOfReviewShareRecordedLinks() throws {
        func files(_ paths: String) throws -> ReviewFixture.Files {
            var files = try ReviewFixture.us([("cart = {},", "cart = {\(paths)},")])
            for index in 10..<16 {
                files["m\(index).lua"] = ReviewFixture.market(
                    "m\(index)", "deepLinking = { schemes = { \"m\(index)\" } }")
            }
            return files
        }
        var reviewer = Reviewer(
            base: ReviewFixture.folder("base", try files("")),
            head: ReviewFixture.folder("head", try files(" paths = { \"basket\" } ")), today: "2026-11-22")
        // Only the United States opens them, and it gets its share last.
        reviewer.links = (0..<100).map {
            RecordedLink("walmart://cart?n=\($0)", at: SourcePosition(file: "links/all.txt", line: $0 + 1))
        }
        let limited = ", because a review has a limit; name fewer with --links FILE"
        let cases: [(most: Int, notices: [String], isFound: Bool)] = [
            (700, [], true),
            (650, ["1 market skipped recorded links, 50 in total" + limited], true),
            (250, ["5 markets skipped recorded links, 450 in total" + limited], false),
        ]
        for (most, notices, isFound) in cases {
            reviewer.maximumLinksAsked = most
            let review = try reviewer.run().review
            #expect(review.notices == notices)
            #expect(review.changes.contains { $0.recorded != nil } == isFound, "\(most)")
        }
    }

    // MARK: Sides that fail to load

    @Test func baseWithUnknownKeysIsComparedWithNotice() throws {
        let base = try ReviewFixture.us([("maxRetries = 3,", "maxRetries = 3, flavour = \"sweet\",")])
        let result = try ReviewFixture.result(base, ReviewFixture.us([("maxRetries = 3,", "maxRetries = 1,")]))
        #expect(result.brokenBase.isEmpty && result.brokenHead.isEmpty)
        #expect(result.review.changes.map(\.rule) == ["key.narrowed"])
        #expect(
            result.review.notices == [
                "us: base was written for a different schema: this host does not know "
                    + "platform.networking.retry.flavour, which was not compared"
            ])
        // The author of a change must follow this host's schema.
        #expect(try ReviewFixture.result(ReviewFixture.us(), base).brokenHead.map(\.id) == ["us"])
    }

    @Test func otherMarketsOfBrokenSideAreCompared() throws {
        var (base, head) = (try ReviewFixture.us(), try ReviewFixture.us([("maxRetries = 3,", "maxRetries = 1,")]))
        base["xx.lua"] = "return {"
        head["xx.lua"] = ReviewFixture.market("xx", "deepLinking = { schemes = { \"xx\" } }")
        let result = try ReviewFixture.result(base, head)
        #expect(result.brokenBase.map(\.id) == ["xx"])
        #expect(result.review.changes.map(\.rule) == ["key.narrowed"])
        #expect(result.review.unchanged.isEmpty)
    }

    @Test func equalSidesHaveNoChanges() throws {
        let result = try ReviewFixture.result(ReviewFixture.us(), ReviewFixture.us())
        #expect(result.review.changes.isEmpty && result.review.notices.isEmpty)
        #expect(result.review.unchanged == ["us"])
    }
}
