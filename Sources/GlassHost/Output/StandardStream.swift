import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets

/// Standard output or standard error of a command.
///
/// If the reader exits early (`glass-host routes | head`), the process removes its temporary files and exits with the
/// status that a shell reports for SIGPIPE. The signal itself would end the process before the cleanup. If output
/// cannot be written for another reason, such as a full disk, the process exits with 2 and a message.
final class StandardStream: Sendable {
    /// The destination of text.
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

    /// The standard output of the command that runs in this task. Code that runs on another thread captures it
    /// beforehand.
    static var output: StandardStream { CommandContext.current.output }
    /// The standard error of the command that runs in this task.
    static var errors: StandardStream { CommandContext.current.errors }

    private init(_ destination: Destination, isForMessages: Bool, kept: Kept = Kept((Data(), false))) {
        self.destination = destination
        self.isForMessages = isForMessages
        self.kept = kept
    }

    /// A stream of the process.
    static func ofProcess(_ descriptor: Int32) -> StandardStream {
        StandardStream(.descriptor(descriptor), isForMessages: descriptor == STDERR_FILENO)
    }

    /// A stream that keeps what is written, together with what is written to another one, if any.
    static func inMemory(isForMessages: Bool, joining other: StandardStream? = nil) -> StandardStream {
        StandardStream(.memory, isForMessages: isForMessages, kept: other?.kept ?? Kept((Data(), false)))
    }

    /// Whether it is a terminal.
    var isTerminal: Bool {
        guard case .descriptor(let descriptor) = destination else { return false }
        return isatty(descriptor) == 1
    }

    /// The number of columns of its terminal; nil if it is not a terminal, or if its size is unknown.
    var columns: Int? {
        guard case .descriptor(let descriptor) = destination else { return nil }
        return Console.columns(of: descriptor)
    }

    private typealias Kept = Lock<(data: Data, isClosed: Bool)>
    /// The bytes that were written to a stream in memory.
    private let kept: Kept

    /// The text that was written to a stream in memory, decoded as UTF-8.
    var text: String { String(decoding: kept.withLock { $0.data }, as: UTF8.self) }

    /// Discards everything that is written to a stream in memory from here on.
    func close() { kept.withLock { $0.isClosed = true } }

    /// Makes writing to a closed pipe an error instead of a signal, for the rest of the process.
    static func reportBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Reserves the descriptors of closed streams (`>&-`). Otherwise, the next files to be opened would get them, and
    /// with them the output. The placeholders can be neither read nor written, so that using a closed stream remains an
    /// error.
    static func reserveClosedNumbers() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            // `open` returns the lowest free descriptor, which is the closed one.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }

    /// Discards everything that is written here from here on, including by other code in the process.
    func silence() {
        guard case .descriptor(let descriptor) = destination else { return close() }
        let nowhere = open("/dev/null", O_WRONLY)
        guard nowhere >= 0 else { return }
        dup2(nowhere, descriptor)
        Foundation.close(nowhere)
    }

    /// Writes text. Text for a log, which includes all messages, contains no command for a GitHub Actions runner:
    /// messages quote files, names, and the output of Git.
    func write(_ text: DisplayText, isColored: Bool = false, isForLog: Bool = false) {
        var text = isColored ? text.colored : text.plain
        if isForLog || isForMessages { text = GitHubAnnotations.withoutCommands(text) }
        // Create an array first: creating data from any other sequence starts with a search of all conformances.
        write(Data(Array(text.utf8)))
    }

    /// Writes bytes that another program reads unchanged, such as a patch. A terminal gets text instead.
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
