import GlassSchema

/// Cuts a stream of bytes into messages, as the base protocol of the
/// [Language Server Protocol](https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#baseProtocol)
/// frames them: header lines, an empty line, and as many bytes as `Content-Length` says.
///
/// What has no length cannot be skipped, so a mistake in a header ends the stream. A body may be anything.
struct MessageSplitter {
    private var bytes: [UInt8] = []
    /// Where what was not taken yet begins.
    private var start = 0
    /// The length of the body whose header was read.
    private var length: Int?

    /// The longest body. Nothing is reserved for one before it is there.
    static let longestBody = 64 << 20
    /// The longest header line, and the longest header.
    static let longestLine = 4 << 10
    static let longestHeader = 16 << 10

    /// Adds what was read.
    mutating func append(_ more: some Sequence<UInt8>) {
        if start > 0, start == bytes.count || start > 1 << 16 {
            bytes.removeFirst(start)
            start = 0
        }
        bytes += more
    }

    /// Whether a message has begun and not ended.
    var isWithinMessage: Bool { length != nil || start < bytes.count }

    /// Takes the next body.
    mutating func next() throws(FramingError) -> [UInt8]? {
        if length == nil { length = try header() }
        guard let count = length, bytes.count - start >= count else { return nil }
        let body = Array(bytes[start..<start + count])
        start += count
        length = nil
        return body
    }

    /// Reads a header; nil until the line that ends it is there.
    private mutating func header() throws(FramingError) -> Int? {
        var place = start
        var length: Int?
        while true {
            guard let end = bytes[place...].prefix(Self.longestLine + 1).firstIndex(of: UInt8(ascii: "\n")) else {
                if bytes.count - place > Self.longestLine { throw FramingError("a header line is longer than 4 KB") }
                return nil
            }
            if end - start > Self.longestHeader { throw FramingError("a header is longer than 16 KB") }
            var line = bytes[place..<end]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            place = end + 1
            if line.isEmpty { break }
            try read(line, &length)
        }
        guard let length else { throw FramingError("a header has no Content-Length") }
        start = place
        return length
    }

    private func read(_ line: ArraySlice<UInt8>, _ length: inout Int?) throws(FramingError) {
        let text = String(decoding: line, as: UTF8.self)
        guard let colon = text.firstIndex(of: ":") else {
            throw FramingError("\(text.quotedForMessage) is no header line")
        }
        let value = text[text.index(after: colon)...].trimmingSpaces
        switch text[..<colon].trimmingSpaces.lowercased() {
        case "content-length":
            guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw FramingError("the Content-Length \(value.quotedForMessage) is no number")
            }
            guard let count = Int(value), count <= Self.longestBody else {
                throw FramingError("a message of \(value) bytes is larger than 64 MB")
            }
            if let length, length != count { throw FramingError("a header has two different lengths") }
            length = count
        case "content-type":
            // `utf8` is what early versions of the protocol wrote.
            let charset = value.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" } }
                .first { $0.hasPrefix("charset=") }
            guard let charset, !["charset=utf-8", "charset=utf8"].contains(charset) else { return }
            throw FramingError("the text of messages is UTF-8, not \(charset.dropFirst(8))")
        default: return
        }
    }

    /// Frames a body.
    static func framed(_ body: [UInt8]) -> [UInt8] {
        Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}

/// Why a stream cannot be cut into messages any more.
struct FramingError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, as a sentence.
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension StringProtocol {
    /// The text without the spaces and tabs around it.
    fileprivate var trimmingSpaces: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
