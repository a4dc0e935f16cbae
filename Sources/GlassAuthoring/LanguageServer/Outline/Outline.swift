import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

/// The literal structure of a market file, whether it parses or not.
///
/// While evaluation yields values and stops at the first error, the outline yields positions and never fails:
/// completion, hovers and symbols use it while the user types. Balanced braces are trusted. If braces don't match,
/// names, the schema and indentation determine the nesting, and ``isGuessed`` is true.
struct Outline: Sendable {
    /// One key or list element.
    struct Entry: Sendable {
        /// The table that contains it, as an index into ``Outline/entries``; nil for the returned table.
        let parent: Int?
        /// The key, or the index in the list.
        let key: ConfigurationPath.Element
        /// The token of the name, or of the string in brackets; nil for a list element.
        var keyToken: Int?
        /// The tokens of the value; an empty range at the next token if the value is missing.
        var tokens: Range<Int>
        /// The value.
        var value: Value
        /// The entries of the table that is the value or the argument of a directive.
        var children: [Int] = []
        /// The tokens of that table's braces; `close` is the assumed end if the brace is missing.
        var braces: (open: Int, close: Int)?
    }

    /// A value, if it is literal.
    enum Value: Sendable, Equatable {
        /// Nothing follows the equals sign.
        case missing
        case table
        case boolean(Bool)
        case integer(Int64)
        case number(Double)
        case string(String)
        /// A bare name, such as `unset`, or a key that is being typed.
        case name(String)
        /// A directive with its string argument; nil for a table or any other argument.
        case word(String, argument: String?)
        case function
        /// A computed or broken value.
        case other
    }

    /// The text.
    let bytes: [UInt8]
    /// The tokens; the last one is the end of the file.
    let tokens: [LuaToken]
    /// The entries in source order; the first one is the returned table. Empty if no table was found.
    let entries: [Entry]
    /// Whether braces don't match, so that the ends of tables are guesses.
    let isGuessed: Bool
    /// The ranges of functions.
    let functions: [Range<Int>]

    /// The maximum size of a document in bytes.
    static let maximumTextBytes = 1 << 20

    /// Parses a document. O(n) in its size.
    init(_ bytes: [UInt8], schema: SectionDeclaration?) {
        // Larger than hand-written files, and than a market may be.
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

    // MARK: Positions

    /// The bytes of a token range; for an empty range, the position at which its tokens would be.
    func range(of tokens: Range<Int>) -> Range<Int> {
        if tokens.isEmpty {
            let end = tokens.lowerBound > 0 ? self.tokens[tokens.lowerBound - 1].range.upperBound : 0
            return end..<end
        }
        return self.tokens[tokens.lowerBound].range.lowerBound..<self.tokens[tokens.upperBound - 1].range.upperBound
    }

    /// The bytes of an entry's name, or of the whole element in a list.
    func keyRange(of entry: Int) -> Range<Int> {
        entries[entry].keyToken.map { tokens[$0].range } ?? range(of: entries[entry].tokens)
    }

    /// The bytes of an entry, from its name to the end of its value.
    func range(of entry: Int) -> Range<Int> {
        let value = range(of: entries[entry].tokens)
        let start = keyRange(of: entry).lowerBound
        return start..<max(start, value.upperBound)
    }

    /// The path from the returned table to an entry.
    func path(of entry: Int) -> ConfigurationPath {
        var elements: [ConfigurationPath.Element] = []
        var next = entry
        while let parent = entries[next].parent {
            elements.append(entries[next].key)
            next = parent
        }
        return ConfigurationPath(elements.reversed())
    }

    /// Whether an entry is at a path, given the path of the returned table. Compares from the innermost key, because
    /// most entries differ there; builds no paths.
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

    /// The path of an entry, truncated to its end if long: the total length of all paths grows quadratically with the
    /// depth of a document.
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

    /// The entry at a path. The last one if a key is repeated, like in Lua.
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

    /// Whether an entry is a bare name: in a section, the beginning of a key.
    func isBareName(_ entry: Int) -> Bool {
        if case .name = entries[entry].value { return entries[entry].keyToken == nil }
        return false
    }

    /// The source position of a token.
    func position(of token: Int, in file: String) -> SourcePosition {
        SourcePosition(file: file, line: tokens[token].line, column: tokens[token].column)
    }

    /// The index of the first token that ends after an offset.
    func token(endingBehind offset: Int) -> Int {
        var (low, high) = (0, tokens.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if tokens[middle].range.upperBound <= offset { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Whether an offset is within a comment or at its end.
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

    /// The end of a comment, without the line break, and whether it is a long comment.
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
    /// The comments, with those between two tokens merged.
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

extension Outline {
    /// The findings about literal keys and values, for text that Lua cannot parse.
    ///
    /// Ignores computed, incomplete and missing values, and reports nothing if the nesting was guessed.
    func findings(against schema: SectionDeclaration, file: String, budget: WorkBudget) -> [Finding] {
        guard !isGuessed, !entries.isEmpty, let root = node(of: 0, file) else { return [] }
        var findings = FindingList()
        do throws(WorkBudget.Exceeded) {
            try ConfigurationValidator.validate(root, as: .section(schema), into: &findings, budget: budget)
        } catch {
            return []  // partial findings could be misleading
        }
        let told: Set<FindingCode> = [
            .unknownKey, .renamedKey, .wrongType, .outOfRange, .invalidFormat, .invalidChoice,
        ]
        return findings.sorted().filter { told.contains($0.code) }
    }

    /// The literal value of an entry; nil if it isn't literal.
    private func node(of entry: Int, _ file: String) -> ConfigurationNode? {
        let found = entries[entry]
        let value: ConfigurationValue
        switch found.value {
        case .boolean(let flag): value = .boolean(flag)
        case .integer(let number): value = .integer(Int(number))
        case .number(let number): value = .number(number)
        case .string(let text): value = .string(text)
        case .table:
            var keys: [String: ConfigurationNode] = [:]
            var elements: [ConfigurationNode] = []
            for child in found.children {
                guard let node = node(of: child, file) else {
                    // The length of a list is unknown if an element is.
                    if entries[child].keyToken == nil, !isBareName(child) { return nil }
                    continue
                }
                switch entries[child].key {
                case .key(let name): keys[name] = node
                case .index: elements.append(node)
                }
            }
            if !keys.isEmpty, !elements.isEmpty { return nil }
            // An empty table may have unknown contents or be incomplete.
            if keys.isEmpty, elements.isEmpty, entry != 0 { return nil }
            value = elements.isEmpty ? .map(keys) : .list(elements)
        case .missing, .name, .word, .function, .other: return nil
        }
        return ConfigurationNode(
            value, position: found.tokens.isEmpty ? nil : position(of: found.tokens.lowerBound, in: file),
            keyPosition: found.keyToken.map { position(of: $0, in: file) })
    }
}
