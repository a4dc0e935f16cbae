import GlassSchema

/// Splits a byte stream into messages, as framed by the base protocol of the
/// [Language Server Protocol](https://microsoft.github.io/language-server-protocol/specifications/lsp/3.17/specification/#baseProtocol):
/// header lines, an empty line, and as many bytes as `Content-Length` specifies.
///
/// Without a length, a body cannot be skipped, so an invalid header ends the stream. The body may be anything.
package struct MessageSplitter {
    /// A message, or the length of one that was skipped because it is too long.
    package enum Message: Equatable {
        case body([UInt8])
        case skipped(length: Int)
    }

    private var bytes: [UInt8] = []
    /// The start of the unread bytes.
    private var start = 0
    /// The start of the current header line. Each byte of a header is examined once, however it arrives.
    private var lineStart = 0
    /// The end of the part of that line that has been searched for a line break.
    private var searched = 0
    /// The `Content-Length` in the header lines so far.
    private var announced: Int?
    /// The length of the body whose header is complete.
    private var length: Int?
    /// The number of bytes of a skipped body that are still to come.
    private var left = 0
    /// The number of header bytes that were examined.
    package private(set) var examined = 0

    /// The maximum length of a body; longer ones cannot be legitimate. No memory is reserved before the bytes arrive.
    static let maximumBodyLength = 64 << 20
    /// The maximum length of a body that isn't skipped: enough for an edit of the largest supported document.
    static let maximumMessageLength = 16 << 20
    /// The maximum length of a header line.
    static let maximumLineLength = 4 << 10
    /// The maximum length of a header.
    static let maximumHeaderLength = 16 << 10

    package init() {}

    /// Appends bytes that were read.
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

    /// Whether the stream is in the middle of a message.
    package var isWithinMessage: Bool { length != nil || left > 0 || start < bytes.count }

    /// Removes and returns the next message. After an error there are no more messages.
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

    /// Reads a header; nil until its last line has arrived.
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
            throw FramingError("\(text.quotedForMessage) is not a header line")
        }
        let value = text[text.index(after: colon)...].trimmingSpaces
        switch text[..<colon].trimmingSpaces.lowercased() {
        case "content-length":
            guard !value.isEmpty, value.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
                throw FramingError("the Content-Length \(value.quotedForMessage) is not a number")
            }
            guard let count = Int(value), count <= Self.maximumBodyLength else {
                throw FramingError("the Content-Length \(value.quotedForMessage) is larger than 64 MB")
            }
            if let length, length != count { throw FramingError("a header has two different lengths") }
            length = count
        case "content-type":
            // Early versions of the protocol used `utf8`.
            let charset = value.lowercased().split(separator: ";").map { $0.filter { $0 != " " && $0 != "\"" } }
                .first { $0.hasPrefix("charset=") }
            guard let charset, !["charset=utf-8", "charset=utf8"].contains(charset) else { return }
            throw FramingError("messages must be UTF-8, not \(String(charset.dropFirst(8)).quotedForMessage)")
        default: return
        }
    }

    /// Frames a body.
    static func framed(_ body: [UInt8]) -> [UInt8] {
        Array("Content-Length: \(body.count)\r\n\r\n".utf8) + body
    }
}

/// The reason that a stream cannot be split any further.
package struct FramingError: Error, Equatable, CustomStringConvertible {
    /// A description of the error.
    package let description: String

    init(_ description: String) {
        self.description = description
    }
}

extension StringProtocol {
    /// The string without leading and trailing spaces and tabs.
    fileprivate var trimmingSpaces: String {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        return String(drop(while: isSpace).reversed().drop(while: isSpace).reversed())
    }
}
