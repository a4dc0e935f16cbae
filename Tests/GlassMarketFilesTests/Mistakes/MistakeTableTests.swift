import Foundation
@testable import GlassMarketFiles
import TestSupport
import Testing

/// Every kind of mistake that users make in market files, three times each, with its message.
@Suite(.timeLimit(.minutes(5)))
struct MistakeTableTests {
    static let mistakes = TableMistake.all(in: MistakeTable.text)

    @Test func everyKindOccursThreeTimes() {
        #expect(Set(Self.mistakes.map(\.kind)).count >= 140)
        #expect(Self.mistakes.kindsNotThreeTimes.isEmpty)
    }

    @Test(arguments: mistakes)
    func mistakeIsReportedWithPositionAndHint(mistake: TableMistake) throws {
        let found =
            mistake.isFile
            ? try MarketFixture(["xx.lua": mistake.source]).diagnostics("xx")
            : try MarketFixture.diagnostics(of: mistake.source)
        #expect(found == mistake.text)
    }
}
