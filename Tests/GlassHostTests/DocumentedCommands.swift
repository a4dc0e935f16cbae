import CommandTesting
import Foundation
import Testing

/// A page whose commands are run: files and commands in the order in which a reader would write and run them.
///
/// A `lua`, `yaml` or `json` block that starts with a comment with a path (`-- markets/br.lua`) is a file. So is an
/// `import` block, without the line with its path (`-- ./config.json`), because its format may have no such comments. A `console`
/// block has commands after `$ ` and their output. `…` in the expected output matches anything on the line, and on a
/// line of its own any number of lines.
struct DocumentedCommands {
    let page: String
    private let blocks: [(language: String, text: String)]

    init(_ page: String) throws {
        self.page = page
        let text = try String(contentsOf: CommandRun.repository.appending(path: page), encoding: .utf8)
        let parts = text.components(separatedBy: "```")
        blocks = stride(from: 1, to: parts.count, by: 2).map { index in
            let lines = parts[index].split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
            return (String(lines[0]), lines.count > 1 ? String(lines[1]) : "")
        }
    }

    /// The text of the blocks in a language.
    func blocks(of language: String) -> [String] { blocks.filter { $0.language == language }.map(\.text) }

    /// Writes the files and runs the commands in a folder with the real markets and scripts.
    ///
    /// - Returns: The number of commands that ran.
    func run() throws -> Int {
        let folder = try TestFolder()
        _ = try folder.markets()
        let scripts = folder.url.appending(path: "scripts")
        try FileManager.default.createDirectory(at: scripts, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: scripts.appending(path: "glass-host"), withDestinationURL: HostProcess.executable)
        var count = 0
        for block in blocks {
            switch block.language {
            case "lua", "json", "txt", "import":
                guard let path = Self.path(in: block.text) else { continue }
                let file = folder.url.appending(path: path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                let lines = block.text.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                try Data((block.language == "import" ? String(lines[1]) : block.text).utf8).write(to: file)
            case "console":
                let commands = ("\n" + block.text).components(separatedBy: "\n$ ").dropFirst()
                for command in commands {
                    let lines = command.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
                    let shown = lines.count > 1 ? String(lines[1]) : ""
                    let expected = shown.isEmpty || shown.hasSuffix("\n") ? shown : shown + "\n"
                    let output = try Self.output(of: String(lines[0]), in: folder.url)
                    #expect(
                        Self.matches(output, expected),
                        "\(page): $ \(lines[0])\nprinted\n\(output)\nexpected\n\(expected)")
                    count += 1
                }
            default: break
            }
        }
        return count
    }

    private static func path(in text: String) -> String? {
        guard let first = text.split(separator: "\n").first, first.hasPrefix("-- "), first.contains("/") else {
            return nil
        }
        return String(first.dropFirst(3))
    }

    /// Runs a command line; returns both streams in the order in which they were written. What needs no shell runs in this
    /// process, which is faster.
    private static func output(of command: String, in folder: URL) throws -> String {
        #if os(Linux)
            if let words = words(of: command), ["glass-host", "scripts/glass-host"].contains(words.first) {
                return try HostRun(
                    Array(words.dropFirst()), environment: ["HOME": folder.path], folder: folder, joinsStreams: true
                ).output
            }
        #endif
        return try shell(command, in: folder)
    }

    /// The words of a command line that consists of words and quoted words only; nil if anything else is for the shell.
    static func words(of command: String) -> [String]? {
        var (words, word, quote) = ([String](), String?.none, Character?.none)
        for character in command {
            switch (quote, character) {
            case (let open?, character) where open == character: quote = nil
            case (nil, "'"), (nil, "\""): (quote, word) = (character, word ?? "")
            case (nil, " "):
                if let word { words.append(word) }
                word = nil
            case ("\"", "$"), ("\"", "`"), ("\"", "\\"): return nil
            case (nil, _) where "|&;<>()$`\\*?[]{}#~!\n".contains(character): return nil
            default: word = (word ?? "") + String(character)
            }
        }
        return quote == nil ? words + (word.map { [$0] } ?? []) : nil
    }

    /// Runs a command line with `glass-host` in the path; returns both streams in the order in which they were written.
    private static func shell(_ command: String, in folder: URL) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = folder
        process.environment = HostProcess.environment([
            "PATH": "\(HostProcess.executable.deletingLastPathComponent().path):/usr/bin:/bin", "HOME": folder.path,
        ])
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = pipe
        process.standardInput = FileHandle.nullDevice
        try process.run()
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(decoding: data, as: UTF8.self)
    }

    /// Whether an output matches the expected one, in which `…` matches anything.
    static func matches(_ output: String, _ expected: String) -> Bool {
        var pattern = ""
        let lines = expected.split(separator: "\n", omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            let isLast = index == lines.count - 1
            if line == "…" {
                pattern += "(?:[^\\n]*\\n)*"
                continue
            }
            pattern += line.split(separator: "…", omittingEmptySubsequences: false)
                .map { NSRegularExpression.escapedPattern(for: String($0)) }.joined(separator: "[^\\n]*")
            if !isLast { pattern += "\\n" }
        }
        guard let expression = try? NSRegularExpression(pattern: "\\A\(pattern)\\z") else { return false }
        return expression.firstMatch(in: output, range: NSRange(output.startIndex..., in: output)) != nil
    }
}
