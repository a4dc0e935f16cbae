/// A text to which the changes of one message are applied.
///
/// The text is split into pieces of a few kilobytes. A change rebuilds only the pieces that it touches, so that
/// thousands of changes to a long text, even in a single line, cost no more than a few copies of it.
struct EditedText {
    private struct Piece {
        let lines: TextLines
        /// The length of the last line, which continues in the next piece.
        let lastLine: Int
    }

    private var pieces: [Piece]
    private let encoding: PositionEncoding

    private static let pieceLength = 4096

    init(_ bytes: [UInt8], _ encoding: PositionEncoding) {
        self.encoding = encoding
        pieces = Self.pieces(of: bytes, encoding)
    }

    /// The whole text.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(pieces.reduce(0) { $0 + $1.lines.bytes.count })
        for piece in pieces { bytes += piece.lines.bytes }
        return bytes
    }

    /// Replaces a range.
    mutating func replace(_ range: ClientRange, with text: String) {
        let start = place(of: range.start)
        var end = place(of: range.end)
        if end < start { end = start }
        var (first, last) = (start.piece, end.piece)
        var changed = Array(pieces[first].lines.bytes[..<start.offset])
        changed += text.utf8
        changed += pieces[last].lines.bytes[end.offset...]
        // Keep both bytes of a line break in one piece, and avoid an accumulation of small pieces.
        while last + 1 < pieces.count,
            changed.count < Self.pieceLength / 4 || Self.isLineEnd(changed, pieces[last + 1].lines.bytes)
        {
            last += 1
            changed += pieces[last].lines.bytes
        }
        if first > 0, Self.isLineEnd(pieces[first - 1].lines.bytes, changed) {
            first -= 1
            changed = pieces[first].lines.bytes + changed
        }
        let new = changed.isEmpty && last - first + 1 < pieces.count ? [] : Self.pieces(of: changed, encoding)
        pieces.replaceSubrange(first...last, with: new)
    }

    /// The piece that contains a position, and the offset in it.
    private func place(of position: ClientPosition) -> (piece: Int, offset: Int) {
        var position = position
        for (index, piece) in pieces.dropLast().enumerated() {
            let lineEnds = piece.lines.count - 1
            if position.line < lineEnds || position.line == lineEnds && position.character < piece.lastLine {
                return (index, piece.lines.offset(of: position, encoding))
            }
            if position.line == lineEnds { position.character -= piece.lastLine }
            position.line -= lineEnds
        }
        return (pieces.count - 1, pieces[pieces.count - 1].lines.offset(of: position, encoding))
    }

    /// Whether a line break is split between the end of one text and the beginning of the next.
    private static func isLineEnd(_ one: [UInt8], _ next: [UInt8]) -> Bool {
        one.last == UInt8(ascii: "\r") && next.first == UInt8(ascii: "\n")
    }

    /// Splits a text into at least one piece of roughly equal lengths.
    private static func pieces(of bytes: [UInt8], _ encoding: PositionEncoding) -> [Piece] {
        let length = bytes.count / max(1, bytes.count / pieceLength) + 1
        var pieces: [Piece] = []
        var start = 0
        repeat {
            var end = min(start + length, bytes.count)
            // Split neither a character nor a line break.
            while end < bytes.count,
                bytes[end] & 0xC0 == 0x80 || bytes[end] == UInt8(ascii: "\n") && bytes[end - 1] == UInt8(ascii: "\r")
            {
                end += 1
            }
            let lines = TextLines(Array(bytes[start..<end]))
            pieces.append(Piece(lines: lines, lastLine: lines.position(of: lines.bytes.count, encoding).character))
            start = end
        } while start < bytes.count
        return pieces
    }
}
