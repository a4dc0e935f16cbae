import Foundation

/// Writes to standard output and standard error.
///
/// A reader that goes away (`glass-host routes | head`) ends the process with the status that a shell gives for SIGPIPE,
/// after it removed what it made for itself; the signal would end it before.
enum StandardStream {
    case output
    case errors

    /// What a shell reports for a process that SIGPIPE ended.
    private static let brokenPipe: Int32 = 128 + SIGPIPE

    /// Lets a write to a closed pipe be an error instead of a signal, for the rest of the process.
    static func reportBrokenPipes() {
        signal(SIGPIPE, SIG_IGN)
    }

    /// Writes bytes.
    ///
    /// - Parameter data: The bytes.
    func write(_ data: Data) {
        let handle: FileHandle = self == .output ? .standardOutput : .standardError
        do {
            try StatusLine.shared.hidden { try handle.write(contentsOf: data) }
        } catch {
            TemporaryState.shared.remove()
            exit(Self.brokenPipe)
        }
    }

    /// Writes text.
    ///
    /// - Parameter text: The text, with its line breaks.
    func write(_ text: String) {
        write(Data(text.utf8))
    }
}
