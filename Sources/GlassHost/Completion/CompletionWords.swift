import ArgumentParser
import Foundation

/// The words of an unfinished command line, as a shell passes them to the program: unchanged, with quotes and before
/// any expansion. bash also splits them at `=` and `:`.
struct CompletionWords {
    /// The first argument of a completion request from the scripts that shells source.
    static let request = "---completion"

    /// The part before the cursor of the word to complete, as the program would receive it.
    let word: String
    /// The same part, as typed.
    let typed: String
    /// All other words, as the program would receive them.
    private let others: [String]

    /// Reads the words.
    init(_ raw: [String], index: Int, beginning: String) {
        let isThere = raw.indices.contains(index)
        // ArgumentParser takes `beginning` from the last word, up to as many characters as precede the cursor in the
        // completed one. It can be too short, but never too long, and the shell drops candidates that do not fit.
        typed = isThere ? String(raw[index].prefix(beginning.count)) : ""
        word = Self.unquoted(typed)
        others = raw.enumerated().filter { $0.offset != index }.map { Self.unquoted($0.element) }
    }

    /// The global options that select the market. Other words are ignored.
    var options: GlobalOptions {
        get throws {
            let markets = value(of: ["--markets"]).map { ["--markets", $0] } ?? []
            let market = value(of: ["--market", "-m"]).map { ["--market", $0] } ?? []
            return try GlobalOptions.parse(markets + market)
        }
    }

    /// The value of an option: `--markets DIR`, `--markets=DIR`, or the latter as bash splits it.
    private func value(of names: [String]) -> String? {
        for (index, word) in others.enumerated() {
            if names.contains(word) {
                let rest = others[(index + 1)...].drop { $0 == "=" }
                if let value = rest.first, !value.isEmpty { return value }
            } else if let name = names.first(where: { word.hasPrefix($0 + "=") }), word.count > name.count + 1 {
                return String(word.dropFirst(name.count + 1))
            }
        }
        return nil
    }

    /// A word as a shell would read it: without quotes and backslashes, and with the home directory for `~`. An
    /// unclosed quote ends with the word. Variables and commands are not expanded: the shell does that, once, when the
    /// line runs.
    static func unquoted(_ raw: String) -> String {
        var text = ""
        var quote: Character?
        var isEscaped = false
        for character in raw {
            if isEscaped {
                // Between double quotes a backslash escapes only these (POSIX.1-2017, 2.2.3).
                if quote != nil, !"$`\"\\".contains(character) { text.append("\\") }
                text.append(character)
                isEscaped = false
            } else if character == "\\", quote != "'" {
                isEscaped = true
            } else if character == quote {
                quote = nil
            } else if quote == nil, character == "'" || character == "\"" {
                quote = character
            } else {
                text.append(character)
            }
        }
        guard raw.hasPrefix("~") else { return text }
        if raw == "~" || raw.hasPrefix("~/"), let home = CommandContext.current.environment["HOME"] {
            return home + text.dropFirst()
        }
        // Another user's home directory.
        return NSString(string: text).expandingTildeInPath
    }
}
