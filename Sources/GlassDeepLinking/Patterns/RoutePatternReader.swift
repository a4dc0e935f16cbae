/// Parses a pattern into its segments.
struct RoutePatternReader {
    let text: String
    private let bytes: [UInt8]

    init(text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    func read() throws(RoutePatternError) -> ([RoutePattern.Segment], Bool, [String]) {
        try checkWhole()
        let pathEnd = bytes.firstIndex(of: UInt8(ascii: "?")) ?? bytes.count
        let (isOptional, queryStart) = try readMark(at: pathEnd)
        let query = try readQuery(queryStart..<bytes.count)
        let segments = try readPath(end: pathEnd)
        if isOptional {
            switch segments.last {
            case .parameter, .affixed: break
            default:
                throw error(
                    pathEnd..<pathEnd + 1,
                    "only a parameter such as \":name?\" may be optional; register both paths instead")
            }
        }
        return (segments, isOptional, query)
    }

    /// Rejects text that cannot be a pattern.
    private func checkWhole() throws(RoutePatternError) {
        // Checked first, so that nothing below examines more than that.
        if bytes.count > RoutePattern.lengthLimit {
            throw error(
                RoutePattern.lengthLimit..<bytes.count,
                "\(bytes.count) bytes exceed the limit of \(RoutePattern.lengthLimit) for a pattern; shorten it")
        }
        if let range = firstRange(of: "://") {
            throw error(
                0..<range.upperBound,
                "a pattern cannot have a scheme; write only the part after it, "
                    + "and list the scheme in deepLinking.schemes"
            )
        }
    }

    /// Interprets the first question mark, which has two meanings: `:b?` at the end marks an optional segment, `:b?q`
    /// requires a query item, and `:b??q` does both.
    private func readMark(at mark: Int) throws(RoutePatternError) -> (isOptional: Bool, queryStart: Int) {
        guard mark < bytes.count else { return (false, mark) }
        let next = mark + 1
        if next == bytes.count { return (true, next) }
        guard bytes[next] == UInt8(ascii: "?") else { return (false, next) }
        if next + 1 == bytes.count {
            throw error(next..<next + 1, "a query name is missing after \"?\"; add it, or remove \"?\"")
        }
        return (true, next + 1)
    }

    /// Reads the segments. One slash at either end is allowed and ignored.
    private func readPath(end: Int) throws(RoutePatternError) -> [RoutePattern.Segment] {
        var start = bytes.first == UInt8(ascii: "/") ? 1 : 0
        // Not for "/" alone, whose only slash is the leading one.
        let end = end > start && bytes[end - 1] == UInt8(ascii: "/") ? end - 1 : end
        var segments: [RoutePattern.Segment] = []
        var names: Set<String> = []
        var lastRange = start..<start
        while start < end {
            let segmentEnd = bytes[start..<end].firstIndex(of: UInt8(ascii: "/")) ?? end
            if case .catchAll(let name)? = segments.last {
                throw error(lastRange, "the catch-all \"*\(name)\" matches the rest of the link; nothing may follow it")
            }
            let segment = try readSegment(start..<segmentEnd)
            if let name = segment.parameterName, !names.insert(name).inserted {
                throw error(start..<segmentEnd, "the parameter \"\(name)\" appears twice; use distinct names")
            }
            segments.append(segment)
            lastRange = start..<segmentEnd
            start = segmentEnd + 1
            // Another trailing slash remains: the pattern ends with two.
            if start == end {
                throw error(end - 1..<end, "an empty segment; remove the extra slash")
            }
        }
        return segments
    }

    private func readSegment(_ range: Range<Int>) throws(RoutePatternError) -> RoutePattern.Segment {
        guard let first = bytes[range].first else {
            throw error(range.lowerBound..<range.lowerBound + 1, "an empty segment; remove the extra slash")
        }
        switch first {
        case UInt8(ascii: "*"):
            let name = range.dropFirst()
            if name.isEmpty { throw error(range, "the catch-all has no name; write one, such as \"*rest\"") }
            try checkName(name.lowerBound..<name.upperBound)
            return .catchAll(name: string(name.lowerBound..<name.upperBound))
        default:
            guard let colon = bytes[range].firstIndex(of: UInt8(ascii: ":")) else { return try readLiteral(range) }
            return try readParameter(range, colon: colon)
        }
    }

    /// Reads a segment with a parameter and, if there is any, the text before and after it.
    private func readParameter(_ range: Range<Int>, colon: Int) throws(RoutePatternError) -> RoutePattern.Segment {
        let prefix = range.lowerBound..<colon
        try checkAffix(prefix)
        let rest = bytes[colon + 1..<range.upperBound]
        let nameEnd = rest.firstIndex { $0 == UInt8(ascii: "(") || RoutePatternReader.startsSuffix($0) }
        let nameRange = rest.startIndex..<(nameEnd ?? rest.endIndex)
        if nameRange.isEmpty { throw error(range, "the parameter has no name; write one, such as \":id\"") }
        try checkName(nameRange)
        let name = string(nameRange)
        var type: ParameterType?
        var suffix = nameRange.upperBound..<range.upperBound
        if let open = nameEnd, bytes[open] == UInt8(ascii: "(") {
            guard let close = bytes[suffix].firstIndex(of: UInt8(ascii: ")")) else {
                throw error(suffix, "the parenthesis is not closed; add \")\"")
            }
            type = try readType(open + 1..<close)
            suffix = close + 1..<range.upperBound
        }
        try checkAffix(suffix)
        if prefix.isEmpty && suffix.isEmpty { return .parameter(name: name, type: type) }
        return .affixed(
            AffixedParameter(prefix: string(prefix), name: name, type: type, suffix: string(suffix)))
    }

    /// Whether a character ends the name of a parameter without a type. All of them were errors in a name.
    private static func startsSuffix(_ byte: UInt8) -> Bool { "-.~@+=,;!".utf8.contains(byte) }

    /// Rejects text beside a parameter that no link can contain, or that is too long.
    private func checkAffix(_ range: Range<Int>) throws(RoutePatternError) {
        try checkLiteral(range)
        if range.count > AffixedParameter.maximumAffixLength {
            throw error(
                range,
                "\(range.count) bytes beside a parameter exceed the limit of \(AffixedParameter.maximumAffixLength); "
                    + "shorten the text")
        }
    }

    private func readType(_ range: Range<Int>) throws(RoutePatternError) -> ParameterType {
        if let type = NamedParameterType(named: string(range)) { return .named(type) }
        switch string(range) {
        case "":
            throw error(
                range.lowerBound - 1..<range.upperBound + 1,
                "the type is empty; write \(NamedParameterType.names), or a list such as en|fr")
        case let name where name.utf8.contains(UInt8(ascii: ",")) && !name.utf8.contains(UInt8(ascii: "|")):
            let words = name.split(separator: ",").map { $0.filter { $0 != " " } }
            throw error(range, "a list of words is separated by \"|\"; write (\(words.joined(separator: "|")))")
        case let name where !name.utf8.contains(UInt8(ascii: "|")):
            throw error(range, "unknown type \"\(name)\"; write \(NamedParameterType.names), or a list such as en|fr")
        default: break
        }
        var words: [String] = []
        var known: Set<[UInt8]> = []
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "|")) ?? range.upperBound
            if start == end {
                throw error(
                    max(range.lowerBound, start - 1)..<max(start, range.lowerBound + 1),
                    "the list contains an empty word; remove the extra \"|\"")
            }
            guard case .literal(let word) = try readLiteral(start..<end) else { break }
            if !known.insert(word.utf8.asciiFolded).inserted {
                throw error(start..<end, "the list contains \"\(word)\" twice; remove one")
            }
            words.append(word)
            start = end + 1
        }
        return .oneOf(words)
    }

    private func readLiteral(_ range: Range<Int>) throws(RoutePatternError) -> RoutePattern.Segment {
        try checkLiteral(range)
        let literal = string(range)
        if literal == "." || literal == ".." {
            throw error(range, "the gate refuses links with the segment \"\(literal)\"; remove it")
        }
        return .literal(literal)
    }

    private func checkLiteral(_ range: Range<Int>) throws(RoutePatternError) {
        for index in range {
            switch bytes[index] {
            case UInt8(ascii: "%"):
                throw error(
                    index..<index + 1,
                    "literals are unescaped; write the character itself instead of a percent escape")
            case UInt8(ascii: ":"):
                // The first colon of a segment starts its parameter, and a word of a list has none.
                throw error(
                    index..<index + 1,
                    "\":\" is not allowed here; a segment may contain only one parameter, such as \"A-:id\"")
            case UInt8(ascii: "*"), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "#"),
                UInt8(ascii: "\\"), UInt8(ascii: "&"), UInt8(ascii: "|"):
                throw error(
                    index..<index + 1,
                    "\"\(string(index..<index + 1))\" is not allowed in a literal; a parameter is written \":name\"")
            case 0..<0x20, 0x7F:
                throw error(index..<index + 1, "a control character; remove it")
            case 0xC2 where bytes[index + 1] < 0xA0:
                // U+0080 to U+009F, which the gate also refuses.
                throw error(index..<index + 2, "a control character; remove it")
            default: continue
            }
        }
    }

    private func readQuery(_ range: Range<Int>) throws(RoutePatternError) -> [String] {
        guard !range.isEmpty else { return [] }
        var names: [String] = []
        var known: Set<String> = []
        var start = range.lowerBound
        while start <= range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) ?? range.upperBound
            if start == end {
                let mark = string(start - 1..<start)
                throw error(
                    start - 1..<start, "a query name is missing after \"\(mark)\"; add it, or remove \"\(mark)\"")
            }
            if let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "=")) {
                throw error(equals..<end, "a pattern can require a query item, but not its value; write only the name")
            }
            for index in start..<end where !isQueryNameByte(bytes[index]) {
                let range = index..<characterEnd(index)
                throw error(
                    range,
                    "\"\(string(range))\" is not allowed in a query name; use letters, digits, "
                        + "\"_\", \"-\", \".\", \"[\" and \"]\""
                )
            }
            let name = string(start..<end)
            if !known.insert(name).inserted {
                throw error(start..<end, "the query name \"\(name)\" appears twice; remove one")
            }
            names.append(name)
            start = end + 1
        }
        return names
    }

    // MARK: Bytes

    private func checkName(_ range: Range<Int>) throws(RoutePatternError) {
        for index in range {
            let byte = bytes[index]
            let isLetter = ASCII.isLetter(byte) || byte == UInt8(ascii: "_")
            if isLetter || (ASCII.isDigit(byte) && index > range.lowerBound) { continue }
            throw error(
                index..<characterEnd(index),
                "a parameter name may contain only letters, digits, and \"_\", and must not start with a digit")
        }
    }

    private func isQueryNameByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || "_-.[]".utf8.contains(byte)
    }

    /// The end of the UTF-8 sequence that starts at `index`.
    private func characterEnd(_ index: Int) -> Int {
        var end = index + 1
        while end < bytes.count && bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    private func firstRange(of text: String) -> Range<Int>? {
        let wanted = Array(text.utf8)
        // Check the first byte before comparing the rest, because it seldom matches.
        return bytes.indices.first { bytes[$0] == wanted[0] && bytes[$0...].starts(with: wanted) }
            .map { $0..<$0 + wanted.count }
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func error(_ range: Range<Int>, _ message: String) -> RoutePatternError {
        RoutePatternError(pattern: text, offset: range.lowerBound, length: range.count, message: message)
    }
}

extension RoutePattern.Segment {
    /// The type of the segment's parameter; `nil` for anything else.
    package var type: ParameterType? {
        switch self {
        case .parameter(_, let type): type
        case .affixed(let parameter): parameter.type
        case .literal, .catchAll: nil
        }
    }

    /// The segment with a parameter of any type.
    package var withoutType: RoutePattern.Segment {
        switch self {
        case .parameter(let name, _): .parameter(name: name, type: nil)
        case .affixed(let parameter):
            .affixed(
                AffixedParameter(
                    prefix: parameter.prefix, name: parameter.name, type: nil, suffix: parameter.suffix))
        case .literal, .catchAll: self
        }
    }

    /// The segment with a value for its parameter.
    package func text(of value: String) -> String {
        switch self {
        case .literal(let text): text
        case .parameter, .catchAll: value
        case .affixed(let parameter): parameter.text(of: value)
        }
    }

    /// The name of the segment's parameter or catch-all.
    package var parameterName: String? {
        switch self {
        case .literal: nil
        case .affixed(let parameter): parameter.name
        case .parameter(let name, _), .catchAll(let name): name
        }
    }
}
