/// The gate's full validator: every rule in a fixed order, with the offending part.
struct LinkReader {
    let bytes: [UInt8]
    let limits: DeepLinkLimits

    func read() throws(DeepLinkRefusal) -> LinkText.Layout {
        try refuseRawBytes()
        let colon = try schemeEnd()
        let scheme = String(decoding: bytes[..<colon].asciiFolded, as: UTF8.self)
        let isWeb = scheme == "https" || scheme == "http"

        // RFC 3986: the first # ends the rest, then the first ? ends the path.
        let fragmentStart = bytes.firstIndex(of: UInt8(ascii: "#")) ?? bytes.count
        let queryStart = bytes[..<fragmentStart].firstIndex(of: UInt8(ascii: "?")) ?? fragmentStart

        var layout = LinkText.Layout()
        layout.schemeEnd = colon
        layout.isWeb = isWeb
        var position = colon + 1
        layout.host = position..<position
        let hasAuthority = bytes[position..<queryStart].starts(with: "//".utf8)
        if isWeb && !hasAuthority { throw refusal(.malformed, 0..<bytes.count) }
        if hasAuthority { position += 2 }
        if hasAuthority || (position < queryStart && bytes[position] != UInt8(ascii: "/")) {
            let end = bytes[position..<queryStart].firstIndex(of: UInt8(ascii: "/")) ?? queryStart
            layout.host = try readHost(position..<end, scheme: scheme, isWeb: isWeb)
            position = end
        }
        layout.path = position..<queryStart
        layout.hasPathEscapes = bytes[layout.path].contains(UInt8(ascii: "%"))
        for place in layout.path.dropFirst() where bytes[place] == UInt8(ascii: "/") {
            layout.slashes |= LinkText.Layout.slash(at: place - layout.path.lowerBound)
        }
        layout.segmentCount = try readPath(layout.path, count: !isWeb && !layout.host.isEmpty ? 1 : 0)
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
        guard let colon = bytes.firstIndex(of: UInt8(ascii: ":")), colon > 0, ASCII.isLetter(bytes[0]),
            bytes[..<colon].allSatisfy({ ASCII.isAlphanumeric($0) || "+-.".utf8.contains($0) })
        else { throw refusal(.malformed, 0..<bytes.count) }
        return colon
    }

    private func readHost(_ range: Range<Int>, scheme: String, isWeb: Bool) throws(DeepLinkRefusal) -> Range<Int> {
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
        // A custom scheme's host is a path segment, so it may contain what RFC 3986 allows in one.
        let others = isWeb ? "-.".utf8 : "-._~!$&'()*+,;=".utf8
        guard host.allSatisfy({ ASCII.isAlphanumeric($0) || others.contains($0) }) else {
            throw refusal(.hostCharacter, range)
        }
        if isWeb && host.isEmpty { throw refusal(.malformed, 0..<bytes.count) }
        if isWeb && isAddress(host) { throw refusal(.addressHost, range.lowerBound..<end) }
        if isDotSegment(host) { throw refusal(.dotSegment, range) }
        if isWeb && !Punycode.isValid(host: host) { throw refusal(.invalidPunycode, range.lowerBound..<end) }
        if isWeb && !isName(host) { throw refusal(.hostLabel, range.lowerBound..<end) }
        return range.lowerBound..<end
    }

    /// Whether the last label of a web host is a number, so that browsers interpret the host as an IPv4 address, as in
    /// `0x7f.1`.
    private func isAddress(_ host: [UInt8]) -> Bool {
        let labels = host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: true)
        guard let last = labels.last else { return true }
        if last.allSatisfy(ASCII.isDigit) { return true }
        return last.starts(with: "0x".utf8) && last.dropFirst(2).allSatisfy(ASCII.isHexDigit)
    }

    /// Whether each label of a host is valid in a host name (RFC 1123): letters, digits and inner hyphens, at most 63.
    private func isName(_ host: [UInt8]) -> Bool {
        host.count <= 253
            && host.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                (1...63).contains(label.count) && label.first != UInt8(ascii: "-") && label.last != UInt8(ascii: "-")
            }
    }

    private func readPath(_ range: Range<Int>, count: Int) throws(DeepLinkRefusal) -> Int {
        var count = count
        guard !range.isEmpty else { return count }
        var start = range.lowerBound + 1  // the leading slash
        while start < range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "/")) ?? range.upperBound
            if start == end { throw refusal(.emptySegment, range) }
            let segment = try decoded(start..<end)
            if isDotSegment(segment) { throw refusal(.dotSegment, start..<end) }
            guard count < limits.segments else {
                let total = count + bytes[start..<range.upperBound].count { $0 == UInt8(ascii: "/") } + 1
                throw DeepLinkRefusal(
                    rule: .oversize, part: "\(total) path segments, but the limit is \(limits.segments)", offset: start)
            }
            count += 1
            start = end + 1
        }
        return count
    }

    private func readQuery(_ range: Range<Int>) throws(DeepLinkRefusal) {
        var items = 0
        var start = range.lowerBound
        while start < range.upperBound {
            let end = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "&")) ?? range.upperBound
            defer { start = end + 1 }
            if start == end { continue }  // `a&&b`: an empty item is ignored
            guard items < limits.queryItems else {
                throw DeepLinkRefusal(
                    rule: .oversize, part: "more than \(limits.queryItems) query items", offset: start)
            }
            let equals = bytes[start..<end].firstIndex(of: UInt8(ascii: "="))
            // Names and values separately, so that no character spans the sign between them.
            _ = try decoded(start..<(equals ?? end))
            if let equals { _ = try decoded(equals + 1..<end) }
            items += 1
        }
    }

    // MARK: Decoding

    private func decoded(_ range: Range<Int>) throws(DeepLinkRefusal) -> [UInt8] {
        guard bytes[range].contains(UInt8(ascii: "%")) else {
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
                result.append(byte)
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
