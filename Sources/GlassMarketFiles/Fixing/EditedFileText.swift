import GlassSchema

/// A file while it is fixed, which remembers what of it came from where.
struct EditedFileText {
    /// What the file holds.
    let original: [UInt8]
    /// What it is to hold.
    private(set) var bytes: [UInt8]
    /// The edits of each round, in the order of the text before it.
    private var rounds: [[(bytes: Range<Int>, count: Int)]] = []

    init(_ bytes: [UInt8]) {
        original = bytes
        self.bytes = bytes
    }

    /// Makes edits that do not overlap.
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

    /// Where a byte of the text stood in the file; for one that an edit wrote, where the edit is.
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
