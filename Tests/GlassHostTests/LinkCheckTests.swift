import Foundation
import Testing

/// What `check` says about the links of a market: against its base, and about patterns.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LinkCheckTests {
    /// What checking `ca` printed, and where the routables that were added stand: `file:line`.
    private struct Check {
        let run: HostProcess
        var places: [String: String] = [:]

        /// - Parameters:
        ///   - base: A line for the routables of `us`.
        ///   - here: A line for the routables of `ca`.
        ///   - arguments: More of the command line.
        init(base: String, here: String, _ arguments: [String] = []) throws {
            let folder = try TestFolder()
            let markets = try folder.markets()
            for (name, routable) in [("us", base), ("ca", here)] {
                let file = markets.appending(path: "\(name).lua")
                var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
                let start = try #require(lines.firstIndex(of: "  routables = {"))
                lines.insert(routable, at: start + 1)
                try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
                places[name] = "\(file.path):\(start + 2)"
            }
            run = try HostProcess(["check", "ca", "--markets", markets.path] + arguments)
        }
    }

    private func check(base: String, here: String, _ arguments: [String] = []) throws -> Check {
        try Check(base: base, here: here, arguments)
    }

    @Test func aLinkOfTheBaseThatOpensSomethingElseIsAWarning() throws {
        let checked = try check(
            base: "    promo = { paths = { \"promo/:id\" }, handle = function() return true end },",
            here: "    other = { paths = { \"promo/:id(alnum)\" }, handle = function() return true end },")
        let run = checked.run
        #expect(run.status == 0, "\(run.errors)")
        let warning = run.output.split(separator: "\n").first { $0.contains("opens other here") }
        #expect(
            warning?.hasSuffix(
                "warning: routables.other.paths[1]: \"promo/zq7700013x\" opens other here and promo in us "
                    + "(\(checked.places["us"] ?? ""):25)") == true,
            "\(run.output)")
        #expect(warning?.hasPrefix("\(checked.places["ca"] ?? ""):25: ") == true)
        #expect(run.output.contains("  hint: change \"promo/:id(alnum)\" if that is not meant"))
    }

    @Test func aLinkOfTheBaseThatOpensNothingIsAWarning() throws {
        let base =
            "    promo = { customPaths = { \"promo/a\" }, paths = { \"p\" }, handle = function() return true end },"
        let lost = try check(base: base, here: "    promo = { customPaths = { \"promo/b\" } },")
        #expect(lost.run.status == 0, "\(lost.run.errors)")
        #expect(lost.run.output.contains("warning: routables.promo: \"promo/a\" opens nothing here and promo in us ("))
        #expect(lost.run.output.contains("  hint: add \"promo/a\" if that is not meant"))
        let json = try check(
            base: base, here: "    promo = { customPaths = { \"promo/b\" } },", ["--format", "json"]
        ).run.json()
        let finding = (json["findings"] as? [[String: Any]])?.first { $0["code"] as? String == "routeLost" }
        #expect(finding?["severity"] as? String == "warning")
        #expect(finding?["line"] as? Int != nil && finding?["column"] as? Int != nil)
        // Said outright, it is no mistake.
        let off = try check(base: base, here: "    promo = false,")
        #expect(off.run.status == 0 && !off.run.output.contains("promo"))
    }

    @Test func aWrongPatternHasACaretAtItsPlace() throws {
        let wrong = "    promo = { paths = { \"a/:b(integer)\" }, handle = function() return true end },"
        let checked = try check(base: "    -- nothing", here: wrong)
        let run = checked.run
        #expect(run.status == 1)
        let place = "\(checked.places["ca"] ?? ""):31"
        let line = checked.places["ca"]?.split(separator: ":").last.map(String.init) ?? ""
        let gutter = String(repeating: " ", count: 5 - line.count) + line
        let excerpt = "\(gutter) | \(wrong)\n      | \(String(repeating: " ", count: 30))^"
        #expect(
            run.output.contains(
                """
                \(place): error: routables.promo.paths[1]: pattern "a/:b(integer)": unknown type "integer"; \
                write int, uuid, slug, alnum or a list such as en|fr
                \(excerpt)
                  hint: a/:b(integer)
                             ^^^^^^^
                """), "\(run.output)")
    }

    @Test func aMissIsExplainedWithASuggestionAndTheMarketThatWouldTakeIt() throws {
        let text = try HostProcess(["explain", "walmart.ca://myacount", "-m", "ca"])
        #expect(text.status == 1)
        #expect(text.output.contains("did you mean myacount → myaccount? (account)"), "\(text.output)")
        let json = try HostProcess(["explain", "walmart.ca://myaccount", "-m", "us", "--format", "json"]).json()
        #expect(json["takers"] as? [String] == ["ca"])
        let near = try HostProcess(["explain", "walmart.ca://myacount", "-m", "ca", "--format", "json"]).json()
        let miss = try #require((near["nearMisses"] as? [[String: Any]])?.first)
        #expect(miss["suggestion"] as? String == "myaccount" && miss["routable"] as? String == "account")
    }
}
