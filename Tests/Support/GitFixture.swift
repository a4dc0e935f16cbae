package import Foundation

/// A temporary git repository.
package final class GitFixture {
    /// The top folder.
    package let folder: URL

    private let isOwn: Bool

    /// The output of git, and its exit status.
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Creates an empty repository, or a clone.
    ///
    /// - Parameter arguments: The arguments of `git clone`; `nil` for a new repository.
    /// - Throws: An error if git fails.
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

    /// Creates a repository in a folder that the caller removes.
    ///
    /// - Parameter folder: The folder.
    /// - Throws: An error if git fails.
    package init(in folder: URL) throws {
        isOwn = false
        self.folder = folder
        try git(["init", "--quiet", "--initial-branch=main"])
    }

    deinit {
        guard isOwn else { return }
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: folder)
    }

    /// Writes a file.
    ///
    /// - Parameters:
    ///   - text: The content.
    ///   - name: The path relative to the repository.
    /// - Throws: An error if it cannot be written.
    package func write(_ text: String, to name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    /// Removes a file or folder.
    ///
    /// - Parameter name: The path relative to the repository.
    /// - Throws: An error if it does not exist.
    package func remove(_ name: String) throws {
        try FileManager.default.removeItem(at: folder.appending(path: name))
    }

    /// Commits everything.
    ///
    /// - Parameter message: The message.
    /// - Throws: An error if git fails.
    package func commit(_ message: String = "Change the markets") throws {
        try git(["add", "--all"])
        try git(["commit", "--quiet", "--allow-empty", "--no-verify", "--message", message])
    }

    /// The command lines of the git processes that run for the repository, if the system lists them (Linux).
    package var processes: [String] {
        #if os(Linux)
            // A process may end while it is inspected.
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
    ///   - input: The standard input.
    /// - Returns: The output, without the final line feed.
    /// - Throws: ``Failure`` if it ends with a status other than 0.
    @discardableResult
    package func git(_ arguments: [String], input: Data = Data()) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["git"] + arguments
        process.currentDirectoryURL = folder
        var environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        // The settings of the machine's user must not affect a test.
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
        // Small enough for the pipe's buffer, so this does not block on a process that does not read.
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
