/// Where each bracket and block ends, which is decided before anything else is read.
///
/// If all of them match, a stack knows. Otherwise the text is not valid Lua, and lines and indentation tell what was
/// meant:
///
/// - A line that starts as far left as the line of an opener ends what that opener opened.
/// - A closer that starts a line closes what its column fits.
/// - A closer that fits nothing is surplus, if the text has more closers than openers of its kind.
struct LuaBrackets {
    /// For an opener, its closer, or the token before which its region was assumed to end. For a closer, its opener; -1
    /// if it is surplus.
    private(set) var partners: [Int32]
    let isBalanced: Bool

    init(_ tokens: [LuaTree.Token], _ bytes: [UInt8]) {
        partners = [Int32](repeating: -1, count: tokens.count)
        isBalanced = Self.match(tokens, &partners)
        guard !isBalanced else { return }
        partners = [Int32](repeating: -1, count: tokens.count)
        var guess = BracketGuess(tokens, bytes, partners)
        guess.run()
        partners = guess.partners
    }

    /// Matches all brackets and blocks; returns whether that is possible.
    private static func match(_ tokens: [LuaTree.Token], _ partners: inout [Int32]) -> Bool {
        var open: [Int] = []
        for index in tokens.indices {
            let kind = kind(of: index, in: tokens)
            if kind.isOpener { open.append(index) }
            guard kind.isCloser else { continue }
            guard let opener = open.popLast(), tokens[opener].kind.closer == kind else { return false }
            (partners[opener], partners[index]) = (Int32(index), Int32(opener))
        }
        return open.isEmpty
    }

    /// The kind of a token. A keyword before `=` is a key that somebody wrote, because valid Lua has none there.
    fileprivate static func kind(of index: Int, in tokens: [LuaTree.Token]) -> LuaTokenKind {
        let kind = tokens[index].kind
        return kind.isKeyword && tokens[index + 1].kind == .assign ? .name : kind
    }
}

/// Guesses where brackets and blocks end that don't match.
private struct BracketGuess {
    private(set) var partners: [Int32]
    private let tokens: [LuaTree.Token]
    private let bytes: [UInt8]
    private var open: [Opener] = []
    /// How many more openers than closers there are, by the closer's kind.
    private var balance = [Int](repeating: 0, count: 64)
    /// The last name before `=`.
    private var lastKey = -1
    /// The number and the indentation in bytes of the line that is read.
    private var (line, indentation) = (0, 0)

    private struct Opener {
        let token: Int
        let kind: LuaTokenKind
        let line: Int
        /// The indentation of its line.
        let indentation: Int
        /// Whether nothing follows on its line.
        let endsLine: Bool
        /// The indentation of the first line in it.
        var contentIndentation: Int?
    }

    /// How many openers a search looks at. Lua rejects deeper texts, and searching all of them for each token would take
    /// quadratic time.
    private static let searchedOpeners = 256

    init(_ tokens: [LuaTree.Token], _ bytes: [UInt8], _ partners: [Int32]) {
        (self.tokens, self.bytes, self.partners) = (tokens, bytes, partners)
        for index in tokens.indices.dropLast() {
            let kind = LuaBrackets.kind(of: index, in: tokens)
            if kind.isOpener { balance[Int(kind.closer.rawValue)] += 1 }
            if kind.isCloser { balance[Int(kind.rawValue)] -= 1 }
            if kind == .name, tokens[index + 1].kind == .assign { lastKey = index }
        }
    }

    mutating func run() {
        for index in tokens.indices.dropLast() {
            let kind = LuaBrackets.kind(of: index, in: tokens)
            if tokens[index].startsLine { startLine(with: kind, at: index) }
            if kind.isOpener {
                open.append(
                    Opener(
                        token: index, kind: kind, line: line, indentation: indentation,
                        endsLine: tokens[index + 1].startsLine))
            } else if kind.isCloser, let opener = opener(closedBy: kind, at: index) {
                end(before: index, downTo: opener + 1)
                let opener = open.removeLast().token
                (partners[opener], partners[index]) = (Int32(index), Int32(opener))
            }
        }
        end(before: tokens.count - 1, downTo: 0)
    }

    /// Ends the regions of the innermost openers before a token.
    private mutating func end(before index: Int, downTo count: Int) {
        while open.count > count { partners[open.removeLast().token] = Int32(index) }
    }

    private mutating func startLine(with kind: LuaTokenKind, at index: Int) {
        line += 1
        let start = tokens[index].lowerBound
        indentation = start - (bytes[..<start].lastIndex { $0.isLineEnd } ?? -1) - 1
        let isKey = kind == .name && tokens[index + 1].kind == .assign
        while let last = open.last, isOutside(last, kind, isKey: isKey) { end(before: index, downTo: open.count - 1) }
        if let last = open.indices.last, open[last].line < line, open[last].contentIndentation == nil, !kind.isCloser {
            open[last].contentIndentation = indentation
        }
    }

    /// Whether an entry or statement that starts the line is too far left to belong to the innermost opener.
    private func isOutside(_ opener: Opener, _ kind: LuaTokenKind, isKey: Bool) -> Bool {
        guard opener.line < line, indentation <= opener.indentation, kind.startsValue || kind.startsStatement else {
            return false
        }
        // Where the content is not indented, indentation tells nothing.
        if let content = opener.contentIndentation, content <= opener.indentation { return false }
        // A table contains entries, everything else statements. The returned table contains all that follows.
        return opener.kind == .leftBrace ? open.count > 1 : isKey || kind.startsStatement
    }

    /// The index of the opener that a closer closes; nil if the closer is surplus.
    private func opener(closedBy kind: LuaTokenKind, at index: Int) -> Int? {
        let near = open.indices.suffix(Self.searchedOpeners)
        guard var found = near.last(where: { open[$0].kind.closer == kind }) else { return nil }
        let hasSurplus = balance[Int(kind.rawValue)] < 0
        let startsLine = tokens[index].startsLine
        if startsLine {
            if let fitting = near.last(where: { open[$0].indentation <= indentation }) {
                let same = near.last {
                    $0 <= fitting && open[$0].indentation == indentation && open[$0].kind.closer == kind
                }
                guard same != nil || !hasSurplus else { return nil }
                found = same ?? found
            }
        } else if hasSurplus, open[found].line < line {
            let followsOther = tokens[index - 1].kind == kind && open[found].indentation != indentation
            if open[found].endsLine || followsOther { return nil }
        }
        // The returned table does not end while keys follow.
        if found == 0, kind == .rightBrace, index < lastKey, hasSurplus || open.count > 1 && !startsLine { return nil }
        return found
    }
}
