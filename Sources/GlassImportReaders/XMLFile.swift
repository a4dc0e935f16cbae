package import GlassBase
package import GlassHost

/// Reads the part of XML that manifests use, within limits: elements, attributes, comments and character data, in UTF-8.
///
/// A document type is refused, so that there are no entities to expand and nothing to fetch.
package struct XMLFile {
    /// The maximum size of a file in bytes.
    package static let maximumBytes = 1 << 20
    /// The maximum nesting of elements. Each is an object in a list of another, which takes two levels of a tree.
    package static let maximumDepth = 64
    /// The maximum number of elements and attributes.
    package static let maximumCount = 50_000

    private let bytes: [UInt8]
    private var position = 0
    private var line = 1
    private var lineStart = 0
    private var count = 0

    /// The root element of a file.
    @Sendable package static func tree(of bytes: [UInt8]) throws(ImportFailure) -> StrictJSON {
        guard bytes.count <= maximumBytes else { throw ImportFailure("has more than \(maximumBytes.grouped) bytes") }
        guard String(validating: bytes, as: UTF8.self) != nil, !bytes.contains(0) else {
            throw ImportFailure("is not UTF-8")
        }
        var file = XMLFile(bytes: bytes)
        return try file.document()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private func failure(_ message: String) -> ImportFailure {
        ImportFailure(message, line: line, column: position - lineStart + 1)
    }

    private mutating func document() throws(ImportFailure) -> StrictJSON {
        if starts(with: "\u{FEFF}") { position += 3 }
        try skipOutside()
        guard starts(with: "<") else { throw failure("expected an element") }
        let root = try element(depth: 0)
        try skipOutside()
        guard position == bytes.count else { throw failure("there is content after the root element") }
        return root
    }

    /// Skips white space, comments and processing instructions.
    private mutating func skipOutside() throws(ImportFailure) {
        while true {
            skipSpace()
            if starts(with: "<!--") {
                try skip(past: "-->", "a comment")
            } else if starts(with: "<?") {
                try skip(past: "?>", "an instruction")
            } else if starts(with: "<!") {
                throw failure("has a document type, which is not read")
            } else {
                return
            }
        }
    }

    private mutating func element(depth: Int) throws(ImportFailure) -> StrictJSON {
        guard depth < Self.maximumDepth else {
            throw failure("elements are nested deeper than \(Self.maximumDepth) levels")
        }
        let start = line
        try spend()
        advance(1)
        let name = try self.name()
        var attributes: [String: StrictJSON] = [:]
        var children: [StrictJSON] = []
        while true {
            let hasSpace = skipSpace()
            if starts(with: "/>") {
                advance(2)
                break
            }
            if starts(with: ">") {
                advance(1)
                try content(of: name, into: &children, depth: depth)
                break
            }
            guard hasSpace else { throw failure("expected a space, > or />") }
            try spend()
            let key = try self.name()
            skipSpace()
            guard starts(with: "=") else { throw failure("expected = after an attribute's name") }
            advance(1)
            skipSpace()
            guard attributes.updateValue(.string(try quoted()), forKey: key) == nil else {
                throw failure("a duplicate attribute \(key.jsonLiteral)")
            }
        }
        return .object([
            ("name", .string(name)), ("attributes", .object(attributes.map { ($0.key, $0.value) })),
            ("children", .array(children)), ("line", .integer(StrictJSON.Integer(start))),
        ])
    }

    /// Reads to the end tag of an element. Character data is skipped, because manifests have none.
    private mutating func content(
        of name: String, into children: inout [StrictJSON], depth: Int
    ) throws(ImportFailure) {
        while true {
            guard position < bytes.count else { throw failure("<\(name)> is not closed") }
            if starts(with: "<!--") {
                try skip(past: "-->", "a comment")
            } else if starts(with: "<![CDATA[") {
                try skip(past: "]]>", "character data")
            } else if starts(with: "<?") {
                try skip(past: "?>", "an instruction")
            } else if starts(with: "</") {
                advance(2)
                let end = try self.name()
                guard end == name else { throw failure("expected </\(name)>, got </\(end)>") }
                skipSpace()
                guard starts(with: ">") else { throw failure("expected >") }
                return advance(1)
            } else if starts(with: "<!") {
                throw failure("has a declaration, which is not read")
            } else if starts(with: "<") {
                children.append(try element(depth: depth + 1))
            } else {
                advance(1)
            }
        }
    }

    private mutating func name() throws(ImportFailure) -> String {
        let start = position
        while position < bytes.count, bytes[position] >= 0x80 || Self.isOfName(bytes[position]) { position += 1 }
        guard position > start, position - start <= 256 else { throw failure("expected a name") }
        return String(decoding: bytes[start..<position], as: UTF8.self)
    }

    private static func isOfName(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
        default: ":_-.".utf8.contains(byte)
        }
    }

    private mutating func quoted() throws(ImportFailure) -> String {
        guard position < bytes.count, bytes[position] == UInt8(ascii: "\"") || bytes[position] == UInt8(ascii: "'")
        else {
            throw failure("expected a value in quotes")
        }
        let quote = bytes[position]
        advance(1)
        var text: [UInt8] = []
        while position < bytes.count, bytes[position] != quote {
            switch bytes[position] {
            case UInt8(ascii: "<"): throw failure("expected the end of a value in quotes")
            case UInt8(ascii: "&"): text += try reference()
            case let byte:
                text.append(byte)
                advance(1)
            }
        }
        guard position < bytes.count else { throw failure("a value in quotes is not closed") }
        advance(1)
        return String(decoding: text, as: UTF8.self)
    }

    /// A reference to one of the five characters with a name, or to a character by its number.
    private mutating func reference() throws(ImportFailure) -> [UInt8] {
        guard let end = bytes[position...].prefix(12).firstIndex(of: UInt8(ascii: ";")) else {
            throw failure("expected ; at the end of a reference")
        }
        let text = String(decoding: bytes[(position + 1)..<end], as: UTF8.self)
        let known = ["amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'"]
        var value = known[text]
        if value == nil, text.hasPrefix("#") {
            let digits = text.dropFirst()
            let number = digits.hasPrefix("x") ? UInt32(digits.dropFirst(), radix: 16) : UInt32(digits)
            value = number.flatMap(Unicode.Scalar.init).map { String(Character($0)) }
        }
        guard let value else { throw failure("an entity that is not declared, &\(text);") }
        advance(end + 1 - position)
        return Array(value.utf8)
    }

    private mutating func spend() throws(ImportFailure) {
        count += 1
        guard count <= Self.maximumCount else {
            throw failure("has more than \(Self.maximumCount.grouped) elements and attributes")
        }
    }

    private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

    private mutating func advance(_ count: Int) {
        for _ in 0..<count {
            if bytes[position] == UInt8(ascii: "\n") {
                line += 1
                lineStart = position + 1
            }
            position += 1
        }
    }

    @discardableResult
    private mutating func skipSpace() -> Bool {
        let start = position
        while position < bytes.count, [0x20, 0x09, 0x0A, 0x0D].contains(bytes[position]) { advance(1) }
        return position > start
    }

    private mutating func skip(past end: String, _ what: String) throws(ImportFailure) {
        let start = position
        let mark = Array(end.utf8)
        while position < bytes.count {
            if bytes[position...].starts(with: mark) { return advance(mark.count) }
            advance(1)
        }
        position = start
        throw failure("\(what) is not closed")
    }
}
