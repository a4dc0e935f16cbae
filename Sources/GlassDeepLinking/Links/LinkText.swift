/// A link's text and the positions of its parts: the storage of a ``DeepLink``.
///
/// Nothing is decoded or copied until it is needed. The text has passed the gate, so every escape is complete and every
/// part decodes to UTF-8.
struct LinkText: Sendable {
    /// The positions of the parts, in bytes of the text.
    struct Layout: Sendable {
        var schemeEnd = 0
        /// Without the port.
        var host = 0..<0
        /// With the leading slash; empty if there is no path.
        var path = 0..<0
        /// Without the question mark; empty if there is no query.
        var query = 0..<0
        /// After the number sign; `nil` if there is no fragment.
        var fragment: Int?
        var isWeb = false
        var hasPathEscapes = false
        /// The number of segments of the route, including a custom scheme's host.
        var segmentCount = 0

        var isHostASegment: Bool { !isWeb && !host.isEmpty }

        /// The segments of the route with the slashes between them. Nothing separates a custom scheme's host from its
        /// path, because such a link has no port.
        var route: Range<Int> { isHostASegment ? host.lowerBound..<path.upperBound : path.dropFirst() }
    }

    /// One decoded segment of the route.
    struct Segment {
        let range: Range<Int>
        /// The `foldedHash` of its bytes.
        let hash: UInt64
    }

    /// The link as written, in native UTF-8.
    let text: String
    let layout: Layout

    /// Reads a link, or reports the rule that refuses it.
    init(_ text: consuming String, limits: DeepLinkLimits) throws(DeepLinkRefusal) {
        // Counting the bytes of native text is O(1), so a huge link is refused before it is copied.
        guard text.utf8.count <= limits.length else { throw .tooLong(text.utf8.count, limits) }
        layout = try text.withUTF8 { bytes in
            Result { () throws(DeepLinkRefusal) in try LinkReader(bytes: bytes, limits: limits).read() }
        }.get()
        self.text = text
    }

    /// Calls `body` with the text's bytes.
    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        if let result = text.utf8.withContiguousStorageIfAvailable(body) { return result }
        // Unreachable, because `init` made the text contiguous.
        return Array(text.utf8).withUnsafeBufferPointer(body)
    }

    /// Calls `body` with the text, and with bytes and the decoded segments within them. For typical links, allocates
    /// only on the stack.
    func withSegments<Result>(
        _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<Segment>) -> Result
    ) -> Result {
        let layout = layout
        return withBytes { text in
            withUnsafeTemporaryAllocation(of: Segment.self, capacity: layout.segmentCount) { segments in
                // Without escapes, the bytes of the text are the decoded ones.
                let capacity = layout.hasPathEscapes ? layout.route.count : 0
                return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: capacity) { decoded in
                    let bytes = layout.hasPathEscapes ? UnsafeBufferPointer(decoded) : text
                    var (count, end) = (0, 0)
                    for part in LinkParts(text, layout.route, separator: "/") {
                        var range = part
                        if layout.hasPathEscapes {
                            range = end..<end
                            for byte in DecodedBytes(text, part) {
                                decoded.initializeElement(at: end, to: byte)
                                end += 1
                            }
                            range = range.lowerBound..<end
                        }
                        let segment = Segment(range: range, hash: bytes[range].foldedHash)
                        segments.initializeElement(at: count, to: segment)
                        count += 1
                    }
                    // The gate counts by the same rule; with another count, `body` would read uninitialized memory.
                    precondition(count == segments.count)
                    return body(text, bytes, UnsafeBufferPointer(segments))
                }
            }
        }
    }

    /// Whether there is an item with the given name and a nonempty value. Allocates nothing.
    static func hasValue(_ name: [UInt8], _ text: UnsafeBufferPointer<UInt8>, _ query: Range<Int>) -> Bool {
        QueryParts(text, query).contains { item in
            item.value?.isEmpty == false && DecodedBytes(text, item.name, plusIsSpace: true).elementsEqual(name)
        }
    }

    // MARK: Strings, created on demand

    /// The segments, decoded; a custom scheme's host in lowercase.
    var segments: [String] {
        withSegments { _, bytes, segments in strings(bytes, segments.map(\.range)) }
    }

    /// The segments as written; a custom scheme's host in lowercase.
    var rawSegments: [String] {
        withBytes { strings($0, Array(LinkParts($0, layout.route, separator: "/"))) }
    }

    private func strings(_ bytes: UnsafeBufferPointer<UInt8>, _ segments: [Range<Int>]) -> [String] {
        var strings = segments.map { String(decoding: bytes[$0], as: UTF8.self) }
        if layout.isHostASegment { strings[0] = host }
        return strings
    }

    var scheme: String { folded(0..<layout.schemeEnd) }

    var host: String { folded(layout.host) }

    private func folded(_ range: Range<Int>) -> String {
        withBytes { String(decoding: $0[range].asciiFolded, as: UTF8.self) }
    }

    var fragment: String? {
        guard let start = layout.fragment else { return nil }
        return withBytes { String(decoding: Array(DecodedBytes($0, start..<$0.count)), as: UTF8.self) }
    }

    var queryItems: [QueryItem] {
        withBytes { bytes in
            func text(_ range: Range<Int>) -> String {
                String(decoding: Array(DecodedBytes(bytes, range, plusIsSpace: true)), as: UTF8.self)
            }
            return QueryParts(bytes, layout.query).map { name, value in
                QueryItem(name: text(name), value: value.map(text))
            }
        }
    }
}
