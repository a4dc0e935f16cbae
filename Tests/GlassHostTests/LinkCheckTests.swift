import CommandTesting
import Foundation
import TestSupport
import Testing

/// The findings of `check` about a market's links: compared with its base, and about patterns.
@Suite(.serialized, .timeLimit(.minutes(5)))
struct LinkCheckTests {
    /// The output of checking `ca`, and the positions of the added routables: `file:line`.
    private struct Check {
        let run: HostRun
        var places: [String: String] = [:]

        /// - Parameters:
        ///   - base: A line for the routables of `us`.
        ///   - here: A line for the routables of `ca`.
        ///   - arguments: Additional arguments.
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
            run = try HostRun(["check", "ca", "--markets", markets.path] + arguments)
        }
    }

    private func check(base: String, here: String, _ arguments: [String] = []) throws -> Check {
        try Check(base: base, here: here, arguments)
    }

    @Test func baseLinkThatOpensSomethingElseIsWarning() throws {
        let checked = try check(
            base: "    promo = { paths = { \"promo/:id\" }, handle = function() return true end },",
            here: "    other = { paths = { \"promo/:id(alnum)\" }, handle = function() return true end },")
        let run = checked.run
        #expect(run.status == 0, "\(run.errors)")
        let warning = run.output.split(separator: "\n").first { $0.contains("opens other here") }
        #expect(
            warning?.hasSuffix(
                "warning: routables.other.paths[1]: \"promo/zq7700013x\" opens other here, but promo in us "
                    + "(\(checked.places["us"] ?? ""):25) [routeMoved]") == true,
            "\(run.output)")
        #expect(warning?.hasPrefix("\(checked.places["ca"] ?? ""):25: ") == true)
        #expect(run.output.contains("  hint: change \"promo/:id(alnum)\" if this is unintended"))
    }

    @Test func baseLinkThatOpensNothingIsWarning() throws {
        let base =
            "    promo = { customPaths = { \"promo/a\" }, paths = { \"p\" }, handle = function() return true end },"
        let lost = try check(base: base, here: "    promo = { customPaths = { \"promo/b\" } },")
        #expect(lost.run.status == 0, "\(lost.run.errors)")
        #expect(lost.run.output.contains("warning: routables.promo: \"promo/a\" opens nothing here, but promo in us ("))
        #expect(lost.run.output.contains("  hint: add \"promo/a\" if this is unintended"))
        let json = try check(
            base: base, here: "    promo = { customPaths = { \"promo/b\" } },", ["--format", "json"]
        ).run.json()
        let finding = (json["findings"] as? [[String: Any]])?.first { $0["code"] as? String == "routeLost" }
        #expect(finding?["severity"] as? String == "warning")
        #expect(finding?["line"] as? Int != nil && finding?["column"] as? Int != nil)
        // Disabling it explicitly is not a mistake.
        let off = try check(base: base, here: "    promo = false,")
        #expect(off.run.status == 0 && !off.run.output.contains("promo"))
    }

    #if os(Linux)
        /// Forty markets of 5 MB each: a market is released once it is checked.
        @Test(.enabled(if: Sanitizer.name == nil))
        func manyMarketsUseNoMoreMemoryThanOne() throws {
            let folder = try TestFolder()
            let markets = try folder.markets()
            for index in 0..<40 {
                let text = """
                    local big = ("x"):rep(5000000)
                    return { id = "z\(index)", name = "Z", extends = "us", deepLinking = { schemes = { "z\(index)" } },
                      routables = { own = { paths = { "own" }, handle = function() return #big > 0 end } } }
                    """
                try text.write(
                    to: markets.appending(path: "z\(index).lua"), atomically: true, encoding: .utf8)
            }
            // The peak memory of the largest child process so far, in kilobytes.
            func peak() -> Int {
                var usage = rusage()
                getrusage(__rusage_who_t(RUSAGE_CHILDREN.rawValue), &usage)
                return usage.ru_maxrss
            }
            let before = peak()
            let run = try HostRun(["check", "-q", "--markets", markets.path])
            #expect(run.status == 0, "\(run.output)")
            #expect(peak() <= max(before, 150_000))
        }
    #endif

    @Test func invalidPatternHasCaretAtItsPosition() throws {
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
                write int, uuid, slug, alnum, or a list such as en|fr [invalidPattern]
                \(excerpt)
                  hint: a/:b(integer)
                             ^^^^^^^
                """), "\(run.output)")
    }

    /// Spellings of the same invalid pattern, and the offset of the invalid word from the start of the string.
    private static let literals = [
        ("\"a/:b(integer)\"", 6), ("'a/:b(integer)'", 6), ("[[a/:b(integer)]]", 7), ("[==[a/:b(integer)]==]", 9),
        ("\"\\x61/:b(integer)\"", 9), ("\"\\97/:b(integer)\"", 8), ("\"\\u{61}/:b(integer)\"", 11),
        ("\"\\u{E9}/:b(integer)\"", 11), ("\"é/:b(integer)\"", 6), ("\"a/\\z   :b(integer)\"", 11),
        // A computed string has no position inside it.
        ("\"a/:b(\" .. \"integer)\"", 0),
    ]

    @Test func caretIsExactInEveryStringSyntax() throws {
        let start = "    promo0 = { paths = { "
        let written = Self.literals.enumerated().map { index, literal in
            start.replacing("0", with: "\(index)") + literal.0 + " }, handle = function() return true end },"
        }
        // The line break after the opening bracket is not part of the string.
        let long = "    long = { paths = { [[\na/:b(integer)]] }, handle = function() return true end },"
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "ca.lua")
        var lines = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
        let top = try #require(lines.firstIndex(of: "  routables = {")) + 1
        lines.insert(contentsOf: written + [long], at: top)
        try lines.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
        let text = try HostRun(["check", "ca", "--markets", markets.path])
        let json = try HostRun(["check", "ca", "--markets", markets.path, "--format", "json"]).json()
        #expect(text.status == 1)
        let findings = try #require(json["findings"] as? [[String: Any]]).filter {
            $0["code"] as? String == "invalidPattern"
        }
        #expect(findings.count == written.count + 1)
        for (index, literal) in Self.literals.enumerated() {
            let line = top + index + 1
            let column = start.count + (index > 9 ? 1 : 0) + 1 + literal.1
            let finding = findings.first { $0["line"] as? Int == line }
            #expect(finding?["column"] as? Int == column, "\(literal)")
            let gutter = String(repeating: " ", count: 5 - "\(line)".count) + "\(line)"
            let caret = String(repeating: " ", count: column - 1) + "^"
            #expect(
                text.output.contains("\(file.path):\(line):\(column): error: routables.promo\(index).paths[1]: pattern")
            )
            #expect(text.output.contains("\n\(gutter) | \(written[index])\n      | \(caret)\n"), "\(text.output)")
        }
        let last = findings.first { $0["key"] as? String == "routables.long.paths[1]" }
        #expect(last?["line"] as? Int == top + written.count + 2 && last?["column"] as? Int == 6)
    }

    @Test func missIsExplainedWithSuggestionAndOtherMarket() throws {
        let text = try HostRun(["explain", "walmart.ca://myacount", "-m", "ca"])
        #expect(text.status == 1)
        #expect(
            text.output.contains("did you mean \"myaccount\"? (\"myacount\" → \"myaccount\", route of account)\n"),
            "\(text.output)")
        let json = try HostRun(["explain", "walmart.ca://myaccount", "-m", "us", "--format", "json"]).json()
        #expect(json["takers"] as? [String] == ["ca"])
        let near = try HostRun(["explain", "walmart.ca://myacount", "-m", "ca", "--format", "json"]).json()
        let miss = try #require((near["nearMisses"] as? [[String: Any]])?.first)
        #expect(miss["suggestion"] as? String == "myaccount" && miss["routable"] as? String == "account")
    }
}
