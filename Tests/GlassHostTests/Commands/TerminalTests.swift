import CommandTesting
import Foundation
import Testing

/// The appearance of the command line, for any command.
@Suite(.timeLimit(.minutes(2)))
struct TerminalTests {
    private static let commands = [
        "run", "check", "fix", "compile", "import", "schema", "open", "routes", "services", "show", "explain", "export",
        "verify", "diff", "review",
        "matrix", "watch", "graph", "schema stubs", "schema json-schema", "schema markdown", "schema swift", "flags",
        "test", "repl", "lsp",
        "inspect", "new", "doctor",
    ]

    @Test(arguments: commands)
    func helpFitsWidthAndHasExamples(command: String) throws {
        let run = try HostProcess(
            command.split(separator: " ").map(String.init) + ["--help"], environment: ["COLUMNS": "80"])
        #expect(run.status == 0)
        #expect(run.output.contains("EXAMPLES\n  glass-host "))
        #expect(run.output.contains("\nUSAGE: glass-host \(command)"))
        let longest = run.output.split(separator: "\n").max { $0.count < $1.count } ?? ""
        #expect(longest.count <= 80, "\(longest)")
    }

    @Test(arguments: [
        ["routes"], ["routes", "-m", "ca"], ["services"], ["export", "aasa", "--labels", "-q"], ["check", "-v", "-q"],
    ])
    func tableFitsWidth(arguments: [String]) throws {
        for width in [40, 60] {
            let run = try HostRun(arguments, environment: ["COLUMNS": "\(width)"])
            #expect(run.status == 0)
            let longest = run.output.split(separator: "\n").map(\.count).max() ?? 0
            #expect(longest <= width && longest > 20)
        }
        let whole = try HostRun(arguments)
        #expect(!whole.output.contains("…"))
    }

    @Test(arguments: [
        (["schema", "stub"], "there is no command \"schema stub\"; did you mean \"schema stubs\"?\n"),
        (["opne", "x"], "there is no command \"opne\"; did you mean \"open\"?\n"),
        (["help", "chek"], "there is no command \"chek\"; did you mean \"check\"?\n"),
        (
            ["schema", "x"],
            "there is no command \"schema x\"; the commands are stubs, json-schema, markdown, swift, record\n"
        ),
    ])
    func unknownCommandIsReported(arguments: [String], message: String) throws {
        let run = try HostProcess(arguments)
        #expect(run.status == 64)
        #expect(run.errors == message)
    }

    @Test(arguments: [
        (["open", "--from", "none.txt"], "cannot read none.txt: no such file or directory\n"),
        (
            ["check", "--state", "/dev/null/x"],
            "cannot use the state folder /dev/null/x: not a directory\n"
        ),
        (["test", "--junit", "/dev/null/x"], "cannot write /dev/null/x: not a directory\n"),
    ])
    func systemErrorIsConcise(arguments: [String], message: String) throws {
        let run = try HostProcess(arguments)
        #expect(run.status == 2)
        #expect(run.errors == message)
    }

    @Test(arguments: ["always", "never"])
    func colorsFollowOption(choice: String) throws {
        let run = try HostProcess(
            ["diff", "us", "ca", "--color", choice], environment: ["NO_COLOR": choice == "never" ? "" : "1"])
        #expect(run.output.contains("\u{1B}[") == (choice == "always"))
    }

    @Test(arguments: [["diff", "us", "ca"], ["doctor"]])
    func outputWrapsBetweenWords(arguments: [String]) throws {
        let wide = try HostRun(arguments, environment: ["COLUMNS": "1000"])
        let narrow = try HostRun(arguments, environment: ["COLUMNS": "60"])
        func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
        #expect(words(narrow.output.replacing("60 columns", with: "1000 columns")) == words(wide.output))
        for line in narrow.output.split(separator: "\n") where line.count > 60 {
            // Only a word that is wider than the line may exceed it.
            #expect(words(String(line)).count == 1 || words(String(line)).contains { $0.count > 40 }, "\(line)")
        }
    }

    @Test(arguments: [
        ["new", "zz", "--markets", "README.md"], ["doctor", "--state", "README.md"],
        ["check", "--markets", "README.md"],
    ])
    func invalidFolderIsReportedWithoutErrorTypeNames(arguments: [String]) throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write("x", to: "README.md")
        let run = try HostRun(arguments, folder: folder.url)
        #expect(run.status == 1 || run.status == 2)
        let said = run.output + run.errors
        #expect(said.lowercased().contains("not a directory"), "\(said)")
        #expect(!said.contains("Cocoa") && !said.contains("Code="), "\(said)")
    }

    @Test func resultsAreColoredOnlyOnRequest() throws {
        #expect(try !HostRun(["routes"]).output.contains("\u{1B}["))
        #expect(try HostRun(["routes", "--color", "always"]).output.contains("\u{1B}[1m"))
    }
}
