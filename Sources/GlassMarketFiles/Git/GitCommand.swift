import Dispatch
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
struct GitCommand: Sendable {
    /// What git answered.
    struct Answer {
        let status: Int32
        let output: [UInt8]
        let message: String

        /// The output without the line feed at its end; nil where it is no text.
        var line: String? {
            String(validating: output.last == UInt8(ascii: "\n") ? output.dropLast() : output[...], as: UTF8.self)
        }
    }

    /// The folder that git is run for.
    let folder: String
    private let executable: URL

    /// Looks for git.
    init(in folder: String, path: String? = ProcessInfo.processInfo.environment["PATH"]) throws(GitFailure) {
        let folders = (path ?? "/usr/local/bin:/usr/bin:/bin").split(separator: ":")
        // A program of the current folder is not asked: it may be one of the repository's.
        let candidates = folders.filter { $0.hasPrefix("/") }.map { "\($0)/git" }
        guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else { throw .noGit }
        executable = URL(fileURLWithPath: found)
        self.folder = folder
    }

    /// Runs git.
    func run(_ arguments: [String], input: [UInt8] = [], limit: Int = 1 << 20) throws(GitFailure) -> Answer {
        let command = arguments.first ?? ""
        let process = Process()
        process.executableURL = executable
        process.arguments = Self.options + ["-C", folder] + arguments
        process.environment = Self.environment(of: ProcessInfo.processInfo.environment)
        // Files take what git reads and says beside its output: with pipes one side could wait for the other for ever.
        guard let questions = Self.scratchFile(input), let complaints = Self.scratchFile([]) else {
            throw .failed(command: command, status: 0, message: "no temporary file can be made")
        }
        let output = Pipe()
        process.standardInput = questions
        process.standardError = complaints
        process.standardOutput = output
        let ended: DispatchSemaphore
        do {
            ended = try process.start()
        } catch {
            throw .failed(command: command, status: 0, message: error.systemReason)
        }
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let piece = output.fileHandleForReading.availableData
            if piece.isEmpty { break }
            bytes += piece
        }
        let isTooLarge = bytes.count > limit
        if isTooLarge { process.terminate() }
        ended.wait()
        guard !isTooLarge else { throw .tooLarge("git \(command) says more than \(limit.formattedBytes)") }
        var message = [UInt8](repeating: 0, count: 4096)
        let count = max(0, pread(complaints.fileDescriptor, &message, message.count, 0))
        let text = String(decoding: message.prefix(count), as: UTF8.self)
        return Answer(
            status: process.terminationStatus, output: bytes,
            message: text.trimmingCharacters(in: .whitespacesAndNewlines))
    }

    /// What a repository's own settings could have git do otherwise: it could start a pager, or a program that watches
    /// files.
    private static let options = ["--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]

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
        // A clone that has only some objects would fetch what is asked for. The first is for git 2.45 and later, the
        // second lets no earlier one talk to anybody.
        variables["GIT_NO_LAZY_FETCH"] = "1"
        variables["GIT_ALLOW_PROTOCOL"] = "none"
        return variables
    }

    /// A file without a name, at its beginning.
    private static func scratchFile(_ bytes: [UInt8]) -> FileHandle? {
        let folder = FileManager.default.temporaryDirectory.path
        var template = Array("\(folder)/glass-git-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        guard descriptor >= 0 else { return nil }
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
