import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Asks git for what a repository holds. Nothing is written, fetched or checked out, and no program that a repository
/// names is started.
package struct GitCommand: Sendable {
    /// What git answered.
    package struct Answer {
        /// How it ended: its status, or 128 and the number of a signal.
        package let status: Int32
        /// What it printed.
        package let output: [UInt8]
        /// What it said beside. It may repeat lines of any file that it could not read, so only ``cause`` is shown.
        let message: String

        /// Why it failed, in words that hold nothing of a file.
        package var cause: String {
            let text = message.lowercased()
            if ["out of memory", "over limit", "cannot allocate memory"].contains(where: text.contains) {
                return "it needs more memory than it may take: look at the commit with git ls-tree, or compare folders "
                    + "with diff --against DIR"
            }
            if text.contains("safe.barerepository") {
                return "it is a bare repository, which git reads only where safe.bareRepository lets it: "
                    + "run it in a clone"
            }
            // `fatal: what is wrong: the line that is`; where git quotes, it may quote what it read.
            let parts = message.prefix { !$0.isNewline }.components(separatedBy: ": ")
            guard parts.count > 1, ["fatal", "error", "warning"].contains(parts[0]) else { return "" }
            if parts[1].hasPrefix("object directory") {
                return "a folder that .git/objects/info/alternates names is not there"
            }
            let words = parts[1].prefix { !"'\"`".contains($0) }
            return "\(parts[0]): \(words)" + (words.count < parts[1].count ? "…" : "")
        }

        /// The output without the line feed at its end; nil where it is no text.
        var line: String? {
            String(validating: output.last == UInt8(ascii: "\n") ? output.dropLast() : output[...], as: UTF8.self)
        }
    }

    /// The folder that git is run for.
    let folder: String
    /// What its calls may take.
    let allowance: GitAllowance
    private let executable: String

    /// Looks for git.
    package init(
        in folder: String, path: String? = ProcessInfo.processInfo.environment["PATH"],
        allowance: GitAllowance = GitAllowance()
    ) throws(GitFailure) {
        let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        // A program of the current folder is not asked: it may be one of the repository's.
        let candidates = folders.filter { $0.hasPrefix("/") }.map { "\($0)/git" }
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else { throw .noGit }
        executable = found
        self.folder = folder
        self.allowance = allowance
    }

    /// Ends every git that runs, because this process ends.
    package static func endAll() { GitProcess.endAll() }

    /// Runs git, and keeps what it prints.
    package func run(
        _ arguments: [String], input: [UInt8] = [], limit: Int = 1 << 20
    ) throws(GitFailure) -> Answer {
        var bytes: [UInt8] = []
        let answer = try run(arguments, input: input) { piece throws(GitFailure) in
            guard bytes.count + piece.count <= limit else {
                throw .tooLarge("git \(arguments.first ?? "") says more than \(limit.formattedBytes)")
            }
            bytes += piece
        }
        return Answer(status: answer.status, output: bytes, message: answer.message)
    }

    /// Runs git, and hands on what it prints, piece by piece. Where `take` throws, git is ended at once.
    func run(
        _ arguments: [String], input: [UInt8] = [], _ take: (ArraySlice<UInt8>) throws(GitFailure) -> Void
    ) throws(GitFailure) -> Answer {
        let command = arguments.first ?? ""
        // Files take what git reads and says beside its output: with pipes one side could wait for the other for ever.
        guard let questions = Self.scratchFile(input), let complaints = Self.scratchFile([]) else {
            throw .failed(command: command, status: 0, message: "no temporary file can be made")
        }
        // Their descriptors are all that git is given.
        defer { withExtendedLifetime((questions, complaints)) {} }
        var output: [CInt] = [-1, -1]
        guard pipe(&output) == 0 else {
            throw .failed(command: command, status: 0, message: POSIXFailure("make", "a pipe").reason)
        }
        let reading = Descriptor(output[0])
        // For programs that other threads start; `pipe2` is not everywhere.
        for descriptor in output { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
        let process: GitProcess
        do throws(POSIXFailure) {
            // Closed here once git has it: otherwise the output would have no end.
            let writing = Descriptor(output[1])
            process = try GitProcess(
                executable, Self.options + ["-C", folder] + arguments,
                environment: Self.environment(of: ProcessInfo.processInfo.environment),
                input: questions.fileDescriptor, output: writing.number, errors: complaints.fileDescriptor)
        } catch {
            throw .failed(command: command, status: 0, message: error.reason)
        }
        let watch = Watch(process: process, command: command, allowance: allowance)
        let status: Int32
        do throws(GitFailure) {
            try watch.read(reading.number, take)
            status = watch.finish()
        } catch {
            _ = watch.finish()
            throw error
        }
        var message = [UInt8](repeating: 0, count: 4096)
        let count = max(0, pread(complaints.fileDescriptor, &message, message.count, 0))
        let text = String(decoding: message.prefix(count), as: UTF8.self)
        return Answer(
            status: status, output: [], message: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// One call, watched by the clock.
    private struct Watch {
        let process: GitProcess
        let command: String
        let allowance: GitAllowance
        private let left: (time: Duration, processorTime: Duration)
        private let start = ContinuousClock.now

        init(process: GitProcess, command: String, allowance: GitAllowance) {
            self.process = process
            self.command = command
            self.allowance = allowance
            left = allowance.left
        }

        /// Reads until git has ended, or its time has.
        func read(
            _ descriptor: CInt, _ take: (ArraySlice<UInt8>) throws(GitFailure) -> Void
        ) throws(GitFailure) {
            var piece = [UInt8](repeating: 0, count: 64 * 1024)
            while true {
                try look()
                var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                // The processor time is looked at this often, also while git says nothing.
                guard poll(&wanted, 1, 20) > 0 else {
                    // Another program that was started just then may keep the other end of the pipe open.
                    if process.hasEnded, poll(&wanted, 1, 0) == 0 { return }
                    continue
                }
                let count = piece.withUnsafeMutableBytes { Self.readBytes(descriptor, $0.baseAddress, $0.count) }
                if count == 0 { break }
                if count > 0 { try take(piece[..<count]) }
            }
            // It closed its output, so it is about to end; no call waits for that and for a time.
            var pause: UInt32 = 50
            while !process.hasEnded {
                try look()
                usleep(pause)
                pause = min(2 * pause, 5_000)
            }
        }

        private func look() throws(GitFailure) {
            if ContinuousClock.now - start > left.time { throw .outOfTime(command: command, after: allowance.time) }
            if let used = process.processorTime, used > left.processorTime {
                throw .outOfProcessorTime(command: command, after: allowance.processorTime)
            }
        }

        /// Ends what is left of it, and counts what it took.
        func finish() -> Int32 {
            let (status, processorTime) = process.finish()
            allowance.spend(time: ContinuousClock.now - start, processorTime: processorTime)
            return status
        }

        /// `read`, which inside the type would name its own method.
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

    /// What a repository's own settings could have git do otherwise: it could start a pager, or a program that watches
    /// files, or keep as much as it likes in memory. A folder that is laid out as a bare repository would have settings
    /// without a `.git` that a reader could see.
    private static let options = [
        "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "-c",
        "safe.bareRepository=explicit", "-c", "core.deltaBaseCacheLimit=16m",
    ]

    /// The variables that git gets.
    ///
    /// Of the user's own only those without which it finds neither itself nor the settings that say which repositories
    /// are trusted. A hook's would name another repository, or another index.
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
        // A repository may say that a commit has other parents, or another content, than its id stands for. A file below a
        // device is one that there cannot be.
        variables["GIT_NO_REPLACE_OBJECTS"] = "1"
        variables["GIT_GRAFT_FILE"] = "/dev/null/none"
        // A clone that has only some objects would fetch what is asked for. The first is for git 2.45 and later, the
        // second lets no earlier one talk to anybody.
        variables["GIT_NO_LAZY_FETCH"] = "1"
        variables["GIT_ALLOW_PROTOCOL"] = "none"
        // A file of 10 bytes may be a change of one of 1 GB, which git unpacks whole. The largest piece of memory that it
        // takes at a time, as the tests of git itself limit it (wrapper.c).
        variables["GIT_ALLOC_LIMIT"] = "48m"
        return variables
    }

    /// A file without a name, at its beginning.
    private static func scratchFile(_ bytes: [UInt8]) -> FileHandle? {
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array("\(folder)/glass-git-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        let file = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
        do {
            try file.write(contentsOf: bytes)
            try file.seek(toOffset: 0)
        } catch {
            return nil
        }
        return file
    }
}
