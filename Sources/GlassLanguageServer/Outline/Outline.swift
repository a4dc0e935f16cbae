import GlassSchema
import LuaBridge

/// What a market file says, as far as it is written out, whole or broken.
///
/// Beside the evaluation, which knows values and stops at the first mistake, this knows places and never stops: what is
/// completed, hovered or listed while somebody types comes from here. Where the braces of a text match, they are taken at
/// their word. Where they do not, names, the schema and indentation say what belongs to what, and ``isGuessed`` is true.
struct Outline: Sendable {
    /// One key or list element.
    struct Entry: Sendable {
        /// The table that has it, as an index of ``Outline/entries``; nil for the returned table.
        let parent: Int?
        /// The key, or the place in the list.
        let key: ConfigurationPath.Element
        /// The token of the name, or of the text in brackets; nil for a list element.
        var keyToken: Int?
        /// The tokens of the value; empty, at the token that follows, where there is none.
        var tokens: Range<Int>
        /// What the value is.
        var value: Value
        /// The entries of the table that the value is, or that a word is applied to.
        var children: [Int] = []
        /// The tokens of the braces of that table; the second one is where the table was taken to end.
        var braces: (open: Int, close: Int)?
    }

    /// What a value is.
    enum Value: Sendable, Equatable {
        /// Nothing stands behind the sign of equality.
        case missing
        case table
        case boolean(Bool)
        case integer(Int64)
        case number(Double)
        case string(String)
        /// A name by itself, as `unset`, or a key that is being written.
        case name(String)
        /// A word with its argument, which is a text; nil for a table or anything else.
        case word(String, argument: String?)
        case function
        /// A computed or broken value.
        case other
    }

    /// The text.
    let bytes: [UInt8]
    /// Its tokens; the last one is the end.
    let tokens: [LuaToken]
    /// The entries in the order of the text; the first one is the returned table. Empty where none was found.
    let entries: [Entry]
    /// Whether the braces do not match, so that tables end where it seemed likely.
    let isGuessed: Bool
    /// The pieces of the text that are functions.
    let functions: [Range<Int>]

    /// The largest text that is read.
    static let maximumTextBytes = 1 << 20

    /// Reads a text. Linear in its size.
    init(_ bytes: [UInt8], schema: SectionDeclaration?) {
        // Nobody writes so much by hand, and it is more than a market may be.
        var tokenizer = LuaTokenizer(bytes.count > Self.maximumTextBytes ? [] : bytes)
        var tokens: [LuaToken] = []
        repeat {
            tokens.append(tokenizer.next())
        } while tokens.last?.kind != .endOfFile
        var reader = OutlineReader(tokens, schema: nil)
        reader.read()
        isGuessed = !reader.isBalanced
        if isGuessed {
            reader = OutlineReader(tokens, schema: schema, isGuessing: true)
            reader.read()
        }
        self.bytes = bytes
        self.tokens = tokens
        entries = reader.entries
        functions = reader.functions.map {
            tokens[$0.lowerBound].range.lowerBound..<tokens[$0.upperBound - 1].range.upperBound
        }
    }

    // MARK: Places

    /// The bytes of some tokens; for none the place where they would stand.
    func range(of tokens: Range<Int>) -> Range<Int> {
        if tokens.isEmpty {
            let end = tokens.lowerBound > 0 ? self.tokens[tokens.lowerBound - 1].range.upperBound : 0
            return end..<end
        }
        return self.tokens[tokens.lowerBound].range.lowerBound..<self.tokens[tokens.upperBound - 1].range.upperBound
    }

    /// The bytes of an entry's name; those of the element for a list element.
    func keyRange(of entry: Int) -> Range<Int> {
        entries[entry].keyToken.map { tokens[$0].range } ?? range(of: entries[entry].tokens)
    }

    /// The bytes of an entry, from its name to the end of its value.
    func range(of entry: Int) -> Range<Int> {
        let value = range(of: entries[entry].tokens)
        let start = keyRange(of: entry).lowerBound
        return start..<max(start, value.upperBound)
    }

    /// The way from the returned table to an entry.
    func path(of entry: Int) -> ConfigurationPath {
        var elements: [ConfigurationPath.Element] = []
        var next = entry
        while let parent = entries[next].parent {
            elements.append(entries[next].key)
            next = parent
        }
        return ConfigurationPath(elements.reversed())
    }

    /// Whether an entry is at a path, if the returned table is at another one. Most are not, which shows at their own key:
    /// nothing is made of the way there.
    func isAt(_ entry: Int, _ path: ConfigurationPath, below prefix: ConfigurationPath) -> Bool {
        var rest = path.elements[...]
        var next = entry
        while let parent = entries[next].parent {
            guard rest.popLast() == entries[next].key else { return false }
            next = parent
        }
        return rest.elementsEqual(prefix.elements)
    }

    /// Whether an entry is an element of `waitForPreconditions`.
    func isWaitingName(_ entry: Int) -> Bool {
        guard case .index = entries[entry].key, let parent = entries[entry].parent else { return false }
        return entries[parent].key == .key("waitForPreconditions")
    }

    /// The path of an entry, or its end where it is long: the paths of a deep text are together as long as its square.
    func shortPath(of entry: Int) -> String {
        var elements: [ConfigurationPath.Element] = []
        var (next, length) = (entry, 0)
        while let parent = entries[next].parent {
            if case .key(let name) = entries[next].key { length += name.utf8.count }
            length += 2
            guard length <= 256 else { return "…" + ConfigurationPath(elements.reversed()).description }
            elements.append(entries[next].key)
            next = parent
        }
        return ConfigurationPath(elements.reversed()).description
    }

    /// The entry at a path; of one that is there twice the last, which is the one that Lua keeps.
    func entry(at path: ConfigurationPath) -> Int? {
        guard !entries.isEmpty else { return nil }
        var found = 0
        for element in path.elements {
            guard let next = entries[found].children.last(where: { entries[$0].key == element && !isBareName($0) })
            else {
                return nil
            }
            found = next
        }
        return found
    }

    /// Whether an entry is a name by itself: in a section the beginning of a key.
    func isBareName(_ entry: Int) -> Bool {
        if case .name = entries[entry].value { return entries[entry].keyToken == nil }
        return false
    }

    /// Where a token stands.
    func position(of token: Int, in file: String) -> SourcePosition {
        SourcePosition(file: file, line: tokens[token].line, column: tokens[token].column)
    }

    /// The index of the first token that ends behind a place.
    func token(endingBehind offset: Int) -> Int {
        var (low, high) = (0, tokens.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if tokens[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether a place is within a comment, or at its end.
    func isInComment(_ offset: Int) -> Bool {
        let next = token(endingBehind: offset)
        guard tokens[next].range.lowerBound >= offset else { return false }
        var index = next > 0 ? tokens[next - 1].range.upperBound : 0
        while index + 1 < offset {
            guard bytes[index] == UInt8(ascii: "-"), bytes[index + 1] == UInt8(ascii: "-") else {
                index += 1
                continue
            }
            let end = endOfComment(at: index)
            if offset <= end.place { return offset > index + 1 && (offset < end.place || !end.isLong) }
            index = end.place
        }
        return false
    }

    /// Where a comment ends, without the line end.
    func endOfComment(at start: Int) -> (place: Int, isLong: Bool) {
        var index = start + 2
        if index < bytes.count, bytes[index] == UInt8(ascii: "[") {
            let level = bytes[(index + 1)...].prefix { $0 == UInt8(ascii: "=") }.count
            if index + 1 + level < bytes.count, bytes[index + 1 + level] == UInt8(ascii: "[") {
                let closing =
                    [UInt8(ascii: "]")] + Array(repeating: UInt8(ascii: "="), count: level) + [UInt8(ascii: "]")]
                index += 2 + level
                while index + closing.count <= bytes.count {
                    if bytes[index] == closing[0], bytes[index..<index + closing.count].elementsEqual(closing) {
                        return (index + closing.count, true)
                    }
                    index += 1
                }
                return (bytes.count, true)
            }
        }
        let end = bytes[index...].firstIndex { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") }
        return (end ?? bytes.count, false)
    }
}

extension Outline {
    /// The comments, neighbouring lines of them as one.
    var comments: [Range<Int>] {
        var found: [Range<Int>] = []
        var place = 0
        for token in tokens {
            var run: Range<Int>?
            while place + 1 < token.range.lowerBound {
                guard bytes[place] == UInt8(ascii: "-"), bytes[place + 1] == UInt8(ascii: "-") else {
                    place += 1
                    continue
                }
                let end = endOfComment(at: place).place
                run = (run?.lowerBound ?? place)..<end
                place = end
            }
            if let run { found.append(run) }
            place = token.range.upperBound
        }
        return found
    }
}
