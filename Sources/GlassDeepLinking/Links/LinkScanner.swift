/// The gate's fast path: a single pass over a link that is obviously valid.
///
/// Never reports an error: at anything unusual it gives up, and ``LinkReader`` decides by all rules. So the reader
/// would accept whatever the scanner accepts, with the same layout; a test compares the two.
enum LinkScanner {
    /// Whether a link is obviously valid. If not, the reader must examine it.
    @inline(__always)
    static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, limits: DeepLinkLimits, into layout: inout LinkText.Layout
    ) -> Bool {
        // Each part is inlined, so that the index stays in a register.
        guard var index = scanScheme(bytes, into: &layout) else { return false }
        guard scanHost(bytes, &index, into: &layout) else { return false }
        // Counted in a local variable; the layout would be written for each segment.
        var segments = layout.isHostASegment ? 1 : 0
        guard scanPath(bytes, &index, &segments, into: &layout), segments <= limits.segments else { return false }
        layout.segmentCount = segments
        guard scanQuery(bytes, &index, maximumItems: limits.queryItems, into: &layout) else { return false }
        // Fragments are rare; leave them to the reader.
        return index == bytes.count
    }

    /// Scans the scheme and the two slashes after it.
    @inline(__always)
    private static func scanScheme(
        _ bytes: UnsafeBufferPointer<UInt8>, into layout: inout LinkText.Layout
    ) -> Int? {
        let count = bytes.count
        // The beginning of most links, in one comparison of eight bytes.
        if count >= 8, ByteWord(bytes, at: 0).isSecureWebScheme {
            layout.schemeEnd = 5
            layout.isWeb = true
            return 8
        }
        guard let first = bytes.first, ASCII.isLetter(first) else { return nil }
        var index = 1
        while index < count, isSchemeByte(bytes[index]) { index += 1 }
        layout.schemeEnd = index
        guard index + 2 < count, bytes[index] == UInt8(ascii: ":"), bytes[index + 1] == UInt8(ascii: "/"),
            bytes[index + 2] == UInt8(ascii: "/")
        else { return nil }
        layout.isWeb = isWeb(bytes, end: layout.schemeEnd)
        return index + 3
    }

    /// Scans the host.
    @inline(__always)
    private static func scanHost(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, into layout: inout LinkText.Layout
    ) -> Bool {
        let hostStart = index
        var label = index
        // A dot or hyphen next to another or at either end of the host, or an underscore: possibly not a host name.
        var unusual: UInt64 = 0
        // The high bit of a byte that was a mark is carried into the next word; initially as if a mark preceded the
        // host.
        var carry: UInt64 = 0x80
        while true {
            let word = ByteWord(bytes, padded: index)
            let stops = word.stopsInHost
            // The bytes before the stop, or all eight if there is none.
            let before = stops == 0 ? ~0 : (stops & (0 &- stops)) &- 1
            let dots = word.equal(to: UInt8(ascii: ".")) & before
            if dots != 0 { label = index &+ (63 &- dots.leadingZeroBitCount) &>> 3 &+ 1 }
            let marks = dots | word.equal(to: UInt8(ascii: "-")) & before
            unusual |= marks & (marks &<< 8 | carry) | word.equal(to: UInt8(ascii: "_")) & before
            carry = marks &>> 56
            index &+= stops.trailingZeroBitCount &>> 3
            if stops != 0 { break }
        }
        // The zero after the end also stops the loop, so the index is at most the count.
        layout.host = hostStart..<index
        guard index > hostStart else { return !layout.isWeb }
        guard layout.isWeb else { return label < index }
        // A last label that starts with a digit may be an address, and a label of more than 63 letters is invalid.
        return unusual == 0 && index &- hostStart <= 63 && label < index && bytes[index &- 1] != UInt8(ascii: "-")
            && !ASCII.isDigit(bytes[label])
    }

    /// Scans the path and counts its segments.
    @inline(__always)
    private static func scanPath(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, _ segments: inout Int,
        into layout: inout LinkText.Layout
    ) -> Bool {
        let count = bytes.count
        layout.path = index..<index
        guard index < count, bytes[index] == UInt8(ascii: "/") else { return true }
        let pathStart = index
        index += 1
        var start = index
        var slashes: UInt64 = 0
        while index < count {
            // Advance eight bytes at a time to the next significant byte; the end counts as one.
            let stops = ByteWord(bytes, padded: index).stopsInPath
            index &+= stops.trailingZeroBitCount &>> 3
            guard stops != 0 else { continue }
            guard index < count else { break }
            let byte = bytes[index]
            if byte == UInt8(ascii: "/") {
                guard index > start, bytes[start] != UInt8(ascii: ".") else { return false }
                segments += 1
                slashes |= LinkText.Layout.slash(at: index &- pathStart)
                index += 1
                start = index
            } else if byte == UInt8(ascii: "%") {
                guard isPlainEscape(bytes, index) else { return false }
                layout.hasPathEscapes = true
                index += 3
            } else if isRarePlain(byte) {
                index += 1
            } else {
                break
            }
        }
        if index > start {
            guard bytes[start] != UInt8(ascii: ".") else { return false }
            segments += 1
        }
        layout.path = pathStart..<index
        layout.slashes = slashes
        return true
    }

    /// Scans the query. Its names and values are read only on demand.
    @inline(__always)
    private static func scanQuery(
        _ bytes: UnsafeBufferPointer<UInt8>, _ index: inout Int, maximumItems: Int, into layout: inout LinkText.Layout
    ) -> Bool {
        let count = bytes.count
        layout.query = index..<index
        guard index < count, bytes[index] == UInt8(ascii: "?") else { return true }
        index += 1
        let queryStart = index
        var items = 1
        while index < count {
            let stops = ByteWord(bytes, padded: index).stopsInQuery
            index &+= stops.trailingZeroBitCount &>> 3
            guard stops != 0 else { continue }
            guard index < count else { break }
            let byte = bytes[index]
            if byte == UInt8(ascii: "&") {
                items += 1
                index += 1
            } else if byte == UInt8(ascii: "%") {
                guard isPlainEscape(bytes, index) else { return false }
                index += 3
            } else if isRarePlain(byte) {
                index += 1
            } else {
                break
            }
        }
        layout.query = queryStart..<index
        return items <= maximumItems
    }

    @inline(__always)
    private static func isSchemeByte(_ byte: UInt8) -> Bool {
        ASCII.isAlphanumeric(byte) || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ".")
    }

    /// Whether a byte that stops a search is valid after all. An ampersand is valid only in a path.
    @inline(__always)
    private static func isRarePlain(_ byte: UInt8) -> Bool {
        byte > 0x20 && byte < 0x28 && byte != UInt8(ascii: "#")
    }

    @inline(__always)
    private static func isWeb(_ bytes: UnsafeBufferPointer<UInt8>, end: Int) -> Bool {
        guard end == 4 || end == 5, bytes[0] | 0x20 == UInt8(ascii: "h"), bytes[1] | 0x20 == UInt8(ascii: "t"),
            bytes[2] | 0x20 == UInt8(ascii: "t"), bytes[3] | 0x20 == UInt8(ascii: "p")
        else { return false }
        // The bytes belong to a scheme, so only letters fold to these letters.
        return end == 4 || bytes[4] | 0x20 == UInt8(ascii: "s")
    }

    /// Whether an escape encodes a printable ASCII character other than a dot, which could form a dot segment.
    private static func isPlainEscape(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
        else { return false }
        let value = high << 4 | low
        return value >= 0x20 && value < 0x7F && value != UInt8(ascii: ".")
    }
}
