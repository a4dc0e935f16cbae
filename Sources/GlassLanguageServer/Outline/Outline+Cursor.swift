import GlassSchema
import LuaBridge

extension Outline {
    /// What a place of the text is for.
    enum CursorLocation: Equatable {
        /// Outside of the returned table, in a comment, or in a function.
        case elsewhere
        /// The name of an entry.
        case key(Int)
        /// Between the entries of a table: a key or an element may be written there, in the place of some bytes.
        case gap(table: Int, replacing: Range<Int>)
        /// The value of an entry, or where it is missing.
        case value(Int)
    }

    /// What stands at a place, or could be written there.
    func place(at offset: Int) -> CursorLocation {
        guard !entries.isEmpty, !isInComment(offset),
            !functions.contains(where: { $0.lowerBound < offset && offset < $0.upperBound })
        else { return .elsewhere }
        guard let table = table(at: offset) else { return .elsewhere }
        for entry in entries[table].children.reversed() {
            let name = keyRange(of: entry)
            if name.lowerBound > offset { continue }
            if isBareName(entry), isBlank(name.upperBound..<max(name.upperBound, offset)) {
                return .gap(table: table, replacing: name.lowerBound..<max(name.upperBound, offset))
            }
            if offset <= name.upperBound { return entries[entry].keyToken == nil ? .value(entry) : .key(entry) }
            if offset <= end(ofValueOf: entry) { return .value(entry) }
            break
        }
        // A reserved word may be the beginning of a name.
        let last = token(endingBehind: max(0, offset - 1))
        if case .keyword = tokens[last].kind, tokens[last].range.upperBound == offset {
            return .gap(table: table, replacing: tokens[last].range)
        }
        return .gap(table: table, replacing: offset..<offset)
    }

    /// Whether there are only blanks, and no line ends.
    private func isBlank(_ range: Range<Int>) -> Bool {
        bytes[range].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// The way to what stands at a place, for hovers, definitions and references.
    func entry(at offset: Int) -> Int? {
        switch place(at: offset) {
        case .key(let entry), .value(let entry): entry
        case .gap, .elsewhere: nil
        }
    }

    /// The innermost table whose braces are around a place.
    func table(at offset: Int) -> Int? {
        var found: Int?
        var candidates = [0]
        while let next = candidates.popLast() {
            guard let braces = entries[next].braces, tokens[braces.open].range.upperBound <= offset,
                offset <= innerEnd(of: next)
            else { continue }
            found = next
            candidates = entries[next].children.filter { entries[$0].braces != nil }
        }
        return found
    }

    /// Where a table ends: at its brace, or where it was taken to end.
    private func innerEnd(of table: Int) -> Int {
        guard let close = entries[table].braces?.close else { return 0 }
        // What is open at the end takes what is still to be written.
        if tokens[close].kind == .endOfFile { return bytes.count }
        return tokens[close].range.lowerBound
    }

    /// Where the value of an entry ends, with the blanks before it on its line when it is missing.
    private func end(ofValueOf entry: Int) -> Int {
        let tokens = entries[entry].tokens
        let end = range(of: tokens).upperBound
        guard tokens.isEmpty else { return end }
        return bytes[end...].firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? bytes.count
    }

    /// The entries that a table has under names.
    func keys(of table: Int) -> Set<String> {
        Set(
            entries[table].children.compactMap {
                if entries[$0].keyToken != nil, case .key(let name) = entries[$0].key { name } else { nil }
            })
    }

    /// What the cut of a text in the middle of a name leaves: the path of the table, and the beginning of the name.
    func pathAndPrefix(at offset: Int) -> (path: ConfigurationPath, prefix: String?)? {
        switch place(at: offset) {
        case .elsewhere: return nil
        case .key(let entry), .value(let entry): return (path(of: entry), nil)
        case .gap(let table, let replaced):
            // With the blanks behind it.
            let name = bytes[replaced].prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            let prefix = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
            return (path(of: table), prefix)
        }
    }
}
