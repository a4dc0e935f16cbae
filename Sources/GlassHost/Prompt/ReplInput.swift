import GlassMarketFiles

/// The commands and completions at the prompt of `repl`.
enum ReplInput {
    /// The commands, without the colon.
    static let commands = ["help", "market", "quit", "reload"]

    /// The completions of a word.
    static func completions(of word: String, behind line: String, in session: ScriptSession) -> [String] {
        if line.isEmpty, word.hasPrefix(":") {
            return commands.map { ":\($0)" }.filter { $0.hasPrefix(word) }
        }
        if line.split(separator: " ") == [":market"] {
            // A folder that cannot be read offers no markets; selecting one reports the error.
            return ((try? session.marketIDs()) ?? []).filter { $0.hasPrefix(word) }  // as above
        }
        return session.completions(of: word, behind: line)
    }
}
