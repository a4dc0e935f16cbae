import GlassBase
import GlassSchema
import LuaBridge

/// The tokens of a file, to be found by position.
struct LuaTokens {
    let bytes: [UInt8]
    /// In source order; the last one is the end of the file.
    let tokens: [LuaToken]

    init(_ bytes: [UInt8], _ tokens: [LuaToken]) {
        self.bytes = bytes
        self.tokens = tokens
    }

    /// Splits a text into tokens.
    init(_ bytes: [UInt8], budget: WorkBudget) throws(WorkBudget.Exceeded) {
        try budget.spend(1 + bytes.count / 16, on: .positions)
        var tokenizer = LuaTokenizer(bytes)
        var tokens: [LuaToken] = []
        repeat {
            tokens.append(tokenizer.next())
        } while tokens.last?.kind != .endOfFile
        self.init(bytes, tokens)
    }

    /// The index of the last token that begins at a position or before it.
    private func index(before line: Int, _ column: Int) -> Int? {
        var (low, high) = (0, tokens.count)
        while low < high {
            let middle = (low + high) / 2
            if (tokens[middle].line, tokens[middle].column) <= (line, column) {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return low > 0 ? low - 1 : nil
    }

    /// The index of the token that begins at a position, if any.
    func index(at position: SourcePosition) -> Int? {
        guard let column = position.column, let index = index(before: position.line, column),
            tokens[index].line == position.line, tokens[index].column == column
        else { return nil }
        return index
    }

    /// The end of the token that begins at a position or contains it; otherwise the position itself.
    func end(at position: SourcePosition) -> SourcePosition? {
        guard let column = position.column else { return nil }
        guard let index = index(before: position.line, column) else { return position }
        let token = tokens[index]
        guard (position.line, column) < (token.endLine, token.endColumn) else { return position }
        return SourcePosition(file: position.file, line: token.endLine, column: token.endColumn)
    }

    /// The line and the column of an offset.
    func place(of byte: Int) -> (line: Int, column: Int) {
        var (low, high) = (0, tokens.count)
        while low < high {
            let middle = (low + high) / 2
            if tokens[middle].range.lowerBound <= byte { low = middle + 1 } else { high = middle }
        }
        // A byte order mark has no column.
        guard low > 0 else { return step(from: bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0, (1, 1), to: byte) }
        let token = tokens[low - 1]
        return byte < token.range.upperBound
            ? step(from: token.range.lowerBound, (token.line, token.column), to: byte)
            : step(from: token.range.upperBound, (token.endLine, token.endColumn), to: byte)
    }

    /// The offset of a position, which must be a position of this text.
    func byte(at position: SourcePosition) -> Int {
        let column = position.column ?? 1
        guard let index = index(before: position.line, column) else { return 0 }
        let token = tokens[index]
        var (low, high) = (
            token.range.lowerBound, index + 1 < tokens.count ? tokens[index + 1].range.lowerBound : bytes.count
        )
        // Positions increase with offsets.
        while low < high {
            let middle = (low + high) / 2
            if place(of: middle) < (position.line, column) { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Counts lines and columns as the tokenizer does: two different line end characters are one line end.
    private func step(from start: Int, _ place: (line: Int, column: Int), to end: Int) -> (line: Int, column: Int) {
        var (line, column) = place
        var index = start
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") {
                let next = index + 1 < bytes.count ? bytes[index + 1] : 0
                if next != byte, next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r") { index += 1 }
                (line, column) = (line + 1, 1)
            } else if byte & 0xC0 != 0x80 {
                column += 1
            }
            index += 1
        }
        return (line, column)
    }

    func text(of token: LuaToken) -> String { String(decoding: bytes[token.range], as: UTF8.self) }

    /// Whether the token at an index exists and is the symbol.
    func has(_ symbol: LuaToken.Symbol, at index: Int) -> Bool {
        tokens.indices.contains(index) && tokens[index].is(symbol)
    }

    /// Whether there is only white space between two tokens, and no comment.
    func areTogether(_ first: Int, _ second: Int) -> Bool {
        bytes[tokens[first].range.upperBound..<tokens[second].range.lowerBound].allSatisfy(\.isSpace)
    }

    /// The index of the last token of a field's value.
    func endOfValue(from start: Int) -> Int? {
        var open = 0
        for index in start..<max(start, tokens.count) {
            switch tokens[index].kind {
            case .symbol(.leftBrace), .symbol(.leftBracket), .symbol(.leftParenthesis), .keyword(.function),
                .keyword(.if), .keyword(.do), .keyword(.repeat):
                open += 1
            case .symbol(.rightBrace), .symbol(.rightBracket), .symbol(.rightParenthesis), .keyword(.end),
                .keyword(.until):
                if open == 0 { return index > start ? index - 1 : nil }
                open -= 1
            case .symbol(.comma), .symbol(.semicolon):
                if open == 0 { return index > start ? index - 1 : nil }
            case .endOfFile: return nil
            default: break
            }
        }
        return nil
    }
}
