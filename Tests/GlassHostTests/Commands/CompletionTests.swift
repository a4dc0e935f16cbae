import CommandTesting
import ArgumentParser
import Foundation
import Testing

@testable import GlassHost

/// The program's completions for a shell; `Tests/Completion/run` tests real shells.
@Suite(.timeLimit(.minutes(2)))
struct CompletionTests {
    /// A line that ends with the word to complete, as the shells' scripts pass it.
    private struct Line: Sendable {
        /// The commands, and the option or positional argument to complete.
        let argument: [String]
        let words: [String]
        var folder: URL = CommandRun.repository
        var environment: [String: String] = [:]
        /// The index of the word to complete; by default, the last.
        var index: Int?

        init(_ argument: String, _ words: String...) {
            self.init(argument: argument.split(separator: " ").map(String.init), words: words)
        }

        init(argument: [String], words: [String]) {
            self.argument = argument
            self.words = words
        }

        /// The candidates; the test fails if the program prints anything else, or fails.
        func candidates(cursor: Int? = nil) throws -> [String] {
            let index = index ?? words.count
            let run = try HostRun(
                ["---completion"] + argument.dropLast() + ["--", argument.last ?? ""]
                    + ["\(index)", "\(cursor ?? words.last?.count ?? 0)", "glass-host"] + words,
                environment: environment, folder: folder)
            #expect(run.status == 0)
            #expect(run.errors == "")
            return run.output.split(separator: "\n").map(String.init)
        }
    }

    private static let markets = ["ca", "mx", "us"]
    private static let lines: [(Line, [String])] = [
        (Line("check positional@0", "check", ""), markets),
        (Line("check positional@0", "check", "ca", "m"), ["mx"]),
        (Line("diff positional@0", "diff", "us", "x"), []),
        (Line("watch positional@0", "watch", "u"), ["us"]),
        (Line("matrix positional@0", "matrix", "c"), ["ca"]),
        (Line("new --extends", "new", "br", "--extends", "u"), ["us"]),
        (Line("open --translate-to", "open", "walmart://cart", "--translate-to", "m"), ["mx"]),
        (Line("show --market", "show", "-m", ""), markets),
        (Line("--market", "-m", "c"), ["ca"]),
        (Line("open --hold", "open", "--hold", "s"), ["signedIn", "storeSelected"]),
        (Line("services positional@0", "services", "Networ"), ["NetworkInformationProvider", "Networking"]),
        (Line("explain positional@0", "explain", "currenc"), ["currency"]),
        // Links are not completed.
        (Line("explain positional@0", "explain", "walmart://ac"), []),
        (
            Line("show positional@0", "show", "platform.networking.retry.ma"),
            ["platform.networking.retry.maxRetries", "platform.networking.retry.maximumDelaySeconds"]
        ),
        (
            Line("matrix --below", "matrix", "--below", "routables.chec"),
            ["routables.checkout", "routables.checkout.customPaths", "routables.checkout.waitForPreconditions"]
        ),
    ]

    @Test(arguments: lines.indices)
    func wordIsCompletedWithCandidates(row: Int) throws {
        let (line, expected) = Self.lines[row]
        let candidates = try line.candidates()
        #expect(candidates == expected, "\(line.words)")
    }

    @Test func optionsOnLineSelectFolderAndMarket() throws {
        let folder = try TestFolder()
        let spaced = folder.url.appending(path: "my markets")
        try FileManager.default.copyItem(at: try folder.markets(), to: spaced)
        try FileManager.default.removeItem(at: spaced.appending(path: "mx.lua"))
        let ids = ["ca", "us"]
        for words in [
            ["--markets", "'\(spaced.path)'"], ["--markets", "\"\(spaced.path)\""],
            ["--markets", spaced.path.replacing(" ", with: "\\ ")], ["--markets=\(spaced.path)"],
            ["--markets", "=", "\"\(spaced.path)"],
        ] {
            let line = Line(argument: ["check", "positional@0"], words: ["check"] + words + [""])
            #expect(try line.candidates() == ids, "\(words)")
        }
        var line = Line(argument: ["check", "positional@0"], words: ["check", "--markets", "~/my\\ markets", ""])
        line.environment = ["HOME": folder.url.path]
        #expect(try line.candidates() == ids)
    }

    @Test func brokenMarketOffersNoCandidates() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try Data("return { id = ".utf8).write(to: markets.appending(path: "ca.lua"))
        let place = ["--markets", markets.path]
        func candidates(_ argument: String, _ words: [String]) throws -> [String] {
            try Line(argument: argument.split(separator: " ").map(String.init), words: words).candidates()
        }
        // The market has errors, but its name is known.
        #expect(try candidates("show positional@0", ["show", "-m", "ca"] + place + ["cur"]) == [])
        #expect(try candidates("check positional@0", ["check"] + place + ["c"]) == ["ca"])
        #expect(try candidates("show positional@0", ["show", "-m", "mx"] + place + ["cur"]) == ["currency"])
        #expect(try candidates("open --hold", ["open", "-m", "nope", "--hold", ""]) == [])
        #expect(try candidates("check positional@0", ["check", "--markets", "\(folder.url.path)/none", ""]) == [])
        let closed = folder.url.appending(path: "closed")
        try FileManager.default.createDirectory(
            at: closed, withIntermediateDirectories: true, attributes: [.posixPermissions: 0])
        #expect(try candidates("check positional@0", ["check", "--markets", closed.path, ""]) == [])
        // No folder was named, and there is none here either.
        let empty = try TestFolder()
        var line = Line("check positional@0", "check", "")
        line.folder = empty.url
        #expect(try line.candidates() == [])
    }

    @Test func namesThatShellsExpandAreNotOffered() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        for name in ["$(touch owned)", "`id`", "a b", "c;d", "-x", "é", "a:b"] {
            try Data("return {}".utf8).write(to: markets.appending(path: "\(name).lua"))
        }
        let line = Line(argument: ["check", "positional@0"], words: ["check", "--markets", markets.path, ""])
        #expect(try line.candidates() == Self.markets)
    }

    @Test func cursorMayBeInsideWord() throws {
        // `explain cur|rent -m ca`
        var line = Line("explain positional@0", "explain", "current", "-m", "ca")
        line.index = 2
        #expect(try line.candidates(cursor: 3).contains("currency"))
        #expect(try Line("check positional@0", "check", "cat").candidates(cursor: 2) == ["ca"])
        #expect(try Line("check positional@0", "check", "'c").candidates() == ["ca"])
    }

    @Test func referencesComeFromRepository() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let commands = """
            git init -q -b main && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m a && git branch feature/x \
            && git tag v1.0 && git branch 'a$b'
            """
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        shell.arguments = ["-c", commands]
        shell.currentDirectoryURL = folder.url
        try shell.run()
        shell.waitUntilExit()
        try #require(shell.terminationStatus == 0)
        var line = Line("diff --against", "diff", "--against", "")
        line.folder = folder.url
        #expect(try line.candidates() == ["markets/", "HEAD", "feature/x", "main", "v1.0"])
        line = Line("diff --against", "diff", "--against", "main..f")
        line.folder = folder.url
        #expect(try line.candidates() == [])
        #expect(try Self.ranges("main..f", in: folder.url.path) == ["main..feature/x"])
        line = Line("diff --against", "diff", "--against", "m")
        line.folder = folder.url
        #expect(try line.candidates() == ["markets/", "main"])
    }

    /// The candidates for an argument that takes a range, which commands of other programs may have.
    private static func ranges(_ word: String, in folder: String) throws -> [String] {
        let words = CompletionWords(["glass-host", "--markets", folder, word], index: 3, beginning: word)
        return try CompletionCandidates.ranges(words).filter { $0.hasPrefix(word) }
    }

    @Test func manyPathsAreOfferedByComponent() {
        let sections = (1...3).flatMap { section in
            ["a", "a.s\(section)"] + (1...100).map { "a.s\(section).k\($0)" }
        }
        #expect(CompletionCandidates.keyPaths(sections, beginningWith: "") == ["a.s1.", "a.s2.", "a.s3."])
        #expect(CompletionCandidates.keyPaths(sections, beginningWith: "a.s1").count == 101)
        #expect(CompletionCandidates.keyPaths(sections, beginningWith: "a.s1.k99") == ["a.s1.k99"])
        #expect(CompletionCandidates.keyPaths(sections, beginningWith: "b") == [])
        let deep = (1...250).map { "a.b.c.k\($0)" } + ["a.b.d"]
        #expect(CompletionCandidates.keyPaths(deep, beginningWith: "a") == ["a.b.c.", "a.b.d"])
        #expect(CompletionCandidates.keyPaths((1...200).map { "k\($0)" }, beginningWith: "k").count == 200)
    }

    @Test(arguments: [
        ("a", "a"), ("'a b'", "a b"), ("\"a b", "a b"), ("a\\ b", "a b"), ("'a\\b'", "a\\b"), ("\"a\\b\"", "a\\b"),
        ("\"a\\\"b\"", "a\"b"), ("a'b'\"c\"", "abc"), ("\\'a", "'a"), ("", ""), ("$HOME", "$HOME"), ("a\\", "a"),
        ("a~", "a~"),
    ])
    func wordIsUnquotedLikeInShell(raw: String, word: String) {
        #expect(CompletionWords.unquoted(raw) == word)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func scriptIsForTheCalledName(shell: String) throws {
        let folder = try TestFolder()
        let named = folder.url.appending(path: "shop-host")
        try FileManager.default.createSymbolicLink(at: named, withDestinationURL: HostProcess.executable)
        let process = Process()
        process.executableURL = named
        process.arguments = ["--generate-completion-script", shell]
        process.environment = HostProcess.environment([:])
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let script = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(script.contains("shop-host") && script.contains("explain") && script.contains("doctor"))
        #expect(!script.contains("glass-host") && !script.contains("glass_host"))
    }

    @Test func everyCommandPrintsTheCompletionScript() throws {
        let run = try HostRun(["open", "--generate-completion-script", "bash"])
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("#!/bin/bash"))
    }

    @Test func unsupportedShellIsReported() throws {
        let run = try HostRun(["--generate-completion-script", "ksh"])
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: Can't generate completion scripts for 'ksh'."))
        #expect(run.output == "")
    }

    @Test func outdatedScriptGetsNoCompletions() throws {
        let run = try HostRun(["---completion", "nope", "--", "positional@0", "1", "0", "glass-host", ""])
        #expect(run.status != 0)
        #expect(run.output == "" && run.errors == "")
    }

    @Test func shellCompletesFolders() throws {
        let script = try HostRun(["--generate-completion-script", "fish"]).output
        let line = try #require(script.split(separator: "\n").first { $0.contains("markets") && $0.contains("-l") })
        #expect(line.contains("complete_directories"), "\(line)")
    }
}
