/// The gate's fast way: one pass over a link that is plainly good.
///
/// It never says what is wrong: at anything unusual it gives up, and ``LinkReader`` decides with all rules. So whatever
/// it accepts, the reader would accept with the same layout; a test compares the two.
enum LinkScanner {
    /// What a byte may be in a link, by the part that it stands in.
    private static let schemeByte: UInt8 = 1
    private static let hostByte: UInt8 = 2

    /// The classes of all bytes.
    private static let classes: [UInt8] = (0...255).map { value in
        let byte = UInt8(value)
        var result: UInt8 = 0
        if ASCII.isAlphanumeric(byte) || "+-.".utf8.contains(byte) { result |= schemeByte }
        if ASCII.isAlphanumeric(byte) || "-._".utf8.contains(byte) { result |= hostByte }
        return result
    }

    /// The layout of a plainly good link, or `nil` when the reader has to look at it.
    static func scan(_ bytes: UnsafeBufferPointer<UInt8>, limits: DeepLinkLimits) -> LinkText.Layout? {
        classes.withUnsafeBufferPointer { scan(bytes, limits: limits, $0) }
    }

    @inline(__always)
    private static func scan(
        _ bytes: UnsafeBufferPointer<UInt8>, limits: DeepLinkLimits, _ classes: UnsafeBufferPointer<UInt8>
    ) -> LinkText.Layout? {
        guard let first = bytes.first, ASCII.isLetter(first) else { return nil }
        var layout = LinkText.Layout()
        var index = 1
        let count = bytes.count
        while index < count, classes[Int(bytes[index])] & schemeByte != 0 { index += 1 }
        layout.schemeEnd = index
        guard index + 2 < count, bytes[index] == UInt8(ascii: ":"), bytes[index + 1] == UInt8(ascii: "/"),
            bytes[index + 2] == UInt8(ascii: "/")
        else { return nil }
        layout.isWeb = isWeb(bytes, end: layout.schemeEnd)
        index += 3

        let hostStart = index
        var label = index
        while index < count, classes[Int(bytes[index])] & hostByte != 0 {
            let byte = bytes[index]
            if byte == UInt8(ascii: ".") {
                label = index + 1
            } else if byte == UInt8(ascii: "-"), index + 1 < count, bytes[index + 1] == byte {
                return nil  // perhaps xn--
            }
            index += 1
        }
        layout.host = hostStart..<index
        if index > hostStart {
            // A last label that starts with a digit may be an address, and a dot at the end needs a second look.
            guard label < index, !layout.isWeb || !ASCII.isDigit(bytes[label]) else { return nil }
            if !layout.isWeb { layout.segmentCount = 1 }
        } else if layout.isWeb {
            return nil
        }

        layout.path = index..<index
        if index < count, bytes[index] == UInt8(ascii: "/") {
            let pathStart = index
            index += 1
            var start = index
            while index < count {
                // Eight bytes at a step up to the next one that means something; the end is one.
                let stops = ByteWord(bytes, padded: index).stopsInPath
                index &+= stops.trailingZeroBitCount &>> 3
                guard stops != 0 else { continue }
                guard index < count else { break }
                let byte = bytes[index]
                if byte == UInt8(ascii: "/") {
                    guard index > start, bytes[start] != UInt8(ascii: ".") else { return nil }
                    layout.segmentCount += 1
                    index += 1
                    start = index
                } else if byte == UInt8(ascii: "%") {
                    guard isPlainEscape(bytes, index) else { return nil }
                    layout.hasPathEscapes = true
                    index += 3
                } else {
                    break
                }
            }
            if index > start {
                guard bytes[start] != UInt8(ascii: ".") else { return nil }
                layout.segmentCount += 1
            }
            layout.path = pathStart..<index
        }
        guard layout.segmentCount <= limits.segments else { return nil }

        layout.query = index..<index
        if index < count, bytes[index] == UInt8(ascii: "?") {
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
                    guard isPlainEscape(bytes, index) else { return nil }
                    index += 3
                } else {
                    break
                }
            }
            guard items <= limits.queryItems else { return nil }
            layout.query = queryStart..<index
        }
        // A fragment is rare; the reader takes it.
        return index == count ? layout : nil
    }

    @inline(__always)
    private static func isWeb(_ bytes: UnsafeBufferPointer<UInt8>, end: Int) -> Bool {
        guard end == 4 || end == 5, bytes[0] | 0x20 == UInt8(ascii: "h"), bytes[1] | 0x20 == UInt8(ascii: "t"),
            bytes[2] | 0x20 == UInt8(ascii: "t"), bytes[3] | 0x20 == UInt8(ascii: "p")
        else { return false }
        // The bytes belong to a scheme, so only letters become these letters.
        return end == 4 || bytes[4] | 0x20 == UInt8(ascii: "s")
    }

    /// Whether an escape stands for a printable character of ASCII other than a dot, which may make a dot segment.
    private static func isPlainEscape(_ bytes: UnsafeBufferPointer<UInt8>, _ index: Int) -> Bool {
        guard index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
        else { return false }
        let value = high << 4 | low
        return value >= 0x20 && value < 0x7F && value != UInt8(ascii: ".")
    }
}
