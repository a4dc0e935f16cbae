import GlassMarketFiles

/// What can be typed at the prompt of `repl`.
enum ReplInput {
    /// The commands, without their colon.
    static let commands = ["help", "market", "quit", "reload"]

    /// The completions of a word.
    static func completions(of word: String, behind line: String, in session: ScriptSession) -> [String] {
        if line.isEmpty, word.hasPrefix(":") {
            return commands.map { ":\($0)" }.filter { $0.hasPrefix(word) }
        }
        if line.split(separator: " ") == [":market"] {
            // A folder that cannot be read has no markets; selecting one says so.
            return ((try? session.marketIDs()) ?? []).filter { $0.hasPrefix(word) }  // as above
        }
        return session.completions(of: word, behind: line)
    }
}
