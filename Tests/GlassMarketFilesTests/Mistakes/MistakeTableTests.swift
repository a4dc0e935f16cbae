@testable import GlassAuthoring
@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import LuaSyntax
import TestSupport
import Testing
import MarketTesting

/// Every kind of mistake that users make in market files, at least three times each: its message, the fingerprints of
/// its findings, and the result of `fix`.
@Suite(.timeLimit(.minutes(5)), SharedMarkets.Trait())
struct MistakeTableTests {
    private static let mistakes = TableMistake.all(in: MistakeTable.text)
    private static let kinds = Dictionary(grouping: mistakes, by: \.kind)

    /// The mistakes that are fixed: all, or one of each kind, preferably one with a fix.
    private static let tried: Set<String> = Set(
        kinds.values.flatMap { kind in
            kind.sorted { $0.fixed != nil && $1.fixed == nil }.prefix(rounds(all: kind.count, few: 1))
        }.map(\.description))

    @Test func everyKindOccursThreeTimes() {
        #expect(Self.kinds.count >= 140)
        #expect(Self.kinds.filter { $0.value.count < 3 }.isEmpty)
        #expect(Set(Self.mistakes.map(\.description)).count == Self.mistakes.count)
    }

    @Test(arguments: mistakes)
    func mistakeIsReportedAndFixed(mistake: TableMistake) throws {
        // One hint lists the markets of the folder.
        let isAlone = !mistake.text.contains("the markets are")
        let markets = try isAlone ? SharedMarkets.current : SharedMarkets(MarketFixture())
        let file = Self.file(mistake.source, of: mistake)
        let loader = markets.loader(of: file)
        let check = try loader.check("xx")
        #expect(markets.fixture.text(of: check.findings) == mistake.text)
        #expect(check.market == nil || !check.findings.contains { $0.severity == .error })
        var bases = BaseComparison(by: loader)
        let all = try check.findings + check.undecided() + bases.findings(of: check)
        #expect(all.sharedFingerprints == [])
        if Self.tried.contains(mistake.description) { try expectFix(of: mistake, in: file, markets) }
    }

    /// What a hint says to write removes its finding, and the text parses. Fixes are tried above.
    @Test func hintsCanBeFollowed() throws {
        let markets = try SharedMarkets.current
        var followed = 0
        for mistake in Self.mistakes where !mistake.text.contains("the markets are") {
            let file = Self.file(mistake.source, of: mistake)
            for finding in try markets.loader(of: file).check("xx").findings where finding.fix == nil {
                guard let changed = Self.following(finding, in: file) else { continue }
                followed += 1
                let left = try markets.loader(of: changed).check("xx").findings
                let remains = left.contains {
                    $0.code == .syntax || $0.code == finding.code && $0.path == finding.path
                }
                #expect(!remains, "\(finding)\n\(changed)\n\(left.map(\.description))")
            }
        }
        #expect(followed > 20)
    }

    /// The file with the value or the entry that a hint says to write; nil if the hint says something else.
    private static func following(_ finding: Finding, in file: String) -> String? {
        guard let hint = finding.hint, hint.hasPrefix("write "), let position = finding.position else { return nil }
        var text = String(hint.dropFirst("write ".count).prefix { $0 != "\n" })
        for start in ["such as ", "as in "] {
            if let range = text.firstRange(of: start) { text = String(text[range.upperBound...]) }
        }
        for end in [",  -- ", ", without quotes", "; ", ", and ", " or { "] {
            if let range = text.firstRange(of: end) { text = String(text[..<range.lowerBound]) }
        }
        let outline = Outline(Array(file.utf8))
        guard !text.contains("…"), outline.tree.errors.isEmpty, position.file.hasSuffix("/xx.lua") else { return nil }
        var bytes = Array(file.utf8)
        if LuaTree(Array("return \(text)".utf8)).errors.isEmpty {
            guard let path = outline.path(at: position), var entry = outline.entry(at: path) else { return nil }
            // Some hints are about the whole directive or test around the place.
            while let outer = outline.entries[entry].parent,
                case .word(let word, _) = outline.entries[outer].value, text.hasPrefix("\(word) {")
            {
                entry = outer
            }
            if text.hasPrefix("\">") || text.hasPrefix("\"<"), let outer = outline.entries[entry].parent,
                case .key("from") = outline.entries[entry].key
            {
                entry = outer
            }
            bytes.replaceSubrange(outline.tree.range(of: outline.entries[entry].tokens), with: text.utf8)
        } else if finding.code == .missingKey, LuaTree(Array("return { \(text) }".utf8)).errors.isEmpty {
            let table = ConfigurationPath(Array(finding.path.elements.dropLast()))
            guard let entry = outline.entry(at: table), let braces = outline.braces(of: entry) else { return nil }
            let place = outline.tree.tokens[braces.open].upperBound
            if let written = outline.entry(at: finding.path) {
                bytes.replaceSubrange(outline.range(of: written), with: text.utf8)
            } else {
                bytes.replaceSubrange(place..<place, with: " \(text),".utf8)
            }
        } else {
            return nil
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private static func file(_ text: String, of mistake: TableMistake) -> String {
        mistake.isFile ? text : MarketFixture.file(with: text)
    }

    /// Expects that an exact hint is applied, and that nothing else is changed.
    private func expectFix(of mistake: TableMistake, in file: String, _ markets: SharedMarkets) throws {
        let result = try MarketFixer.run(["xx"], with: markets.loader(of: file))
        let texts = result.files.map { String(decoding: $0.fixed, as: UTF8.self) }
        guard let fixed = mistake.fixed.map({ Self.file($0, of: mistake) }) else {
            #expect(texts == [])
            return
        }
        #expect(texts == [fixed])
        let errors = result.findings.filter { $0.severity == .error }
        #expect(errors.count == mistake.left, "\(errors.map(\.description))")
        let variant = try MarketFixer.run(["xx"], with: markets.loader(of: Self.variant(file)))
        #expect(variant.files.map { String(decoding: $0.fixed, as: UTF8.self) } == [Self.variant(fixed)])
    }

    /// The same text after a byte order mark, multibyte characters and a tab, with other line endings, and with the
    /// final line ending added or removed.
    private static func variant(_ text: String) -> String {
        let text = text.hasSuffix("\n") ? String(text.dropLast()) : text + "\n"
        return "\u{FEFF}--[[é😀]]\t" + text.replacing("\n", with: "\r\n")
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
        "a required field that is not shown",
        "no postal codes, although the form has one",
        "a table that is not closed before the next line",
        "an environment with a shortened name that lacks services",
        "the name of a key in another format",
        "a list of names for a table",
        "another word for true or false",
        "alternatives without their keys",
        "values by locale without the locales",
        "a decimal comma",
        "a value that is written as its whole table",
        "a word in quotes that is none",
        "a day or a moment in place of a range",
        "a date that is none",
        "a time zone that is misspelled",
        "an expression for a condition",
        "a text that refers to the environment",
        "removing from a table like from a list",
    ]

    @Test func onlyTheseKindsHaveNoFix() {
        #expect(Set(Self.kinds.filter { $0.value.allSatisfy { $0.fixed == nil } }.keys) == Self.openKinds)
    }
}

/// The markets that files with mistakes extend, which are analyzed once.
private struct SharedMarkets: Sendable {
    let fixture: MarketFixture
    private let analyses = SourceAnalysisCache()

    init(_ fixture: MarketFixture) { self.fixture = fixture }

    /// A loader for the markets and a file `xx.lua`.
    func loader(of file: String) -> MarketLoader {
        fixture.loader(limits: MarketFixture.patientLimits).replacing(["xx.lua": Array(file.utf8)])
            .remembering(analyses)
    }

    @TaskLocal static var shared: SharedMarkets?

    /// Only the United States, in one folder for the whole suite.
    static var current: SharedMarkets {
        get throws { try #require(shared) }
    }

    /// Removes the folder after the suite.
    struct Trait: SuiteTrait, TestScoping {
        func provideScope(
            for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
        ) async throws {
            let markets = SharedMarkets(try MarketFixture(isAlone: true))
            try await SharedMarkets.$shared.withValue(markets) { try await function() }
        }
    }
}
