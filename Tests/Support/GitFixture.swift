package import Foundation

/// A git repository of a test's own.
package final class GitFixture {
    /// Its top folder.
    package let folder: URL

    private let isOwn: Bool

    /// What git said, and how it ended.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Makes an empty repository, or a clone.
    ///
    /// - Parameter arguments: What follows `git clone`; nil for a new repository.
    /// - Throws: An error when git fails.
    package init(clone arguments: [String]? = nil) throws {
        isOwn = true
        folder = FileManager.default.temporaryDirectory.appending(path: "glass-git-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        if let arguments {
            try git(["clone", "--quiet"] + arguments + ["."])
        } else {
            try git(["init", "--quiet", "--initial-branch=main"])
        }
    }

    /// Makes a repository of a folder that somebody else removes.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: An error when git fails.
    package init(in folder: URL) throws {
        isOwn = false
        self.folder = folder
        try git(["init", "--quiet", "--initial-branch=main"])
    }

    deinit {
        guard isOwn else { return }
        // A folder that cannot be removed is the system's to clean up.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - text: What it says.
    ///   - name: Its path below the repository.
    /// - Throws: An error when it cannot be written.
    package func write(_ text: String, to name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Removes a file or folder.
    ///
    /// - Parameter name: Its path below the repository.
    /// - Throws: An error when it is not there.
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: folder.appending(path: name))
    }

    /// Commits everything.
    ///
    /// - Parameter message: The message.
    /// - Throws: An error when git fails.
    package func commit(_ message: String = "Change the markets") throws {
        try git(["add", "--all"])
        try git(["commit", "--quiet", "--allow-empty", "--no-verify", "--message", message])
    }

    /// The command lines of the git processes that run for the repository, where the system tells them (Linux).
    package var processes: [String] {
        #if os(Linux)
            // A process may end while it is looked at.
            let processes = (try? FileManager.default.contentsOfDirectory(atPath: "/proc")) ?? []
            let lines = processes.filter { Int($0) != nil }.compactMap { id in
                try? Data(contentsOf: URL(filePath: "/proc/\(id)/cmdline"))  // as above
            }.map { String(decoding: $0, as: UTF8.self) }
            return lines.filter { $0.contains("git\0") && $0.contains(folder.path) }
        #else
            return []
        #endif
    }

    /// Runs git in the repository.
    ///
    /// - Parameters:
    ///   - arguments: The command and its arguments.
    ///   - input: What it reads.
    /// - Returns: What it printed, without the line feed at its end.
    /// - Throws: ``Failure`` when it ends with anything but 0.
    @discardableResult
    package func git(_ arguments: [String], input: Data = Data()) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        process.currentDirectoryURL = folder
        var environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        // Nothing that the machine's user has set may change what a test does.
        for (name, value) in [
            ("HOME", "/nonexistent"), ("GIT_CONFIG_NOSYSTEM", "1"), ("GIT_ALLOW_PROTOCOL", "file"),
            ("GIT_AUTHOR_NAME", "A"), ("GIT_AUTHOR_EMAIL", "a@example.com"), ("GIT_COMMITTER_NAME", "A"),
            ("GIT_COMMITTER_EMAIL", "a@example.com"), ("GIT_AUTHOR_DATE", "2026-01-01T00:00:00Z"),
            ("GIT_COMMITTER_DATE", "2026-01-01T00:00:00Z"),
        ] { environment[name] = value }
        process.environment = environment
        let (output, questions) = (Pipe(), Pipe())
        process.standardOutput = output
        process.standardError = output
        process.standardInput = questions
        try process.run()
        // Small enough for the pipe's buffer, so that this cannot wait for a process that does not read.
        try questions.fileHandleForWriting.write(contentsOf: input)
        try questions.fileHandleForWriting.close()
        let answer = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        let text = String(decoding: answer, as: UTF8.self).trimmingCharacters(in: .newlines)
        guard process.terminationStatus == 0 else {
            throw Failure(description: "git \(arguments.joined(separator: " ")): \(text)")
        }
        return text
    }
}
