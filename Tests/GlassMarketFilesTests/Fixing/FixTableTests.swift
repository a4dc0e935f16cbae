@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import TestSupport
import Testing

/// The result of `fix` for each mistake in the table.
@Suite(.timeLimit(.minutes(5)))
struct FixTableTests {
    typealias Mistake = TableMistake

    private static func file(_ text: String, of mistake: Mistake) -> String {
        mistake.isFile ? text : "return { id = \"xx\", name = \"Test\", extends = \"us\",\n\(text)\n}"
    }

    private static func fix(_ text: String) throws -> MarketFixer.Result {
        let loader = try MarketFixture(["xx.lua": text]).loader(limits: MarketFixture.patientLimits)
        return try MarketFixer.run(["xx"], with: loader)
    }

    /// All mistakes, or one of each kind, preferably one with a fix.
    private static let mistakes: [Mistake] = {
        let kinds = Dictionary(grouping: MistakeTableTests.mistakes, by: \.kind)
        return kinds.values.flatMap { kind in
            kind.sorted { $0.fixed != nil && $1.fixed == nil }.prefix(rounds(all: kind.count, few: 1))
        }
    }()

    @Test(arguments: mistakes)
    func exactHintIsApplied(mistake: Mistake) throws {
        let result = try Self.fix(Self.file(mistake.source, of: mistake))
        let texts = result.files.map { String(decoding: $0.fixed, as: UTF8.self) }
        guard let fixed = mistake.fixed else {
            #expect(texts == [])
            return
        }
        #expect(texts == [Self.file(fixed, of: mistake)])
        let errors = result.findings.filter { $0.severity == .error }
        #expect(errors.count == mistake.left, "\(errors.map(\.description))")
    }

    /// The same text after a byte order mark, multibyte characters and a tab, with other line endings, and with the
    /// final line ending added or removed.
    private static func variant(_ text: String) -> String {
        let text = text.hasSuffix("\n") ? String(text.dropLast()) : text + "\n"
        return "\u{FEFF}--[[é😀]]\t" + text.replacing("\n", with: "\r\n")
    }

    @Test(arguments: mistakes.filter { $0.fixed != nil })
    func fixChangesNothingElse(mistake: Mistake) throws {
        let result = try Self.fix(Self.variant(Self.file(mistake.source, of: mistake)))
        let texts = result.files.map { String(decoding: $0.fixed, as: UTF8.self) }
        #expect(texts == [mistake.fixed.map { Self.variant(Self.file($0, of: mistake)) }])
    }

    /// The kinds whose hints never say exactly what to write.
    private static let openKinds: Set<String> = [
        "a routable that is there twice",
        "the beginning of a key's name",
        "words that commas separate",
        "a library that market files do not have",
        "a scheme that no app can have",
        "a letter that no name can have",
        "a text that is not closed",
        "a bracket that is not closed",
        "a table that a statement follows",
        "a bracket too many",
        "a bracket that nothing opens",
        "a comment that is not closed",
        "an element that says what another one says",
        "a number out of its range",
        "an empty text",
        "a handler that the app does not have",
        "a pattern that is none",
        "routes that clash",
        "two ways to handle a link",
        "a circle of markets",
        "a secret that is written out",
        "a secret where none may be",
        "a secret that is not the market's",
        "a list with a hole",
        "a list that has keys",
        "an element that is there twice",
        "append where there is no list",
        "remove of what is not there",
        "a field of nil",
        "a call of nil",
        "values that cannot be combined",
        "an error that the file raises",
        "a file that returns no table",
        "too much of something",
        "nil for unset",
        "print as an element",
        "a test of a version that is none",
        "a date without its time zone, or with one too many",
        "comparators where nothing is in order",
        "a condition that no situation fulfils",
        "an alternative that others take",
        "two overlays that contradict each other",
        "a key without a value in some situations",
        "routes that conflict in a situation",
        "conditions that name each other",
        "two of one name",
        "an attribute that is none",
        "an overlay without what it needs",
        "a key in an overlay that is the same everywhere",
        "a word of alternatives without its table",
        "an argument for a word that takes none",
        "a Lua pattern for a regular expression",
        "a parameter of handle in the place of the other",
        "a key that is missing in a table",
        "a choice that is abbreviated or has another name elsewhere",
        "a screen without its table",
        "a key of the elements beside their list",
        "a flag in place of a condition",
        "a vendor whose shares cannot be continued",
        "a URL for a path",
        "a delay above an inherited maximum",
        "a locale with an underscore that conditions name",
        "a required field that is not shown",
        "a table that is not closed before the next line",
        "an environment with a shortened name that lacks services",
    ]

    @Test func onlyTheseCodesHaveNoFix() {
        let kinds = Dictionary(grouping: MistakeTableTests.mistakes, by: \.kind)
        #expect(Set(kinds.filter { $0.value.allSatisfy { $0.fixed == nil } }.keys) == Self.openKinds)
    }
}
