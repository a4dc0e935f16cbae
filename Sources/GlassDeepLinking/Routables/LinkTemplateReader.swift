/// Parses a template into its parts.
struct LinkTemplateReader {
    let text: String
    private let bytes: [UInt8]

    init(text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    func read() throws(LinkTemplateError) -> [LinkTemplate.Part] {
        if bytes.count > LinkTemplate.lengthLimit {
            throw error(
                LinkTemplate.lengthLimit..<bytes.count,
                "\(bytes.count) bytes exceed the limit of \(LinkTemplate.lengthLimit) for a template; shorten it")
        }
        var parts: [LinkTemplate.Part] = []
        var literal: [UInt8] = []
        var placeholders = 0
        var index = 0
        while index < bytes.count {
            let byte = bytes[index]
            let isBrace = byte == UInt8(ascii: "{") || byte == UInt8(ascii: "}")
            if !isBrace || (index + 1 < bytes.count && bytes[index + 1] == byte) {
                literal.append(byte)
                index += isBrace ? 2 : 1
                continue
            }
            if byte == UInt8(ascii: "}") {
                throw error(index..<index + 1, "\"}\" does not close a placeholder; write \"}}\" for a brace")
            }
            guard let close = bytes[index...].firstIndex(of: UInt8(ascii: "}")) else {
                throw error(
                    index..<bytes.count, "the placeholder is not closed; add \"}\", or write \"{{\" for a brace")
            }
            placeholders += 1
            if placeholders > LinkTemplate.placeholderLimit {
                throw error(
                    index..<close + 1, "a template may have at most \(LinkTemplate.placeholderLimit) placeholders"
                )
            }
            if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
            literal = []
            parts.append(try readPlaceholder(index..<close + 1))
            index = close + 1
        }
        if !literal.isEmpty { parts.append(.literal(String(decoding: literal, as: UTF8.self))) }
        return parts
    }

    /// Reads `{name}`, `{?name}`, `{name|text}` or `{?name|text}`.
    private func readPlaceholder(_ range: Range<Int>) throws(LinkTemplateError) -> LinkTemplate.Part {
        var inner = range.dropFirst().dropLast()
        // A brace opens within a placeholder: report the first one, which lacks its closing brace.
        if let second = bytes[inner].firstIndex(of: UInt8(ascii: "{")) {
            throw error(
                range.lowerBound..<second, "the placeholder is not closed; add \"}\", or write \"{{\" for a brace")
        }
        var standIn: String?
        if let bar = bytes[inner].firstIndex(of: UInt8(ascii: "|")) {
            standIn = string(bar + 1..<inner.endIndex)
            inner = inner[..<bar]
        }
        let isQuery = bytes[inner].first == UInt8(ascii: "?")
        if isQuery { inner = inner.dropFirst() }
        if inner.isEmpty { throw error(range, "the placeholder has no name; write one, such as \"{id}\"") }
        for index in inner {
            let byte = bytes[index]
            let isLetter = ASCII.isLetter(byte) || byte == UInt8(ascii: "_")
            let isDigit = ASCII.isDigit(byte) && (isQuery || index > inner.startIndex)
            // The same names as in patterns; a link would never have any others.
            if isLetter || isDigit || (isQuery && "-.[]".utf8.contains(byte)) { continue }
            throw error(
                index..<characterEnd(index),
                isQuery
                    ? "a query name may contain only letters, digits, \"_\", \"-\", \".\", \"[\" and \"]\""
                    : "a parameter name may contain only letters, digits, and \"_\", and must not start with a digit")
        }
        let name = string(inner.startIndex..<inner.endIndex)
        return isQuery ? .queryItem(name: name, default: standIn) : .parameter(name: name, default: standIn)
    }

    /// The end of the UTF-8 sequence that starts at `index`.
    private func characterEnd(_ index: Int) -> Int {
        var end = index + 1
        while end < bytes.count && bytes[end] & 0xC0 == 0x80 { end += 1 }
        return end
    }

    private func string(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    private func error(_ range: Range<Int>, _ message: String) -> LinkTemplateError {
        LinkTemplateError(template: text, offset: range.lowerBound, length: range.count, message: message)
    }
}
