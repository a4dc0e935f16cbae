import Foundation
import Testing

#if canImport(FoundationXML)
    import FoundationXML
#endif

@Suite(.timeLimit(.minutes(2)))
struct TestCommandTests {
    private let folder: TestFolder

    init() throws {
        folder = try TestFolder()
        _ = try folder.markets()
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "scripts"), withIntermediateDirectories: true)
    }

    private func test(_ arguments: [String] = []) throws -> HostProcess {
        try HostProcess(["test"] + arguments, folder: folder.url)
    }

    @Test func theRealTestsPass() throws {
        let run = try HostProcess(["test"])
        #expect(run.status == 0, "\(run.output)")
        #expect(run.output.contains("ok   each market opens its own account link: ca\n"))
        #expect(run.output.contains("7 passed, 0 failed in "))
    }

    /// Root may replace anything in `/dev`, and an atomic write did.
    @Test func aReportToAPipeIsWrittenIntoItAndLeavesItAPipe() throws {
        _ = try folder.write("glass.test('a', function() end)", to: "scripts/a_test.lua")
        let pipe = folder.url.appending(path: "report")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        // Open for both, so that neither side waits for the other.
        let reader = open(pipe.path, O_RDWR | O_NONBLOCK)
        defer { close(reader) }
        #expect(try test(["--junit", "report"]).status == 0)
        var status = stat()
        #expect(stat(pipe.path, &status) == 0 && status.st_mode & S_IFMT == S_IFIFO)
        var bytes = [UInt8](repeating: 0, count: 4096)
        let count = read(reader, &bytes, bytes.count)
        #expect(count > 0 && String(decoding: bytes.prefix(max(count, 0)), as: UTF8.self).hasPrefix("<?xml"))
    }

    @Test func aFailureShowsBothValuesTheLineAndADiff() throws {
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
                     scripts/a_test.lua:2: expected { a = { 1, 2 }, b = "x" } to equal { a = { 1, 3 } }
                       at a[2]: got 2, expected 3
                       at b: got "x", expected nil
                         2 |     glass.expect({ a = case, b = "x" }):toEqual({ a = { 1, 3 } })

                """), "\(run.output)")
        #expect(run.output.contains("0 passed, 1 failed in "))
    }

    @Test func eachTestHasMarketsOfItsOwnUnlikeARun() throws {
        let script = try folder.write(
            """
            local us = glass.market("us")
            glass.test("a", function() us.preconditions:reset("signedIn") end)
            glass.test("b", function() glass.expect(us.preconditions:unmet()):toEqual({}) end)
            """, to: "scripts/a_test.lua")
        #expect(try test().status == 0)
        #expect(try HostProcess(["run", script], folder: folder.url).status == 1)
    }

    /// However many files there are, and whether they print or report.
    @Test(arguments: ["text", "json"])
    func whatIsPrintedHasOneLimitForAllFiles(format: String) throws {
        let sources = [
            "for i = 1, 120 do print(('x'):rep(100000)) end glass.test('t', function() end)",
            "for i = 1, 900 do glass.test('t' .. i, function() error(('x'):rep(15000)) end) end",
        ]
        for source in sources {
            for file in 1...5 { _ = try folder.write(source, to: "scripts/\(file)_test.lua") }
            let run = try test(["--format", format])
            #expect(run.status == 2)
            #expect(
                run.errors.hasSuffix(
                    "the result has more than 32 MB, which is the most that is printed: ask for less of it\n"
                ),
                "\(run.errors.suffix(200))")
            #expect(run.output.utf8.count + run.errors.utf8.count < 34 << 20)
        }
        _ = try (2...5).map { try folder.write("glass.test('a', function() end)", to: "scripts/\($0)_test.lua") }
        #expect(try test(["--format", format]).status == 1)
    }

    @Test func aFilterRunsTheTestsItNames() throws {
        _ = try folder.write(
            "glass.test(\"One\", function() end) glass.test(\"two\", function() error(\"x\") end)",
            to: "scripts/a_test.lua")
        let run = try test(["--filter", "one"])
        #expect(run.status == 0)
        #expect(run.output.contains("1 passed, 0 failed, 1 left out by the filter in "))
        let none = try test(["--filter", "three"])
        #expect(none.status == 2)
        #expect(none.errors == "no test has \"three\" in its name\n")
    }

    @Test func theResultsAreWrittenForCI() throws {
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
        #expect(error.stringValue?.hasPrefix("scripts/b_test.lua:1: late\n    1 | glass.test(") == true, "\(error)")
    }

    @Test func jsonHasEveryFileAndTest() throws {
        _ = try folder.write("print(\"p\") glass.test(\"t\", function() end) error(\"late\")", to: "scripts/a_test.lua")
        let run = try test(["--format", "json"])
        let json = try run.json()
        #expect(Set(json.keys) == ["schema", "files", "passed", "failed", "skipped", "milliseconds"])
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

    @Test func whatCannotBeRunIsNamed() throws {
        let none = try test()
        #expect(none.status == 2)
        #expect(none.errors == "there is no scripts/*_test.lua; write one, or name a script\n")
        let missing = try test(["x_test.lua"])
        #expect(missing.status == 2)
        #expect(missing.errors == "cannot read the script x_test.lua: no such file or directory\n")
        _ = try folder.write("glass.test(\"t\", {}, function() end)", to: "scripts/a_test.lua")
        #expect(try test().errors.hasPrefix("error: scripts/a_test.lua:1: glass.test got no cases for \"t\"\n"))
    }
}
