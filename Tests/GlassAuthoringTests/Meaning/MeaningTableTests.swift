import Foundation
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassAuthoring

/// Values that cannot be meant, three of each kind, with the message of each and what its fix makes of the file.
@Suite(.timeLimit(.minutes(5)))
struct MeaningTableTests {
    /// A mistake in the table.
    struct Mistake: Sendable, CustomTestStringConvertible {
        let kind: String
        /// The market's text in addition to `id`, `name` and `extends`, or a whole file.
        let source: String
        let isFile: Bool
        /// What is found.
        let text: String
        /// The file with the fixes that are offered; nil if none is.
        let fixed: String?

        var testDescription: String { "\(kind): \(source)" }
    }

    static let mistakes: [Mistake] = {
        var kind = ""
        return MeaningTable.text.components(separatedBy: "\n\n").map { block in
            var (source, text, fixed): ([String], [String], [String]) = ([], [], [])
            var isFile = false
            for line in block.split(separator: "\n") {
                let content = String(line.dropFirst(line.dropFirst().first == " " ? 2 : 1))
                switch line.first {
                case "#": kind = content
                case ">": text.append(content)
                case "!", "|":
                    isFile = line.first == "!"
                    source.append(content)
                case "+": fixed.append(content)
                default: break
                }
            }
            return Mistake(
                kind: kind, source: source.joined(separator: "\n"), isFile: isFile,
                text: text.joined(separator: "\n"), fixed: fixed.isEmpty ? nil : fixed.joined(separator: "\n"))
        }
    }()

    @Test func everyKindOccursThreeTimes() {
        let counts = Dictionary(grouping: Self.mistakes, by: \.kind).mapValues(\.count)
        #expect(counts.filter { $0.value != 3 }.isEmpty)
    }

    @Test(arguments: mistakes)
    func mistakeIsReportedOnceWithFix(mistake: Mistake) throws {
        let file = mistake.isFile ? mistake.source : MeaningFixture.file(mistake.source)
        let fixture = try MeaningFixture(["xx.lua": file])
        let found = try fixture.findings()
        #expect(fixture.text(of: found) == mistake.text)
        let edits = found.compactMap(\.fix).flatMap(\.edits).sorted { $0.bytes.lowerBound > $1.bytes.lowerBound }
        var bytes = Array(file.utf8)
        for edit in edits { bytes.replaceSubrange(edit.bytes, with: Array(edit.text.utf8)) }
        let fixed = String(decoding: bytes, as: UTF8.self)
        let expected = mistake.fixed.map { mistake.isFile ? $0 : MeaningFixture.file($0) }
        #expect(fixed == expected ?? file)
        if expected != nil { #expect(try MeaningFixture(["xx.lua": fixed]).findings().isEmpty) }
    }

    @Test(arguments: ["us", "ca", "mx"])
    func shippedMarketsAreMeant(id: String) throws {
        let fixture = try MeaningFixture()
        #expect(fixture.text(of: try fixture.findings(id)) == "")
    }
}
