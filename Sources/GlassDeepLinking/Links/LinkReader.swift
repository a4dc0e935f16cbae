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
        try refuseRawBytes()
        let colon = try schemeEnd()
        let isSecure = isScheme("https", end: colon)
        let isWeb = isSecure || isScheme("http", end: colon)

        // RFC 3986: the first # ends the rest, then the first ? ends the path.
        let fragmentStart = first("#", in: colon..<bytes.count) ?? bytes.count
        let queryStart = first("?", in: colon..<fragmentStart) ?? fragmentStart

        var layout = LinkText.Layout()
        layout.schemeEnd = colon
        layout.isWeb = isWeb
        var position = colon + 1
        layout.host = position..<position
        let hasAuthority = bytes[position..<queryStart].starts(with: "//".utf8)
        if isWeb && !hasAuthority { throw refusal(.malformed, bytes.indices) }
        if hasAuthority { position += 2 }
        if hasAuthority || (position < queryStart && bytes[position] != UInt8(ascii: "/")) {
            let end = first("/", in: position..<queryStart) ?? queryStart
            layout.host = try readHost(position..<end, isWeb: isWeb, defaultPort: isSecure ? "443" : "80")
            position = end
        }
        layout.path = position..<queryStart
        try readPath(in: &layout)
        layout.query = queryStart..<queryStart
        if queryStart < fragmentStart {
            layout.query = queryStart + 1..<fragmentStart
            try readQuery(layout.query)
        }
        if fragmentStart < bytes.count {
            _ = try decoded(fragmentStart + 1..<bytes.count)
            layout.fragment = fragmentStart + 1
        }
        return layout
    }

    // MARK: Rules, in the order in which they are checked

    private func refuseRawBytes() throws(DeepLinkRefusal) {
        for (index, byte) in bytes.enumerated() {
            switch byte {
            case 0..<0x20, 0x7F: throw refusal(.controlCharacter, index..<index + 1)
            case 0x20: throw refusal(.whitespace, index..<index + 1)
            case UInt8(ascii: "\\"): throw refusal(.backslash, index..<index + 1)
            case 0xC2 where index + 1 < bytes.count && bytes[index + 1] < 0xA0:
                // U+0080 to U+009F, the second block of control characters.
                throw refusal(.controlCharacter, index..<index + 2)
            default: continue
            }
        }
    }

    private func schemeEnd() throws(DeepLinkRefusal) -> Int {
        guard let colon = first(":", in: bytes.indices), colon > 0, ASCII.isLetter(bytes[0]),
            bytes[..<colon].allSatisfy({ ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) })
        else { throw refusal(.malformed, bytes.indices) }
        return colon
    }

    private func isScheme(_ name: String, end: Int) -> Bool {
        bytes[..<end].lazy.map(ASCII.lowercased).elementsEqual(name.utf8)
    }

    private func readHost(
        _ range: Range<Int>, isWeb: Bool, defaultPort: String
    ) throws(DeepLinkRefusal) -> Range<Int> {
        // A custom scheme's host is a path segment, so it may contain what RFC 3986 allows in one.
        let others = isWeb ? ".-" : ".-_~!$&'()*+,;="
        let end = range.first { !ASCII.isAlphanumeric(bytes[$0]) && !others.utf8.contains(bytes[$0]) }
        if let end { try refuseHostCharacters(range, end, isWeb ? defaultPort : nil) }
        let host = range.lowerBound..<(end ?? range.upperBound)
        if isWeb && host.isEmpty { throw refusal(.malformed, bytes.indices) }
        if isWeb && isAddress(host) { throw refusal(.addressHost, host) }
        if isDotSegment(bytes[host]) { throw refusal(.dotSegment, range) }
        let labels = LinkParts(bytes, host, separator: ".")
        if isWeb && !labels.allSatisfy({ Punycode.isValid(label: bytes[$0]) }) {
            throw refusal(.invalidPunycode, host)
        }
        if isWeb && !isName(host) { throw refusal(.hostLabel, host) }
        return host
    }

    /// Refuses a host whose first unusual byte is at `end`, unless it is the colon of the default port.
    private func refuseHostCharacters(
        _ range: Range<Int>, _ end: Int, _ defaultPort: String?
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
            guard let defaultPort, bytes[port].elementsEqual(defaultPort.utf8) else { throw refusal(.port, port) }
        }
        if end != colon { throw refusal(.hostCharacter, range) }
    }

    /// Whether the last label of a web host is a number, so that browsers interpret the host as an IPv4 address, as in
    /// `0x7f.1`.
    private func isAddress(_ host: Range<Int>) -> Bool {
        var last: Range<Int>?
        for label in LinkParts(bytes, host, separator: ".") where !label.isEmpty { last = label }
        guard let last else { return true }
        let label = bytes[last]
        if label.allSatisfy(ASCII.isDigit) { return true }
        return label.count >= 2 && label[last.lowerBound] == UInt8(ascii: "0")
            && ASCII.lowercased(label[last.lowerBound + 1]) == UInt8(ascii: "x")
            && label.dropFirst(2).allSatisfy(ASCII.isHexDigit)
    }

    /// Whether each label of a host is valid in a host name (RFC 1123): letters, digits and inner hyphens, at most 63.
    private func isName(_ host: Range<Int>) -> Bool {
        let hyphen = UInt8(ascii: "-")
        return host.count <= 253 && bytes[host.upperBound - 1] != UInt8(ascii: ".")
            && LinkParts(bytes, host, separator: ".").allSatisfy {
                (1...63).contains($0.count) && bytes[$0.lowerBound] != hyphen && bytes[$0.upperBound - 1] != hyphen
            }
    }

    private func readPath(in layout: inout LinkText.Layout) throws(DeepLinkRefusal) {
        let path = layout.path
        layout.hasPathEscapes = first("%", in: path) != nil
        var count = layout.isHostASegment ? 1 : 0
        for segment in LinkParts(bytes, path.dropFirst(), separator: "/") {
            if segment.isEmpty { throw refusal(.emptySegment, path) }
            let isDots =
                layout.hasPathEscapes ? isDotSegment(try decoded(segment)) : isDotSegment(bytes[segment])
            if isDots { throw refusal(.dotSegment, segment) }
            guard count < limits.segments else {
                let total = count + bytes[segment.lowerBound..<path.upperBound].count { $0 == UInt8(ascii: "/") } + 1
                throw DeepLinkRefusal(
                    rule: .oversize, part: "\(total) path segments, but the limit is \(limits.segments)",
                    offset: segment.lowerBound)
            }
            count += 1
        }
        layout.segmentCount = count
    }

    private func readQuery(_ range: Range<Int>) throws(DeepLinkRefusal) {
        let hasEscapes = first("%", in: range) != nil
        var count = 0
        for (name, value) in LinkParts.items(of: range, in: bytes) {
            guard count < limits.queryItems else {
                throw DeepLinkRefusal(
                    rule: .oversize, part: "more than \(limits.queryItems) query items", offset: name.lowerBound)
            }
            count += 1
            guard hasEscapes else { continue }
            // Names and values separately, so that no character spans the sign between them.
            _ = try decoded(name)
            if let value { _ = try decoded(value) }
        }
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

    private func refusal(_ rule: DeepLinkRule, _ range: Range<Int>) -> DeepLinkRefusal {
        DeepLinkRefusal(rule: rule, part: String(decoding: bytes[range], as: UTF8.self), offset: range.lowerBound)
    }
}
