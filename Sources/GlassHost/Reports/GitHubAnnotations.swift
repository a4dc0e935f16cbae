import GlassBase
import GlassSchema

/// The commands with which a step of GitHub Actions annotates the lines of a pull request.
///
/// GitHub shows at most ten errors, ten warnings, and ten notices of a step, and silently drops the rest. Therefore,
/// the most severe come first, and if there are more, the last notice says how many.
struct GitHubAnnotations {
    /// The commands, one per line.
    let lines: [DisplayText]

    private static let maximumOfALevel = 10
    private static let levels: [Finding.Severity] = [.error, .warning, .note]

    /// Creates the commands of a report.
    init(_ entries: [ReportEntry], paths: ReportPaths) {
        var reported: [ReportEntry] = []
        for level in Self.levels {
            reported += entries.filter { $0.level == level }.prefix(Self.maximumOfALevel)
        }
        if reported.count < entries.count {
            let notes = reported.count { $0.level == .note }
            // The count itself is a notice.
            if notes == Self.maximumOfALevel { reported.removeLast() }
            let rest = entries.count - reported.count
            let counts = Self.levels.compactMap { level -> String? in
                let count = entries.count { $0.level == level } - reported.count { $0.level == level }
                return count > 0 ? "\(count) \(level.rawValue)\(count == 1 ? "" : "s")" : nil
            }
            let text = "\(rest) more that GitHub does not show here: \(counts.joined(separator: ", "))"
            lines = reported.map { Self.line($0, paths) } + [Self.command("notice", [("title", "glass-host")], text)]
        } else {
            lines = reported.map { Self.line($0, paths) }
        }
    }

    private static func line(_ entry: ReportEntry, _ paths: ReportPaths) -> DisplayText {
        var properties = [
            ("file", paths.path(of: entry.position?.file)), ("line", "\(max(1, entry.position?.line ?? 1))"),
        ]
        if let position = entry.position, let column = position.column {
            properties.append(("col", "\(column)"))
            // GitHub ignores the columns of multiline ranges; `endColumn` is inclusive.
            if let end = entry.end, end.line == position.line, let last = end.column {
                properties.append(("endColumn", "\(max(column, last - 1))"))
            }
        }
        properties.append(("title", entry.rule))
        return command(entry.level == .note ? "notice" : entry.level.rawValue, properties, entry.message)
    }

    /// A command, in which GitHub's own escapes replace characters that its values must not contain
    /// ([toolkit](https://github.com/actions/toolkit/blob/main/packages/core/src/command.ts)).
    private static func command(_ name: String, _ properties: [(String, String)], _ message: String) -> DisplayText {
        let values = properties.map { key, value in "\(key)=" + escaped(DisplayText(value).plain, ":,") }
        return DisplayText("::\(name) \(values.joined(separator: ","))::\(escaped(DisplayText(lines: message).plain))")
    }

    /// Text in which a runner finds no command: neither `::name::` after optional spaces at the beginning of a line,
    /// nor the older `##[name]` anywhere in it
    /// ([runner](https://github.com/actions/runner/blob/main/src/Runner.Common/ActionCommand.cs)). A runner reads what
    /// a step writes to either stream.
    ///
    /// A JSON document keeps its meaning; none of its lines can begin with a command.
    static func withoutCommands(_ text: String, inJSON: Bool = false) -> String {
        withoutCommands(text, hash: inJSON ? "\\u0023" : "\\u{23}", areLines: !inJSON)
    }

    private static func withoutCommands(_ text: String, hash: String, areLines: Bool) -> String {
        // By scalars: in Swift, a line feed after a carriage return is part of one character, and so is a "#" after
        // some letters.
        let scalars = Array(text.unicodeScalars)
        var result = String.UnicodeScalarView()
        var isAtBeginning = true
        for (index, scalar) in scalars.enumerated() {
            let next = index + 1 < scalars.count ? scalars[index + 1] : nil
            if isAtBeginning, scalar == ":", next == ":", areLines {
                result.append(contentsOf: "\\u{3a}".unicodeScalars)
            } else if scalar == "#", next == "[", index > 0, scalars[index - 1] == "#" {
                result.append(contentsOf: hash.unicodeScalars)
            } else {
                result.append(scalar)
            }
            isAtBeginning =
                scalar == "\n" || scalar == "\r" || isAtBeginning && scalar.properties.isWhitespace
        }
        return String(result)
    }

    /// A value or a message of a command. A runner shows it in its log, where the older form is a command anywhere in a
    /// line.
    private static func escaped(_ text: String, _ more: String = "") -> String {
        // By scalars: in Swift, a comma and an accent after it are one character.
        withoutCommands(text, hash: "\\u{23}", areLines: false).unicodeScalars.reduce(into: "") { text, scalar in
            if scalar == "%" || scalar == "\r" || scalar == "\n" || more.unicodeScalars.contains(scalar) {
                text += (scalar.value < 16 ? "%0" : "%") + String(scalar.value, radix: 16, uppercase: true)
            } else {
                text.unicodeScalars.append(scalar)
            }
        }
    }
}
