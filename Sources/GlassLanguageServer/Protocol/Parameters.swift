import GlassBase

/// What a request says, read with sentences for what is missing.
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
        guard let uri = json["textDocument", "uri"]?.stringValue else { throw invalid("textDocument.uri, a text") }
        return uri
    }

    /// The place that the request is about.
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

/// A place as clients count: lines from 0, and the units of the encoding before it.
struct ClientPosition: Hashable, Comparable {
    var line: Int
    var character: Int

    init(line: Int, character: Int) {
        self.line = line
        self.character = character
    }

    /// Reads a place; nil for what is none.
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

/// A piece of a text as clients count.
struct ClientRange: Hashable {
    var start: ClientPosition
    var end: ClientPosition

    init(_ start: ClientPosition, _ end: ClientPosition) {
        self.start = start
        self.end = end
    }

    /// Reads a range; nil for what is none.
    init?(_ json: StrictJSON) {
        guard let start = json["start"].flatMap(ClientPosition.init), let end = json["end"].flatMap(ClientPosition.init)
        else { return nil }
        self.init(min(start, end), max(start, end))
    }

    var json: StrictJSON { .record(["start": start.json, "end": end.json]) }

    /// Whether two ranges have a place in common; their ends count.
    func touches(_ other: ClientRange) -> Bool { start <= other.end && other.start <= end }
}
