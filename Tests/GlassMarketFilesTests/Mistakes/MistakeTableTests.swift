import Foundation
@testable import GlassMarketFiles
import Testing

/// Every kind of mistake that users make in market files, three times each, with its message.
@Suite(.timeLimit(.minutes(5)))
struct MistakeTableTests {
    /// A mistake in the table.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let kind: String
        /// The market's text in addition to `id`, `name` and `extends`, or a whole file.
        let source: String
        let isFile: Bool
        /// The output of `check`.
        let text: String
        /// The result of `fix`; `nil` if the hint is not exact.
        let fixed: String?
        /// The number of remaining errors.
        let left: Int

        var testDescription: String { "\(kind): \(source)" }
    }

    static let mistakes: [Mistake] = {
        var kind = ""
        var mistakes: [Mistake] = []
        for block in MistakeTable.text.components(separatedBy: "\n\n") {
            var (source, text, fixed): ([String], [String], [String]) = ([], [], [])
            var isFile = false
            var left = 0
            for line in block.split(separator: "\n") {
                switch line.first {
                case "#": kind = String(line.dropFirst(2))
                case ">": text.append(String(line.dropFirst(2)))
                case "!": isFile = true
                case "+": fixed.append(String(line.dropFirst(line.dropFirst().first == " " ? 2 : 1)))
                case "<": left = Int(line.dropFirst(2)) ?? 0
                default: break
                }
                if line.hasPrefix("|") || line.hasPrefix("!") {
                    source.append(String(line.dropFirst(line.dropFirst().first == " " ? 2 : 1)))
                }
            }
            mistakes.append(
                Mistake(
                    kind: kind, source: unescaped(source.joined(separator: "\n")), isFile: isFile,
                    text: text.joined(separator: "\n"), fixed: fixed.isEmpty ? nil : fixed.joined(separator: "\n"),
                    left: left))
        }
        return mistakes
    }()

    /// A text with each `<U+…>` replaced by its character.
    static func unescaped(_ text: String) -> String {
        text.replacing(/<U\+([0-9A-F]{4})>/) { match in
            UInt32(match.1, radix: 16).flatMap(Unicode.Scalar.init).map { String($0) } ?? ""
        }
    }

    @Test func everyKindOccursThreeTimes() {
        let counts = Dictionary(grouping: Self.mistakes, by: \.kind).mapValues(\.count)
        #expect(counts.count >= 140)
        #expect(counts.filter { $0.value != 3 }.isEmpty)
    }

    @Test(arguments: mistakes)
    func mistakeIsReportedWithPositionAndHint(mistake: Mistake) throws {
        let found =
            mistake.isFile
            ? try MarketFixture(["xx.lua": mistake.source]).diagnostics("xx")
            : try MarketFixture.diagnostics(of: mistake.source)
        #expect(found == mistake.text)
    }
}
