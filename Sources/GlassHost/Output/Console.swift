package import GlassBase
import Foundation
package import GlassSchema

/// Prints the results and messages of a command, in color if enabled.
package struct Console {
    /// The context of the command.
    private let context: CommandContext
    private let isColored: Bool
    private let areErrorsColored: Bool
    /// Whether a GitHub Actions runner reads the results, and would execute workflow commands in them.
    private let isInLog: Bool
    /// Whether to omit warnings, passed tests, and summaries.
    package let isQuiet: Bool
    /// Whether results are JSON.
    package let isJSON: Bool
    /// Whether to print more detail.
    package let isVerbose: Bool
    /// The limit for the rest of the output; nil if results continue for as long as the input or the user does.
    private var budget: OutputLimit?

    /// Creates the console of a command.
    init(_ options: GlobalOptions, resultLimit: Int?) {
        context = .current
        budget = resultLimit.map { OutputLimit(bytes: $0) }
        isJSON = options.format == .json
        isQuiet = options.quiet
        isVerbose = options.verbose
        let environment = context.environment
        isInLog = environment["GITHUB_ACTIONS"] == "true"
        func colors(_ stream: StandardStream) -> Bool {
            switch options.color {
            case .always: true
            case .never: false
            case .auto:
                stream.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
            }
        }
        isColored = colors(context.output)
        areErrorsColored = colors(context.errors)
    }

    /// The maximum width of results: the value of `COLUMNS`, or else the width of the terminal on standard output; nil
    /// for no limit.
    package var width: Int? {
        if let columns = context.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return columns
        }
        return context.output.columns
    }

    /// The number of columns of a terminal; nil if the descriptor is not a terminal, or if its size is unknown.
    static func columns(of descriptor: Int32) -> Int? {
        var size = winsize()
        guard isatty(descriptor) == 1, ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else {
            return nil
        }
        return Int(size.ws_col)
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Prints a part of the result, including its line breaks.
    package func write(_ text: DisplayText) {
        introduce()
        budget?.spend(text.byteCount)
        context.output.write(text, isColored: isColored)
    }

    /// Prints a part of the result that people read, including its line breaks.
    func write(forPeople text: DisplayText) {
        introduce()
        budget?.spend(text.byteCount)
        context.output.write(text, isColored: isColored, isForLog: isInLog)
    }

    private func introduce() {
        if let text = context.takeIntroduction() { error(text) }
    }

    /// Prints a note before the first result, for people.
    func introduceResult(with note: DisplayText) {
        guard !isQuiet, !isJSON else { return }
        context.introduceResult(with: "\("note", .dim): \(note)")
    }

    /// Returns the console with a separate output limit, for one of several results.
    func forOneResult(limit: Int) -> Console {
        var console = self
        console.budget = OutputLimit(bytes: limit)
        return console
    }

    /// Prints the output of a script; to standard error if the result is JSON, which the output would corrupt.
    func printed(_ text: DisplayText) {
        guard isJSON else { return write(text) }
        budget?.spend(text.byteCount)
        context.errors.write(text)
    }

    /// Prints a part of the result.
    package func result(_ text: DisplayText) {
        write(forPeople: text + "\n")
    }

    /// Prints a part of the result, wrapped if it is wider than the terminal.
    func result(_ text: DisplayText, wrappedBy indent: Int) {
        result(width.map { text.wrapped(to: $0, indent: indent) } ?? text)
    }

    /// Prints a result as one JSON object with sorted keys.
    package func result(json object: JSONObject) throws { try document(json: object.withSchema) }

    /// Whether a person reads the result, so that invisible characters are escaped.
    var isForPeople: Bool { isColored || context.output.isTerminal }

    /// Prints a result that another program reads byte for byte.
    func result(bytes: [UInt8]) {
        budget?.spend(bytes.count)
        context.output.write(bytes: bytes)
    }

    /// Prints a generated document, unchanged or, if results are JSON, as the value of a key.
    func document(_ name: String, _ text: String) throws {
        guard isJSON else { return write(DisplayText(lines: text)) }
        try result(json: [name: text])
    }

    /// Prints a generated JSON document, which has its own structure.
    package func document(json value: some Encodable) throws {
        write(json: try Self.encoder.encode(value))
    }

    /// Prints a result as one JSON object with sorted keys on one line.
    func line(json object: JSONObject) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        write(json: try encoder.encode(object.withSchema))
    }

    private func write(json data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        write(DisplayText(json: isInLog ? GitHubAnnotations.withoutCommands(text, inJSON: true) : text) + "\n")
    }

    /// A line of a difference, with its sign in color.
    package func colored(_ line: String) -> DisplayText {
        let text = DisplayText(line)
        guard let sign = line.first, line.dropFirst().first == " " else { return text }
        switch sign {
        case "+": return text.styled(.green)
        case "-": return text.styled(.red)
        case "~": return text.styled(.yellow)
        default: return text
        }
    }

    /// Prints an error.
    package func error(_ text: DisplayText) {
        context.errors.write(text + "\n", isColored: areErrorsColored)
    }

    /// Whether standard error can show a progress line.
    var showsProgress: Bool { context.errors.isTerminal && context.environment["TERM"] != "dumb" && !isQuiet }

    /// Prints text that accompanies a result to standard error. Can be called from any thread.
    func aside(_ text: DisplayText) { context.errors.write(text) }

    /// Prints to standard error.
    package static func message(_ text: DisplayText) {
        StandardStream.errors.write(text + "\n")
    }

    /// A finding, with its source line.
    package func text(of finding: Finding) -> DisplayText {
        var lines = [finding.headline]
        if let excerpt = SourceExcerpt(finding) {
            lines.append(excerpt.lines(width: width ?? 120))
        }
        lines += [finding.situationLine, finding.hintLine, finding.tracebackLines].compactMap(\.self)
        return lines.joined(separator: "\n")
    }
}

extension JSONObject {
    /// The object with the version of its structure.
    fileprivate var withSchema: JSONObject {
        var object = self
        object["schema"] = 1
        return object
    }
}
