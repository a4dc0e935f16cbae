import CommandTesting
import Foundation
import Testing

/// `run`: what a script prints, how it ends, and its limits.
@Suite(.timeLimit(.minutes(3)))
struct RunCommandTests {
    @Test func smokeScriptPasses() throws {
        let run = try HostRun(["run", "scripts/smoke.lua"])
        #expect(run.status == 0, "\(run.errors)")
        let last = run.output.split(separator: "\n").last.map(String.init) ?? ""
        #expect(last.hasSuffix(" passed, 0 failed"))
        #expect((Int(last.prefix { $0.isNumber }) ?? 0) >= 40)
    }

    @Test func missingScriptExitsWith2() throws {
        let run = try HostRun(["run", "scripts/nothing.lua"])
        #expect(run.status == 2)
        #expect(run.errors == "cannot read the script scripts/nothing.lua: no such file or directory\n")
        #expect(run.output == "")
    }

    @Test func failedTestExitsWith1AndNamesItsLine() throws {
        let folder = try TestFolder()
        let script = try folder.write(
            "glass.test(\"sum\", function()\n  glass.expect(1 + 1):toBe(3)\nend)\n", to: "t.lua")
        let run = try HostRun(["run", script])
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("FAIL sum\n     \(script):2:23: expected 2 to be 3\n"))
        #expect(run.output.hasSuffix("0 passed, 1 failed\n"))
    }

    @Test func scriptErrorExitsWith1AndPrintsTraceback() throws {
        let folder = try TestFolder()
        let script = try folder.write("local function f() error(\"boom\") end\nf()\n", to: "t.lua")
        let run = try HostRun(["run", script])
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("error: \(script):1:20: boom\n"))
        #expect(run.errors.contains("\(script):2: in main chunk"))
    }

    @Test func endlessScriptEndsAtTimeout() throws {
        let folder = try TestFolder()
        let script = try folder.write("while true do end", to: "t.lua")
        let run = try HostRun(["run", script, "--timeout", "0.2"])
        #expect(run.status == 1)
        #expect(run.errors.contains("\(script):1: time limit exceeded: 200 ms"))
    }

    @Test func memoryBombEndsAtMemoryLimit() throws {
        let folder = try TestFolder()
        let script = try folder.write("local t = {}\nwhile true do t[#t + 1] = {} end", to: "t.lua")
        let run = try HostRun(["run", "--memory", "8", script])
        #expect(run.status == 1)
        #expect(run.errors.contains("memory limit exceeded: 8 MB"))
    }

    @Test func argumentsReachTheScript() throws {
        let folder = try TestFolder()
        let script = try folder.write("print(table.concat(arg, \",\"))", to: "t.lua")
        let run = try HostRun(["run", script, "a", "--", "--b", "-c"])
        #expect(run.output == "a,--b,-c\n")
    }

    @Test func jsonKeepsScriptOutputOffStandardOutput() throws {
        let folder = try TestFolder()
        let script = try folder.write("print(\"hello\") glass.test(\"t\", function() end)", to: "t.lua")
        let run = try HostRun(["--format", "json", "run", script])
        let json = try run.json()
        #expect(json["schema"] as? Int == 1)
        #expect(json["passed"] as? Int == 1)
        #expect(json["error"] is NSNull)
        #expect(run.errors == "hello\n")
    }

    @Test func interruptExitsWith130() throws {
        let folder = try TestFolder()
        let script = try folder.write("print(\"started\") while true do end", to: "t.lua")
        let run = try HostProcess(["run", script], interruptAfter: "started")
        #expect(run.status == 130)
    }

    @Test func collectorURLMustBeHTTPSOrLocal() throws {
        let errors = try HostRun(["run", "x.lua", "--collector", "http://collector.example.com"]).errors
        #expect(
            errors.contains(
                "--collector: expected an https URL without query, such as \"https://api.walmart.ca/v1\", "
                    + "got \"http://collector.example.com\""), "\(errors)")
    }

    /// A script can make a service print messages without limit.
    @Test func serviceMessagesAreLimited() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let limit = CommandRun.outputLimit
        let script = try folder.write(
            """
            local handler = glass.market("us").container:get("ApplicationURLHandler")
            local link = "https://www.walmart.com/" .. ("x"):rep(1500)
            for i = 1, \(limit / 1290) do handler:open(link) end
            """, to: "s.lua")
        // Under a sanitizer, the calls take longer than a script's default time limit.
        let run = try HostRun(["run", script, "--timeout", "300"], folder: folder.url, outputLimit: limit)
        #expect(run.status == 0)
        #expect(run.errors.utf8.count <= limit * 17 / 16)
        #expect(run.errors.hasPrefix("would open https://www.walmart.com/xxx"))
        #expect(run.errors.hasSuffix("\nthe messages of services exceed \(limit >> 20) MB; the rest is omitted\n"))
    }
}
