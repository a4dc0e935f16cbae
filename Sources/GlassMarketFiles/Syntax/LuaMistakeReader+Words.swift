import GlassSchema
import LuaSyntax

/// Words and operators that Lua reads as something other than what was meant.
extension LuaMistakeReader {
    /// The literals that are a single token.
    private static let literals: Set<LuaTokenKind> = [.string, .integer, .float, .true, .false, .nil]

    // MARK: Syntax

    /// `a ? b : c`
    func conditional(_ question: Int) -> LuaSyntaxMistake {
        let colons = signs(ofConditional: question)
        guard colons.count == 1, let colon = colons.first, colon > question + 1 else {
            return mistake(at: question, "Lua has no ? : operator", hint: "write … and … or …")
        }
        let (middle, end) = (question + 1, endOfOperand(colon + 1))
        let isSimple = colon == middle + 1 && isLiteral(middle)
        let start = startOfCondition(before: question)
        let isShort = start == question - 1 && colon == middle + 1 && end == colon + 2
        let parts = isShort ? [start, middle, colon + 1].map(tree.text(of:)) : ["…", "…", "…"]
        // A name that the file does not declare is probably an attribute of situations.
        if isShort == false, colon == middle + 1, end == colon + 2, question - start == 3, let attribute = name(start),
            tree.kind(at: start + 1) == .equal, isLiteral(start + 2), isLiteral(middle), isLiteral(colon + 1),
            !isDeclared(attribute)
        {
            let (value, one, other) = (tree.text(of: start + 2), tree.text(of: middle), tree.text(of: colon + 1))
            return mistake(
                at: question, "Lua has no ? : operator",
                hint: "write vary { { when = { \(attribute) = \(value) }, value = \(one) }, default = \(other) }")
        }
        var mistake = mistake(
            at: question, "Lua has no ? : operator",
            hint: "write \(parts[0]) and \(parts[1]) or \(parts[2])",
            edits: [spaced("and", for: tree.tokens[question].range), spaced("or", for: tree.tokens[colon].range)])
        // `a and b or c` is c if b is false or nil, and `or` binds less tightly than `and`.
        mistake.isUnambiguous =
            isSimple && ![.nil, .false].contains(tree.kind(at: middle)) && tree.kind(at: start - 1) != .or
        return mistake
    }

    /// Whether a file declares a local variable or a first parameter of that name.
    private func isDeclared(_ word: String) -> Bool {
        tree.tokens.indices.contains { index in
            index > 0 && name(index) == word && [.local, .leftParenthesis, .for].contains(tree.kind(at: index - 1))
        }
    }

    private func isLiteral(_ index: Int) -> Bool { Self.literals.contains(tree.kind(at: index)) }

    private func startOfCondition(before question: Int) -> Int {
        let limits: Set<LuaTokenKind> = [
            .assign, .comma, .semicolon, .leftBrace, .leftParenthesis, .return, .or, .endOfFile,
        ]
        var start = question
        while !limits.contains(tree.kind(at: start - 1)) { start -= 1 }
        return start
    }

    /// The colons that can belong to a question mark, and every further question mark.
    private func signs(ofConditional question: Int) -> [Int] {
        (question + 1..<endOfOperand(question + 1)).filter { index in
            tree.kind(at: index) == .invalid && tree.text(of: index) == "?" || tree.kind(at: index) == .colon
        }
    }

    /// The end of the operand that begins at a token: a separator or closing bracket, or the next statement or field.
    func endOfOperand(_ start: Int) -> Int {
        var depth = 0
        for index in start..<tree.tokens.count {
            let sign = tree.kind(at: index)
            if sign == .endOfFile { return index }
            if depth == 0 {
                if [.comma, .semicolon, .return, .local].contains(sign) || sign.isCloser { return index }
                if tree.kind(at: index + 1) == .assign { return index }
            }
            if sign.isOpener { depth += 1 } else if sign.isCloser { depth -= 1 }
        }
        return tree.tokens.count - 1
    }

    /// `append 520`: a directive before a literal that is not its argument.
    func directiveWithoutList(_ index: Int) -> LuaSyntaxMistake? {
        guard let word = name(index - 1), isLiteral(index), !tree.tokens[index].startsLine,
            tree.kind(at: index - 2) != .dot, tree.kind(at: index - 2) != .colon
        else { return nil }
        switch word {
        case "all", "any", "append", "prepend", "remove":
            let elements = literals(from: index)
            return mistake(
                at: index - 1, "\(word) takes a list", hint: "write \(listing(elements, of: word))",
                edits: bracing(elements))
        case "include", "secret": return mistake(at: index - 1, "\(word) takes a string", hint: "write \(word) \"…\"")
        case "vary":
            return mistake(
                at: index - 1, "vary takes a table",
                hint: "write vary { { when = …, value = … }, default = \(tree.text(of: index).shortened) }")
        case "accept":
            return mistake(
                at: index - 1, "accept takes a table",
                hint: "write accept { \(tree.text(of: index).shortened), rule = \"the reason\" }")
        case "perLocale":
            return mistake(at: index - 1, "perLocale takes a table", hint: "write perLocale { en = …, default = … }")
        case "missing", "present", "unset": return mistake(at: index - 1, argumentOf: word)
        default: return nil
        }
    }

    /// `unset "x"`: an argument of a word that is a value.
    private func mistake(at index: Int, argumentOf word: String) -> LuaSyntaxMistake {
        mistake(at: index, "\(word) takes no argument", hint: "write only \(word)")
    }

    /// `missing "x"`, which Lua takes for a call.
    func argument(ofValue word: String, onLine line: Int) -> LuaSyntaxMistake? {
        let places = tree.tokens(onLine: line).filter { name($0) == word && tree.kind(at: $0 - 1) != .dot }
        guard places.count == 1, let place = places.first else { return nil }
        return mistake(at: place, argumentOf: word)
    }

    /// `append "x"`, which Lua takes for a call: the literals of its list.
    func directiveWithString(named word: String, onLine line: Int) -> (token: Int, mistake: LuaSyntaxMistake)? {
        let places = tree.tokens(onLine: line).filter {
            name($0) == word && tree.kind(at: $0 + 1) == .string && tree.kind(at: $0 - 1) != .dot
                && tree.kind(at: $0 - 1) != .colon
        }
        guard places.count == 1, let place = places.first else { return nil }
        let elements = place + 1..<place + 2
        let hint = "write \(listing(elements, of: word))"
        return (place, mistake(at: place, nil, hint: hint, edits: bracing(elements)))
    }

    /// The tokens of a list of literals without its braces: all literals up to the end of the line.
    private func literals(from start: Int) -> Range<Int> {
        var end = start + 1
        while tree.kind(at: end) == .comma, isLiteral(end + 1), !tree.tokens[end + 1].startsLine,
            [.comma, .semicolon, .rightBrace].contains(tree.kind(at: end + 2))
        { end += 2 }
        return start..<end
    }

    private func listing(_ elements: Range<Int>, of word: String) -> String {
        "\(word) { \(String(decoding: tree.bytes[tree.range(of: elements)], as: UTF8.self).shortened) }"
    }

    private func bracing(_ elements: Range<Int>) -> [Correction.Edit] {
        let space = touchesPrevious(elements.lowerBound) ? " " : ""
        return [
            inserting("\(space){ ", before: elements.lowerBound), inserting(" }", behind: elements.upperBound - 1),
        ]
    }

    // MARK: Undefined names

    /// The cause of an undefined name other than the name itself, if there is one.
    ///
    /// - Parameter isElement: Whether the name is the first operand of an operation that is an element of a table.
    func undefinedName(_ index: Int, isElement: Bool, isInFunction: Bool) -> UndefinedNames? {
        if isElement, tree.kind(at: index + 1) == .equal,
            [.leftBrace, .comma, .semicolon].contains(tree.kind(at: index - 1))
        {
            let value = isLiteral(index + 2) ? tree.text(of: index + 2).shortened : "…"
            var mistake = mistake(
                at: index + 1, "== compares values; a key is set with =",
                hint: "write \(tree.text(of: index)) = \(value)", edits: [replacing(index + 1, with: "=")])
            mistake.subject = tree.text(of: index)
            return UndefinedNames(mistake)
        }
        guard tree.text(of: index) == "require" else { return stringWithoutQuotes(index) }
        // A function runs when a link is opened, and reads no files.
        return isInFunction ? nil : requiredFile(index)
    }

    /// `require "shared/x"`
    private func requiredFile(_ index: Int) -> UndefinedNames? {
        let name =
            tree.kind(at: index + 1) == .leftParenthesis && tree.kind(at: index + 3) == .rightParenthesis
            ? index + 2 : index + 1
        guard tree.kind(at: name) == .string else { return nil }
        let path = String(decoding: tree.value(ofString: name), as: UTF8.self)
        let file = "\"\(path.hasSuffix(".lua") ? path : path + ".lua")\""
        return UndefinedNames(
            mistake(
                at: index, "a market file reads another file with include", hint: "write include \(file.shortened)",
                edits: [replacing(index, with: "include"), replacing(name, with: file)]))
    }

    /// `walmart-ca`: names that hyphens without spaces join.
    private func stringWithoutQuotes(_ index: Int) -> UndefinedNames? {
        var (first, last) = (index, index)
        func joins(_ hyphen: Int) -> Bool {
            tree.kind(at: hyphen) == .minus && touchesPrevious(hyphen) && touchesPrevious(hyphen + 1)
        }
        while joins(first - 1), name(first - 2) != nil { first -= 2 }
        while joins(last + 1), name(last + 2) != nil { last += 2 }
        // A call, a field or another operator is not part of a string.
        let followers: [LuaTokenKind] = [.comma, .semicolon, .rightBrace, .endOfFile, .return, .local]
        guard last > first, [.assign, .leftBrace, .comma, .semicolon].contains(tree.kind(at: first - 1)),
            followers.contains(tree.kind(at: last + 1))
        else { return nil }
        let range = tree.range(of: first..<last + 1)
        let text = "\"\(String(decoding: tree.bytes[range], as: UTF8.self))\""
        return UndefinedNames(
            mistake(
                at: first, "a string needs quotes", hint: "write \(text.shortened)",
                edits: [Correction.Edit(range, text)]), unless: (first...last).compactMap(name))
    }

    // MARK: Sums

    /// `+` between strings: the mistake at a literal that is an operand, if it is not a numeral, which Lua would convert.
    func sum(ofString index: Int) -> LuaSyntaxMistake? {
        let plus = tree.kind(at: index - 1) == .plus ? index - 1 : index + 1
        guard tree.kind(at: plus) == .plus, tree.kind(at: index - 1) != .hash,
            !mayBeNumeral(tree.value(ofString: index))
        else {
            return nil
        }
        // Beside a digit, two dots would be read as part of the number.
        let sign = (touchesPrevious(plus) ? " " : "") + ".." + (touchesPrevious(plus + 1) ? " " : "")
        var mistake = mistake(
            at: plus, "+ adds numbers; strings are joined with ..", hint: "write ..",
            edits: [replacing(plus, with: sign)])
        mistake.subject = tree.text(of: index)
        return mistake
    }

    private func mayBeNumeral(_ text: [UInt8]) -> Bool {
        guard let first = text.first(where: { !$0.isSpace }) else { return false }
        return (0x30...0x39).contains(first) || "+-.".utf8.contains(first)
    }
}

/// The cause of undefined names in a text that Lua accepts.
struct UndefinedNames: Sendable {
    let mistake: LuaSyntaxMistake
    /// The names that must all be undefined; otherwise the text means what it says.
    let names: [String]

    init(_ mistake: LuaSyntaxMistake, unless names: [String] = []) {
        (self.mistake, self.names) = (mistake, names)
    }
}
