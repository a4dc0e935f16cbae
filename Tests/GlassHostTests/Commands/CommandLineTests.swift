import CommandTesting
import Foundation
import Testing

/// The command line of every command: help, options, and mistakes in them.
@Suite(.timeLimit(.minutes(3)))
struct CommandLineTests {
    @Test func globalOptionsAreOnlyInProgramHelp() throws {
        let root = try HostRun(["--help"]).output
        #expect(root.components(separatedBy: "GLOBAL OPTIONS:").count == 2)
        #expect(root.contains("\n  --markets <dir>") && root.contains("\nSUBCOMMANDS:\n"))
        let page = try HostRun(["show", "--help"]).output
        #expect(!page.contains("--markets <dir>") && !page.contains("GLOBAL OPTIONS"))
        #expect(page.contains("see 'glass-host --help'"))
        #expect(try HostRun(["help", "show"]).output == page)
    }

    @Test(arguments: [
        ([], 0, "glass-host --market ca open"), (["--version"], 0, "0.1.0\n"), (["help"], 0, "USAGE: glass-host <"),
        (["open", "--help"], 0, "USAGE: glass-host open ["), (["help", "open"], 0, "USAGE: glass-host open ["),
        (["schema"], 0, "USAGE: glass-host schema <"),
        (["schema", "record", "--help"], 0, "USAGE: glass-host schema record"),
        (["open"], 64, "\nUsage: glass-host open ["), (["check", "--nothing"], 64, "\nUsage: glass-host check ["),
        (["schema", "record", "--nothing"], 64, "\nUsage: glass-host schema record"),
    ])
    func helpAndErrorsUseTheCalledName(arguments: [String], status: Int32, text: String) throws {
        let run = try HostRun(arguments)
        #expect(run.status == status)
        let printed = status == 0 ? run.output : run.errors
        #expect(printed.contains(text), "\(run.output)\(run.errors)")
    }

    @Test func valuesOfOptionAreInHelpAndError() throws {
        let help = try HostRun(["--help"]).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.contains("(values: auto, always, never; default: auto)"))
        let run = try HostRun(["check", "--color", "sometimes"])
        #expect(run.status == 64)
        #expect(run.errors.contains("Please provide one of 'auto', 'always' or 'never'."), "\(run.errors)")
    }

    @Test func committedCommandPageIsUpToDate() throws {
        let run = try HostRun(["--generate-markdown-page"])
        let page = "Sources/GlassHost/GlassHost.docc/Commands.md"
        let committed = try String(contentsOf: CommandRun.repository.appending(path: page), encoding: .utf8)
        #expect(run.output == committed, "renew it: scripts/glass-host --generate-markdown-page > \(page)")
        #expect(run.status == 0)
    }

    @Test func manualPageIsMadeByGenerator() throws {
        let run = try HostRun(["--generate-manual-page"])
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(
            run.errors
                == "--generate-manual-page was removed; scripts/install makes manual pages with ArgumentParser's generate-manual\n"
        )
    }

    @Test func globalOptionsMayPrecedeOrFollowCommand() throws {
        let before = try HostRun(["--market=ca", "--format", "json", "-q", "show", "currency"])
        let after = try HostRun(["show", "currency", "-m", "ca", "--format=json", "--quiet"])
        #expect(before.status == 0)
        #expect(before.output == after.output)
    }

    @Test func unknownOptionBeforeCommandIsReported() throws {
        let run = try HostRun(["--markets", "markets", "--jsn", "check"])
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: Unknown option '--jsn'"))
        #expect(try HostRun(["-m=ca", "show", "id"]).output == "id = \"ca\"\n")
    }

    @Test(arguments: [
        ["opne", "x"], ["open"], ["open", "a", "b"], ["run"], ["run", "x.lua", "--timeout", "-1"],
        ["check", "--format", "xml"], ["run", "x.lua", "--collector", "http://collector.example.com"],
    ])
    func invalidUsageExitsWith64(arguments: [String]) throws {
        let run = try HostRun(arguments)
        #expect(run.status == 64)
        #expect(run.output == "")
    }

    /// The argument parser repeats an argument on one line of its message only.
    @Test(arguments: [
        ["check", "--\nerror: forged"], ["check", "--no\tsuch=\nerror: forged"], ["open", "a", "\nerror: forged"],
        ["graph", "--as", "dot\nerror: forged"], ["run", "x", "--timeout", "1\nerror: forged"],
        ["check", "--format=\nerror: forged"], ["check", "-\nerror: forged"],
        ["matrix", "--below", "..\nerror: forged"],
        ["help", "\nerror: forged"], ["new", "\nerror: forged"], ["open", "--golden", "\nerror: forged", "a://b"],
    ])
    func usageErrorsEscapeLinesOfArguments(arguments: [String]) throws {
        let run = try HostRun(arguments)
        #expect(run.status == 64)
        let lines = (run.errors + run.output).split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("error: forged") }, "\(run.errors)")
        #expect(!run.errors.contains("\t"))
    }
}
