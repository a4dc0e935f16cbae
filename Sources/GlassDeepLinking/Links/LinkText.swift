/// A link's text and the positions of its parts: the storage of a ``DeepLink``.
///
/// Nothing is decoded or copied until it is needed. The text has passed the gate, so every escape is complete and every
/// part decodes to UTF-8.
struct LinkText: Sendable {
    /// The positions of the parts, in bytes of the text. Small and without references, because every match contains it.
    struct Layout: Sendable {
        private struct Span: Sendable {
            var start: Int32 = 0
            var end: Int32 = 0

            var range: Range<Int> {
                get { Int(start)..<Int(end) }
                set { (start, end) = (Int32(newValue.lowerBound), Int32(newValue.upperBound)) }
            }
        }

        private var hostSpan = Span()
        private var pathSpan = Span()
        private var querySpan = Span()
        private var fragmentStart: Int32 = -1
        private var scheme: Int32 = 0
        private var count: Int32 = 0
        var isWeb = false
        var hasPathEscapes = false
        /// The slashes among the first 64 bytes of the path, except the leading one: bit n represents byte n. They
        /// locate the segments without scanning the path again.
        var slashes: UInt64 = 0

        /// The bit for a byte of the path; 0 after the first 64 bytes.
        @inline(__always)
        static func slash(at place: Int) -> UInt64 {
            place < UInt64.bitWidth ? 1 &<< UInt64(truncatingIfNeeded: place) : 0
        }

        var schemeEnd: Int {
            get { Int(scheme) }
            set { scheme = Int32(newValue) }
        }

        /// Without the port.
        var host: Range<Int> {
            get { hostSpan.range }
            set { hostSpan.range = newValue }
        }

        /// With the leading slash; empty if there is no path.
        var path: Range<Int> {
            get { pathSpan.range }
            set { pathSpan.range = newValue }
        }

        /// Without the question mark; empty if there is no query.
        var query: Range<Int> {
            get { querySpan.range }
            set { querySpan.range = newValue }
        }

        /// After the number sign; `nil` if there is no fragment.
        var fragment: Int? {
            get { fragmentStart < 0 ? nil : Int(fragmentStart) }
            set { fragmentStart = Int32(newValue ?? -1) }
        }

        /// The number of segments of the route, including a custom scheme's host.
        var segmentCount: Int {
            get { Int(count) }
            set { count = Int32(newValue) }
        }

        var isHostASegment: Bool { !isWeb && hostSpan.start < hostSpan.end }
    }

    /// One decoded segment of the route.
    struct Segment {
        var start: Int32
        var end: Int32
        /// The ``FoldedHash`` of the bytes, and its tail.
        var hash: UInt64
        var tail: UInt64

        @inline(__always)
        init(_ start: Int, _ end: Int, _ folded: FoldedHash) {
            self.start = Int32(truncatingIfNeeded: start)
            self.end = Int32(truncatingIfNeeded: end)
            hash = folded.value
            tail = folded.tail
        }
    }

    /// The link as written, in native UTF-8.
    let text: String
    let layout: Layout

    var isHostASegment: Bool { layout.isHostASegment }

    /// Calls `body` with the text's bytes.
    @inline(__always)
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        // Unreachable for text that the parser made contiguous.
        return Array(text.utf8).withUnsafeBufferPointer(body)
    }

    /// Calls `body` with bytes and the decoded segments within them. For typical links, allocates only on the stack.
    func withSegments<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<Segment>) -> Result
    ) -> Result {
        withBytes { text in
            LinkText.withSegmentReader(text, layout) { bytes, reader in
                var reader = reader
                return withUnsafeTemporaryAllocation(of: Segment.self, capacity: reader.count) { segments in
                    for index in 0..<reader.count { segments.initializeElement(at: index, to: reader[index]) }
                    return body(bytes, UnsafeBufferPointer(segments))
                }
            }
        }
    }

    /// Provides the segments, finding each on first access: a link that doesn't match seldom needs all of them.
    struct SegmentReader {
        private let bytes: UnsafeBufferPointer<UInt8>
        private let storage: UnsafeMutableBufferPointer<Segment>
        private let end: Int
        let count: Int
        private var found: Int
        private var start: Int
        /// The start of the path.
        private let origin: Int
        /// The remaining ``Layout/slashes``, from the next segment on.
        private var slashes: UInt64

        @inline(__always)
        init(
            _ bytes: UnsafeBufferPointer<UInt8>, host: Range<Int>, path: Range<Int>, slashes: UInt64, count: Int,
            _ storage: UnsafeMutableBufferPointer<Segment>
        ) {
            precondition(count <= storage.count)
            self.bytes = bytes
            self.storage = storage
            self.count = count
            end = path.upperBound
            origin = path.lowerBound
            start = origin + 1
            self.slashes = slashes
            found = 0
            if !host.isEmpty {
                storage.initializeElement(
                    at: 0,
                    to: Segment(host.lowerBound, host.upperBound, FoldedHash(bytes, host.lowerBound, host.upperBound)))
                found = 1
            }
        }

        @inline(__always)
        init(filled: UnsafeMutableBufferPointer<Segment>) {
            bytes = UnsafeBufferPointer(start: nil, count: 0)
            storage = filled
            (origin, start, end, slashes, found, count) = (0, 0, 0, 0, filled.count, filled.count)
        }

        @inline(__always)
        subscript(index: Int) -> Segment {
            mutating get {
                // The scanner counts by the same rule; with a wrong count, this would read uninitialized memory.
                precondition(index < count)
                if index < found { return storage[index] }
                // Returned directly: reloading it would stall on the store.
                var segment = findNext()
                while found <= index { segment = findNext() }
                return segment
            }
        }

        @inline(__always)
        private mutating func findNext() -> Segment {
            precondition(start < end)
            var index = end
            if slashes != 0 {
                index = origin &+ slashes.trailingZeroBitCount
                slashes &= slashes &- 1
            } else if end &- origin > UInt64.bitWidth {
                index = findSlash()
            }
            let segment = Segment(start, index, FoldedHash(bytes, start, index))
            storage.initializeElement(at: found, to: segment)
            found += 1
            start = index + 1
            return segment
        }

        /// The next slash of a long path, or the end of the path.
        @inline(never)
        private func findSlash() -> Int {
            var index = start
            while index < end {
                let slashes = ByteWord(bytes, padded: index).equal(to: UInt8(ascii: "/"))
                // Without a slash, the count is 64 bits, that is, eight bytes.
                index &+= slashes.trailingZeroBitCount &>> 3
                if slashes != 0 { break }
            }
            // The slash may belong to the query.
            return min(index, end)
        }
    }

    /// Calls `body` with bytes and a reader of the decoded segments within them. Static, to avoid reference counting of
    /// the text.
    @inline(__always)
    static func withSegmentReader<Result>(
        _ bytes: UnsafeBufferPointer<UInt8>, _ layout: Layout,
        _ body: (UnsafeBufferPointer<UInt8>, SegmentReader) -> Result
    ) -> Result {
        withUnsafeTemporaryAllocation(of: Segment.self, capacity: layout.segmentCount) { segments in
            if !layout.hasPathEscapes {
                let host = layout.isHostASegment ? layout.host : 0..<0
                return body(
                    bytes,
                    SegmentReader(
                        bytes, host: host, path: layout.path, slashes: layout.slashes, count: layout.segmentCount,
                        segments))
            }
            return withUnsafeTemporaryAllocation(
                of: UInt8.self, capacity: layout.host.count + layout.path.count
            ) { buffer in
                fillDecoding(segments, bytes, layout, buffer)
                return body(UnsafeBufferPointer(buffer), SegmentReader(filled: segments))
            }
        }
    }

    private static func fillDecoding(
        _ segments: UnsafeMutableBufferPointer<Segment>, _ bytes: UnsafeBufferPointer<UInt8>, _ layout: Layout,
        _ buffer: UnsafeMutableBufferPointer<UInt8>
    ) {
        var count = 0
        var end = 0
        func close(from start: Int) {
            let hash = FoldedHash(UnsafeBufferPointer(buffer), start, end)
            segments.initializeElement(at: count, to: Segment(start, end, hash))
            count += 1
        }
        if layout.isHostASegment {
            for index in layout.host {
                buffer.initializeElement(at: end, to: bytes[index])
                end += 1
            }
            close(from: 0)
        }
        var start = end
        var index = layout.path.lowerBound + 1
        while index < layout.path.upperBound {
            if bytes[index] == UInt8(ascii: "/") {
                close(from: start)
                start = end
                index += 1
            } else {
                let (byte, length) = LinkText.decode(bytes, at: index)
                buffer.initializeElement(at: end, to: byte)
                end += 1
                index += length
            }
        }
        if end > start { close(from: start) }
        precondition(count == segments.count)
    }

    /// The decoded byte at an index, and the number of bytes that encode it. Escapes are complete, because the gate
    /// checked them.
    @inline(__always)
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>, at index: Int) -> (byte: UInt8, length: Int) {
        let byte = bytes[index]
        guard byte == UInt8(ascii: "%"), index + 2 < bytes.count, let high = ASCII.hexValue(bytes[index + 1]),
            let low = ASCII.hexValue(bytes[index + 2])
        else { return (byte, 1) }
        return (high << 4 | low, 3)
    }

    // MARK: Strings, created on demand

    /// A segment's text; a custom scheme's host in lowercase.
    func segment(_ index: Int) -> String {
        withSegments { bytes, segments in string(of: segments[index], isHost: index == 0 && isHostASegment, bytes) }
    }

    /// The text of the segments from `index`, joined with slashes.
    func segments(from index: Int) -> String {
        strings.dropFirst(index).joined(separator: "/")
    }

    var strings: [String] {
        withSegments { bytes, segments in
            segments.indices.map { string(of: segments[$0], isHost: $0 == 0 && isHostASegment, bytes) }
        }
    }

    /// The segments as written; a custom scheme's host in lowercase.
    var rawStrings: [String] {
        withBytes { bytes in
            let path = bytes[layout.path].split(separator: UInt8(ascii: "/"))
            return (isHostASegment ? [host] : []) + path.map { String(decoding: $0, as: UTF8.self) }
        }
    }

    private func string(of segment: Segment, isHost: Bool, _ bytes: UnsafeBufferPointer<UInt8>) -> String {
        let part = UnsafeBufferPointer(rebasing: bytes[Int(segment.start)..<Int(segment.end)])
        return isHost ? String(decoding: part.asciiFolded, as: UTF8.self) : String(decoding: part, as: UTF8.self)
    }

    var scheme: String { folded(0..<layout.schemeEnd) }

    var host: String { folded(layout.host) }

    private func folded(_ range: Range<Int>) -> String {
        withBytes { bytes in
            String(unsafeUninitializedCapacity: range.count) { buffer in
                for (offset, index) in range.enumerated() { buffer[offset] = ASCII.lowercased(bytes[index]) }
                return range.count
            }
        }
    }

    var fragment: String? {
        guard let start = layout.fragment else { return nil }
        return withBytes { LinkText.decoded($0, start..<$0.count, plusIsSpace: false) }
    }

    var queryItems: [QueryItem] {
        withBytes { bytes in
            var items: [QueryItem] = []
            LinkText.forEachItem(bytes, layout.query) { name, value in
                items.append(
                    QueryItem(
                        name: LinkText.decoded(bytes, name, plusIsSpace: true),
                        value: value.map { LinkText.decoded(bytes, $0, plusIsSpace: true) }))
                return true
            }
            return items
        }
    }

    private static func decoded(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, plusIsSpace: Bool) -> String {
        String(unsafeUninitializedCapacity: range.count) { buffer in
            var count = 0
            var index = range.lowerBound
            while index < range.upperBound {
                let (byte, length) = decode(bytes, at: index)
                buffer[count] = plusIsSpace && length == 1 && byte == UInt8(ascii: "+") ? 0x20 : byte
                count += 1
                index += length
            }
            return count
        }
    }

    /// Calls `body` with each item's name and value until it returns false.
    private static func forEachItem(
        _ bytes: UnsafeBufferPointer<UInt8>, _ query: Range<Int>, _ body: (Range<Int>, Range<Int>?) -> Bool
    ) {
        var start = query.lowerBound
        while start < query.upperBound {
            var end = start
            var equals: Int?
            while end < query.upperBound, bytes[end] != UInt8(ascii: "&") {
                if equals == nil && bytes[end] == UInt8(ascii: "=") { equals = end }
                end += 1
            }
            if end > start, !body(start..<(equals ?? end), equals.map { $0 + 1..<end }) { return }
            start = end + 1
        }
    }

    /// Whether there is an item with the given name and a nonempty value. Allocates nothing.
    static func hasValue(_ wanted: [UInt8], _ text: UnsafeBufferPointer<UInt8>, _ query: Range<Int>) -> Bool {
        var isFound = false
        forEachItem(text, query) { name, value in
            guard let value, !value.isEmpty else { return true }
            var index = name.lowerBound
            for expected in wanted {
                guard index < name.upperBound else { return true }
                let (byte, length) = LinkText.decode(text, at: index)
                guard expected == (length == 1 && byte == UInt8(ascii: "+") ? 0x20 : byte) else { return true }
                index += length
            }
            isFound = index == name.upperBound
            return !isFound
        }
        return isFound
    }
}
