import GlassSchema

/// Cuts a stream of bytes into messages, as the base protocol of the
/// [Language Server Protocol](https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#baseProtocol)
/// frames them: header lines, an empty line, and as many bytes as `Content-Length` says.
///
/// What has no length cannot be skipped, so a mistake in a header ends the stream. A body may be anything.
package struct MessageSplitter {
    /// A message, or one that is too long to be kept.
    package enum Message: Equatable {
        case body([UInt8])
        case skipped(length: Int)
    }

    private var bytes: [UInt8] = []
    /// Where what was not taken yet begins.
    private var start = 0
    /// Where the header line begins that is being read. No byte of a header is looked at twice, however it arrives.
    private var lineStart = 0
    /// How far that line was searched for its end.
    private var searched = 0
    /// What the lines of the header said so far.
    private var announced: Int?
    /// The length of the body whose header was read.
    private var length: Int?
    /// How much of a body that is too long is still to come.
    private var left = 0
    /// How many bytes of headers were looked at.
    package private(set) var examined = 0

    /// The longest body; a longer one cannot be meant. Nothing is reserved for one before it is there.
    static let maximumBodyLength = 64 << 20
    /// The longest body that is kept: an edit of the longest text that is read takes less.
    static let maximumMessageLength = 16 << 20
    /// The longest header line, and the longest header.
    static let maximumLineLength = 4 << 10
    static let maximumHeaderLength = 16 << 10

    package init() {}

    /// Adds what was read.
    package mutating func append(_ more: some Collection<UInt8>) {
        let dropped = min(left, more.count)
        left -= dropped
        if start > 0, start == bytes.count || start > 1 << 16 {
            bytes.removeFirst(start)
            lineStart -= start
            searched -= start
            start = 0
        }
        bytes += more.dropFirst(dropped)
    }

    /// Whether a message has begun and not ended.
    package var isWithinMessage: Bool { length != nil || left > 0 || start < bytes.count }

    /// Takes the next message. After an error there is none any more.
    package mutating func next() throws(FramingError) -> Message? {
        guard left == 0 else { return nil }
        if length == nil { length = try header() }
        guard let count = length else { return nil }
        if count > Self.maximumMessageLength {
            let present = min(count, bytes.count - start)
            left = count - present
            take(present)
            return .skipped(length: count)
        }
        guard bytes.count - start >= count else { return nil }
        let body = Array(bytes[start..<start + count])
        take(count)
        return .body(body)
    }

    private mutating func take(_ count: Int) {
        start += count
        (lineStart, searched) = (start, start)
        length = nil
    }

    /// Reads a header; nil until the line that ends it is there.
    private mutating func header() throws(FramingError) -> Int? {
        while true {
            let most = min(bytes.count, lineStart + Self.maximumLineLength + 1)
            guard let end = bytes[searched..<max(searched, most)].firstIndex(of: UInt8(ascii: "\n")) else {
                examined += max(searched, most) - searched
                searched = max(searched, most)
                if most - lineStart > Self.maximumLineLength { throw FramingError("a header line is longer than 4 KB") }
                return nil
            }
            examined += end + 1 - searched
            if end - start > Self.maximumHeaderLength { throw FramingError("a header is longer than 16 KB") }
            var line = bytes[lineStart..<end]
            if line.last == UInt8(ascii: "\r") { line.removeLast() }
            (lineStart, searched) = (end + 1, end + 1)
            if line.isEmpty { break }
            try read(line, &announced)
        }
        guard let length = announced else { throw FramingError("a header has no Content-Length") }
        announced = nil
        start = lineStart
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
            guard let count = Int(value), count <= Self.maximumBodyLength else {
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
package struct FramingError: Error, Equatable, CustomStringConvertible {
    /// What is wrong, as a sentence.
    package let description: String

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
