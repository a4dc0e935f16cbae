package import GlassSchema
import LuaSyntax

extension Outline {
    /// The syntactic location of the cursor.
    enum CursorLocation: Equatable {
        /// Outside the returned table, or in a comment or function.
        case elsewhere
        /// The name of an entry.
        case key(Int)
        /// Between the entries of a table: a key or element can be inserted there, replacing a range of bytes.
        case gap(table: Int, replacing: Range<Int>)
        /// The value of an entry, or the position of a missing one.
        case value(Int)
    }

    /// The location at an offset.
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
        // A keyword may be the beginning of a key.
        let last = tree.tokens[tree.token(endingAfter: max(0, offset - 1))]
        if last.kind.isKeyword, last.upperBound == offset { return .gap(table: table, replacing: last.range) }
        return .gap(table: table, replacing: offset..<offset)
    }

    /// Whether a range contains only spaces and tabs.
    private func isBlank(_ range: Range<Int>) -> Bool {
        tree.bytes[range].allSatisfy { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
    }

    /// The entry at an offset, for hovers, definitions and references.
    func entry(at offset: Int) -> Int? {
        switch place(at: offset) {
        case .key(let entry), .value(let entry): entry
        case .gap, .elsewhere: nil
        }
    }

    /// The key at a position, or the one whose value is there; nil elsewhere.
    package func path(at position: SourcePosition) -> ConfigurationPath? {
        entry(at: TextLines(tree.bytes).offset(of: position)).map(path(of:))
    }

    /// The innermost table whose braces enclose an offset.
    func table(at offset: Int) -> Int? {
        var found: Int?
        var candidates = [0]
        while let next = candidates.popLast() {
            guard let braces = braces(of: next), tree.tokens[braces.open].upperBound <= offset else { continue }
            let end = tree.tokens[braces.close]
            // A table that is still open at the end of the file contains everything that follows.
            guard offset <= end.lowerBound || end.kind == .endOfFile else { continue }
            found = next
            candidates = entries[next].children.filter { entries[$0].table != nil }
        }
        return found
    }

    /// The end of an entry's value; if it is missing, the end of the blanks that follow the entry on its line.
    private func end(ofValueOf entry: Int) -> Int {
        let tokens = entries[entry].tokens
        let end = tree.range(of: tokens).upperBound
        guard tokens.isEmpty else { return end }
        return tree.bytes[end...].firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? tree.bytes.count
    }

    /// The names of a table's keys.
    func keys(of table: Int) -> Set<String> {
        Set(
            entries[table].children.compactMap {
                if entries[$0].keyToken != nil, case .key(let name) = entries[$0].key { name } else { nil }
            })
    }

    /// The context of text that is cut off within a name: the path of the table, and the beginning of the name.
    func pathAndPrefix(at offset: Int) -> (path: ConfigurationPath, prefix: String?)? {
        switch place(at: offset) {
        case .elsewhere: return nil
        case .key(let entry), .value(let entry): return (path(of: entry), nil)
        case .gap(let table, let replaced):
            // The range includes trailing blanks.
            let name = tree.bytes[replaced].prefix { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") }
            let prefix = name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
            return (path(of: table), prefix)
        }
    }
}
