import CommandTesting
import Foundation
import GlassHost
import TestSupport
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite(.timeLimit(.minutes(5)))
struct TestCommandTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        _ = try folder.markets()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "scripts"), withIntermediateDirectories: true)
    }

    /// Tests that reach the limit have a smaller one, except with all rounds.
    @Test func usualLimitIsDocumented() throws {
        let page = CommandRun.repository.appending(path: "Sources/GlassHost/GlassHost.docc/Output.md")
        let megabytes = CommandContext.usualOutputLimit >> 20
        let text = try String(contentsOf: page, encoding: .utf8)
        #expect(text.contains("A result is limited to \(megabytes) MB."))
        #expect(text.contains("`test` prints at most \(2 * megabytes) MB for all files"))
        #expect(text.contains("have a separate limit of \(megabytes) MB."))
    }

    private func test(_ arguments: [String] = []) throws -> HostRun {
        try HostRun(["test"] + arguments, folder: folder.url)
    }

    @Test func realTestsPass() throws {
        let run = try HostRun(["test"])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("ok   each market opens its own account link: ca\n"))
        #expect(run.output.contains("7 passed, 0 failed in "))
    }

    @Test func failureShowsValuesLineAndDiff() throws {
        _ = try folder.write(
            """
            glass.test("addresses", { { 1, 2 } }, function(case)
            \tglass.expect({ a = case, b = "x" }):toEqual({ a = { 1, 3 } })
            end)
            """, to: "scripts/a_test.lua")
        let run = try test()
        #expect(run.status == 1)
        #expect(
            run.output.hasPrefix(
                """
                scripts/a_test.lua
                FAIL addresses #1
                     scripts/a_test.lua:2:38: expected { a = { 1, 2 }, b = "x" } to equal { a = { 1, 3 } }
                       at a[2]: got 2, expected 3
                       at b: got "x", expected nil
                         2 |     glass.expect({ a = case, b = "x" }):toEqual({ a = { 1, 3 } })
                           |                                         ^

                """), "\(run.output)")
        #expect(run.output.contains("0 passed, 1 failed in "))
    }

    @Test func eachTestHasItsOwnMarkets() throws {
        let script = try folder.write(
            """
            local us = glass.market("us")
            glass.test("a", function() us.preconditions:reset("signedIn") end)
            glass.test("b", function() glass.expect(us.preconditions:unmet()):toEqual({}) end)
            """, to: "scripts/a_test.lua")
        #expect(try test().status == 0)
        #expect(try HostRun(["run", script], folder: folder.url).status == 1)
    }

    /// Regardless of how many files there are, and whether they print or report.
    @Test(arguments: ["text", "json"]) func outputLimitIsSharedByAllFiles(format: String) throws {
        let limit = CommandRun.outputLimit
        // Each file stays below the limit of one script.
        let sources = [
            "for i = 1, 120 do print(('x'):rep(\(limit / 160))) end glass.test('t', function() end)",
            "for i = 1, \(limit / 18_641) do glass.test('t' .. i, function() error(('x'):rep(15000)) end) end",
        ]
        for source in sources {
            for file in 1...5 { _ = try folder.write(source, to: "scripts/\(file)_test.lua") }
            let run = try HostRun(["test", "--format", format], folder: folder.url, outputLimit: limit)
            #expect(run.status == 2)
            #expect(
                run.errors.hasSuffix(
                    "the result exceeds the output limit of \(2 * limit >> 20) MB: narrow the query\n"
                ),
                "\(run.errors.suffix(200))")
            #expect(run.output.utf8.count + run.errors.utf8.count < limit * 17 / 8)
        }
        _ = try (2...5).map { try folder.write("glass.test('a', function() end)", to: "scripts/\($0)_test.lua") }
        #expect(try test(["--format", format]).status == 1)
    }

    @Test func filterSelectsTestsByName() throws {
        _ = try folder.write(
            "glass.test(\"One\", function() end) glass.test(\"two\", function() error(\"x\") end)",
            to: "scripts/a_test.lua")
        let run = try test(["--filter", "one"])
        #expect(run.status == 0)
        #expect(run.output.contains("1 passed, 0 failed, 1 skipped by the filter in "))
        let none = try test(["--filter", "three"])
        #expect(none.status == 2)
        #expect(none.errors == "no test name contains \"three\"\n")
    }

    /// Whatever a test does, it fails under its own name, and the others run.
    @Test func limitFailsOnlyItsTest() throws {
        _ = try folder.write(
            """
            glass.test("first", function() end)
            glass.test("an endless loop", function() while true do end end)
            glass.test("a loop that catches", function() while true do pcall(function() while true do end end) end end)
            glass.test("too much memory", function() local t = {} while true do t[#t + 1] = ("x"):rep(1e6) .. #t end end)
            glass.test("too much output", function() while true do print(("x"):rep(1e5)) end end)
            glass.test("an error", function() error("no", 0) end)
            glass.test("last", function()
              glass.expect(glass.market("ca"):open("walmart.ca://cart").outcome):toBe("routed")
            end)
            """, to: "scripts/a_test.lua")
        _ = try folder.write("glass.test('other', function() end) error('late')", to: "scripts/b_test.lua")
        // Under a sanitizer, the others need more.
        let limit = HostProcess.isSanitized ? 2 : 1
        let run = try test(["--test-timeout", "\(limit)", "--junit", "r.xml"])
        #expect(run.status == 1)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(lines.contains("ok   first") && lines.contains("ok   last") && lines.contains("ok   other"))
        let summary = try #require(
            lines.firstIndex { $0.hasPrefix("3 passed, 5 failed, 1 script ended with an error in ") })
        #expect(
            Array(lines[(summary + 1)...]) == [
                "FAIL scripts/a_test.lua: an endless loop", "FAIL scripts/a_test.lua: a loop that catches",
                "FAIL scripts/a_test.lua: too much memory", "FAIL scripts/a_test.lua: too much output",
                "FAIL scripts/a_test.lua: an error", "FAIL scripts/b_test.lua: the script did not finish",
            ])
        #expect(
            run.output.contains("scripts/a_test.lua:2: time limit exceeded: \(limit) s"), "\(run.output.suffix(2000))"
        )
        let document = try XMLDocument(contentsOf: folder.url.appending(path: "r.xml"), options: [])
        #expect(try document.nodes(forXPath: "//testcase").count == 9)
        #expect(try document.nodes(forXPath: "//testcase[failure]").count == 5)
        let loop = try #require(
            try document.nodes(forXPath: "//testcase[@name='an endless loop']").first as? XMLElement)
        let seconds = try #require(loop.attribute(forName: "time")?.stringValue.flatMap(Double.init))
        #expect(seconds >= Double(limit) && seconds < 20)
    }

    @Test func scriptEndsIfAllTestsReachLimit() throws {
        _ = try folder.write(
            "for i = 1, 20 do glass.test('t' .. i, function() while true do end end) end", to: "scripts/a_test.lua")
        let run = try test(["--test-timeout", "0.02"])
        #expect(run.status == 1)
        #expect(run.output.contains("0 passed, 11 failed, 1 script ended with an error in "), "\(run.output)")
        #expect(run.errors.contains("more than 10 tests exceeded a limit; the rest were skipped"))
    }

    @Test func testControlsMocks() throws {
        _ = try folder.write(
            """
            local ca = glass.market("ca")
            glass.test("network", function()
              local network, api = glass.mock(ca, "Networking"), ca.container:get("Networking")
              network:answer("GET", "v2/items*", { json = { items = { 1, 2 } } })
              network:answer("GET", "v2/items/7", { status = 503, headers = { ["Retry-After"] = "3" }, times = 1 })
              glass.expect(api:get("v2/items/7").status):toBe(503)
              glass.expect(api:json("v2/items/7").items):toEqual({ 1, 2 })
              network:answer("*", "https://x.example/a", { problem = "offline" })
              glass.expect(function() api:get("https://x.example/a") end):toRaise("there is no network")
              glass.expect(network:requests()[1].target):toBe("v2/items/7")
              glass.expect(function() network:answer("GET", "a", { stat = 1 }) end):toRaise('got "stat"')
            end)
            glass.test("each test has mocks of its own", function()
              -- Without an answer of the test the mock needs what the live service does, such as the consumer key.
              glass.expect(function() ca.container:get("Networking"):get("v2/items/7") end):toRaise("is not set")
              glass.expect(glass.mock(ca, "Networking"):requests()):toEqual({})
            end)
            glass.test("permission and place", function()
              local permission = ca.container:get("LocationPermissionProvider")
              glass.expect(permission:request()):toBe("denied")
              glass.mock("ca", "LocationPermissionProvider"):set("granted")
              glass.expect(permission:status()):toBe("granted")
              glass.mock("ca", "LocationUpdatesProvider"):move(43.65, -79.38)
              glass.expect(ca.container:get("LocationUpdatesProvider"):next().latitude):toBe(43.65)
              glass.expect(function() glass.mock("ca", "LocationUpdatesProvider"):move(91, 0) end):toRaise("a location on earth")
            end)
            glass.test("clock", function()
              ca.preconditions:reset("signedIn")
              glass.expect(ca:open("walmart.ca://orders").outcome):toBe("waiting")
              local session = ca.container:get("AnalyticsSessionProvider")
              local before = session:session().id
              glass.mock(ca, "HostClock"):advance(86400)
              ca.preconditions:satisfy("signedIn")
              glass.expect(session:session().id).never:toBe(before)
            end)
            glass.test("mistakes", function()
              glass.expect(function() glass.mock(ca, "Netwroking") end):toRaise('did you mean "Networking"?')
              glass.expect(function() glass.mock(ca, "StorageAPI") end):toRaise("is not a controllable mock")
              glass.expect(function() glass.mock(ca) end):toRaise("glass.mock expects a market and the name of a service")
            end)
            """, to: "scripts/a_test.lua")
        let run = try test()
        #expect(run.status == 0, "\(run.output)\(run.errors)")
        let allowed = try test(["--permissions", "allow", "--filter", "permission"])
        #expect(allowed.output.contains("expected \"granted\" to be \"denied\""), "\(allowed.output)")
    }

    @Test func coverageNamesUnopenedRoutes() throws {
        _ = try folder.write(
            """
            return { id = "qc", name = "Q", extends = "ca", routables = {
              own = { paths = { "own" }, handle = function(link, state) state:show("a") return true end },
              other = { paths = { "other" }, handle = function() return true end },
            } }
            """, to: "markets/qc.lua")
        _ = try folder.write(
            """
            glass.test("opens", function()
              glass.market("qc"):open("walmart.ca://own")
              glass.market("qc").preconditions:reset("signedIn")
              glass.market("qc"):open("walmart.ca://orders")
              glass.market("qc").preconditions:satisfy("signedIn")
            end)
            """, to: "scripts/a_test.lua")
        let run = try test(["--coverage"])
        #expect(run.status == 0)
        let lines = run.output.split(separator: "\n").map(String.init)
        #expect(
            lines.contains { $0.hasPrefix("qc: tests open 2 of ") && $0.hasSuffix(" routes and run 1 of 2 handlers") },
            "\(run.output)")
        #expect(lines.contains("  not opened: other (other)") && lines.contains("  not run: the handler of other"))
        #expect(!lines.contains("  not opened: own (own)"))
        #expect(lines.contains { $0.hasPrefix("us: tests open 0 of ") })
        let json = try test(["--coverage", "--format", "json"]).json()
        let markets = try #require((json["coverage"] as? [String: Any])?["markets"] as? [[String: Any]])
        let quebec = try #require(markets.first { $0["id"] as? String == "qc" })
        #expect((quebec["handlers"] as? [[String: Any]])?.map { $0["run"] as? Bool } == [false, true])
    }

    @Test func junitResultsAreWritten() throws {
        _ = try folder.write(
            "glass.test(\"a <b>\", function() error(\"x & \\\"y\\\"\\1\", 0) end)", to: "scripts/a_test.lua")
        _ = try folder.write("glass.test(\"ok\", function() end) error(\"late\")", to: "scripts/b_test.lua")
        #expect(try test(["--junit", "r.xml"]).status == 1)
        let file = folder.url.appending(path: "r.xml")
        let document = try XMLDocument(contentsOf: file, options: [])
        let suites = try #require(document.rootElement())
        #expect(suites.name == "testsuites")
        #expect(suites.attribute(forName: "tests")?.stringValue == "3")
        #expect(suites.attribute(forName: "failures")?.stringValue == "1")
        #expect(suites.attribute(forName: "errors")?.stringValue == "1")
        let failure = try #require(
            try document.nodes(forXPath: "//testcase[@name='a <b>']/failure").first as? XMLElement)
        #expect(failure.attribute(forName: "message")?.stringValue == "x & \"y\"\\u{1}")
        let error = try #require(try document.nodes(forXPath: "//testsuite[2]/testcase[2]/error").first)
        #expect(error.stringValue?.hasPrefix("scripts/b_test.lua:1:34: late\n    1 | glass.test(") == true, "\(error)")
    }

    @Test func jsonHasEveryFileAndTest() throws {
        _ = try folder.write("print(\"p\") glass.test(\"t\", function() end) error(\"late\")", to: "scripts/a_test.lua")
        let run = try test(["--format", "json"])
        let json = try run.json()
        #expect(Set(json.keys) == ["schema", "coverage", "files", "passed", "failed", "skipped", "milliseconds"])
        let file = try #require((json["files"] as? [[String: Any]])?.first)
        #expect(Set(file.keys) == ["file", "tests", "error"])
        #expect((file["error"] as? [String: Any])?["message"] as? String == "late")
        #expect(
            (file["error"] as? [String: Any])?["source"] as? String
                == "print(\"p\") glass.test(\"t\", function() end) error(\"late\")")
        let test = try #require((file["tests"] as? [[String: Any]])?.first)
        #expect(Set(test.keys) == ["name", "passed", "milliseconds", "failure"])
        #expect(run.errors == "p\n")
        #expect(run.status == 1)
    }

    @Test func missingTestsAreReported() throws {
        let none = try test()
        #expect(none.status == 2)
        #expect(none.errors == "there is no scripts/*_test.lua; write one, or name a script\n")
        let missing = try test(["x_test.lua"])
        #expect(missing.status == 2)
        #expect(missing.errors == "cannot read the script x_test.lua: no such file or directory\n")
        _ = try folder.write("glass.test(\"t\", {}, function() end)", to: "scripts/a_test.lua")
        #expect(try test().errors.hasPrefix("error: scripts/a_test.lua:1:7: glass.test got no cases for \"t\"\n"))
    }
}
