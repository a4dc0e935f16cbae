/// The gate: reads the parts of a link, or reports the rule that refuses it.
///
/// Works on UTF-8 bytes, and splits before decoding. It is independent of markets: the router handles schemes, hosts
/// and routes. The rules have a fixed order, so that a link that breaks several is always refused for the same one.
///
/// A `+` in a query is a space, as in web forms and on Android; `%2B` is a plus. Only `&` separates items.
/// `walmart:account` and `walmart:/account` are equivalent to `walmart://account`; an empty host is not a segment.
struct LinkReader {
    /// The link; valid UTF-8.
    let bytes: UnsafeBufferPointer<UInt8>
    let limits: DeepLinkLimits

    /// The positions of the parts. Allocates only for links with escapes or a fragment.
    func read() throws(DeepLinkRefusal) -> LinkText.Layout {
        let marks = try marks()
        guard let colon = marks.colon, isScheme(0..<colon) else { throw refusal(.malformed, bytes.indices) }
        let isSecure = isEqual(0..<colon, "https")
        let isWeb = isSecure || isEqual(0..<colon, "http")
        let pathEnd = marks.query ?? marks.fragment ?? bytes.count

        var layout = LinkText.Layout()
        layout.schemeEnd = colon
        layout.isWeb = isWeb
        var position = colon + 1
        layout.host = position..<position
        let hasAuthority = isEqual(position..<min(position + 2, pathEnd), "//")
        if isWeb && !hasAuthority { throw refusal(.malformed, bytes.indices) }
        if hasAuthority { position += 2 }
        if hasAuthority || (position < pathEnd && bytes[position] != UInt8(ascii: "/")) {
            let end = first("/", in: position..<pathEnd) ?? pathEnd
            layout.host = try readHost(position..<end, isWeb: isWeb, defaultPort: isSecure ? "443" : "80")
            position = end
        }
        layout.path = position..<pathEnd
        layout.hasPathEscapes = marks.hasEscapes && first("%", in: layout.path) != nil
        layout.segmentCount = try readPath(layout)
        layout.query = pathEnd..<pathEnd
        if let mark = marks.query {
            layout.query = mark + 1..<(marks.fragment ?? bytes.count)
            try readQuery(layout.query, hasEscapes: marks.hasEscapes)
        }
        if let mark = marks.fragment {
            layout.fragment = mark + 1
            try checkEscapes(mark + 1..<bytes.count)
        }
        return layout
    }

    /// The characters that begin the parts of a link.
    private struct Marks {
        var colon: Int?
        var query: Int?
        var fragment: Int?
        var hasEscapes = false
    }

    // MARK: Rules, in the order in which they are checked

    /// Finds the marks, and refuses bytes that no link may contain.
    private func marks() throws(DeepLinkRefusal) -> Marks {
        var marks = Marks()
        for index in bytes.indices where Self.isMark(bytes[index]) {
            switch bytes[index] {
            case 0..<0x20, 0x7F: throw refusal(.controlCharacter, index..<index + 1)
            case 0x20: throw refusal(.whitespace, index..<index + 1)
            case UInt8(ascii: "\\"): throw refusal(.backslash, index..<index + 1)
            case 0xC2 where index + 1 < bytes.count && bytes[index + 1] < 0xA0:
                // U+0080 to U+009F, the second block of control characters.
                throw refusal(.controlCharacter, index..<index + 2)
            case UInt8(ascii: ":"): marks.colon = marks.colon ?? index
            // RFC 3986: the first # ends the rest, then the first ? ends the path.
            case UInt8(ascii: "#"): marks.fragment = marks.fragment ?? index
            case UInt8(ascii: "?"): if marks.fragment == nil { marks.query = marks.query ?? index }
            case UInt8(ascii: "%"): marks.hasEscapes = true
            default: continue
            }
        }
        return marks
    }

    /// Whether ``marks()`` must look at a byte. The gate asks this of every byte, so the answer is a few comparisons.
    private static func isMark(_ byte: UInt8) -> Bool {
        // Two sets of 64 bits: control characters, space, #, %, : and ?; backslash and delete.
        if byte < 64 { return UInt64(0x8400_0029_FFFF_FFFF) &>> UInt64(byte) & 1 != 0 }
        return byte == UInt8(ascii: "\\") || byte == 0x7F || byte == 0xC2
    }

    private func isScheme(_ range: Range<Int>) -> Bool {
        guard let first = bytes[range].first, ASCII.isLetter(first) else { return false }
        return bytes[range].allSatisfy { ASCII.isAlphanumeric($0) || contains("+-.", $0) }
    }

    private func readHost(
        _ range: Range<Int>, isWeb: Bool, defaultPort: StaticString
    ) throws(DeepLinkRefusal) -> Range<Int> {
        // A custom scheme's host is a path segment, so it may contain what RFC 3986 allows in one.
        let others: StaticString = isWeb ? ".-" : ".-_~!$&'()*+,;="
        let end = range.first { !ASCII.isAlphanumeric(bytes[$0]) && !contains(others, bytes[$0]) }
        if let end { try refuseHostCharacters(range, end, isWeb ? defaultPort : nil) }
        let host = range.lowerBound..<(end ?? range.upperBound)
        if isWeb {
            if host.isEmpty { throw refusal(.malformed, bytes.indices) }
            if let rule = ruleAgainst(host) { throw refusal(rule, host) }
        } else if isDotSegment(bytes[host]) {
            throw refusal(.dotSegment, range)
        }
        return host
    }

    /// Refuses a host whose first unusual byte is at `end`, unless it is the colon of the default port.
    private func refuseHostCharacters(
        _ range: Range<Int>, _ end: Int, _ defaultPort: StaticString?
    ) throws(DeepLinkRefusal) {
        if let at = bytes[range].lastIndex(of: UInt8(ascii: "@")) {
            throw refusal(.userinfo, range.lowerBound..<at + 1)
        }
        if first("%", in: range) != nil { throw refusal(.hostEscape, range) }
        if bytes[range].contains(where: { $0 >= 0x80 }) { throw refusal(.nonASCIIHost, range) }
        if bytes[range].first == UInt8(ascii: "[") { throw refusal(.addressHost, range) }
        let colon = bytes[range].lastIndex(of: UInt8(ascii: ":"))
        if let colon {
            let port = colon + 1..<range.upperBound
            guard let defaultPort, isEqual(port, defaultPort) else { throw refusal(.port, port) }
        }
        if end != colon { throw refusal(.hostCharacter, range) }
    }

    /// The rule that refuses a web host.
    private func ruleAgainst(_ host: Range<Int>) -> DeepLinkRule? {
        let hyphen = UInt8(ascii: "-")
        var last: Range<Int>?
        var isEncoded = true
        // RFC 1123: letters, digits and inner hyphens, at most 63 in a label.
        var isName = host.count <= 253 && bytes[host.upperBound - 1] != UInt8(ascii: ".")
        for label in LinkParts(bytes, host, separator: ".") {
            guard !label.isEmpty else {
                isName = false
                continue
            }
            last = label
            if bytes[label.lowerBound] == hyphen || bytes[label.upperBound - 1] == hyphen || label.count > 63 {
                isName = false
            }
            if isEqual(label.prefix(4), "xn--") && !Punycode.isValid(bytes[label.dropFirst(4)]) { isEncoded = false }
        }
        guard let last, !isNumber(last) else { return .addressHost }
        return isEncoded ? isName ? nil : .hostLabel : .invalidPunycode
    }

    /// Whether a label is a number, so that browsers interpret a host that ends with it as an IPv4 address, as in
    /// `0x7f.1`.
    private func isNumber(_ label: Range<Int>) -> Bool {
        if bytes[label].allSatisfy(ASCII.isDigit) { return true }
        return isEqual(label.prefix(2), "0x") && bytes[label.dropFirst(2)].allSatisfy(ASCII.isHexDigit)
    }

    private func readPath(_ layout: LinkText.Layout) throws(DeepLinkRefusal) -> Int {
        let path = layout.path
        var count = layout.isHostASegment ? 1 : 0
        for segment in LinkParts(bytes, path.dropFirst(), separator: "/") {
            if segment.isEmpty { throw refusal(.emptySegment, path) }
            let isDots =
                try layout.hasPathEscapes
                ? isDotSegment(decoded(segment))
                // Most segments begin with something else, which is one comparison.
                : bytes[segment.lowerBound] == UInt8(ascii: ".") && isDotSegment(bytes[segment])
            if isDots { throw refusal(.dotSegment, segment) }
            guard count < limits.segments else {
                let total = count + bytes[segment.lowerBound..<path.upperBound].count { $0 == UInt8(ascii: "/") } + 1
                throw DeepLinkRefusal(
                    rule: .oversize, part: "\(total) path segments, but the limit is \(limits.segments)",
                    offset: segment.lowerBound)
            }
            count += 1
        }
        return count
    }

    private func readQuery(_ range: Range<Int>, hasEscapes: Bool) throws(DeepLinkRefusal) {
        var count = 0
        for item in LinkParts(bytes, range, separator: "&") where !item.isEmpty {
            guard count < limits.queryItems else {
                throw DeepLinkRefusal(
                    rule: .oversize, part: "more than \(limits.queryItems) query items", offset: item.lowerBound)
            }
            count += 1
            guard hasEscapes else { continue }
            // Names and values separately, so that no character spans the sign between them.
            let equals = first("=", in: item) ?? item.upperBound
            try checkEscapes(item.prefix(upTo: equals))
            try checkEscapes(item.suffix(from: min(equals + 1, item.upperBound)))
        }
    }

    /// Refuses a part whose escapes are incomplete or stand for what no link may contain.
    private func checkEscapes(_ range: Range<Int>) throws(DeepLinkRefusal) {
        // A part of valid UTF-8 between ASCII separators is valid UTF-8.
        if first("%", in: range) != nil { _ = try decoded(range) }
    }

    private func decoded(_ range: Range<Int>) throws(DeepLinkRefusal) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = bytes[index]
            if byte == UInt8(ascii: "%") {
                guard index + 2 < range.upperBound, let high = ASCII.hexValue(bytes[index + 1]),
                    let low = ASCII.hexValue(bytes[index + 2])
                else { throw refusal(.invalidEscape, index..<min(index + 3, range.upperBound)) }
                let value = high << 4 | low
                if value < 0x20 || value == 0x7F { throw refusal(.controlCharacter, index..<index + 3) }
                if value < 0xA0 && value >= 0x80 && result.last == 0xC2 {
                    throw refusal(.controlCharacter, index - 3..<index + 3)
                }
                result.append(value)
                index += 3
            } else {
                result.append(byte)
                index += 1
            }
        }
        guard String(validating: result, as: UTF8.self) != nil else { throw refusal(.invalidUTF8, range) }
        return result
    }

    private func isDotSegment(_ segment: some Collection<UInt8>) -> Bool {
        (1...2).contains(segment.count) && segment.allSatisfy { $0 == UInt8(ascii: ".") }
    }

    private func first(_ character: Unicode.Scalar, in range: Range<Int>) -> Int? {
        bytes[range].firstIndex(of: UInt8(ascii: character))
    }

    /// Whether a part is the given text, in either case.
    private func isEqual(_ range: Range<Int>, _ text: StaticString) -> Bool {
        range.count == text.utf8CodeUnitCount
            && range.allSatisfy { ASCII.lowercased(bytes[$0]) == text.utf8Start[$0 - range.lowerBound] }
    }

    private func contains(_ text: StaticString, _ byte: UInt8) -> Bool {
        UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount).contains(byte)
    }

    private func refusal(_ rule: DeepLinkRule, _ range: Range<Int>) -> DeepLinkRefusal {
        DeepLinkRefusal(rule: rule, part: String(decoding: bytes[range], as: UTF8.self), offset: range.lowerBound)
    }
}
