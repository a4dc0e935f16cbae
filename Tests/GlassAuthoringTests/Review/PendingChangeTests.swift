@testable import GlassAuthoring
import GlassSchema
import Testing

/// How changes of several markets with the same cause are merged.
struct PendingChangeTests {
    @Test(arguments: [(Change.Severity.risky, Change.Severity.breaking), (.breaking, .note)])
    func mostSevereChangeOfOneCauseIsReported(_ inOwner: Change.Severity, _ inOther: Change.Severity) {
        let place = SourcePosition(file: "markets/us.lua", line: 3)
        let side = ReviewedFolder(side: Review.Side(name: "main"), loader: nil, path: "markets")
        let told = PendingChange.reported(
            [
                PendingChange(
                    .linkLost, inOwner, market: "us", "a link opens nothing", after: place, propagationKey: "lost"),
                PendingChange(
                    .linkLost, inOther, market: "ca", "a link of ca opens nothing", after: place, propagationKey: "lost"
                ),
            ], depths: ["ca": 1], base: side, head: side)
        #expect(told.map(\.severity) == [.breaking])
        // The change belongs to the market whose file contains it, whichever market has the witness.
        #expect(told.map(\.market) == ["us"])
        #expect(told.map(\.alsoIn) == [["ca"]])
        #expect(told.map(\.summary) == [inOther > inOwner ? "a link of ca opens nothing" : "a link opens nothing"])
    }
}
