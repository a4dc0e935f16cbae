import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import TestSupport
import Testing

@testable import GlassAuthoring

/// An error hides no other mistake, and makes no rule see one.
@Suite(.timeLimit(.minutes(5)))
struct LintBesideErrorsTests {
    /// An `accept` that is wrong ends the evaluation.
    private static let mistakes = LintTableTests.mistakes.filter { !$0.isFile && !$0.text.contains(" error: ") }

    @Test(arguments: mistakes)
    func errorElsewhereHidesNothing(mistake: TableMistake) throws {
        let fixture = LintFixture(["xx.lua": LintFixture.file(mistake.source + "\nzzz = 1,")])
        let found = try fixture.findings()
        #expect(found.contains { $0.code == .unknownKey && $0.path.description == "zzz" })
        #expect(fixture.text(of: found.filter { $0.path.description != "zzz" }) == mistake.text)
    }

    /// The case of a newcomer: a typo beside a currency of another country.
    @Test func typoHidesNoCurrency() throws {
        let text = """
            currency = "EUR", locales = { "es-MX" },
            platform = { address = { country = "MX" }, networking = { retry = { maxRetires = 2 } } },
            """
        let found = try LintFixture(["xx.lua": LintFixture.file(text)]).findings()
        #expect(found.contains { $0.code == .unknownKey })
        #expect(found.contains { $0.message.contains("EUR is not a currency of MX") })
    }

    /// Each value of a shipped market in turn has a wrong type. Its own rules and those about other values then find
    /// nothing that the market without the error does not have.
    @Test(arguments: ["us", "ca", "mx"])
    func errorMisleadsNoRule(id: String) throws {
        let url = LintFixture.repository.appending(path: "markets/\(id).lua")
        let text = try String(contentsOf: url, encoding: .utf8)
        let values = text.matches(of: /"[^"\n]*"|\b[0-9][0-9.]*\b|\btrue\b|\bfalse\b/).map(\.range)
        try #require(values.count > 40)
        let step = rounds(all: 1, few: 9)
        var examined = 0
        for index in stride(from: 0, to: values.count, by: step) {
            var broken = text
            broken.replaceSubrange(values[index], with: "{ zzz = { {} } }")
            let check = try LintFixture(["\(id).lua": broken]).loader.check(id)
            guard check.market == nil, let meaning = check.lintResult else { continue }
            examined += 1
            #expect(
                meaning.findings.map(\.description) == [],
                "\(text[values[index]]) at \(text[..<values[index].lowerBound].count { $0 == "\n" } + 1)")
        }
        #expect(examined > values.count / step / 3)
    }

    /// A misspelled key of an overlay is one finding, whatever its condition tests.
    @Test(arguments: [
        (
            "{ name = \"a\", when = { date = \">= 2029-11-23T00:00:00Z\" }, plattform = { networking = {} } }",
            "plattform: unknown key", "did you mean \"platform\"?"
        ),
        (
            "{ name = \"a\", condition = { build = \"beta\" }, currency = \"CAD\" }",
            "overlays[1].condition: unknown key",
            "did you mean \"when\"?"
        ),
        (
            "{ name = \"debugBuild\", condition = { build = \"beta\" }, currency = \"CAD\" }",
            "condition: unknown key", "did you mean \"when\"?"
        ),
        (
            "{ name = \"debugBuild\", weather = 1 }", "weather: unknown key",
            "available keys: name, when, beats, currency, deepLinking, preconditions, platform, routables"
        ),
    ])
    func keyOfOverlayIsOneFinding(overlay: String, message: String, hint: String) throws {
        let fixture = LintFixture(["xx.lua": LintFixture.file("overlays = { \(overlay) },")])
        let errors = try fixture.loader.check("xx").findings.filter { $0.severity == .error }
        #expect(errors.map { "\($0.path): \($0.message)" } == [message])
        #expect(errors.map(\.hint) == [hint])
    }
}
