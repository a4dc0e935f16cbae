package import GlassBase
import Foundation
package import GlassSchema

/// Where results and messages go, and whether they are coloured.
package struct Console {
    /// What the command runs in.
    private let context: CommandContext
    private let isColoured: Bool
    private let areErrorsColoured: Bool
    /// Whether a runner of GitHub Actions reads results, and would obey a command in them.
    private let isInLog: Bool
    /// Whether the user asked for less.
    package let isQuiet: Bool
    /// Whether results are JSON.
    package let isJSON: Bool
    /// Whether the user asked for more.
    package let isVerbose: Bool
    /// What may still be printed; nil where results come as long as the input or the user goes on.
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
        func colours(_ stream: StandardStream) -> Bool {
            switch options.color {
            case .always: true
            case .never: false
            case .auto:
                stream.isTerminal && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
            }
        }
        isColoured = colours(context.output)
        areErrorsColoured = colours(context.errors)
    }

    /// How wide results may be: what `COLUMNS` says, else the columns of the terminal that standard output is; nil for no
    /// limit.
    package var width: Int? {
        if let columns = context.environment["COLUMNS"].flatMap({ Int($0) }), columns > 0 {
            return columns
        }
        return context.output.columns
    }

    /// How many columns a terminal has; nil for what is none, or does not know.
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

    /// Prints a part of the result that has its line breaks.
    package func write(_ text: DisplayText) {
        budget?.spend(text.byteCount)
        context.output.write(text, isColoured: isColoured)
    }

    /// Prints a part of the result that has its line breaks, and that people read.
    func write(forPeople text: DisplayText) {
        budget?.spend(text.byteCount)
        context.output.write(text, isColoured: isColoured, isForLog: isInLog)
    }

    /// The same console for one of several results, which has a limit of its own.
    func forOneResult(limit: Int) -> Console {
        var console = self
        console.budget = OutputLimit(bytes: limit)
        return console
    }

    /// Prints what a script prints: beside a JSON result, which it would break, to standard error.
    func printed(_ text: DisplayText) {
        guard isJSON else { return write(text) }
        budget?.spend(text.byteCount)
        context.errors.write(text)
    }

    /// Prints a part of the result.
    package func result(_ text: DisplayText) {
        write(forPeople: text + "\n")
    }

    /// Prints a part of the result, on several lines where it is wider than the terminal.
    func result(_ text: DisplayText, wrappedBy indent: Int) {
        result(width.map { text.wrapped(to: $0, indent: indent) } ?? text)
    }

    /// Prints a result as one JSON object with sorted keys.
    package func result(json value: some Encodable) throws {
        try document(json: Envelope(value: value))
    }

    /// Whether a person reads the result, so that what cannot be seen is written out.
    var isForPeople: Bool { isColoured || context.output.isTerminal }

    /// Prints a result that another program reads byte for byte.
    func result(bytes: [UInt8]) {
        budget?.spend(bytes.count)
        context.output.write(bytes: bytes)
    }

    /// Prints a generated document: as it is, or as the value of a key where results are JSON.
    func document(_ name: String, _ text: String) throws {
        guard isJSON else { return write(DisplayText(lines: text)) }
        try result(json: [name: text])
    }

    /// Prints a generated JSON document, which has a shape of its own.
    package func document(json value: some Encodable) throws {
        write(json: try Self.encoder.encode(value))
    }

    /// Prints a result as one JSON object with sorted keys on one line.
    func line(json value: some Encodable) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        write(json: try encoder.encode(Envelope(value: value)))
    }

    private func write(json data: Data) {
        let text = String(decoding: data, as: UTF8.self)
        write(DisplayText(json: isInLog ? GitHubAnnotations.withoutCommands(text, inJSON: true) : text) + "\n")
    }

    /// A line of a difference, its sign coloured.
    package func coloured(_ line: String) -> DisplayText {
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
        context.errors.write(text + "\n", isColoured: areErrorsColoured)
    }

    /// Whether standard error can show a line that moves.
    var showsProgress: Bool { context.errors.isTerminal && context.environment["TERM"] != "dumb" && !isQuiet }

    /// Prints what belongs beside a result to standard error; from any thread.
    func aside(_ text: DisplayText) { context.errors.write(text) }

    /// Prints to standard error.
    package static func message(_ text: DisplayText) {
        StandardStream.errors.write(text + "\n")
    }

    /// A diagnostic with the line it is about.
    package func text(of finding: Finding) -> DisplayText {
        var lines = [finding.headline]
        if let excerpt = SourceExcerpt(finding) {
            lines.append(excerpt.lines(width: width ?? 120))
        }
        lines += [finding.hintLine, finding.tracebackLines].compactMap(\.self)
        return lines.joined(separator: "\n")
    }
}

/// A result with the version of its shape beside its keys.
private struct Envelope<Value: Encodable>: Encodable {
    let value: Value

    private enum Key: String, CodingKey {
        case schema
    }

    func encode(to encoder: any Encoder) throws {
        try value.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
    }
}
