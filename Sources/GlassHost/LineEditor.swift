import GlassBase
import CEdit
import Foundation

/// Reads lines: with editing, history and completion on a terminal, as they are from a pipe.
struct LineEditor {
    /// Whether a person types the lines.
    let isInteractive = isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
    private let historyFile: String?

    /// The state that the library's C callback reads, because it takes no context.
    private static let completer = Lock<(@Sendable (String) -> [String])?>(nil)

    /// Prepares the editor.
    ///
    /// - Parameters:
    ///   - historyFile: Where the history is kept; nil keeps none.
    ///   - completions: Returns the completions of a word.
    init(historyFile: String?, completions: @escaping @Sendable (String) -> [String]) {
        self.historyFile = historyFile
        guard isInteractive else { return }
        Self.completer.withLock { $0 = completions }
        using_history()
        stifle_history(1000)
        if let historyFile { read_history(historyFile) }
        edit_set_completer { text, _, _ in LineEditor.matches(text) }
    }

    /// Reads a line.
    ///
    /// - Parameter prompt: The prompt on a terminal.
    /// - Returns: The line without its line break; nil at the end of the input.
    func line(prompt: SafeText) -> String? {
        guard isInteractive else { return readLine() }
        guard let text = readline(prompt.plain) else { return nil }
        defer { free(text) }
        return String(cString: text)
    }

    /// Adds an input to the history and keeps it.
    ///
    /// - Parameter input: The input, of one or several lines.
    func remember(_ input: String) {
        guard isInteractive, !input.isEmpty else { return }
        add_history(input)
        guard let historyFile else { return }
        write_history(historyFile)
        chmod(historyFile, 0o600)
    }

    /// The answer in the form that the library wants: the longest common beginning, the matches, and a null pointer; the
    /// library frees all of it.
    private static func matches(_ text: UnsafePointer<CChar>?) -> UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? {
        edit_end_completion()
        let word = text.map { String(cString: $0) } ?? ""
        guard let names = completer.withLock({ $0 })?(word), let first = names.first else { return nil }
        let common = names.dropFirst().reduce(first) { $0.commonPrefix(with: $1) }
        let all = [common] + names
        let list = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: all.count + 1)
        for (index, name) in all.enumerated() { list[index] = strdup(name) }
        list[all.count] = nil
        return list
    }
}
