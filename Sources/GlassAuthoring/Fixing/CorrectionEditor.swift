import GlassSchema
import LuaSyntax
import GlassMarketFiles

/// Finds the changes that corrections make to a text.
struct CorrectionEditor {
    let tree: LuaTree

    /// The edits of a correction.
    struct Edits {
        /// The description of the edits, in the imperative.
        let title: String
        let edits: [Correction.Edit]
        var isUnambiguous = true
    }

    /// Finds the text that a correction applies to, and the edits for it.
    func edits(for correction: Correction, at position: SourcePosition, hint: String?) -> Edits? {
        if case .text(let edits, let isUnambiguous) = correction {
            return Edits(title: hint ?? "", edits: edits, isUnambiguous: isUnambiguous)
        }
        guard let index = tree.token(at: position) else { return nil }
        switch correction {
        case .spelling(let written, let meant, let isUnambiguous):
            guard let place = spelling(of: written, at: index) else { return nil }
            return respelling(place, as: meant, isUnambiguous)
        case .word(let written, let meant):
            guard tree.kind(at: index) == .name, tree.text(of: index) == written else { return nil }
            return Edits(title: "write \(meant)", edits: [Correction.Edit(range(index), meant)])
        case .number(let numeral): return unquoting(numeral, at: index)
        case .numeral(let written, let meant): return replacing(written, with: meant, at: index)
        case .quotes: return quoting(index)
        case .wrapInList: return wrapping(index, "wrap the value in a list", "{ ", " }")
        case .wrapInTable(let key, let isInList):
            let (before, after) = isInList ? ("{ { ", " } }") : ("{ ", " }")
            return wrapping(index, hint ?? "", "\(before)\(key) = ", after)
        case .unwrap: return unwrapping(index)
        case .rewrite(let text, let isUnambiguous):
            guard [.string, .integer, .float].contains(tree.kind(at: index)), endsValue(index) else { return nil }
            return Edits(
                title: "write \(text)", edits: [Correction.Edit(range(index), text)], isUnambiguous: isUnambiguous)
        case .placeholder(let written, let meant, let isUnambiguous):
            return renaming(placeholder: written, to: meant, at: index, isUnambiguous)
        case .entry(let text): return adding(text, to: index)
        case .textKey(let key):
            guard tree.kind(at: index) == .integer, tree.kind(at: index - 1) == .leftBracket,
                tree.kind(at: index + 1) == .rightBracket
            else {
                return nil
            }
            return Edits(title: "write [\"\(key)\"]", edits: [Correction.Edit(range(index), "\"\(key)\"")])
        case .elementZero: return removingKey(at: index)
        case .move(let levels, let keys): return moving(index, outward: levels, into: keys)
        case .repeated(let first): return removingEntry(at: index, equalTo: tree.token(at: first))
        case .local: return declaring(index)
        case .text: return nil
        }
    }

    // MARK: Tokens

    private func range(_ index: Int) -> Range<Int> { tree.tokens[index].range }

    /// Whether there is only white space between two tokens, and no comment.
    private func areTogether(_ first: Int, _ second: Int) -> Bool {
        tree.bytes[range(first).upperBound..<range(second).lowerBound].allSatisfy(\.isSpace)
    }

    // MARK: Names

    /// The index of the token with the name or string that was written. If the finding points at a value, that is the
    /// token of its key.
    private func spelling(of written: String, at index: Int) -> Int? {
        let key =
            tree.kind(at: index - 1) == .assign
            ? (tree.kind(at: index - 2) == .rightBracket ? index - 3 : index - 2) : index
        return [index, key].first { place in
            switch tree.kind(at: place) {
            case .name: tree.text(of: place) == written
            case .string: tree.value(ofString: place).elementsEqual(written.utf8)
            default: false
            }
        }
    }

    private func respelling(_ index: Int, as meant: String, _ isUnambiguous: Bool) -> Edits? {
        let range = range(index)
        // A misspelled Lua keyword is a name to Lua; a key cannot be a keyword.
        let isWord = meant.isLuaKeyword && tree.kind(at: index + 1) != .assign
        if tree.kind(at: index) == .name, isWord || meant.isLuaName {
            return Edits(title: "write \(meant)", edits: [Correction.Edit(range, meant)], isUnambiguous: isUnambiguous)
        }
        guard meant.unicodeScalars.allSatisfy({ $0 >= " " && $0 != "\"" && $0 != "'" && $0 != "\\" }) else {
            return nil
        }
        if tree.kind(at: index) == .string {
            let quote = tree.bytes[range.lowerBound] == UInt8(ascii: "'") ? "'" : "\""
            return Edits(
                title: "write \"\(meant)\"", edits: [Correction.Edit(range, quote + meant + quote)],
                isUnambiguous: isUnambiguous)
        }
        // A key that is not a name needs brackets.
        let beginsField = [.leftBrace, .comma, .semicolon].contains(tree.kind(at: index - 1))
        guard beginsField, tree.kind(at: index + 1) == .assign else { return nil }
        return Edits(
            title: "write [\"\(meant)\"]", edits: [Correction.Edit(range, "[\"\(meant)\"]")],
            isUnambiguous: isUnambiguous)
    }

    /// Replaces a placeholder, such as `{weak}` with `{week}`, wherever the string contains it.
    private func renaming(
        placeholder written: String, to meant: String, at index: Int, _ isUnambiguous: Bool
    ) -> Edits? {
        guard tree.kind(at: index) == .string else { return nil }
        let range = range(index)
        let name = Array("{\(written)".utf8)
        var edits: [Correction.Edit] = []
        // After the opening quote.
        let first = range.lowerBound + 1
        for start in first..<max(first, range.upperBound - name.count) {
            let end = start + name.count
            // `{{` is an escaped brace.
            guard tree.bytes[start..<end].elementsEqual(name), tree.bytes[start - 1] != UInt8(ascii: "{"),
                tree.bytes[end] == UInt8(ascii: "}") || tree.bytes[end] == UInt8(ascii: "|")
            else { continue }
            edits.append(Correction.Edit(start + 1..<end, meant))
        }
        return edits.isEmpty ? nil : Edits(title: "write {\(meant)}", edits: edits, isUnambiguous: isUnambiguous)
    }

    // MARK: Values

    private func unquoting(_ numeral: String, at index: Int) -> Edits? {
        guard tree.kind(at: index) == .string, tree.value(ofString: index).elementsEqual(numeral.utf8),
            isNumeral(numeral)
        else {
            return nil
        }
        let range = range(index)
        let before = range.lowerBound > 0 && tree.bytes[range.lowerBound - 1].isOfWord ? " " : ""
        let after = range.upperBound < tree.bytes.count && tree.bytes[range.upperBound].isOfWord ? " " : ""
        return Edits(
            title: "remove the quotes: \(numeral)", edits: [Correction.Edit(range, before + numeral + after)])
    }

    /// Replaces a number. Which one is meant is a guess, so it is offered and not applied.
    private func replacing(_ written: String, with meant: String, at index: Int) -> Edits? {
        guard tree.kind(at: index) == .integer || tree.kind(at: index) == .float, tree.text(of: index) == written,
            tree.kind(at: index - 1) == .assign,
            [.comma, .semicolon, .rightBrace].contains(tree.kind(at: index + 1))
        else { return nil }
        return Edits(
            title: "write \(meant)", edits: [Correction.Edit(range(index), meant)], isUnambiguous: false)
    }

    /// Whether Lua reads a text as a single number, with or without a sign.
    private func isNumeral(_ text: String) -> Bool {
        let kinds = LuaTree(Array(text.utf8)).tokens.map(\.kind)
        let number = kinds.first == .minus ? kinds.dropFirst() : kinds[...]
        return number.count == 2 && (number.first == .integer || number.first == .float)
    }

    private func quoting(_ index: Int) -> Edits? {
        guard [.integer, .float].contains(tree.kind(at: index)), endsValue(index) else { return nil }
        let range = range(index)
        let quoted = "\"\(tree.text(of: index))\""
        return Edits(title: "write \(quoted)", edits: [Correction.Edit(range, quoted)])
    }

    /// Whether the value that begins with a token also ends with it: only a part of a computed value could be edited.
    private func endsValue(_ index: Int) -> Bool {
        [.assign, .leftBrace, .comma, .semicolon].contains(tree.kind(at: index - 1))
            && [.comma, .semicolon, .rightBrace].contains(tree.kind(at: index + 1))
    }

    private func wrapping(_ index: Int, _ title: String, _ before: String, _ after: String) -> Edits? {
        let value: Range<Int>
        switch tree.kind(at: index) {
        case .string where endsValue(index), .integer where endsValue(index), .float where endsValue(index):
            value = range(index)
        case .leftBrace:
            guard let table = table(beginningAt: index) else { return nil }
            value = tree.range(of: table)
        default: return nil
        }
        return Edits(
            title: title,
            edits: [
                Correction.Edit(value.lowerBound..<value.lowerBound, before),
                Correction.Edit(value.upperBound..<value.upperBound, after),
            ])
    }

    /// Removes the braces around the only element of a list.
    private func unwrapping(_ index: Int) -> Edits? {
        guard tree.kind(at: index) == .leftBrace, let table = table(beginningAt: index) else { return nil }
        let tokens = tree.tokens(of: table)
        let inner = tokens.lowerBound + 1..<tokens.upperBound - 1
        guard inner.count == 1 || (inner.count == 2 && tree.kind(at: inner.upperBound - 1) == .comma),
            (tokens.lowerBound..<tokens.upperBound - 1).allSatisfy({ areTogether($0, $0 + 1) })
        else { return nil }
        let value = range(inner.lowerBound)
        return Edits(
            title: "write the value without braces",
            edits: [
                Correction.Edit(range(tokens.lowerBound).lowerBound..<value.lowerBound, ""),
                Correction.Edit(value.upperBound..<range(tokens.upperBound - 1).upperBound, ""),
            ])
    }

    // MARK: Entries

    /// Adds an entry before the first one of a table, with the same layout.
    private func adding(_ text: String, to index: Int) -> Edits? {
        guard tree.kind(at: index) == .leftBrace else { return nil }
        return adding(text, before: index + 1)
    }

    /// Adds an entry before a token that begins another one or ends the table.
    private func adding(_ text: String, before index: Int) -> Edits? {
        let next = tree.tokens[index]
        let place = next.lowerBound
        let gap = tree.bytes[tree.gap(before: index)]
        let title = "write \(text)"
        func edits(_ text: String) -> Edits {
            Edits(title: title, edits: [Correction.Edit(place..<place, text)])
        }
        if next.kind == .rightBrace {
            guard gap.allSatisfy(\.isSpace), !next.startsLine else { return nil }
            return edits("\(gap.isEmpty ? " " : "")\(text) ")
        }
        if !next.startsLine { return edits("\(text), ") }
        let indentation = tree.bytes[..<place].suffix(while: { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") })
        let lineEnd = tree.bytes[..<indentation.startIndex].suffix(while: {
            $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r")
        })
        // If a comment precedes the first entry on its line, there is no indentation to repeat.
        guard !lineEnd.isEmpty else { return edits("\(text), ") }
        let isReturn = lineEnd.last == UInt8(ascii: "\n") && lineEnd.dropLast().last == UInt8(ascii: "\r")
        return edits("\(text),\(isReturn ? "\r\n" : "\n")" + String(decoding: indentation, as: UTF8.self))
    }

    /// Removes `[0] =`, if the element that it becomes is the first one.
    private func removingKey(at index: Int) -> Edits? {
        guard let table = table(around: index), let field = field(ofKey: index), let value = field.value,
            field.key == .integer(0), !tree.fields(of: table).contains(where: { $0.key == .integer(1) }),
            tree.fields(of: table).first(where: { _ in true })?.keyToken == index
        else { return nil }
        let start = tree.range(of: field.keyTokens).lowerBound
        return Edits(title: "remove [0] =", edits: [Correction.Edit(start..<tree.range(of: value).lowerBound, "")])
    }

    /// Moves an entry to a table further out, and there into the tables of some keys, which it adds if they are missing.
    private func moving(_ index: Int, outward levels: Int, into keys: [String]) -> Edits? {
        let tables = tree.nodes(around: index).filter { tree.kind($0) == .table }
        guard tables.count > levels, let moved = field(ofKey: index), let name = moved.keyToken else { return nil }
        let entry = tree.range(of: moved.node)
        var table = tables[tables.count - 1 - levels]
        var missing = keys[...]
        while let key = missing.first, let field = tree.fields(of: table).first(where: { $0.key == .name(key) }) {
            guard let value = field.value, tree.kind(value) == .table else { return nil }
            table = value
            missing.removeFirst()
        }
        let title = keys.isEmpty ? "move it to the outer table" : "move it into \(keys.joined(separator: "."))"
        let before = missing.map { "\($0) = { " }.joined()
        let after = String(repeating: " }", count: missing.count)
        if levels == 0, missing.count == keys.count {
            return Edits(
                title: title,
                edits: [
                    Correction.Edit(entry.lowerBound..<entry.lowerBound, before),
                    Correction.Edit(entry.upperBound..<entry.upperBound, after),
                ])
        }
        let text = before + String(decoding: tree.bytes[entry], as: UTF8.self) + after
        let place = tree.fields(of: table).first { tree.range(of: $0.node).contains(entry.lowerBound) }?.node
        let isFree = !missing.isEmpty || !tree.fields(of: table).contains { $0.key == .name(tree.text(of: name)) }
        let emptied = emptied(by: moved, in: tables.suffix(levels))
        if isFree, let place, emptied.node == place {
            return Edits(title: title, edits: [Correction.Edit(tree.range(of: place), text)])
        }
        guard isFree, let removal = removal(of: emptied),
            let added = place.map({ adding(text, before: tree.tokens(of: $0).lowerBound) })
                ?? adding(text, to: tree.tokens(of: table).lowerBound)
        else { return nil }
        return Edits(title: title, edits: [Correction.Edit(removal, "")] + added.edits)
    }

    /// The outermost field that is empty without a field: the field itself, or one whose table has nothing else.
    private func emptied(by field: LuaTree.Field, in tables: ArraySlice<LuaTree.NodeID>) -> LuaTree.Field {
        var field = field
        for table in tables.reversed() {
            let tokens = tree.tokens(of: table)
            let inner = tree.tokens(of: field.node)
            let last = field.separator ?? inner.upperBound - 1
            guard tree.fields(of: table).count(where: { _ in true }) == 1, last == tokens.upperBound - 2,
                areTogether(tokens.lowerBound, inner.lowerBound),
                (inner.upperBound - 1...last).allSatisfy({ areTogether($0, $0 + 1) }),
                let outer = self.table(around: tokens.lowerBound - 1).flatMap({ outer in
                    tree.fields(of: outer).first { $0.value == table && $0.keyToken != nil }
                })
            else { return field }
            field = outer
        }
        return field
    }

    /// Removes an entry that repeats another one of the same table.
    private func removingEntry(at index: Int, equalTo first: Int?) -> Edits? {
        guard let first, let one = field(ofKey: first), let other = field(ofKey: index),
            let value = other.value.map({ tree.tokens(of: $0) }),
            one.value.map({ areEqual(tree.tokens(of: $0), value) }) == true,
            // A call may return a different value each time.
            !value.contains(where: { tree.kind(at: $0) == .leftParenthesis || tree.kind(at: $0) == .function })
        else { return nil }
        let last = other.separator ?? value.upperBound - 1
        // The contents of the entry are removed with it, so it must not contain a comment.
        guard (other.keyTokens.lowerBound..<last).allSatisfy({ areTogether($0, $0 + 1) }),
            let range = removal(of: other)
        else { return nil }
        return Edits(title: "remove the duplicate entry", edits: [Correction.Edit(range, "")])
    }

    /// The bytes to remove with a field: its separator, and its line if nothing else is on it. Returns nil if a comment
    /// precedes the separator.
    private func removal(of field: LuaTree.Field) -> Range<Int>? {
        let tokens = tree.tokens(of: field.node)
        let start = tokens.lowerBound
        let last = field.separator ?? tokens.upperBound - 1
        guard (tokens.upperBound - 1..<last).allSatisfy({ areTogether($0, $0 + 1) }) else { return nil }
        var range = tree.range(of: start..<last + 1)
        let before = tree.bytes[..<range.lowerBound].suffix(while: {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t")
        })
        let after = tree.bytes[range.upperBound...].prefix { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        let beginsLine = before.startIndex == 0 || tree.bytes[before.startIndex - 1].isLineEnd
        let lineEnd = tree.bytes[after.endIndex...].prefix(2).prefix { $0.isLineEnd }
        if beginsLine, let first = lineEnd.first {
            // Remove the whole line; two equal characters are two line ends.
            range = before.startIndex..<after.endIndex + (lineEnd.count == 2 && lineEnd.last != first ? 2 : 1)
        } else if field.separator != nil {
            range = range.lowerBound..<(beginsLine ? range.upperBound : after.endIndex)
        } else if !beginsLine, tree.kind(at: start - 1) == .comma || tree.kind(at: start - 1) == .semicolon,
            areTogether(start - 1, start)
        {
            range = self.range(start - 1).lowerBound..<range.upperBound
        }
        return range
    }

    private func table(around token: Int) -> LuaTree.NodeID? {
        tree.nodes(around: token).last { tree.kind($0) == .table }
    }

    private func table(beginningAt token: Int) -> LuaTree.NodeID? {
        table(around: token).flatMap { tree.tokens(of: $0).lowerBound == token ? $0 : nil }
    }

    /// The field whose key is a token.
    private func field(ofKey key: Int) -> LuaTree.Field? {
        table(around: key).flatMap { tree.fields(of: $0).first { $0.keyToken == key } }
    }

    /// Whether two ranges of tokens read the same to Lua.
    private func areEqual(_ left: Range<Int>, _ right: Range<Int>) -> Bool {
        left.count == right.count
            && zip(left, right).allSatisfy { left, right in
                guard tree.kind(at: left) == tree.kind(at: right) else { return false }
                return tree.kind(at: left) == .string
                    ? tree.value(ofString: left) == tree.value(ofString: right)
                    : tree.text(of: left) == tree.text(of: right)
            }
    }

    // MARK: Statements

    /// Adds `local` before a function or an assignment to one name.
    private func declaring(_ index: Int) -> Edits? {
        guard tree.kind(at: index) == .name else { return nil }
        let isFunction = tree.kind(at: index - 1) == .function
        guard tree.kind(at: index + 1) == (isFunction ? .leftParenthesis : .assign), tree.kind(at: index - 1) != .comma
        else {
            return nil
        }
        let place = range(isFunction ? index - 1 : index).lowerBound
        return Edits(title: "write local \(tree.text(of: index))", edits: [Correction.Edit(place..<place, "local ")])
    }
}

extension UInt8 {
    fileprivate var isLineEnd: Bool { self == UInt8(ascii: "\n") || self == UInt8(ascii: "\r") }
}

extension ArraySlice<UInt8> {
    /// The longest suffix in which each byte fits.
    fileprivate func suffix(while fits: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var start = endIndex
        while start > startIndex, fits(self[start - 1]) { start -= 1 }
        return self[start...]
    }
}
