import Foundation
import TestSupport
import Testing

@testable import GlassInspector

/// Valid request heads, and the status for invalid ones.
struct HTTPHeadTests {
    private static func read(_ bytes: [UInt8], inPiecesOf size: Int = .max) -> Result<HTTPHead?, HTTPFailure> {
        var reader = HTTPHeadReader()
        var rest = bytes[...]
        while !rest.isEmpty {
            var piece = rest.prefix(size)
            rest = rest.dropFirst(piece.count)
            do throws(HTTPFailure) {
                if let head = try reader.read(&piece) { return .success(head) }
            } catch { return .failure(error) }
        }
        return .success(nil)
    }

    private static let host = "Host: 127.0.0.1:1\r\n"

    @Test func headIsParsed() throws {
        var bytes = Array(
            "POST /a?b=c%20d&e HTTP/1.1\r\nHOST:h\r\nX-Tab:\t a b \t\r\nCookie: a=1\r\nEmpty:\r\ncookie: b=2\r\nContent-Length: 012\r\n\r\nrest"
                .utf8)[...]
        var reader = HTTPHeadReader()
        let head = try #require(try reader.read(&bytes))
        #expect(head.method == "POST" && head.path == "/a" && head.contentLength == 12)
        #expect(head["host"] == "h" && head["x-tab"] == "a b" && head["empty"] == "" && head["other"] == nil)
        #expect(head["cookie"] == "a=1; b=2")
        #expect(head.parameter("b") == "c d" && head.parameter("e") == "" && head.parameter("c") == nil)
        #expect(String(decoding: bytes, as: UTF8.self) == "rest")
    }

    @Test(
        arguments: [
            ("/", "a", nil), ("/?", "a", nil), ("/?a", "a", ""), ("/?a=", "a", ""), ("/?a=b=c", "a", "b=c"),
            ("/?a=1&a=2", "a", "1"), ("/?&&a=%2B+", "a", "++"), ("/?a=%", "a", nil), ("/?a=%ff", "a", nil),
            ("/?%61=b", "a", nil), ("/?b=a", "a", nil),
        ] as [(String, String, String?)])
    func firstParameterOfNameWins(target: String, name: String, value: String?) throws {
        let head = try #require(try Self.read(Array("GET \(target) HTTP/1.1\r\n\(Self.host)\r\n".utf8)).get())
        #expect(head.parameter(name) == value)
    }

    @Test(arguments: [
        ("the oldest HTTP", "GET /\r\n", 400), ("an empty line first", "\r\nGET / HTTP/1.1\r\n", 400),
        ("LF alone", "GET / HTTP/1.1\n", 400), ("LF alone at a field", "GET / HTTP/1.1\r\nHost: a\n", 400),
        ("CR alone", "GET / HTTP/1.1\r\nHost: a\rX", 400), ("two CR", "GET / HTTP/1.1\r\r\n", 400),
        ("a space too many", "GET  / HTTP/1.1\r\n", 400), ("a space at the end", "GET / HTTP/1.1 \r\n", 400),
        ("a space first", " GET / HTTP/1.1\r\n", 400), ("a tab", "GET\t/\tHTTP/1.1\r\n", 400),
        ("no target", "GET  HTTP/1.1\r\n", 400), ("a space in the target", "GET /a b HTTP/1.1\r\n", 400),
        ("a letter that is not ASCII", "GET /é HTTP/1.1\r\n", 400), ("NUL", "GET /\0 HTTP/1.1\r\n", 400),
        ("NUL in a field", "GET / HTTP/1.1\r\nHost: a\0b", 400), ("another protocol", "GET / SIP/2.0\r\n", 400),
        ("the preface of HTTP/2", "PRI * HTTP/2.0\r\n", 505), ("a later version", "GET / HTTP/3.0\r\n", 505),
        ("half a version", "GET / HTTP/1\r\n", 505), ("CONNECT", "CONNECT a:80 HTTP/1.1\r\n", 501),
        ("TRACE", "TRACE / HTTP/1.1\r\n", 501), ("small letters", "get / HTTP/1.1\r\n", 501),
        ("no method", "\u{3}", 400), ("TLS", "\u{16}\u{3}\u{1}", 400),
    ])
    func invalidRequestLineIsRejected(name: String, text: String, status: Int) {
        #expect(throws: HTTPFailure.self, "\(name)") { try Self.read(Array(text.utf8)).get() }
        if case .failure(let failure) = Self.read(Array(text.utf8)) {
            #expect(failure.status.rawValue == status, "\(name)")
        }
    }

    @Test(arguments: [
        ("no host", "", 400), ("two hosts", host + host, 400), ("two hosts that differ", host + "host: b\r\n", 400),
        ("two origins", host + "Origin: a\r\norigin: a\r\n", 400), ("a folded line", host + " b\r\n", 400),
        ("a line folded with a tab", host + "\tb\r\n", 400), ("a space behind a name", host + "X : a\r\n", 400),
        ("no name", host + ": a\r\n", 400), ("no colon", host + "X\r\n", 400),
        ("a name in quotes", host + "\"X\": a\r\n", 400),
        ("a name with é", host + "é: a\r\n", 400), ("DEL", host + "X: a\u{7F}\r\n", 400),
        ("two lengths", host + "Content-Length: 1\r\nContent-Length: 2\r\n", 400),
        ("one length twice", host + "Content-Length: 1\r\nContent-Length: 1\r\n", 400),
        ("a list of lengths", host + "Content-Length: 1, 1\r\n", 400), ("no length", host + "Content-Length:\r\n", 400),
        ("a length with a sign", host + "Content-Length: +1\r\n", 400),
        ("less than none", host + "Content-Length: -1\r\n", 400),
        ("a length in hexadecimal", host + "Content-Length: 0x1\r\n", 400),
        ("digits that are not ASCII", host + "Content-Length: ١\r\n", 400),
        ("length and chunks", host + "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n", 400),
        ("chunks and length", host + "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", 400),
        ("chunks", host + "Transfer-Encoding: chunked\r\n", 411),
        ("another coding", host + "Transfer-Encoding: gzip\r\n", 411),
        ("two codings", host + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", 400),
        ("too many fields", host + String(repeating: "a:b\r\n", count: 100), 431),
    ])
    func invalidFieldsAreRejected(name: String, fields: String, status: Int) {
        let bytes = Array("POST / HTTP/1.1\r\n\(fields)\r\n".utf8)
        #expect(throws: HTTPFailure.self, "\(name)") { try Self.read(bytes).get() }
        if case .failure(let failure) = Self.read(bytes) { #expect(failure.status.rawValue == status, "\(name)") }
    }

    @Test func contentLengthBeyondIntegerIsTooLarge() throws {
        let text = "POST / HTTP/1.1\r\n\(Self.host)Content-Length: \(String(repeating: "9", count: 100))\r\n\r\n"
        #expect(try Self.read(Array(text.utf8)).get()?.contentLength == .max)
    }

    @Test func nonASCIIBytesInCookieAreAllowed() throws {
        let bytes =
            Array("GET / HTTP/1.1\r\n\(Self.host)Cookie: a=".utf8) + [0xFF, 0xC3, 0xA9] + Array("; b=1\r\n\r\n".utf8)
        #expect(try Self.read(bytes).get()?["cookie"] == "a=\u{FFFD}é; b=1")
    }

    @Test func linesAndHeadsAreLimited() throws {
        let most = HTTPHeadReader.maximumLineBytes
        func status(_ text: String) -> Int? {
            if case .failure(let failure) = Self.read(Array(text.utf8)) { failure.status.rawValue } else { nil }
        }
        let line = "GET /\(String(repeating: "a", count: most - 16)) HTTP/1.1\r\n"
        #expect(line.utf8.count == most)
        #expect(status(line) == nil && status("GET /" + line.dropFirst(4)) == 414)
        // Also without a line end.
        #expect(status(String(repeating: "a", count: most - 1)) == nil)
        #expect(status(String(repeating: "a", count: most)) == 414)
        let field = "X: \(String(repeating: "a", count: most - 5))\r\n"
        let first = "GET / HTTP/1.1\r\n\(Self.host)"
        #expect(status(first + field + "\r\n") == nil && status(first + "X" + field) == 431)
        let fields = String(repeating: field, count: 3)
        let last = HTTPHeadReader.maximumBytes - (first + fields).utf8.count - 7
        #expect(status(first + fields + "X: \(String(repeating: "a", count: last))\r\n\r\n") == nil)
        #expect(status(first + fields + "X: \(String(repeating: "a", count: last + 1))\r\n\r\n") == 431)
    }

    /// The inputs that `scripts/fuzz http` starts with, original and mutated, in pieces of any size.
    @Test func splittingInputDoesNotChangeResult() throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fuzz/corpus/http")
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }
            .sorted()
        try #require(files.count > 20)
        let seed = UInt64.random(in: 0..<(.max))
        var random = SplitMix64(state: seed)
        for file in files {
            let input = Array(try Data(contentsOf: folder.appending(path: file)).dropFirst())
            for round in 0..<5 {
                var bytes = input
                if round > 0 {
                    for _ in 0..<3 {
                        let other: [UInt8] = [0, 0x0A, 0x0D, 0x20, 0x3A, UInt8.random(in: 0...255, using: &random)]
                        bytes[Int.random(in: bytes.indices, using: &random)] = other.randomElement(using: &random) ?? 0
                    }
                }
                let whole = Self.read(bytes)
                for size in [1, 2, 3, Int.random(in: 4...999, using: &random)] {
                    #expect(Self.read(bytes, inPiecesOf: size) == whole, "\(file), seed \(seed), pieces of \(size)")
                }
            }
        }
    }
}
