import GlassBase
import CEdit
import Foundation

/// Reads lines: with editing, history and completion on a terminal, as they are from a pipe.
struct LineEditor {
    /// What became of reading a line.
    enum Line {
        /// A line without its line break.
        case text(String)
        /// The user gave it up, with Ctrl-C.
        case cancelled
        /// There is no line any more.
        case end
    }

    /// Returns the completions of a word.
    typealias Completer = @Sendable (_ word: String, _ line: String) -> [String]

    /// Whether a person types the lines.
    static let isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    /// As above.
    let isInteractive = Self.isInteractive
    private let historyFile: String?
    private let cancellation = Cancellation()

    /// The state that the library's C callbacks read and write, because they take no context.
    private static let completer = Lock<Completer?>(nil)
    private static let entered = Lock<Line?>(nil)

    /// Prepares the editor.
    init(historyFile: String?, completions: @escaping Completer) {
        self.historyFile = historyFile
        guard isInteractive else { return }
        Self.useUTF8()
        Self.completer.withLock { $0 = completions }
        // What Ctrl-C does is for the program to say.
        edit_leave_signals()
        using_history()
        stifle_history(1000)
        if let historyFile { read_history(historyFile) }
        edit_set_completer { text, start, _ in LineEditor.matches(text, start: Int(start)) }
    }

    /// Makes the C library read and write characters as UTF-8, which is what this program does: where the user's locale
    /// has another encoding, or there is none (`LC_ALL=C`, most containers), each byte would be a character of its own.
    private static func useUTF8() {
        setlocale(LC_CTYPE, "")
        guard String(cString: nl_langinfo(nl_item(CODESET))) != "UTF-8" else { return }
        // POSIX.1-2024 names the first one; macOS before 15 has the second only.
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
            // Here, or the library would show the prompt again.
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
                // What comes now is about what the line does.
                guard cancellation.end() else { return .cancelled }
                return line
            }
        }
    }

    /// Gives up the line that is being read, from any thread.
    func cancel() -> Bool { cancellation.cancel() }

    /// Adds an input to the history and keeps it.
    func remember(_ input: String) {
        guard isInteractive, !input.isEmpty else { return }
        add_history(input)
        guard let historyFile else { return }
        write_history(historyFile)
        chmod(historyFile, 0o600)
    }

    /// The answer in the form that the library wants: the longest common beginning, the matches, and a null pointer; the
    /// library frees all of it.
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

/// Wakes who waits for input: a pipe beside it, because a signal wakes nobody where threads handle signals.
private final class Cancellation: Sendable {
    private let ends: (read: Int32, write: Int32)
    private let isReading = Lock(false)

    init() {
        var ends: [Int32] = [-1, -1]
        // Without a pipe there is input, and no cancelling.
        if pipe(&ends) == 0 { for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) } }
        self.ends = (ends[0], ends[1])
    }

    deinit {
        close(ends.read)
        close(ends.write)
    }

    func begin() { isReading.withLock { $0 = true } }

    /// Ends the reading.
    func end() -> Bool {
        let wasReading = isReading.withLock { isReading in
            defer { isReading = false }
            return isReading
        }
        // Its byte is in the pipe by then.
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

    /// Waits for input, or to be cancelled.
    func waitForInput() -> Bool {
        var descriptors = [
            pollfd(fd: STDIN_FILENO, events: Int16(POLLIN), revents: 0),
            pollfd(fd: ends.read, events: Int16(POLLIN), revents: 0),
        ]
        // A signal that somebody else handles ends a wait, too.
        while poll(&descriptors, 2, -1) < 0, errno == EINTR {}
        guard descriptors[1].revents != 0 else { return true }
        return !drain()
    }

    private func drain() -> Bool {
        var byte: UInt8 = 0
        return read(ends.read, &byte, 1) == 1
    }
}
