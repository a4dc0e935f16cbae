import GlassBase
import CEdit
import Foundation

/// Reads lines: with editing, history, and completion from a terminal, or unchanged from a pipe.
struct LineEditor {
    /// The result of reading a line.
    enum Line {
        /// A line without its line break.
        case text(String)
        /// The user discarded the line with Ctrl-C.
        case cancelled
        /// The input has ended.
        case end
    }

    /// Returns the completions of a word.
    typealias Completer = @Sendable (_ word: String, _ line: String) -> [String]

    /// Whether lines are read from and echoed to a terminal.
    static let isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    let isInteractive = Self.isInteractive
    private let historyFile: String?
    private let cancellation = Cancellation()

    /// The state that the library's C callbacks share, because they take no context.
    private static let completer = Lock<Completer?>(nil)
    private static let entered = Lock<Line?>(nil)

    /// Prepares the editor.
    init(historyFile: String?, completions: @escaping Completer) {
        self.historyFile = historyFile
        guard isInteractive else { return }
        Self.useUTF8()
        Self.completer.withLock { $0 = completions }
        // The program handles Ctrl-C itself.
        edit_leave_signals()
        using_history()
        stifle_history(1000)
        if let historyFile { read_history(historyFile) }
        edit_set_completer { text, start, _ in LineEditor.matches(text, start: Int(start)) }
    }

    /// Makes the C library use UTF-8, as this program does. With another encoding, or without a locale (`LC_ALL=C`,
    /// most containers), the library would treat each byte as a character.
    private static func useUTF8() {
        setlocale(LC_CTYPE, "")
        guard String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" else { return }
        // POSIX.1-2024 specifies the first; macOS before 15 has only the second.
        for locale in ["C.UTF-8", "en_US.UTF-8"] where setlocale(LC_CTYPE, locale) != nil { return }
    }

    /// Reads a line.
    func line(prompt: DisplayText) -> Line {
        guard isInteractive else { return readLine().map(Line.text) ?? .end }
        Self.entered.withLock { $0 = nil }
        cancellation.begin()
        rl_resize_terminal()
        rl_callback_handler_install(prompt.plain) { line in
            LineEditor.entered.withLock { $0 = line.map { .text(String(cString: $0)) } ?? .end }
            free(line)
            // Remove the handler here, or the library would display the prompt again.
            rl_callback_handler_remove()
        }
        while true {
            guard cancellation.waitForInput() else {
                rl_callback_handler_remove()
                StandardStream.output.write("^C\n")
                return .cancelled
            }
            rl_callback_read_char()
            if let line = Self.entered.withLock({ $0 }) {
                // From here on, Ctrl-C concerns the code that the line runs.
                guard cancellation.end() else { return .cancelled }
                return line
            }
        }
    }

    /// Discards the line that is being read. Can be called from any thread.
    func cancel() -> Bool { cancellation.cancel() }

    /// Adds an input to the history and saves the history.
    func remember(_ input: String) {
        guard isInteractive, !input.isEmpty else { return }
        add_history(input)
        guard let historyFile else { return }
        write_history(historyFile)
        // Only the user may read the history, also in a folder that others can open.
        chmod(historyFile, 0o600)
    }

    /// The completions in the form that the library expects: the longest common prefix, the matches, and a null
    /// pointer. The library frees all of them.
    private static func matches(
        _ text: UnsafePointer<CChar>?, start: Int
    ) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        edit_end_completion()
        let word = text.map { String(cString: $0) } ?? ""
        let line = edit_line().map { String(cString: $0) } ?? ""
        let before = String(String.UnicodeScalarView(line.unicodeScalars.prefix(start)))
        guard let names = completer.withLock({ $0 })?(word, before), let first = names.first else { return nil }
        let common = names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let all = [common] + names
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: all.count + 1)
        for (index, name) in all.enumerated() { list[index] = strdup(name) }
        list[all.count] = nil
        return list
    }
}

/// Wakes the thread that waits for input. Uses a pipe, because a signal that another thread handles does not interrupt
/// the wait.
private final class Cancellation: Sendable {
    private let ends: (read: Int32, write: Int32)
    private let isReading = Lock(false)

    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe, input works but cannot be cancelled.
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    func begin() { isReading.withLock { $0 = true } }

    /// Ends the reading. Returns false if it was cancelled.
    func end() -> Bool {
        let wasReading = isReading.withLock { isReading in
            defer { isReading = false }
            return isReading
        }
        // The cancellation has already written its byte, so draining the pipe does not block.
        return wasReading || !drain()
    }

    func cancel() -> Bool {
        isReading.withLock { isReading in
            guard isReading else { return false }
            isReading = false
            var byte: UInt8 = 0
            return write(ends.write, &byte, 1) == 1
        }
    }

    /// Waits for input. Returns false if the wait was cancelled.
    func waitForInput() -> Bool {
        var descriptors = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
        ]
        // A signal that is handled elsewhere also interrupts the wait.
        while poll(&descriptors, 2, -1) < 0, errno == EINTR {}
        guard descriptors[1].revents != 0 else { return true }
        return !drain()
    }

    private func drain() -> Bool {
        var byte: UInt8 = 0
        return read(ends.read, &byte, 1) == 1
    }
}
