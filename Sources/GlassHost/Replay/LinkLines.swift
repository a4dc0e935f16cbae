import Foundation
import GlassBase

/// Finds the link in each line of a file: a link alone, or a request in a log.
///
/// A line is read by its own content, so a file may mix formats: a quoted request (`"GET /ip/42 HTTP/1.1"`, as web
/// servers and load balancers write it), a JSON object, or the columns that a header names. Any other line is a link.
struct LinkLines {
    /// The content of a line.
    enum Content: Equatable {
        /// An empty line, a comment, or a header.
        case nothing
        /// A request that opens no link, such as a `POST`.
        case skipped
        case link([UInt8])
    }

    /// The columns that a header names.
    private struct Columns {
        let names: [String]
        /// The byte between fields; nil for tabs or spaces, as the line has them.
        let separator: UInt8?
    }

    /// What precedes the path of a request: `https://` and the host of universal links, or else a scheme.
    private let base: String?
    private var columns: Columns?
    private var isStart = true

    init(base: String?) { self.base = base }

    /// The names of values that hold a link, in order of preference, in lower case.
    private static let linkNames = [
        "url", "url.full", "url.original", "link", "uri", "request_uri", "requesturl", "cs-uri-stem", "url.path",
        "path",
    ]
    private static let methodNames = ["method", "request_method", "requestmethod", "http.request.method", "cs-method"]
    /// The names of objects in which a JSON log describes the request.
    private static let requestNames = ["request", "httpRequest", "http_request"]
    /// The names of the URL in such an object named `url`.
    private static let nestedURLNames = ["full", "original", "path"]

    /// The content of the next line. O(n) in its length.
    mutating func content(of line: [UInt8]) -> Content {
        guard let first = line.first else {
            isStart = false
            return .nothing
        }
        if first == UInt8(ascii: "#") {
            readFields(of: line)
            return .nothing
        }
        defer { isStart = false }
        if isStart, let header = Self.header(line) {
            columns = header
            return .nothing
        }
        if let columns, let content = content(of: line, in: columns) { return content }
        if first == UInt8(ascii: "{") { return content(ofObject: line) ?? .link(line) }
        return content(ofRequestIn: line) ?? .link(line)
    }

    // MARK: Requests

    /// The link for the target of a request.
    private func content(_ target: [UInt8], method: String?) -> Content {
        if let method, method != "GET", method != "HEAD" { return .skipped }
        guard target.first == UInt8(ascii: "/"), let base else { return .link(target) }
        return .link(Array(base.utf8) + target)
    }

    /// The link of a quoted request; nil for a line without one.
    private func content(ofRequestIn line: [UInt8]) -> Content? {
        let quote = UInt8(ascii: "\"")
        var hasTime = false
        for start in line.indices where line[start] == quote && (start == 0 || Self.isBlank(line[start - 1])) {
            let text = line[(start + 1)...]
            hasTime = hasTime || line[..<start].suffix(2).elementsEqual("] ".utf8)
            let method = text.prefix { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) }
            guard !method.isEmpty, text.dropFirst(method.count).first == UInt8(ascii: " ") else { continue }
            let target = text.dropFirst(method.count + 1).prefix { $0 != UInt8(ascii: " ") }
            let version = line[target.endIndex...].dropFirst()
            guard version.starts(with: "HTTP/".utf8) else { continue }
            let plain = Self.unescaped(target)
            guard target.first == UInt8(ascii: "/") || plain.contains(Array("://".utf8)) else { return .skipped }
            return content(plain, method: String(decoding: method, as: UTF8.self))
        }
        // A server logs what is not HTTP as well: `[time] "\x16\x03"`.
        return hasTime && line.contains(UInt8(ascii: "[")) ? .skipped : nil
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") }

    /// The bytes that a server wrote as `\xC3`, `\"` and `\\`.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        guard text.contains(UInt8(ascii: "\\")) else { return Array(text) }
        var (bytes, rest): ([UInt8], ArraySlice<UInt8>) = ([], text)
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let next = rest.first else {
                bytes.append(byte)
                continue
            }
            let digits = String(decoding: rest.dropFirst().prefix(2), as: UTF8.self)
            if next == UInt8(ascii: "x"), digits.utf8.count == 2, let code = UInt8(digits, radix: 16) {
                bytes.append(code)
                rest.removeFirst(3)
            } else if next == UInt8(ascii: "\"") || next == UInt8(ascii: "\\") {
                bytes.append(next)
                rest.removeFirst()
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    // MARK: JSON

    /// The link of a JSON object; nil if the line is not one, or the object has no link.
    private func content(ofObject line: [UInt8]) -> Content? {
        let json: StrictJSON
        do {
            json = try StrictJSON(reading: line, limit: LineReader.maximumLength, numbers: .all)
        } catch {
            return nil  // A line that is not JSON is a link, and the gate refuses it.
        }
        for object in [json] + Self.requestNames.compactMap({ json[$0] }) {
            if let request = object.stringValue {
                if let content = content(ofRequestIn: Array("\"\(request)\"".utf8)) { return content }
                continue
            }
            guard case .object(let members) = object else { continue }
            func text(_ names: [String]) -> String? {
                names.lazy.compactMap { name in
                    members.first { $0.key.lowercased() == name }?.value.stringValue
                }.first
            }
            let nested = object["url"].flatMap { url in
                Self.nestedURLNames.lazy.compactMap { url[$0]?.stringValue }.first
            }
            guard let target = nested ?? text(Self.linkNames) else { continue }
            return content(Array(target.utf8), method: text(Self.methodNames))
        }
        return nil
    }

    // MARK: Columns

    /// The columns that the first line names; nil if it is not a header.
    private static func header(_ line: [UInt8]) -> Columns? {
        guard let text = String(validating: line, as: UTF8.self), !text.contains("://"), !text.hasPrefix("{") else {
            return nil
        }
        let separator = [",", "\t", ";"].first { text.contains($0) }.flatMap { $0.utf8.first } ?? UInt8(ascii: ",")
        let names = fields(line, separator).map { String(decoding: $0, as: UTF8.self).lowercased() }
        return names.contains { linkNames.contains($0) } ? Columns(names: names, separator: separator) : nil
    }

    /// Reads the columns that the Extended Log File Format names, as CloudFront and IIS write it.
    private mutating func readFields(of line: [UInt8]) {
        let directive = Array("#Fields:".utf8)
        guard line.starts(with: directive) else { return }
        let names = String(decoding: line.dropFirst(directive.count), as: UTF8.self).lowercased()
            .split { $0 == " " || $0 == "\t" }.map(String.init)
        columns = Columns(names: names, separator: nil)
    }

    /// The link in the columns of a line; nil if the line has others.
    private func content(of line: [UInt8], in columns: Columns) -> Content? {
        var fields: [[UInt8]]
        if let separator = columns.separator {
            // A file with one column is a list, in which a comma is part of the link.
            let isList = columns.names.count == 1 && line.first != UInt8(ascii: "\"")
            fields = isList ? [line] : Self.fields(line, separator)
        } else {
            let tab = UInt8(ascii: "\t")
            fields = line.split(separator: line.contains(tab) ? tab : UInt8(ascii: " ")).map(Array.init)
        }
        guard fields.count == columns.names.count else { return nil }
        func field(_ names: [String]) -> [UInt8]? {
            names.lazy.compactMap { columns.names.firstIndex(of: $0) }.first.map { fields[$0] }
        }
        guard var target = field(Self.linkNames), !target.isEmpty else { return .skipped }
        if columns.separator == nil, let query = field(["cs-uri-query"]), query != Array("-".utf8) {
            target += Array("?".utf8) + query
        }
        return content(target, method: field(Self.methodNames).map { String(decoding: $0, as: UTF8.self) })
    }

    /// The fields of a row of comma-separated values, without the quotes of quoted ones (RFC 4180).
    private static func fields(_ line: [UInt8], _ separator: UInt8) -> [[UInt8]] {
        let quote = UInt8(ascii: "\"")
        var fields: [[UInt8]] = [[]]
        var isQuoted = false
        var previous: UInt8?
        for byte in line {
            if byte == quote {
                // Two quotes in a quoted field are one.
                if !isQuoted, previous == quote { fields[fields.count - 1].append(quote) }
                isQuoted.toggle()
            } else if byte == separator, !isQuoted {
                fields.append([])
            } else {
                fields[fields.count - 1].append(byte)
            }
            previous = byte
        }
        return fields
    }
}
