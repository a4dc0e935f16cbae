import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets

/// Standard output or standard error of a command.
///
/// If the reader goes away (`glass-host routes | head`), the process removes its temporary files and exits with the
/// status that a shell gives for SIGPIPE. The signal itself would end it before the cleanup. Output that cannot be
/// written for another reason, such as a full disk, ends it with 2 and says so.
final class StandardStream: Sendable {
    /// Where text goes.
    private enum Destination: Sendable {
        case descriptor(Int32)
        case memory
    }

    private let destination: Destination
    /// Whether it is standard error, whose text is always for people.
    private let isForMessages: Bool

    /// The status that a shell reports for a process that SIGPIPE ended.
    private static let brokenPipe: Int32 = 128 + SIGPIPE

    private static let reasonOfBrokenPipe = POSIXError(.EPIPE).systemReason

    /// The standard output of the command that runs in this task. Code that runs on a thread of its own keeps it beforehand.
    static var output: StandardStream { CommandContext.current.output }
    /// The standard error of the command that runs in this task.
    static var errors: StandardStream { CommandContext.current.errors }

    private init(_ destination: Destination, isForMessages: Bool) {
        self.destination = destination
        self.isForMessages = isForMessages
    }

    /// A stream of the process.
    static func ofProcess(_ descriptor: Int32) -> StandardStream {
        StandardStream(.descriptor(descriptor), isForMessages: descriptor == STDERR_FILENO)
    }

    /// A stream that keeps what is written.
    static func inMemory(isForMessages: Bool) -> StandardStream {
        StandardStream(.memory, isForMessages: isForMessages)
    }

    /// Whether it is a terminal.
    var isTerminal: Bool {
        guard case .descriptor(let descriptor) = destination else { return false }
        return isatty(descriptor) == 1
    }

    /// How many columns its terminal has; nil for what is none, or does not know.
    var columns: Int? {
        guard case .descriptor(let descriptor) = destination else { return nil }
        return Console.columns(of: descriptor)
    }

    /// What was written to a stream in memory.
    private let kept = Lock((data: Data(), isClosed: false))

    /// What was written to a stream in memory, as UTF-8 text.
    var text: String { String(decoding: kept.withLock { $0.data }, as: UTF8.self) }

    /// Drops what is written to a stream in memory from here on.
    func close() { kept.withLock { $0.isClosed = true } }

    /// Makes writing to a closed pipe an error instead of a signal, for the rest of the process.
    static func reportBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Keeps the numbers of closed streams (`>&-`) from the next files that are opened, which would get the output. What
    /// stands in for them lets no one read or write, so that using them is the error that it should be.
    static func reserveClosedNumbers() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // The lowest free number is the closed one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Drops whatever is written here from here on, also by others in the process.
    func silence() {
        guard case .descriptor(let descriptor) = destination else { return close() }
        let nowhere = open("/dev/null", O_WRONLY)
        guard nowhere >= 0 else { return }
        dup2(nowhere, descriptor)
        Foundation.close(nowhere)
    }

    /// Writes text. What is for a log, as all messages are, holds no command for a runner of GitHub Actions: messages quote
    /// files, names and what Git says.
    func write(_ text: DisplayText, isColoured: Bool = false, isForLog: Bool = false) {
        var text = isColoured ? text.coloured : text.plain
        if isForLog || isForMessages { text = GitHubAnnotations.withoutCommands(text) }
        // An array first: making data of any other sequence begins with a search of all conformances.
        write(Data(Array(text.utf8)))
    }

    /// Writes what another program reads byte for byte, such as a patch. A terminal gets text.
    func write(bytes: [UInt8]) { write(Data(bytes)) }

    private func write(_ data: Data) {
        guard case .descriptor(let descriptor) = destination else {
            return kept.withLock { if !$0.isClosed { $0.data.append(data) } }
        }
        let handle: FileHandle = descriptor == STDOUT_FILENO ? .standardOutput : .standardError
        do {
            try StatusLine.shared.hidden { try handle.write(contentsOf: data) }
        } catch {
            let reason = error.systemReason
            CommandContext.ofProcess.temporaryState.remove()
            if reason == Self.reasonOfBrokenPipe { exit(Self.brokenPipe) }
            if descriptor == STDOUT_FILENO {
                CommandContext.ofProcess.errors.write("cannot write to standard output: \(reason)\n")
            }
            exit(CommandFailure.Status.impossible.rawValue)
        }
    }
}
