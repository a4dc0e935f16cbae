import GlassBase

/// The parameters of a request; errors name what is missing.
struct Parameters {
    let json: StrictJSON
    private let method: String

    init(_ json: StrictJSON, of method: String) {
        self.json = json
        self.method = method
    }

    func invalid(_ what: String) -> ResponseError {
        ResponseError(.invalidParams, "\(method) needs \(what)")
    }

    /// The document that the request is about.
    func uri() throws(ResponseError) -> String {
        guard let uri = json["textDocument", "uri"]?.stringValue else { throw invalid("textDocument.uri, a string") }
        return uri
    }

    /// The position that the request is about.
    func position() throws(ResponseError) -> ClientPosition {
        guard let position = json["position"].flatMap(ClientPosition.init) else {
            throw invalid("position, with line and character from 0")
        }
        return position
    }

    /// The range that the request is about.
    func range() throws(ResponseError) -> ClientRange {
        guard let range = json["range"].flatMap(ClientRange.init) else {
            throw invalid("range, with start and end")
        }
        return range
    }
}

/// A position in the client's terms: lines from 0, and the number of code units before it.
struct ClientPosition: Hashable, Comparable {
    var line: Int
    var character: Int

    init(line: Int, character: Int) {
        self.line = line
        self.character = character
    }

    /// Parses a position; nil if the value is invalid.
    init?(_ json: StrictJSON) {
        guard let line = json["line"]?.intValue, let character = json["character"]?.intValue, line >= 0, character >= 0
        else { return nil }
        self.init(line: line, character: character)
    }

    var json: StrictJSON { .record(["line": .number(line), "character": .number(character)]) }

    static func < (one: Self, other: Self) -> Bool {
        (one.line, one.character) < (other.line, other.character)
    }
}

/// A range in the client's terms.
struct ClientRange: Hashable {
    var start: ClientPosition
    var end: ClientPosition

    init(_ start: ClientPosition, _ end: ClientPosition) {
        self.start = start
        self.end = end
    }

    /// Parses a range; nil if the value is invalid.
    init?(_ json: StrictJSON) {
        guard let start = json["start"].flatMap(ClientPosition.init), let end = json["end"].flatMap(ClientPosition.init)
        else { return nil }
        self.init(min(start, end), max(start, end))
    }

    var json: StrictJSON { .record(["start": start.json, "end": end.json]) }

    /// Whether two ranges overlap or touch.
    func touches(_ other: ClientRange) -> Bool { start <= other.end && other.start <= end }
}
