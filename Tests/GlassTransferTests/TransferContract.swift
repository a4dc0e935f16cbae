import Foundation
import GlassBase
import TestSupport
import Testing

@testable import GlassTransfer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requirements for every sender. Each row is a claim; `TransferContractTests` checks it with each library.
struct TransferRow: Sendable, CustomTestStringConvertible {
    let claim: String
    let check: @Sendable (TransferLibrary) async throws -> Void

    init(_ claim: String, _ check: @escaping @Sendable (TransferLibrary) async throws -> Void) {
        self.claim = claim
        self.check = check
    }

    var testDescription: String { claim }
}

/// Creates a transfer that keeps no state except what a test configures.
func transfer(
    _ library: TransferLibrary, _ configure: @escaping @Sendable (URLSessionConfiguration) -> Void = { _ in }
) -> HTTPTransfer {
    HTTPTransfer(through: library) {
        let configuration = HTTPTransfer.isolated()
        configure(configuration)
        return configuration
    }
}

func send(
    _ url: URL, _ library: TransferLibrary, limit: Int = 1000, time: Duration = .seconds(20),
    silence: Duration = .seconds(20), _ change: (inout TransferRequest) -> Void = { _ in }
) async -> TransferOutcome {
    var request = TransferRequest(url, limits: TransferLimits(bodyBytes: limit, time: time, silence: silence))
    change(&request)
    return await transfer(library).send(request)
}

/// Sends bytes until the peer closes the connection.
private func sendForever(_ bytes: [UInt8], to connection: RawServer.Connection) {
    while connection.send(bytes) {}
}

extension TransferOutcome {
    fileprivate var text: String? { response.map { String(decoding: $0.body, as: UTF8.self) } }
}

private func text(_ bytes: String) -> [UInt8] { Array(bytes.utf8) }

/// Whether it is a connection error, with any code.
private func isFailure(_ error: TransferError?) -> Bool {
    if case .failed = error { true } else { false }
}

extension TransferRow {
    static let all = requests + answers + limits + redirects + cookies + endings

    static let requests: [TransferRow] = [
        TransferRow("method, fields and content are received") { library in
            let server = try RawServer { connection in
                connection.answer(200, [:], String(decoding: connection.readBody(), as: UTF8.self))
            }
            for method in ["POST", "PUT", "PATCH", "DELETE"] {
                let outcome = await send(server.url, library) { request in
                    request.method = method
                    request.fields = ["Content-Type": "text/plain", "X-Own": "1"]
                    request.body = Data("content".utf8)
                }
                #expect(outcome.error == nil)
                #expect(outcome.text == "content")
            }
            let asked = server.requests.withLock { $0 }
            #expect(asked.map { $0.request.prefix { $0 != " " } } == ["POST", "PUT", "PATCH", "DELETE"])
            #expect(asked.allSatisfy { $0.field("Content-Type") == "text/plain" && $0.field("X-Own") == "1" })
            #expect(asked.allSatisfy { $0.field("Expect") == nil && $0.path == "/base" })
        },
        TransferRow("a POST without content has the length 0") { library in
            let server = try RawServer { $0.answer(200) }
            _ = await send(server.url, library) { $0.method = "POST" }
            #expect(server.requests.withLock { $0.first?.field("Content-Length") } == "0")
        },
        TransferRow("HEAD has fields and no content") { library in
            let server = try RawServer { $0.head(200, ["Content-Length": "5000", "X-A": "b"]) }
            let outcome = await send(server.url, library) { $0.method = "HEAD" }
            #expect(outcome.error == nil && outcome.response?.fields["x-a"] == "b")
            #expect(outcome.response?.body.isEmpty == true)
        },
        TransferRow("configured fields are sent, and the request's override them") { library in
            let server = try RawServer { $0.answer(200) }
            let transfer = transfer(library) { $0.httpAdditionalHeaders = ["X-A": "session", "X-B": "session"] }
            var request = TransferRequest(server.url, limits: TransferLimits(bodyBytes: 10))
            request.fields["x-b"] = "request"
            _ = await transfer.send(request)
            let asked = try #require(server.requests.withLock { $0.first })
            #expect(asked.field("X-A") == "session" && asked.field("X-B") == "request")
        },
        TransferRow("an invalid request is not sent") { library in
            let server = try RawServer { $0.answer(200) }
            for field in ["a\r\nX-B: 1", "a\nb", "\0"] {
                #expect(isFailure(await send(server.url, library) { $0.fields["X-A"] = field }.error))
            }
            #expect(isFailure(await send(URL(filePath: "/etc/passwd"), library).error))
            #expect(server.requests.withLock { $0.isEmpty })
        },
    ]

    static let answers: [TransferRow] = [
        TransferRow("a response has status, fields and content") { library in
            let server = try RawServer { $0.answer(404, ["X-Answer": "yes"], "no such thing") }
            let outcome = await send(server.url, library)
            #expect(outcome.error == nil && outcome.text == "no such thing")
            #expect(outcome.response?.status == 404 && outcome.response?.fields["x-answer"] == "yes")
            #expect(outcome.response?.url == server.url)
        },
        TransferRow("content is decompressed with any coding") { library in
            for (coding, text) in [
                ("gzip", "H4sIAAAAAAACA8tIzcnJz6AtAQDRidJCZAAAAA=="), ("deflate", "eNrLSM3Jyc+gLQEAMiApkQ=="),
                ("deflate", "y0jNycnPoC0BAA=="), ("br", "G2MA+KXL0NjeBGpRQJYa"),
                ("gzip, br", "iw2AH4sIAAAAAAACA8tIzcnJz6AtAQDRidJCZAAAAAM="),
            ] {
                let bytes = Array(try #require(Data(base64Encoded: text)))
                let server = try RawServer { connection in
                    connection.head(200, ["Content-Encoding": coding, "Content-Length": "\(bytes.count)"])
                    connection.send(bytes)
                }
                let outcome = await send(server.url, library)
                #expect(outcome.error == nil, "\(coding)")
                #expect(outcome.text == String(repeating: "hello", count: 20), "\(coding)")
            }
        },
        TransferRow("interim responses are skipped") { library in
            let server = try RawServer { connection in
                connection.send(text("HTTP/1.1 103 Early Hints\r\nX-Early: 0\r\n\r\n"))
                connection.answer(200, ["X-Late": "1"], "abc")
            }
            let outcome = await send(server.url, library)
            #expect(outcome.text == "abc" && outcome.response?.fields["x-late"] == "1")
            #expect(outcome.response?.fields["x-early"] == nil)
        },
        TransferRow("trailer fields are ignored") { library in
            let server = try RawServer { connection in
                connection.head(200, ["ETag": "\"1\"", "Transfer-Encoding": "chunked"])
                connection.send(text("3\r\nabc\r\n0\r\nETag: \"2\"\r\nX-Sum: 1\r\n\r\n"))
            }
            let outcome = await send(server.url, library)
            #expect(outcome.error == nil && outcome.text == "abc")
            #expect(outcome.response?.fields["etag"] == "\"1\"")
        },
        TransferRow("a truncated response keeps the received content") { library in
            let server = try RawServer { connection in
                connection.head(200, ["Content-Length": "100", "ETag": "\"1\""])
                connection.send(text("half"))
            }
            let outcome = await send(server.url, library)
            #expect(outcome.text == "half" && outcome.response?.fields["etag"] == "\"1\"")
            guard case .failed(let error)? = outcome.error else { return #expect(Bool(false)) }
            #expect(error.code == .networkConnectionLost)
        },
        TransferRow("content beyond the declared length is ignored") { library in
            let server = try RawServer { connection in
                connection.head(200, ["Content-Length": "3"])
                connection.send(text("abcdef"))
            }
            let outcome = await send(server.url, library)
            #expect(outcome.error == nil && outcome.text == "abc")
        },
        TransferRow("invalid HTTP is not a response") { library in
            for bytes in [
                "", "\0\u{1}garbage", "nonsense\r\n\r\n", "HTTP/1.1 abc\r\n\r\n",
                "<html>an answer of HTTP/0.9</html>\n",
                "\r\n\r\n\r\n", "HTTP/1.1 200 OK\r\nContent-Length: minus\r\n\r\n", "SSH-2.0-x\r\n",
            ] {
                let server = try RawServer { $0.send(text(bytes)) }
                let outcome = await send(server.url, library)
                #expect(isFailure(outcome.error), "\(bytes)")
            }
        },
        TransferRow("invalid chunks end the transfer") { library in
            for bytes in ["zz\r\nabc\r\n", "ffffffffffffffffffff\r\nabc", "3\r\nabcdef\r\n0\r\n\r\n", "3\r\nab"] {
                let server = try RawServer { connection in
                    connection.head(200, ["Transfer-Encoding": "chunked"])
                    connection.send(text(bytes))
                }
                #expect(isFailure(await send(server.url, library).error), "\(bytes)")
            }
        },
        TransferRow("content with the wrong coding ends the transfer") { library in
            for coding in ["gzip", "br", "no-such-coding"] {
                let server = try RawServer { $0.answer(200, ["Content-Encoding": coding], "this is plain") }
                #expect(isFailure(await send(server.url, library).error), "\(coding)")
            }
        },
        TransferRow("a closed port is a connection error") { library in
            let server = try RawServer { _ in }
            let url = server.url
            withExtendedLifetime(server) {}
            let outcome = await Task { await send(url, library) }.value
            guard case .failed(let error)? = outcome.error else { return }  // the thread may accept once more
            #expect([.cannotConnectToHost, .networkConnectionLost, .badServerResponse].contains(error.code))
        },
        TransferRow("a server without TLS is a connection error") { library in
            let server = try RawServer(readsRequest: false) { $0.answer(200, [:], "content") }
            let url = try #require(URL(string: server.url.absoluteString.replacing("http://", with: "https://")))
            #expect(isFailure(await send(url, library).error))
        },
    ]

    static let limits: [TransferRow] = [
        TransferRow("content up to the limit is accepted, and one more byte is not") { library in
            for status in [200, 404, 503] {
                for isAnnounced in [true, false] {
                    let server = try RawServer { connection in
                        connection.head(status, isAnnounced ? ["Content-Length": "1000"] : [:])
                        connection.send(Array(repeating: 0x20, count: 1000))
                    }
                    let whole = await send(server.url, library, limit: 1000)
                    #expect(whole.error == nil && whole.response?.body.count == 1000)
                    let cut = await send(server.url, library, limit: 999)
                    #expect(cut.error == .bodyTooLarge(limit: 999))
                    #expect(cut.response?.body.count ?? 0 <= 999)
                }
            }
        },
        TransferRow("content is counted after decompression, with any coding and status") { library in
            for (coding, bytes) in Bombs.all + [("deflate", Bombs.rawDeflate)] {
                for status in [200, 404] {
                    let server = try RawServer { connection in
                        connection.head(
                            status, ["Content-Encoding": coding, "Content-Length": "\(bytes.count)"])
                        connection.send(bytes)
                    }
                    let outcome = await send(server.url, library, limit: 100_000)
                    #expect(outcome.error == .bodyTooLarge(limit: 100_000), "\(coding)")
                    #expect(outcome.response?.body.count ?? 0 <= 100_000)
                }
            }
        },
        TransferRow("resumed content counts together with the part before it") { library in
            let server = try RawServer { $0.answer(206, ["Content-Range": "bytes 4-9/10"], "456789") }
            for (limit, error) in [(10, nil), (9, .bodyTooLarge(limit: 9))] as [(Int, TransferError?)] {
                let outcome = await send(server.url, library, limit: limit) { $0.limits.resumedBytes = 4 }
                #expect(outcome.error == error)
            }
            let anew = try RawServer { $0.answer(200, [:], "456789") }
            #expect(await send(anew.url, library, limit: 6) { $0.limits.resumedBytes = 4 }.error == nil)
        },
        TransferRow("unwanted content is dropped, without delaying others") { library in
            let page = String(repeating: "x", count: 100)
            let server = try RawServer { $0.answer(404, [:], page) }
            let outcome = await send(server.url, library, limit: 10) { $0.wantsBody = { $0 == 200 } }
            #expect(outcome.error == nil && outcome.response?.body.isEmpty == true)
            let hanging = try RawServer { connection in
                connection.head(404, ["Content-Length": "1000"])
                connection.send(text("some"))
                connection.waitForEnd()
            }
            #expect(await send(hanging.url, library) { $0.wantsBody = { $0 == 200 } }.response?.status == 404)
        },
        TransferRow("silence ends a transfer") { library in
            for beginning in ["", "HTTP/1.1 200 X\r\n", "HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nhalf"] {
                let server = try RawServer { connection in
                    connection.send(text(beginning))
                    connection.waitForEnd()
                }
                let outcome = await send(server.url, library, silence: .milliseconds(200))
                #expect(outcome.error == .silent(.milliseconds(200)))
            }
        },
        TransferRow("a trickle ends at the total time limit") { library in
            let server = try RawServer { connection in
                connection.head(200, [:])
                while connection.send([0x20]) { usleep(20_000) }
            }
            let outcome = await send(server.url, library, limit: 1 << 20, time: .milliseconds(300))
            #expect(outcome.error == .timedOut)
        },
        TransferRow("a trickling head ends at the total time limit") { library in
            let server = try RawServer { connection in
                connection.send(text("HTTP/1.1 200 X\r\n"))
                while connection.send(text("X: y\r\n")) { usleep(20_000) }
            }
            #expect(await send(server.url, library, time: .milliseconds(300)).error == .timedOut)
        },
        TransferRow("a head of thousands of fields is too large") { library in
            let server = try RawServer { connection in
                let fields = (0..<5000).map { "X-\($0): \($0)\r\n" }.joined()
                connection.send(text("HTTP/1.1 200 X\r\n\(fields)Content-Length: 0\r\n\r\n"))
            }
            #expect(await send(server.url, library).error == .headTooLarge(limit: 65536))
        },
        TransferRow("an endless head is cut off") { library in
            for piece in ["X: \(String(repeating: "a", count: 1000))\r\n", "\(String(repeating: "a", count: 1000))"] {
                let server = try RawServer { connection in
                    connection.send(text("HTTP/1.1 200 X\r\n"))
                    sendForever(text(piece), to: connection)
                }
                #expect(await send(server.url, library).error == .headTooLarge(limit: 65536))
            }
        },
        TransferRow("endless interim responses are cut off") { library in
            let server = try RawServer { connection in
                sendForever(text("HTTP/1.1 103 Early Hints\r\nX: y\r\n\r\n"), to: connection)
            }
            #expect(await send(server.url, library).error == .headTooLarge(limit: 65536))
        },
        TransferRow("endless trailer fields are cut off") { library in
            let server = try RawServer { connection in
                connection.head(200, ["Transfer-Encoding": "chunked"])
                connection.send(text("3\r\nabc\r\n0\r\n"))
                sendForever(text("X-Sum: 1\r\n"), to: connection)
            }
            #expect(await send(server.url, library).error == .headTooLarge(limit: 65536))
        },
        TransferRow("endless content is cut off at the limit") { library in
            let sent = Lock(0)
            let server = try RawServer { connection in
                connection.head(200, [:])
                while connection.send(Array(repeating: 0x20, count: 4096)) { sent.withLock { $0 += 4096 } }
            }
            let outcome = await send(server.url, library, limit: 100_000)
            #expect(outcome.error == .bodyTooLarge(limit: 100_000))
            #expect(sent.withLock { $0 } < 32 << 20)
        },
        TransferRow("endless data that adds no content is cut off") { library in
            // Empty deflate blocks, and a chunk extension.
            for (fields, beginning, piece) in [
                (["Content-Encoding": "deflate"], [], [0, 0, 0, 0xFF, 0xFF]),
                (["Transfer-Encoding": "chunked"], text("3;"), text("x")),
            ] as [([String: String], [UInt8], [UInt8])] {
                let sent = Lock(0)
                let pieces = Array(repeatElement(piece, count: 1000).joined())
                let server = try RawServer { connection in
                    connection.head(200, fields)
                    connection.send(beginning)
                    while connection.send(pieces) { sent.withLock { $0 += pieces.count } }
                }
                #expect(await send(server.url, library).error == .bodyTooLarge(limit: 1000))
                #expect(sent.withLock { $0 } < 32 << 20)
            }
        },
    ]

    static let redirects: [TransferRow] = [
        TransferRow("redirects are followed up to the maximum") { library in
            let server = try RawServer { connection in
                let left = Int(connection.path.split(separator: "/").last ?? "") ?? 0
                if left == 0 {
                    connection.answer(200, [:], "end")
                } else {
                    connection.answer(302, ["Location": "/\(left - 1)"], "a page")
                }
            }
            let base = try #require(URL(string: "/", relativeTo: server.url)?.absoluteURL)
            let followed = await send(base.appending(path: "3"), library) { $0.redirects.maximum = 3 }
            #expect(followed.error == nil && followed.text == "end")
            #expect(followed.response?.url == base.appending(path: "0"))
            let refused = await send(base.appending(path: "4"), library) { $0.redirects.maximum = 3 }
            #expect(refused.error == .redirect(.tooMany(limit: 3), to: base.appending(path: "0")))
        },
        TransferRow("a redirect may be the response") { library in
            for status in [301, 302, 303, 307, 308] {
                let server = try RawServer { $0.answer(status, ["Location": "/elsewhere"]) }
                let outcome = await send(server.url, library) { $0.redirects = .answered }
                #expect(outcome.error == nil && outcome.response?.status == status)
                #expect(server.requests.withLock { $0.count } == 1)
            }
        },
        TransferRow("a redirect without a target is the response") { library in
            let server = try RawServer { $0.answer(302) }
            let outcome = await send(server.url, library)
            #expect(outcome.error == nil && outcome.response?.status == 302)
        },
        TransferRow("the caller may refuse a redirect, and no request is sent to its target") { library in
            let end = try RawServer { $0.answer(200, [:], "end") }
            let server = try RawServer { $0.answer(302, ["Location": end.url.absoluteString]) }
            let outcome = await send(server.url, library) {
                $0.redirects = RedirectPolicy { "\($0.host() ?? "") is not listed" }
            }
            #expect(outcome.error == .redirect(.refused("127.0.0.1 is not listed"), to: end.url))
            #expect(end.requests.withLock { $0.isEmpty })
        },
        TransferRow("a redirect to another scheme is an error") { library in
            for target in ["ftp://127.0.0.1/", "file:///etc/passwd", "javascript:alert(1)"] {
                let server = try RawServer { $0.answer(302, ["Location": target]) }
                let outcome = await send(server.url, library)
                #expect(outcome.error != nil, "\(target)")
                #expect(outcome.response?.body.isEmpty != false)
            }
        },
        TransferRow("a redirect is followed before its content arrives") { library in
            let server = try RawServer { connection in
                guard connection.path != "/end" else {
                    _ = connection.answer(200, [:], "end")
                    return
                }
                connection.head(302, ["Location": "/end", "Content-Length": "1000"])
                connection.send(text("some"))
                connection.waitForEnd()
            }
            #expect(await send(server.url, library, time: .seconds(5)).text == "end")
        },
        TransferRow("methods change according to RFC 9110") { library in
            for (status, before, after) in [
                (301, "POST", "GET"), (302, "POST", "GET"), (303, "POST", "GET"), (303, "PUT", "GET"),
                (303, "HEAD", "HEAD"), (307, "POST", "POST"), (308, "PUT", "PUT"), (302, "PUT", "PUT"),
            ] {
                let server = try RawServer { connection in
                    if before != "HEAD" { _ = connection.readBody() }
                    if connection.path == "/end" {
                        connection.answer(200)
                    } else {
                        connection.answer(status, ["Location": "/end"])
                    }
                }
                let outcome = await send(server.url, library) { request in
                    request.method = before
                    if before != "HEAD" { request.body = Data("content".utf8) }
                }
                #expect(outcome.error == nil, "\(status) \(before)")
                let last = try #require(server.requests.withLock { $0.last })
                #expect(last.request.hasPrefix("\(after) /end "), "\(status) \(before)")
                #expect((last.field("Content-Length") == "7") == ["POST", "PUT"].contains(after))
            }
        },
        TransferRow("credentials are not sent to another origin") { library in
            let end = try RawServer { $0.answer(200) }
            let server = try RawServer { $0.answer(307, ["Location": end.url.absoluteString]) }
            _ = await send(server.url, library) {
                $0.fields = ["Authorization": "Bearer t", "X-Own": "1", "Accept": "text/plain", "If-Range": "\"1\""]
            }
            let asked = try #require(end.requests.withLock { $0.first })
            #expect(asked.field("Authorization") == nil && asked.field("X-Own") == nil)
            #expect(asked.field("Accept") == "text/plain" && asked.field("If-Range") == "\"1\"")
        },
    ]

    static let cookies: [TransferRow] = [
        TransferRow("cookies are kept in the configured storage, also during redirects") { library in
            let server = try RawServer { connection in
                if connection.path == "/base" {
                    connection.send(
                        text(
                            "HTTP/1.1 302 X\r\nLocation: /base/new\r\nSet-Cookie: a=1; Path=/\r\nSet-Cookie: b=2; Path=/; Expires=Wed, 01 Jan 2110 00:00:00 GMT\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
                        ))
                } else {
                    connection.answer(200)
                }
            }
            let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
            let transfer = transfer(library) {
                $0.httpCookieStorage = storage
                $0.httpShouldSetCookies = true
            }
            let request = TransferRequest(server.url, limits: TransferLimits(bodyBytes: 10))
            _ = await transfer.send(request)
            _ = await transfer.send(request)
            let sent = server.requests.withLock {
                $0.map { $0.field("Cookie")?.components(separatedBy: "; ").sorted() }
            }
            #expect(sent == [nil, ["a=1", "b=2"], ["a=1", "b=2"], ["a=1", "b=2"]])
            #expect(storage.cookies?.count == 2)
        },
        TransferRow("without a storage, cookies are not kept") { library in
            let server = try RawServer { $0.answer(200, ["Set-Cookie": "session=1; Path=/"]) }
            let transfer = transfer(library)
            for _ in 0..<2 {
                _ = await transfer.send(TransferRequest(server.url, limits: TransferLimits(bodyBytes: 10)))
            }
            #expect(server.requests.withLock { $0.map { $0.field("Cookie") } } == [nil, nil])
        },
        TransferRow("a secure cookie is not sent over http, nor any cookie to another host") { library in
            let other = try RawServer { $0.answer(200) }
            let server = try RawServer { connection in
                connection.answer(302, ["Location": "http://localhost:\(other.url.port ?? 0)/"])
            }
            let storage = try #require(URLSessionConfiguration.ephemeral.httpCookieStorage)
            for (name, isSecure) in [("open", false), ("closed", true)] {
                var properties: [HTTPCookiePropertyKey: Any] = [
                    .name: name, .value: "1", .domain: "127.0.0.1", .path: "/",
                ]
                if isSecure { properties[.secure] = "TRUE" }
                storage.setCookie(try #require(HTTPCookie(properties: properties)))
            }
            let transfer = transfer(library) {
                $0.httpCookieStorage = storage
                $0.httpShouldSetCookies = true
            }
            var request = TransferRequest(server.url, limits: TransferLimits(bodyBytes: 10))
            _ = await transfer.send(request)
            #expect(server.requests.withLock { $0.last?.field("Cookie") } == "open=1")
            #expect(other.requests.withLock { $0.map { $0.field("Cookie") } } == [nil])
            request.fields["Cookie"] = "own=4"
            _ = await transfer.send(request)
            #expect(server.requests.withLock { $0.last?.field("Cookie") } == "own=4")
        },
    ]

    static let endings: [TransferRow] = [
        TransferRow("cancellation ends a transfer, and its connection") { library in
            for beginning in ["", "HTTP/1.1 200 X\r\nContent-Length: 9\r\n\r\nhalf"] {
                let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
                let (gone, isGone) = AsyncStream.makeStream(of: Void.self)
                let server = try RawServer { connection in
                    connection.send(text(beginning))
                    isAsked.yield()
                    connection.waitForEnd()
                    isGone.yield()
                }
                let url = server.url
                let task = Task { await send(url, library) }
                for await _ in asked { break }
                task.cancel()
                #expect(await task.value.error == .cancelled)
                for await _ in gone { break }
            }
        },
        TransferRow("a transfer cancelled before its start sends nothing") { library in
            let server = try RawServer { $0.answer(200) }
            let url = server.url
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                return await send(url, library)
            }
            #expect(await task.value.error == .cancelled)
            #expect(server.requests.withLock { $0.isEmpty })
        },
        TransferRow("closing ends transfers in progress, and rejects new ones") { library in
            let (asked, isAsked) = AsyncStream.makeStream(of: Void.self)
            let server = try RawServer { connection in
                isAsked.yield()
                connection.waitForEnd()
            }
            let transfer = transfer(library)
            let request = TransferRequest(server.url, limits: TransferLimits(bodyBytes: 10))
            let task = Task { await transfer.send(request) }
            for await _ in asked { break }
            transfer.close()
            #expect(await task.value.error == .closed)
            #expect(await transfer.send(request).error == .closed)
        },
        TransferRow("cancellation is safe at any moment of a redirect") { library in
            let server = try RawServer { $0.answer(302, ["Location": "/\($0.number)"]) }
            let transfer = transfer(library)
            let url = server.url
            await withTaskGroup { group in
                for _ in 0..<100 {
                    group.addTask {
                        let task = Task {
                            await transfer.send(TransferRequest(url, limits: TransferLimits(bodyBytes: 10)))
                        }
                        for _ in 0..<Int.random(in: 0..<3000) { await Task.yield() }
                        task.cancel()
                        switch await task.value.error {
                        case .cancelled, .redirect: break
                        case let other: Issue.record("\(String(describing: other))")
                        }
                    }
                    if Bool.random() { await group.next() }
                }
            }
        },
        TransferRow("a connection is reused") { library in
            let server = try RawServer { connection in
                var answered = 0
                repeat {
                    answered += 1
                    connection.send(text("HTTP/1.1 200 X\r\nContent-Length: 1\r\n\r\n\(answered)"))
                } while connection.hasNextRequest()
            }
            let transfer = transfer(library)
            for number in 1...3 {
                let outcome = await transfer.send(TransferRequest(server.url, limits: TransferLimits(bodyBytes: 10)))
                #expect(outcome.text == "\(number)")
            }
            #expect(server.requests.withLock { $0.count } == 1)
        },
        TransferRow("connections per host are limited, and waiting transfers can be cancelled") { library in
            let server = try RawServer { $0.waitForEnd() }
            let transfer = transfer(library) { $0.httpMaximumConnectionsPerHost = 6 }
            transfer.limitConnections(to: 2)
            let request = TransferRequest(server.url, limits: TransferLimits(bodyBytes: 10))
            let running = (0..<2).map { _ in Task { await transfer.send(request) } }
            while server.requests.withLock({ $0.count }) < 2 { try await Task.sleep(for: .milliseconds(5)) }
            let waiting = (0..<4).map { _ in Task { await transfer.send(request) } }
            try await Task.sleep(for: .milliseconds(100))
            #expect(server.requests.withLock { $0.count } == 2)
            // Before the running ones, whose end would let a waiting one start.
            for task in waiting { task.cancel() }
            for task in waiting { #expect(await task.value.error == .cancelled) }
            for task in running { task.cancel() }
            for task in running { #expect(await task.value.error == .cancelled) }
            #expect(server.requests.withLock { $0.count } == 2)
        },
        TransferRow("endless transfers do not block others") { library in
            let endless = try RawServer { connection in
                connection.head(200, [:])
                sendForever(Array(repeating: 0x20, count: 1 << 16), to: connection)
            }
            let server = try RawServer { $0.answer(200, [:], "content") }
            let transfer = transfer(library)
            let url = endless.url
            let others = (0..<4).map { _ in
                Task { await transfer.send(TransferRequest(url, limits: TransferLimits(bodyBytes: 1 << 30))) }
            }
            for _ in 0..<20 { #expect(await send(server.url, library).text == "content") }
            for other in others { other.cancel() }
            for other in others {
                // Or it reached its limit first.
                let error = await other.value.error
                #expect(error == .cancelled || error == .bodyTooLarge(limit: 1 << 30))
            }
        },
    ]
}
