import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets

/// Writes to standard output and standard error.
///
/// A reader that goes away (`glass-host routes | head`) ends the process with the status that a shell gives for SIGPIPE,
/// after it removed what it made for itself; the signal would end it before. Output that cannot be written for another
/// reason, such as a full disk, ends it with 2 and says so.
enum StandardStream {
    case output
    case errors

    /// The status that a shell reports for a process that SIGPIPE ended.
    private static let brokenPipe: Int32 = 128 + SIGPIPE

    private static let reasonOfBrokenPipe = POSIXError(.EPIPE).systemReason

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

    /// Drops whatever the process says beside its results, from here on.
    static func silenceErrors() {
        let nowhere = open("/dev/null", O_WRONLY)
        guard nowhere >= 0 else { return }
        dup2(nowhere, STDERR_FILENO)
        close(nowhere)
    }

    /// Writes text; there is no other way to either stream.
    func write(_ text: SafeText, isColoured: Bool = false) {
        let handle: FileHandle = self == .output ? .standardOutput : .standardError
        // An array first: making data of any other sequence begins with a search of all conformances.
        let data = Data(Array((isColoured ? text.coloured : text.plain).utf8))
        do {
            try StatusLine.shared.hidden { try handle.write(contentsOf: data) }
        } catch {
            let reason = error.systemReason
            TemporaryState.shared.remove()
            if reason == Self.reasonOfBrokenPipe { exit(Self.brokenPipe) }
            if self == .output { StandardStream.errors.write("cannot write to standard output: \(reason)\n") }
            exit(CommandFailure.Status.impossible.rawValue)
        }
    }
}
