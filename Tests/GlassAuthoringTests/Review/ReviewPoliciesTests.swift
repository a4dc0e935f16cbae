import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing

@testable import GlassAuthoring

/// The effect of a project's policies on a review.
struct ReviewPoliciesTests {
    private static func policies(_ text: String) -> PolicySet {
        let folder = MarketFolder(
            path: FileManager.default.temporaryDirectory.path + "/no-policies-\(UUID().uuidString)")
        // The folder is in memory; only its path must exist.
        try? FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: folder.path) }  // the system cleans up if this fails
        return PolicySet(
            reading: folder.replacing(["p.lua": Array(text.utf8)]), rules: ChangeRule.allCases.map(\.rawValue))
    }

    private static let lost = Change(
        .linkLost, market: "ca", path: "routables.account", "a link opens nothing",
        before: SourcePosition(file: "markets/ca.lua", line: 3), witness: "walmart.ca://campaign/1")
    private static let unset = Change(.keyUnset, market: "us", path: "currency", "the key is gone")

    private static func judged(_ text: String, today: String = "2026-11-22") -> Review.PolicyReview {
        let review = Review(
            base: Review.Side(name: "main"), head: Review.Side(name: "HEAD"), changes: [lost, unset])
        return review.judged(by: policies(text), today: today, markets: { _ in (nil, nil) })
    }

    @Test func policyForChangesSeesEachField() {
        let judged = Self.judged(
            """
            glass.policy("campaigns stay", { on = "review", severity = "breaking" }, function(change, deny)
              if change.rule == "link.lost" and change.link:find("campaign") then
                local c = change
                deny(c, table.concat({ c.severity, c.market, c.path, c.from, tostring(c.to), #c.alsoIn, c.text, c.fingerprint }, " "))
              end
            end)
            """)
        #expect(judged.failures.isEmpty, "\(judged.failures)")
        let denied = judged.review.changes.first { $0.rule == "campaigns stay" }
        #expect(
            denied?.summary
                == "breaking ca routables.account markets/ca.lua:3 nil 0 a link opens nothing \(Self.lost.fingerprint)")
        #expect(denied?.market == "ca")
        #expect(denied?.before == Self.lost.before)
        #expect(denied?.witness == Self.lost.witness)
        #expect(judged.review.changes.count == 3)
    }

    @Test func severitiesAndAcceptancesComeFromProject() {
        func accept(_ day: String) -> String {
            "glass.accept { fingerprint = '\(Self.lost.fingerprint)', reason = 'agreed', expires = '\(day)' }"
        }
        let text = "glass.severity { ['key.unset'] = 'note' } "
        let judged = Self.judged(text + accept("2026-11-22")).review
        #expect(judged.changes.map(\.severity) == [.breaking, .note])
        #expect(judged.changes[0].accepted == Change.Acceptance(reason: "agreed", expires: "2026-11-22"))
        #expect(!judged.reaches(.risky))
        let expired = Self.judged(text + accept("2026-11-21")).review
        #expect(expired.reaches(.breaking))
        let told = expired.changes.first { $0.market == "policies" }
        #expect(told?.rule == "acceptExpired")
        #expect(told?.severity == .risky)
        let other = Self.judged("glass.accept { fingerprint = '000000000000', reason = 'r', expires = '2026-11-22' }")
            .review
        #expect(other.changes.first { $0.market == "policies" }?.rule == "acceptUnused")
        #expect(other.changes.first { $0.market == "policies" }?.severity == .note)
    }

    /// The fingerprints come from the last release before they included data.
    @Test func acceptancesOfFormerFingerprintsStillApply() {
        let policy = """
            glass.policy("campaigns stay", { on = "review", severity = "breaking" }, function(change, deny)
              if change.rule == "link.lost" then deny(change, "until January") end
            end)
            """
        func accepts(_ fingerprints: [String]) -> String {
            fingerprints.map { "glass.accept { fingerprint = '\($0)', reason = 'r', expires = '2026-11-22' }" }
                .joined(separator: "\n")
        }
        let former = Self.judged(policy + accepts(["f9869f7d5a5d", "7d50aad51bd4"])).review
        #expect(former.changes.filter { $0.accepted == nil }.map(\.rule) == ["key.unset"])
        let new = Self.judged(policy).review.changes.filter { $0.market == "ca" }
        #expect(new.map(\.messageFingerprint).sorted() == ["f9869f7d5a5d", "7d50aad51bd4"].sorted())
        #expect(new.allSatisfy { $0.fingerprint != $0.messageFingerprint })
        let both = Self.judged(policy + accepts(new.map(\.fingerprint) + ["f9869f7d5a5d", "7d50aad51bd4"])).review
        #expect(both.changes.filter { $0.accepted == nil }.map(\.rule) == ["key.unset"])
        let wrong = Self.judged(policy + accepts(["000000000000"])).review
        #expect(
            wrong.changes.filter { $0.accepted == nil }.map(\.rule).sorted() == [
                "acceptUnused", "campaigns stay", "key.unset", "link.lost",
            ])
    }

    @Test func failedPolicyIsReported() {
        let judged = Self.judged("glass.policy('a', { on = 'review' }, function(change) error('boom') end)")
        #expect(judged.failures.map(\.code) == [.policyFailed])
        #expect(judged.review.changes.count == 2)
    }

    @Test func policyForMarketsReportsOnlyNewDenials() throws {
        let repository = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = MarketFolder(path: repository.path + "/markets")
        func loader(_ seconds: Int) throws -> MarketLoader {
            let text = try String(contentsOfFile: folder.path + "/us.lua", encoding: .utf8)
                .replacing(/requestTimeoutSeconds = \d+/, with: "requestTimeoutSeconds = \(seconds)")
            return MarketLoader(
                .platform, folder: folder.replacing(["us.lua": Array(text.utf8)]), secrets: { _ in nil })
        }
        let policies = Self.policies(
            """
            glass.policy("a", { severity = "breaking" }, function(market, deny)
              if market.config.platform.urlSession.requestTimeoutSeconds > 50 then
                deny("platform.urlSession.requestTimeoutSeconds", "at most 50")
              end
              deny("currency", "the base has this too")
            end)
            """)
        var change = Self.unset
        change.alsoIn = ["ca"]
        let review = Review(base: Review.Side(name: "a"), head: Review.Side(name: "b"), changes: [change])
        let judged = try review.judged(by: policies, today: "2026-11-22") { id in
            (base: try loader(30).check(id).market, head: try loader(60).check(id).market)
        } shown: { position in
            position.map { SourcePosition(file: "shown/" + ($0.file.split(separator: "/").last ?? ""), line: $0.line) }
        }
        #expect(judged.failures.isEmpty, "\(judged.failures)")
        // Reported once, under the market whose file contains it, although Canada inherits it.
        let denied = judged.review.changes.filter { $0.rule == "a" }
        #expect(denied.map(\.summary) == ["at most 50"])
        #expect(denied.map(\.market) == ["us"])
        #expect(denied.map(\.alsoIn) == [["ca"]])
        #expect(denied.first?.after?.file == "shown/us.lua")
        #expect(denied.first?.severity == .breaking)
    }
}
