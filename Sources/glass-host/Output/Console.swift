import Foundation
import GlassSchema

/// Where results and messages go, and whether they are coloured.
struct Console {
    private let isColoured: Bool
    /// Whether the user asked for less.
    let isQuiet: Bool
    /// Whether results are JSON.
    let isJSON: Bool
    /// Whether the user asked for more.
    let isVerbose: Bool

    init(_ options: GlobalOptions) {
        isJSON = options.format == .json
        isQuiet = options.quiet
        isVerbose = options.verbose
        let environment = ProcessInfo.processInfo.environment
        isColoured =
            switch options.color {
            case .always: true
            case .never: false
            case .auto:
                isatty(STDOUT_FILENO) == 1 && (environment["NO_COLOR"] ?? "").isEmpty && environment["TERM"] != "dumb"
            }
    }

    private static var encoder: JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        return encoder
    }

    /// Prints a part of the result.
    func result(_ text: String) {
        StandardStream.output.write(text + "\n")
    }

    /// Prints a result as one JSON object with sorted keys.
    func result(json value: some Encodable) throws {
        result(String(decoding: try Self.encoder.encode(Envelope(value: value)), as: UTF8.self))
    }

    /// Prints a generated document: as it is, or as the value of a key where results are JSON.
    func document(_ name: String, _ text: String) throws {
        guard isJSON else { return StandardStream.output.write(text) }
        try result(json: [name: text])
    }

    /// Prints a generated JSON document, which has a shape of its own.
    func document(json value: some Encodable) throws {
        result(String(decoding: try Self.encoder.encode(value), as: UTF8.self))
    }

    /// Prints an error.
    func error(_ text: String) {
        Self.message(text)
    }

    /// Prints to standard error.
    static func message(_ text: String) {
        StandardStream.errors.write(text + "\n")
    }

    /// A diagnostic, its severity coloured.
    func text(of finding: Finding) -> String {
        let text = finding.description
        let word = "\(finding.severity.rawValue): "
        guard isColoured, let range = text.range(of: word) else { return text }
        return text.replacingCharacters(
            in: range, with: styled(word, finding.severity == .error ? .red : .yellow))
    }

    enum Style: String {
        case red = "31"
        case green = "32"
        case yellow = "33"
        case bold = "1"
        case dim = "2"
    }

    /// A text in a style, where results are coloured.
    func styled(_ text: String, _ style: Style) -> String {
        isColoured ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
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
