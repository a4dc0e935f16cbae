import ArgumentParser

/// The help from ArgumentParser, with the global options on the program's page only.
enum HelpText {
    private static let title = "\nGLOBAL OPTIONS:\n"

    /// Removes the global options from a command's page, or adds them to the program's page.
    static func withGlobalOptionsOnce<Root: CommandLineRoot>(_ text: String, of root: Root.Type) -> String {
        if let section = section(in: text) {
            let page = text.replacingCharacters(in: section, with: "")
            return String(page.reversed().drop { $0 == "\n" }.reversed())
                + "\n\nFor global options, such as --markets and --format, see '\(root._commandName) --help'."
        }
        // The rest of the abstract may be on the next line.
        guard text.hasPrefix("OVERVIEW: \(root.configuration.abstract.prefix(30))"),
            let commands = text.firstRange(of: "\nSUBCOMMANDS:\n")
        else { return text }
        let pages = root.configuration.subcommands.lazy.map { root.helpMessage(for: $0) }
        guard let page = pages.first(where: { $0.contains(title) }), let section = section(in: page) else {
            return text
        }
        return text.replacingCharacters(in: commands.lowerBound..<commands.lowerBound, with: String(page[section]))
    }

    /// The section from its title to the empty line after it.
    private static func section(in text: String) -> Range<String.Index>? {
        guard let start = text.firstRange(of: title) else { return nil }
        let end = text[start.upperBound...].firstRange(of: "\n\n")?.lowerBound ?? text.endIndex
        return start.lowerBound..<(end < text.endIndex ? text.index(after: end) : end)
    }
}

extension String {
    fileprivate func replacingCharacters(in range: Range<Index>, with text: String) -> String {
        self[..<range.lowerBound] + text + self[range.upperBound...]
    }
}
