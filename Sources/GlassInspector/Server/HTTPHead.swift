import Foundation

/// The head of a request: its first line and its fields (RFC 9112).
package struct HTTPHead: Equatable, Sendable {
    /// A field with a lowercase name.
    package struct Field: Equatable, Sendable {
        package let name: String
        package let value: String
    }

    package let method: String
    /// The target exactly as sent.
    package let target: String
    package let fields: [Field]
    /// The length of the body; 0 if the head announces none.
    package let contentLength: Int

    /// The value of a field. The values of a repeated field are joined into one list.
    subscript(name: String) -> String? {
        let values = fields.filter { $0.name == name }.map(\.value)
        return values.isEmpty ? nil : values.joined(separator: name == "cookie" ? "; " : ", ")
    }

    /// The target without its query.
    var path: Substring { target.prefix { $0 != "?" } }

    /// The first value of a query item; nil if it is missing or not UTF-8.
    func parameter(_ name: String) -> String? {
        for item in target.dropFirst(path.count + 1).split(separator: "&") {
            let parts = item.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts[0] == name else { continue }
            return parts.count == 2 ? String(parts[1]).removingPercentEncoding : ""
        }
        return nil
    }
}

/// Reads a head as its bytes arrive, and keeps no more than the limits allow.
///
/// Each byte is read at most twice, so the time is linear. The result does not depend on how the bytes were split. Two
/// readers must never interpret a request differently, so the reader rejects everything that RFC 9112 leaves to the
/// recipient: a line that ends in LF alone, a folded line, or a repeated field that may occur only once.
package struct HTTPHeadReader {
    /// The maximum size of a line in bytes, including its end.
    package static let maximumLineBytes = 8 << 10
    /// The maximum size of a head in bytes.
    package static let maximumBytes = 32 << 10
    /// The maximum number of fields in a head.
    package static let maximumFields = 100

    /// Fields that determine access and the end of the request. A second one is rejected, even with the same value.
    private static let single: Set = [
        "content-length", "content-type", "host", "last-event-id", "origin", "transfer-encoding", "x-glass-token",
        SituationField.name,
    ]

    private var count = 0
    private var line: [UInt8] = []
    private var request: (method: String, target: String)?
    private var fields: [HTTPHead.Field] = []

    package init() {}

    /// Removes bytes from the front, and returns the head when it is complete. The remaining bytes belong to the body.
    /// Do not call it again after it returns a head or throws.
    package mutating func read(_ bytes: inout ArraySlice<UInt8>) throws(HTTPFailure) -> HTTPHead? {
        while let byte = bytes.popFirst() {
            count += 1
            guard count <= Self.maximumBytes else {
                throw HTTPFailure(.fieldsTooLarge, "the head exceeds \(Self.maximumBytes) bytes")
            }
            switch byte {
            case UInt8(ascii: "\n"):
                guard line.popLast() == UInt8(ascii: "\r") else {
                    throw HTTPFailure(.badRequest, "a line of the head does not end in CR and LF")
                }
                if let head = try endLine() { return head }
                line.removeAll(keepingCapacity: true)
            case _ where line.last == UInt8(ascii: "\r"), 0..<0x09, 0x0A..<0x0D, 0x0E..<0x20, 0x7F:
                throw HTTPFailure(.badRequest, "the head contains a control character")
            default:
                line.append(byte)
                guard line.count < Self.maximumLineBytes else {
                    throw HTTPFailure(
                        request == nil ? .targetTooLong : .fieldsTooLarge,
                        "a line of the head exceeds \(Self.maximumLineBytes) bytes")
                }
            }
        }
        return nil
    }

    /// Processes a line without its end. An empty line is the last.
    private mutating func endLine() throws(HTTPFailure) -> HTTPHead? {
        guard let request else {
            request = try Self.request(line)
            return nil
        }
        guard line.isEmpty else {
            let field = try Self.field(line)
            guard fields.count < Self.maximumFields else {
                throw HTTPFailure(.fieldsTooLarge, "the head exceeds \(Self.maximumFields) fields")
            }
            guard !Self.single.contains(field.name) || !fields.contains(where: { $0.name == field.name }) else {
                throw HTTPFailure(.badRequest, "the field \(field.name) appears twice")
            }
            fields.append(field)
            return nil
        }
        guard fields.contains(where: { $0.name == "host" }) else {
            throw HTTPFailure(.badRequest, "the field host is missing")
        }
        return HTTPHead(
            method: request.method, target: request.target, fields: fields, contentLength: try contentLength())
    }

    private static func request(_ line: [UInt8]) throws(HTTPFailure) -> (method: String, target: String) {
        let parts = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false)
        guard parts.count == 3, isToken(parts[0]), !parts[1].isEmpty, parts[1].allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw HTTPFailure(.badRequest, "the first line is not a method, a target and a version")
        }
        switch String(decoding: parts[2], as: UTF8.self) {
        case "HTTP/1.1", "HTTP/1.0": break
        case let version where version.hasPrefix("HTTP/"):
            throw HTTPFailure(.versionNotSupported, "only HTTP/1.1 is supported")
        default: throw HTTPFailure(.badRequest, "the first line is not a method, a target and a version")
        }
        let method = String(decoding: parts[0], as: UTF8.self)
        guard ["GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "PATCH"].contains(method) else {
            throw HTTPFailure(.notImplemented, "unsupported method")
        }
        return (method, String(decoding: parts[1], as: UTF8.self))
    }

    private static func field(_ line: [UInt8]) throws(HTTPFailure) -> HTTPHead.Field {
        // A space before or after a name makes it invalid. This also rejects folded lines.
        guard let colon = line.firstIndex(of: UInt8(ascii: ":")), isToken(line[..<colon]) else {
            throw HTTPFailure(.badRequest, "a field of the head has no valid name")
        }
        let isSpace = { (byte: UInt8) in byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }
        let value = line[(colon + 1)...].drop(while: isSpace)
        let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
        return HTTPHead.Field(
            name: String(decoding: line[..<colon], as: UTF8.self).lowercased(),
            value: String(decoding: value[..<end], as: UTF8.self))
    }

    private func contentLength() throws(HTTPFailure) -> Int {
        let length = fields.first { $0.name == "content-length" }?.value
        guard !fields.contains(where: { $0.name == "transfer-encoding" }) else {
            // If both are present, two recipients may disagree about where the request ends (RFC 9112, section 6.1).
            guard length == nil else {
                throw HTTPFailure(.badRequest, "the head has both Content-Length and Transfer-Encoding")
            }
            throw HTTPFailure(.lengthRequired, "send the body with Content-Length instead of in chunks")
        }
        guard let length else { return 0 }
        // `Int` alone would accept a sign.
        guard !length.isEmpty, length.utf8.allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }) else {
            throw HTTPFailure(.badRequest, "the Content-Length is not a number")
        }
        return Int(length) ?? .max
    }

    /// Whether the bytes are a `token` (RFC 9110, section 5.6.2).
    private static func isToken(_ bytes: ArraySlice<UInt8>) -> Bool {
        !bytes.isEmpty
            && bytes.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
                default: "!#$%&'*+-.^_`|~".utf8.contains(byte)
                }
            }
    }
}
