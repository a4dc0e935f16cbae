import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Runs git to read a repository. It never writes, fetches or checks out anything, and starts no program that a
/// repository names.
package struct GitCommand: Sendable {
    /// The result of a git call.
    package struct Answer {
        /// The exit status, or 128 plus the signal number.
        package let status: Int32
        /// The standard output.
        package let output: [UInt8]
        /// The standard error. It may repeat lines of any file that git could not read, so only ``cause`` is shown.
        let message: String

        /// The reason for a failure, without any file content.
        package var cause: String {
            let text = message.lowercased()
            if ["out of memory", "over limit", "cannot allocate memory"].contains(where: text.contains) {
                return "it needs more memory than it may use: inspect the commit with git ls-tree, or compare folders "
                    + "with diff --against DIR"
            }
            if text.contains("safe.barerepository") {
                return "it is a bare repository, which git reads only if safe.bareRepository allows it: "
                    + "run the command in a clone"
            }
            // The format is `fatal: the problem: the line`. Where git quotes, it may quote file content.
            let parts = message.prefix { !$0.isNewline }.components(separatedBy: ": ")
            guard parts.count > 1, ["fatal", "error", "warning"].contains(parts[0]) else { return "" }
            if parts[1].hasPrefix("object directory") {
                return "a folder listed in .git/objects/info/alternates does not exist"
            }
            let words = parts[1].prefix { !"'\"`".contains($0) }
            return "\(parts[0]): \(words)" + (words.count < parts[1].count ? "…" : "")
        }

        /// The output without its final line feed; nil if it is not text.
        var line: String? {
            String(validating: output.last == UInt8(ascii: "\n") ? output.dropLast() : output[...], as: UTF8.self)
        }
    }

    /// The folder in which git runs.
    let folder: String
    /// The limits on its calls.
    let budget: GitBudget
    private let executable: String

    /// Finds the git executable.
    package init(
        in folder: String, path: String? = ProcessInfo.processInfo.environment["PATH"],
        budget: GitBudget = GitBudget()
    ) throws(GitFailure) {
        let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        // Skip relative folders: a git in the current folder may belong to the repository.
        let candidates = folders.filter { $0.hasPrefix("/") }.map { "\($0)/git" }
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else { throw .noGit }
        executable = found
        self.folder = folder
        self.budget = budget
    }

    /// Ends all running git processes, because this process is about to exit.
    package static func endAll() { GitProcess.endAll() }

    /// Runs git and returns its output.
    package func run(
        _ arguments: [String], input: [UInt8] = [], limit: Int = 1 << 20
    ) throws(GitFailure) -> Answer {
        var bytes: [UInt8] = []
        let answer = try run(arguments, input: input) { piece throws(GitFailure) in
            guard bytes.count + piece.count <= limit else {
                throw .tooLarge("git \(arguments.first ?? "") printed more than \(limit.formattedBytes)")
            }
            bytes += piece
        }
        return Answer(status: answer.status, output: bytes, message: answer.message)
    }

    /// Runs git and passes on its output in pieces. If `take` throws, git is ended at once.
    func run(
        _ arguments: [String], input: [UInt8] = [], _ take: (ArraySlice<UInt8>) throws(GitFailure) -> Void
    ) throws(GitFailure) -> Answer {
        let command = arguments.first ?? ""
        // Input and standard error use files. With pipes, both sides could wait for each other forever.
        let questions = try Self.scratchFile(input, for: command)
        let complaints = try Self.scratchFile([], for: command)
        var output: [CInt] = [-1, -1]
        guard pipe(&output) == 0 else {
            throw .failed(command: command, status: 0, message: POSIXFailure("make", "a pipe").reason)
        }
        let reading = Descriptor(output[0])
        // Keep the descriptors from programs that other threads start. `pipe2` is not available everywhere.
        for descriptor in output { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let process: GitProcess
        do throws(POSIXFailure) {
            // Closed at the end of this scope, once git has its own copy. Otherwise the output would never end.
            let writing = Descriptor(output[1])
            process = try GitProcess(
                executable, Self.options + ["-C", folder] + arguments,
                environment: Self.environment(of: ProcessInfo.processInfo.environment),
                input: questions.number, output: writing.number, errors: complaints.number)
        } catch {
            throw .failed(command: command, status: 0, message: error.reason)
        }
        let watch = Watch(process: process, command: command, budget: budget)
        let status: Int32
        do throws(GitFailure) {
            try watch.read(reading.number, take)
            status = watch.finish()
        } catch {
            _ = watch.finish()
            throw error
        }
        var message = [UInt8](repeating: 0, count: 4096)
        let count = max(0, pread(complaints.number, &message, message.count, 0))
        let text = String(decoding: message.prefix(count), as: UTF8.self)
        return Answer(
            status: status, output: [], message: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// One call with its time limits.
    private struct Watch {
        let process: GitProcess
        let command: String
        let budget: GitBudget
        private let left: (time: Duration, processorTime: Duration)
        private let start = ContinuousClock.now

        init(process: GitProcess, command: String, budget: GitBudget) {
            self.process = process
            self.command = command
            self.budget = budget
            left = budget.left
        }

        /// Reads until git ends or its time is up.
        func read(
            _ descriptor: CInt, _ take: (ArraySlice<UInt8>) throws(GitFailure) -> Void
        ) throws(GitFailure) {
            var piece = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                try look()
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                // Check the CPU time this often, even without output.
                guard poll(&wanted, 1, 20) > 0 else {
                    // A program that started at the same time may keep the other end of the pipe open.
                    if process.hasEnded, poll(&wanted, 1, 0) == 0 { return }
                    continue
                }
                let count = piece.withUnsafeMutableBytes { Self.readBytes(descriptor, $0.baseAddress, $0.count) }
                if count == 0 { break }
                if count > 0 { try take(piece[..<count]) }
            }
            // Git has closed its output, so it is about to end. No system call waits for that with a timeout.
            var pause: UInt32 = 50
            while !process.hasEnded {
                try look()
                usleep(pause)
                pause = min(2 * pause, 5_000)
            }
        }

        private func look() throws(GitFailure) {
            if ContinuousClock.now - start > left.time { throw .outOfTime(command: command, after: budget.time) }
            if let used = process.processorTime, used > left.processorTime {
                throw .outOfProcessorTime(command: command, after: budget.processorTime)
            }
        }

        /// Ends the rest of the call and records what it used.
        func finish() -> Int32 {
            let (status, processorTime) = process.finish()
            budget.spend(time: ContinuousClock.now - start, processorTime: processorTime)
            return status
        }

        /// Calls `read`. Inside this type, that name would refer to its own method.
        private static func readBytes(_ descriptor: CInt, _ buffer: UnsafeMutableRawPointer?, _ count: Int) -> Int {
            #if canImport(Darwin)
                Darwin.read(descriptor, buffer, count)
            #elseif canImport(Musl)
                Musl.read(descriptor, buffer, count)
            #else
                Glibc.read(descriptor, buffer, count)
            #endif
        }
    }

    /// Overrides for a repository's own settings. They could start a pager or a file watcher, or use any amount of
    /// memory. A folder in the layout of a bare repository could have settings without a visible `.git`.
    private static let options = [
        "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c",
        "safe.bareRepository=explicit", "-c", "core.deltaBaseCacheLimit=16m",
    ]

    /// The variables for git.
    ///
    /// Of the user's variables, git gets only those that it needs to find itself and the settings for trusted
    /// repositories. The variables of a hook would name another repository or index.
    static func environment(of own: [String: String]) -> [String: String] {
        let kept: Set<String> = [
            "PATH", "HOME", "XDG_CONFIG_HOME", "TMPDIR", "GIT_CEILING_DIRECTORIES", "GIT_CONFIG_GLOBAL",
            "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM", "GIT_CONFIG_COUNT",
        ]
        var variables = own.filter { name, _ in
            kept.contains(name) || name.hasPrefix("GIT_CONFIG_KEY_") || name.hasPrefix("GIT_CONFIG_VALUE_")
        }
        variables["LC_ALL"] = "C"
        variables["GIT_OPTIONAL_LOCKS"] = "0"
        variables["GIT_TERMINAL_PROMPT"] = "0"
        variables["GIT_LITERAL_PATHSPECS"] = "1"
        // A repository may replace a commit's parents or content. A path below a device cannot exist, so there are no
        // grafts.
        variables["GIT_NO_REPLACE_OBJECTS"] = "1"
        variables["GIT_GRAFT_FILE"] = "/dev/null/none"
        // A partial clone would fetch missing objects. The first variable works in git 2.45 and later; the second
        // blocks all protocols in earlier versions.
        variables["GIT_NO_LAZY_FETCH"] = "1"
        variables["GIT_ALLOW_PROTOCOL"] = "none"
        // A 10-byte file may be a delta of a 1 GB file, which git unpacks in memory. This limits each single
        // allocation, as in git's own tests (wrapper.c).
        variables["GIT_ALLOC_LIMIT"] = "48m"
        return variables
    }

    private static func scratchFile(_ bytes: [UInt8], for command: String) throws(GitFailure) -> Descriptor {
        do throws(FileFailure) {
            return try .unnamed(bytes, in: FileManager.default.temporaryDirectory.path)
        } catch {
            throw .failed(command: command, status: 0, message: "cannot create a temporary file")
        }
    }
}
