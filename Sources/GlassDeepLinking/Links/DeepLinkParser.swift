/// The gate: turns text into a ``DeepLink`` or says which rule refuses it.
///
/// It works on UTF-8 bytes, splits before it decodes, and decodes once. It knows nothing of a market:
/// schemes, hosts and routes are the router's business.
///
/// A `+` in a query is a space, as web forms write it and Android reads it; `%2B` is a plus. Only `&` separates items.
/// `walmart:account` and `walmart:/account` mean `walmart://account`; an empty host is no segment.
public struct DeepLinkParser: Sendable {
    /// How large a link may be.
    public let limits: DeepLinkLimits

    /// Creates a parser.
    ///
    /// - Parameter limits: How large a link may be.
    public init(limits: DeepLinkLimits = DeepLinkLimits()) {
        self.limits = limits
    }

    /// Parses a link.
    ///
    /// - Parameter text: The link.
    /// - Returns: The parsed link.
    /// - Throws: ``DeepLinkRefusal`` when a rule refuses it.
    /// - Complexity: O(length), and O(1) for a link that is too long.
    public func parse(_ text: String) throws(DeepLinkRefusal) -> DeepLink {
        // Counting the bytes of native text is O(1), so a huge link is refused before it is copied.
        guard text.utf8.count <= limits.length else { throw tooLong(text.utf8.count) }
        return try LinkReader(bytes: Array(text.utf8), text: text, limits: limits).read()
    }

    /// Parses a link that may not be valid UTF-8, such as a command-line argument.
    ///
    /// - Parameter bytes: The link's bytes.
    /// - Returns: The parsed link.
    /// - Throws: ``DeepLinkRefusal`` when a rule refuses it, `invalidUTF8` among them.
    public func parse(bytes: [UInt8]) throws(DeepLinkRefusal) -> DeepLink {
        guard bytes.count <= limits.length else { throw tooLong(bytes.count) }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw DeepLinkRefusal(rule: .invalidUTF8, part: String(decoding: bytes, as: UTF8.self), offset: 0)
        }
        return try LinkReader(bytes: bytes, text: text, limits: limits).read()
    }

    private func tooLong(_ count: Int) -> DeepLinkRefusal {
        DeepLinkRefusal(
            rule: .oversize, part: "\(count) bytes, and the limit is \(limits.length)", offset: limits.length)
    }
}

/// One parse: the bytes and the rules.
private struct LinkReader {
    let bytes: [UInt8]
    let text: String
    let limits: DeepLinkLimits

    func read() throws(DeepLinkRefusal) -> DeepLink {
        try refuseRawBytes()
        let colon = try schemeEnd()
        let scheme = String(decoding: bytes[..<colon].asciiFolded, as: UTF8.self)
        let isWeb = scheme == "https" || scheme == "http"

        // RFC 3986: the first # ends the rest, then the first ? ends the path.
        let fragmentStart = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let queryStart = bytes[..<fragmentStart].firstIndex(of: UInt8(ascii: "?")) ?? fragmentStart

        var position = colon + 1
        var host: [UInt8] = []
        let hasAuthority = bytes[position..<queryStart].starts(with: "//".utf8)
        if isWeb && !hasAuthority { throw refusal(.malformed, 0..<bytes.count) }
        if hasAuthority { position += 2 }
        if hasAuthority || (position < queryStart && bytes[position] != UInt8(ascii: "/")) {
            let end = bytes[position..<queryStart].firstIndex(of: UInt8(ascii: "/")) ?? queryStart
            host = try readHost(position..<end, scheme: scheme, isWeb: isWeb)
            position = end
        }

        var path = LinkPath()
        if !isWeb && !host.isEmpty { path.append(host) }
        try readPath(position..<queryStart, into: &path)
        let items = queryStart < fragmentStart ? try readQuery(queryStart + 1..<fragmentStart) : []
        var fragment: String?
        if fragmentStart < bytes.count { fragment = try decodedText(fragmentStart + 1..<bytes.count) }
        return DeepLink(
            text: text, scheme: scheme, host: String(decoding: host, as: UTF8.self), path: path, queryItems: items,
            fragment: fragment)
    }

    // MARK: The rules, in the order in which they are asked

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
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, ASCII.isLetter(bytes[0]),
            bytes[..<colon].allSatisfy({ ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) })
        else { throw refusal(.malformed, 0..<bytes.count) }
        return colon
    }

    private func readHost(_ range: Range<Int>, scheme: String, isWeb: Bool) throws(DeepLinkRefusal) -> [UInt8] {
        if let at = bytes[range].lastIndex(of: UInt8(ascii: "@")) {
            throw refusal(.userinfo, range.lowerBound..<at + 1)
        }
        if bytes[range].contains(UInt8(ascii: "%")) { throw refusal(.hostEscape, range) }
        if bytes[range].contains(where: { $0 >= 0x80 }) { throw refusal(.nonASCIIHost, range) }
        if bytes[range].first == UInt8(ascii: "[") { throw refusal(.addressHost, range) }
        var end = range.upperBound
        if let colon = bytes[range].lastIndex(of: UInt8(ascii: ":")) {
            let port = bytes[colon + 1..<end]
            let isDefault = isWeb && port.elementsEqual(scheme == "https" ? "443".utf8 : "80".utf8)
            if !isDefault { throw refusal(.port, colon + 1..<end) }
            end = colon
        }
        let host = bytes[range.lowerBound..<end].asciiFolded
        // A custom scheme's host is a path segment, so it may hold what RFC 3986 allows in one.
        let others = isWeb ? "-._".utf8 : "-._~!$&'()*+,;=".utf8
        guard host.allSatisfy({ ASCII.isAlphanumeric($0) || others.contains($0) }) else {
            throw refusal(.hostCharacter, range)
        }
        if isWeb && host.isEmpty { throw refusal(.malformed, 0..<bytes.count) }
        if isWeb && isAddress(host) { throw refusal(.addressHost, range.lowerBound..<end) }
        if isDotSegment(host) { throw refusal(.dotSegment, range) }
        return host
    }

    /// Whether a web host's last label is a number, so that a browser takes it for an IPv4 address, as in `0x7f.1`.
    private func isAddress(_ host: [UInt8]) -> Bool {
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: true)
        guard let last = labels.last else { return true }
        if last.allSatisfy(ASCII.isDigit) { return true }
        return last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy(ASCII.isHexDigit)
    }

    private func readPath(_ range: Range<Int>, into path: inout LinkPath) throws(DeepLinkRefusal) {
        guard !range.isEmpty else { return }
        var start = range.lowerBound + 1  // the leading slash
        while start < range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? range.upperBound
            if start == end { throw refusal(.emptySegment, range) }
            let segment = try decoded(start..<end, plusIsSpace: false)
            if isDotSegment(segment) { throw refusal(.dotSegment, start..<end) }
            guard path.count < limits.segments else {
                let count = path.count + bytes[start..<range.upperBound].count { $0 == UInt8(ascii: "/") } + 1
                throw DeepLinkRefusal(
                    rule: .oversize, part: "\(count) path segments, and the limit is \(limits.segments)", offset: start)
            }
            path.append(segment)
            start = end + 1
        }
    }

    private func readQuery(_ range: Range<Int>) throws(DeepLinkRefusal) -> [QueryItem] {
        var items: [QueryItem] = []
        var start = range.lowerBound
        while start < range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) ?? range.upperBound
            defer { start = end + 1 }
            if start == end { continue }  // `a&&b`: nothing between them is no item
            guard items.count < limits.queryItems else {
                throw DeepLinkRefusal(
                    rule: .oversize, part: "more than \(limits.queryItems) query items", offset: start)
            }
            let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "="))
            let name = try decodedText(start..<(equals ?? end), plusIsSpace: true)
            var value: String?
            if let equals { value = try decodedText(equals + 1..<end, plusIsSpace: true) }
            items.append(QueryItem(name: name, value: value))
        }
        return items
    }

    // MARK: Decoding

    private func decodedText(_ range: Range<Int>, plusIsSpace: Bool = false) throws(DeepLinkRefusal) -> String {
        String(decoding: try decoded(range, plusIsSpace: plusIsSpace), as: UTF8.self)
    }

    private func decoded(_ range: Range<Int>, plusIsSpace: Bool) throws(DeepLinkRefusal) -> [UInt8] {
        guard bytes[range].contains(where: { $0 == UInt8(ascii: "%") || $0 == UInt8(ascii: "+") }) else {
            return Array(bytes[range])
        }
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
                result.append(plusIsSpace && byte == UInt8(ascii: "+") ? 0x20 : byte)
                index += 1
            }
        }
        guard String(validating: result, as: UTF8.self) != nil else { throw refusal(.invalidUTF8, range) }
        return result
    }

    private func isDotSegment(_ segment: [UInt8]) -> Bool {
        segment == [UInt8(ascii: ".")] || segment == [UInt8(ascii: "."), UInt8(ascii: ".")]
    }

    private func refusal(_ rule: DeepLinkRule, _ range: Range<Int>) -> DeepLinkRefusal {
        DeepLinkRefusal(rule: rule, part: String(decoding: bytes[range], as: UTF8.self), offset: range.lowerBound)
    }
}
