import GlassMarkets
import GlassSchema
import Testing

@testable import GlassAuthoring

/// A change is judged in every situation, not only in the default one.
struct SituationReviewTests {
    private static func changes(_ base: String, _ head: String) throws -> [Change] {
        var (old, new) = (try ReviewFixture.us(), try ReviewFixture.us())
        old["xx.lua"] = ReviewFixture.market("xx", base)
        new["xx.lua"] = ReviewFixture.market("xx", head)
        return try ReviewFixture.changes(old, new)
    }

    private static func retries(_ value: String) -> String {
        "platform = { networking = { retry = { maxRetries = \(value) } } }"
    }

    /// The severity, the rule, the summary and the situation of each change.
    private static func told(_ changes: [Change]) -> [String] {
        changes.map { "\($0.severity) \($0.rule): \($0.summary) [\($0.situation ?? "")]" }
    }

    @Test func valueOfOverlayIsComparedWhereItHolds() throws {
        func overlay(_ value: Int) -> String {
            "overlays = { { name = \"test\", when = { build = \"debug\" }, \(Self.retries("\(value)")) } }"
        }
        let changes = try Self.changes(overlay(2), overlay(1))
        #expect(
            Self.told(changes) == [
                "risky key.narrowed: platform.networking.retry.maxRetries changed from 2 to 1 when build = \"debug\" "
                    + "[build=debug]"
            ])
        #expect(changes.first?.after?.file == "markets/xx.lua")
        #expect(try Self.changes(overlay(2), overlay(2)).isEmpty)
    }

    @Test func changeInEverySituationIsReportedOnce() throws {
        let changes = try Self.changes(
            "\(Self.retries("2")), overlays = { { name = \"test\", when = { build = \"debug\" }, currency = \"USD\" } }",
            "\(Self.retries("1")), overlays = { { name = \"test\", when = { build = \"debug\" }, currency = \"USD\" } }"
        )
        #expect(
            Self.told(changes) == [
                "risky key.narrowed: platform.networking.retry.maxRetries changed from 2 to 1 []"
            ])
    }

    @Test func conditionThatReachesOtherLinksIsReported() throws {
        func routables(_ build: String) -> String {
            "routables = { promo = vary { { when = { build = \"\(build)\" }, value = { paths = { \"promo\" }, "
                + "show = { screen = \"promo\" } } } } }"
        }
        let changes = try Self.changes(routables("debug"), routables("beta"))
        let lost = changes.filter { $0.situation == "build=debug" }
        #expect(lost.map(\.severity).max() == .breaking, "\(Self.told(changes))")
        #expect(lost.allSatisfy { $0.summary.hasSuffix("when build = \"debug\"") && $0.summary.contains("promo") })
        #expect(
            Self.told(changes.filter { $0.situation == "build=beta" }) == [
                "note routable.on: promo is new: \"promo\" open it when build = \"beta\" [build=beta]"
            ])
    }

    @Test func conditionWithOtherMeaningIsReported() throws {
        func market(_ audience: String) -> String {
            "conditions = { staff = { audience = \"\(audience)\" } }, "
                + Self.retries("vary { { when = \"staff\", value = 5 }, default = 3 }")
        }
        let changes = try Self.changes(market("associates"), market("managers"))
        let told = Self.told(changes.of(.conditionChanged))
        #expect(
            told == [
                "risky condition.changed: the condition staff now also holds, for example, when audience = \"managers\", "
                    + "and no longer holds, for example, when audience = \"associates\" []"
            ])
        #expect(changes.of(.conditionChanged).first?.after?.line == 2)
        let values = Set(changes.filter { $0.path == "platform.networking.retry.maxRetries" }.compactMap(\.situation))
        #expect(values == ["audience=associates", "audience=managers"])
    }

    @Test func conditionInOtherWordsIsNoChange() throws {
        func market(_ condition: String) -> String {
            "conditions = { staff = \(condition) }, "
                + Self.retries("vary { { when = \"staff\", value = 5 }, default = 3 }")
        }
        #expect(
            try Self.changes(
                market("{ build = no \"release\" }"), market("any { { build = \"debug\" }, { build = \"beta\" } }")
            ).isEmpty)
    }

    @Test func removedOverlayIsReportedWithItsValues() throws {
        let overlay = "overlays = { { name = \"test\", when = { build = \"debug\" }, \(Self.retries("1")) } }"
        let gone = Self.told(try Self.changes(overlay, ""))
        #expect(
            gone.contains(
                "note overlay.removed: the overlay test was removed; it held when build = \"debug\" []"))
        #expect(gone.contains { $0.contains("when build = \"debug\" [build=debug]") })
        let added = Self.told(try Self.changes("", overlay))
        #expect(added.contains("note overlay.added: the overlay test is new; it holds when build = \"debug\" []"))
    }

    @Test func marketThatBecomesAbstractIsRemoved() throws {
        var (old, new) = (try ReviewFixture.us(), try ReviewFixture.us())
        old["xx.lua"] = ReviewFixture.market("xx", "deepLinking = { schemes = { \"xx\" } }")
        old["yy.lua"] = ReviewFixture.market("yy", of: "xx", "deepLinking = { schemes = { \"yy\" } }")
        new["xx.lua"] = ReviewFixture.market("xx", "abstract = true, deepLinking = { schemes = { \"xx\" } }")
        new["yy.lua"] = old["yy.lua"]
        let review = try ReviewFixture.result(old, new).review
        #expect(
            Self.told(review.changes).contains { $0.contains("market.removed") && $0.contains("xx") },
            "\(review.changes)")
        #expect(!review.changes.contains { $0.market == "yy" }, "\(review.changes)")
        let back = try ReviewFixture.result(new, old).review
        #expect(Self.told(back.changes).contains { $0.contains("market.added") && $0.contains("xx") })
    }

    @Test func numberOfSituationsIsLimited() throws {
        func market(_ step: Int) -> String {
            Self.retries(
                "vary { "
                    + (1...40).map { "{ when = { appVersion = \"\($0)\" }, value = \(($0 + step) % 9 + 1) }" }
                    .joined(separator: ", ") + ", default = 2 }")
        }
        var (old, new) = (try ReviewFixture.us(), try ReviewFixture.us())
        old["xx.lua"] = ReviewFixture.market("xx", market(0))
        new["xx.lua"] = ReviewFixture.market("xx", market(1))
        let review = try ReviewFixture.result(old, new).review
        #expect(
            review.notices.contains(
                "xx: values differ in more than 16 situations; the rest was not compared"))
        #expect(Set(review.changes.compactMap(\.situation)).count <= Market.maximumWitnesses)
        #expect(!review.changes.isEmpty)
    }
}
