@testable import GlassAuthoring
import GlassSchema
import Testing

struct ReviewTests {
    private func change(
        _ rule: String = "link.lost", _ severity: Change.Severity = .breaking, in market: String = "us",
        _ summary: String = "a link opens nothing", line: Int = 1, subject: String = "", values: [String] = []
    ) -> Change {
        Change(
            rule: rule, severity: severity, market: market, subject: subject, values: values, summary,
            after: SourcePosition(file: "markets/\(market).lua", line: line))
    }

    private func review(_ changes: [Change]) -> Review {
        Review(base: Review.Side(name: "main"), head: Review.Side(name: "HEAD"), changes: changes)
    }

    @Test func fingerprintSurvivesMoveToAnotherLine() {
        #expect(change(line: 3).fingerprint == change(line: 40).fingerprint)
        #expect(change().fingerprint.count == 12)
    }

    @Test func fingerprintDistinguishesRuleMarketAndSubject() {
        let all = [change(), change("link.moved"), change(in: "ca"), change("link.lost", .breaking, in: "us", "other")]
        #expect(Set(all.map(\.messageFingerprint)).count == 4)
        // The fingerprint depends on the subject of the change rather than its summary.
        let others = [change(), change("link.moved"), change(in: "ca"), change(subject: "a"), change(values: ["a"])]
        #expect(Set(others.map(\.fingerprint)).count == 5)
        // The same characters, split differently.
        #expect(Change.fingerprint(["ab", "c"]) != Change.fingerprint(["a", "bc"]))
    }

    @Test func rewordingKeepsFingerprint() {
        let one = change(values: ["30", "60"])
        let reworded = change("link.lost", .breaking, in: "us", "nothing opens by a link", values: ["30", "60"])
        #expect(one.fingerprint == reworded.fingerprint)
        #expect(one.messageFingerprint != reworded.messageFingerprint)
        #expect(one.fingerprint != change(values: ["30", "90"]).fingerprint)
    }

    @Test func collidingFingerprintsAreMadeUniqueReproducibly() {
        let fingerprints = review([change(line: 1), change(line: 2), change(line: 3)]).changes.map(\.fingerprint)
        #expect(Set(fingerprints).count == 3)
        #expect(fingerprints.first == change().fingerprint)
        #expect(review([change(line: 9), change(line: 8), change(line: 7)]).changes.map(\.fingerprint) == fingerprints)
    }

    @Test func changesAreSortedByMarketAndSeverity() {
        let sorted = review([
            change("a", .note), change("b", .breaking), change("c", .risky), change("d", .note, in: "ca"),
        ]).changes
        #expect(sorted.map(\.rule) == ["d", "b", "c", "a"])
    }

    @Test func acceptedChangeDoesNotReachThreshold() {
        var accepted = change()
        accepted.accepted = Change.Acceptance(reason: "agreed with CRM", expires: "2026-12-31")
        let review = review([accepted, change("secret.added", .risky)])
        #expect(!review.reaches(.breaking))
        #expect(review.reaches(.risky))
        #expect(review.reaches(.note))
        #expect(!review.reaches(nil))
        #expect(review.count(.breaking) == 0)
    }
}
