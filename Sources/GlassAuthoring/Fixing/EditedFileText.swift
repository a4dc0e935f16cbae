import GlassSchema

/// The text of a file while fixes are applied; maps offsets back to the original.
struct EditedFileText {
    /// The contents of the file before the fixes.
    let original: [UInt8]
    /// The contents with the fixes that were applied so far.
    private(set) var bytes: [UInt8]
    /// The edits of each round, by their offsets in the text before the round.
    private var rounds: [[(bytes: Range<Int>, count: Int)]] = []

    init(_ bytes: [UInt8]) {
        original = bytes
        self.bytes = bytes
    }

    /// Applies edits that do not overlap.
    mutating func apply(_ edits: [SourceEdit]) {
        var changed: [UInt8] = []
        var place = 0
        let edits = edits.sorted { $0.bytes.lowerBound < $1.bytes.lowerBound }
        for edit in edits {
            changed += bytes[place..<edit.bytes.lowerBound]
            changed += edit.text.utf8
            place = edit.bytes.upperBound
        }
        bytes = changed + bytes[place...]
        rounds.append(edits.map { ($0.bytes, $0.text.utf8.count) })
    }

    /// The offset of a byte in the original file; for a byte that an edit inserted, the offset of the edit.
    func origin(of byte: Int) -> Int {
        var byte = byte
        for edits in rounds.reversed() {
            var moved = 0
            for edit in edits {
                let start = edit.bytes.lowerBound + moved
                if byte < start { break }
                if byte < start + edit.count {
                    byte = start
                    break
                }
                moved += edit.count - edit.bytes.count
            }
            byte -= moved
        }
        return byte
    }
}
