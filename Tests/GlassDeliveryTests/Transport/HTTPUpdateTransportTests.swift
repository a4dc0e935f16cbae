import Foundation
import GlassBase
@testable import GlassDelivery
import GlassTransfer
import TestSupport
import Testing

/// Misbehaving servers, over real connections.
@Suite(.timeLimit(.minutes(1))) struct HTTPUpdateTransportTests {
    private func get(
        _ server: RawServer, _ library: TransferLibrary, limit: Int = 1000, timeLimit: Duration = .seconds(20),
        silence: Duration = .seconds(20),
        hosts: Set<String> = [], ifNoneMatch: String? = nil, resuming: PartialFile? = nil, path: String = "file.json"
    ) async throws(TransportFailure) -> UpdateResponse {
        // A server ends with its last reference, and only its URL is used below.
        defer { withExtendedLifetime(server) {} }
        let description: UpdateServer
        do throws(MetadataError) { description = try UpdateServer(server.url, redirectHosts: hosts) } catch {
            throw TransportFailure(.network, error.text)
        }
        let transport = HTTPUpdateTransport(description, silence: silence, through: library)
        var request = UpdateRequest(path: path, limit: limit, timeLimit: timeLimit)
        request.ifNoneMatch = ifNoneMatch
        request.resuming = resuming
        return try await transport.get(request)
    }

    private func failure(_ body: () async throws(TransportFailure) -> UpdateResponse) async -> TransportFailure? {
        do throws(TransportFailure) {
            Issue.record("it responds: \(try await body())")
            return nil
        } catch { return error }
    }

    @Test(arguments: TransferLibrary.allCases)
    func fileIsReturnedWithEntityTag(_ library: TransferLibrary) async throws {
        let server = try RawServer { $0.answer(200, ["ETag": "\"1\"", "Set-Cookie": "a=b"], "content") }
        #expect(try await get(server, library) == .content(Array("content".utf8), entityTag: "\"1\""))
        #expect(server.requests.withLock { $0.first?.path } == "/base/file.json")
    }

    @Test(arguments: TransferLibrary.allCases) func entityTagIsSentForKnownFile(_ library: TransferLibrary)
        async throws
    {
        let server = try RawServer { $0.answer($0.field("If-None-Match") == "\"1\"" ? 304 : 200, [:], "") }
        #expect(try await get(server, library, ifNoneMatch: "\"1\"") == .notModified)
        #expect(try await get(server, library, ifNoneMatch: "\"2\"") == .content([], entityTag: nil))
        // The request was not conditional.
        let liar = try RawServer { $0.head(304, [:]) }
        #expect(await failure { () async throws(TransportFailure) in try await get(liar, library) }?.rule == .network)
    }

    @Test(arguments: [403, 404], TransferLibrary.allCases) func missingFileIsReported(
        _ status: Int, _ library: TransferLibrary
    )
        async throws
    {
        let server = try RawServer { $0.answer(status, [:], "a page") }
        #expect(try await get(server, library) == .missing(status: status))
    }

    @Test(arguments: [(429, "7"), (500, nil), (503, "7"), (503, nil)] as [(Int, String?)], TransferLibrary.allCases)
    func serverErrorIsRetryable(_ answer: (status: Int, after: String?), _ library: TransferLibrary) async throws {
        let (status, after) = answer
        let server = try RawServer { $0.answer(status, after.map { ["Retry-After": $0] } ?? [:], "a page") }
        let failure = await failure { () async throws(TransportFailure) in try await get(server, library) }
        #expect(failure?.mayPass == true)
        #expect(failure?.retryAfter == after.map { _ in .seconds(7) })
        #expect(failure?.text == "the server responded with status \(status)")
    }

    @Test(arguments: [204, 400, 401, 410], TransferLibrary.allCases) func otherStatusIsNotRetryable(
        _ status: Int, _ library: TransferLibrary
    ) async throws {
        let server = try RawServer { $0.answer(status) }
        #expect(await failure { () async throws(TransportFailure) in try await get(server, library) }?.mayPass == false)
    }

    @Test(arguments: TransferLibrary.allCases) func endlessResponseIsCutOffAtLimit(_ library: TransferLibrary)
        async throws
    {
        let sent = Lock(0)
        let server = try RawServer { connection in
            connection.head(200, [:])
            while connection.send(Array(repeating: 0x20, count: 4096)) {
                sent.withLock { $0 += 4096 }
                // With pauses, as on a real network; see `TransferLibrary.curl`.
                if library == .urlSession { usleep(200) }
            }
        }
        let failure = await failure { () async throws(TransportFailure) in
            try await get(server, library, limit: 100_000)
        }
        #expect(failure?.rule == .tooLarge)
        #expect(failure?.received ?? .max <= 100_000)
        #expect(sent.withLock { $0 } < 32 << 20)
    }

    @Test(arguments: TransferLibrary.allCases) func limitIsInclusive(_ library: TransferLibrary) async throws {
        let body = String(repeating: "a", count: 1000)
        let server = try RawServer { $0.answer(200, [:], body) }
        #expect(try await get(server, library, limit: 1000) == .content(Array(body.utf8), entityTag: nil))
        #expect(
            await failure { () async throws(TransportFailure) in try await get(server, library, limit: 999) }?.rule
                == .tooLarge)
    }

    @Test(arguments: TransferLibrary.allCases) func limitAppliesAfterDecompression(_ library: TransferLibrary)
        async throws
    {
        let compressed = try Self.spaces()
        let server = try RawServer { connection in
            connection.head(200, ["Content-Encoding": "gzip", "Content-Length": "\(compressed.count)"])
            connection.send(compressed)
        }
        let failure = await failure { () async throws(TransportFailure) in try await get(server, library, limit: 2000) }
        #expect(compressed.count < 2000)
        #expect(failure?.rule == .tooLarge)
        guard case .content(let bytes, _) = try await get(server, library, limit: 100_000) else {
            Issue.record("no content")
            return
        }
        #expect(bytes.count == 100_000)
    }

    @Test(arguments: TransferLibrary.allCases) func silenceEndsTransfer(_ library: TransferLibrary) async throws {
        let server = try RawServer { connection in
            connection.head(200, ["Content-Length": "500"])
            connection.send(Array(repeating: 0x20, count: 100))
            connection.waitForEnd()
        }
        let failure = await failure { () async throws(TransportFailure) in
            try await get(server, library, silence: .milliseconds(200))
        }
        #expect(failure?.rule == .network)
        #expect(failure?.text.hasPrefix("no data was received for") == true)
    }

    @Test(arguments: TransferLibrary.allCases) func serverThatNeverRespondsIsSilent(_ library: TransferLibrary)
        async throws
    {
        let server = try RawServer { $0.waitForEnd() }
        let failure = await failure { () async throws(TransportFailure) in
            try await get(server, library, silence: .milliseconds(200))
        }
        #expect(failure?.text.hasPrefix("no data was received for") == true)
    }

    @Test(arguments: TransferLibrary.allCases) func slowTransferEndsWithTimeOfRefresh(_ library: TransferLibrary)
        async throws
    {
        let server = try RawServer { connection in
            connection.head(200, [:])
            while connection.send([0x20]) { usleep(20_000) }
        }
        let failure = await failure { () async throws(TransportFailure) in
            try await get(server, library, limit: 1 << 20, timeLimit: .milliseconds(300))
        }
        #expect(failure?.text == "it exceeded the time limit of a refresh")
    }

    @Test(arguments: TransferLibrary.allCases)
    func interruptedTransferIsResumed(_ library: TransferLibrary) async throws {
        let server = try RawServer { connection in
            if connection.field("Range") == "bytes=4-", connection.field("If-Range") == "\"1\"" {
                connection.answer(206, ["ETag": "\"1\"", "Content-Range": "bytes 4-9/10"], "456789")
            } else {
                connection.head(200, ["ETag": "\"1\"", "Content-Length": "10"])
                connection.send(Array("0123".utf8))
            }
        }
        let partial = await failure { () async throws(TransportFailure) in try await get(server, library) }?.partial
        #expect(partial == PartialFile(bytes: Array("0123".utf8), entityTag: "\"1\""))
        #expect(
            try await get(server, library, limit: 10, resuming: partial)
                == .content(Array("0123456789".utf8), entityTag: "\"1\""))
        #expect(
            await failure { () async throws(TransportFailure) in
                try await get(server, library, limit: 9, resuming: partial)
            }?
            .rule
                == .tooLarge)
    }

    @Test(arguments: TransferLibrary.allCases) func changedFileIsTransferredFromStart(_ library: TransferLibrary)
        async throws
    {
        let partial = PartialFile(bytes: Array("0123".utf8), entityTag: "\"1\"")
        let changed = try RawServer { $0.answer(200, ["ETag": "\"2\""], "abc") }
        #expect(try await get(changed, library, resuming: partial) == .content(Array("abc".utf8), entityTag: "\"2\""))
        for (status, range, tag) in [
            (206, "bytes 5-9/10", "\"1\""), (206, "bytes 4-9/10", "\"2\""), (416, "bytes */3", "\"1\""),
        ] {
            let server = try RawServer { $0.answer(status, ["ETag": tag, "Content-Range": range], "456789") }
            let failure = await failure { () async throws(TransportFailure) in
                try await get(server, library, resuming: partial)
            }
            #expect(failure?.mayPass == true)
            #expect(failure?.partial == nil)
        }
    }

    @Test(arguments: TransferLibrary.allCases) func redirectsAreFollowedThreeTimes(_ library: TransferLibrary)
        async throws
    {
        let server = try RawServer { connection in
            let left = Int(connection.path.split(separator: "/").last ?? "") ?? 0
            if left == 0 {
                connection.answer(200, [:], "end")
            } else {
                connection.answer(302, ["Location": "/\(left - 1)"])
            }
        }
        #expect(try await get(server, library, path: "3") == .content(Array("end".utf8), entityTag: nil))
        let failure = await failure { () async throws(TransportFailure) in try await get(server, library, path: "4") }
        #expect(failure?.text == "it redirects more than 3 times")
    }

    @Test(arguments: TransferLibrary.allCases) func redirectsAreLimitedToListedHosts(_ library: TransferLibrary)
        async throws
    {
        let end = try RawServer { $0.answer(200, [:], "end") }
        let port = end.url.port ?? 0
        let server = try RawServer { $0.answer(302, ["Location": "http://localhost:\(port)/x"]) }
        let failure = await failure { () async throws(TransportFailure) in try await get(server, library) }
        #expect(failure?.text == "it redirects to the host localhost, which is not listed")
        #expect(end.requests.withLock { $0.isEmpty })
        let listed = try await get(server, library, hosts: ["LocalHost"])
        #expect(listed == .content(Array("end".utf8), entityTag: nil))
        let plain = try RawServer { $0.answer(302, ["Location": "http://example.com/x"]) }
        #expect(
            await self.failure { () async throws(TransportFailure) in
                try await get(plain, library, hosts: ["example.com"])
            }?
            .text
                == "it redirects to a URL that is not https")
    }

    @Test(arguments: TransferLibrary.allCases) func cookiesAreNotStored(_ library: TransferLibrary) async throws {
        let server = try RawServer { $0.answer(200, ["Set-Cookie": "session=1; Path=/"], "") }
        let transport = HTTPUpdateTransport(try UpdateServer(server.url), through: library)
        for _ in 0..<2 { _ = try await transport.get(UpdateRequest(path: "x", limit: 10, timeLimit: .seconds(20))) }
        #expect(server.requests.withLock { $0.map { $0.field("Cookie") } } == [nil, nil])
    }

    @Test(arguments: ["\0\u{1}garbage", "HTTP/1.1 abc\r\n\r\n", ""], TransferLibrary.allCases)
    func invalidHTTPIsRejected(
        _ text: String, _ library: TransferLibrary
    )
        async throws
    {
        let server = try RawServer { $0.send(Array(text.utf8)) }
        #expect(await failure { () async throws(TransportFailure) in try await get(server, library) }?.rule == .network)
    }

    @Test(arguments: TransferLibrary.allCases) func cancellationEndsTransfer(_ library: TransferLibrary) async throws {
        let (asked, answered) = AsyncStream.makeStream(of: Void.self)
        let server = try RawServer { connection in
            answered.yield()
            connection.waitForEnd()
        }
        let task = Task { await failure { () async throws(TransportFailure) in try await get(server, library) } }
        for await _ in asked { break }
        task.cancel()
        #expect(await task.value?.text == "it was canceled")
    }

    /// FoundationNetworking traps here, so this only tests the library that the product uses.
    @Test func onlyFinalHeaderCounts() async throws {
        let server = try RawServer { connection in
            connection.send(Array("HTTP/1.1 103 Early Hints\r\nETag: \"0\"\r\n\r\n".utf8))
            connection.head(200, ["ETag": "\"1\"", "Transfer-Encoding": "chunked"])
            connection.send(Array("3\r\nabc\r\n0\r\nETag: \"2\"\r\n\r\n".utf8))
        }
        #expect(try await get(server, .standard) == .content(Array("abc".utf8), entityTag: "\"1\""))
    }

    @Test(arguments: TransferLibrary.allCases) func serverWithoutTLSIsRejected(_ library: TransferLibrary) async throws
    {
        let server = try RawServer(readsRequest: false) { $0.answer(200, [:], "content") }
        let url = try #require(URL(string: server.url.absoluteString.replacing("http://", with: "https://")))
        let transport = HTTPUpdateTransport(try UpdateServer(url), through: library)
        let failure = await failure { () async throws(TransportFailure) in
            try await transport.get(UpdateRequest(path: "x", limit: 10, timeLimit: .seconds(20)))
        }
        #expect(failure?.text.hasPrefix("the transfer failed: ") == true)
    }

    #if canImport(CCurl)
        @Test func endlessHeaderIsCutOff() async throws {
            let server = try RawServer { connection in
                connection.send(Array("HTTP/1.1 200 X\r\n".utf8))
                while connection.send(Array("X: \(String(repeating: "a", count: 1000))\r\n".utf8)) {}
            }
            let failure = await failure { () async throws(TransportFailure) in try await get(server, .curl) }
            #expect(failure?.text == "the header of the response is longer than 65536 bytes")
        }

        /// Transfers do not block each other.
        @Test func endlessTransfersDoNotBlockOthers() async throws {
            let endless = try RawServer { connection in
                connection.head(200, [:])
                while connection.send(Array(repeating: 0x20, count: 1 << 16)) {}
            }
            let server = try RawServer { $0.answer(200, [:], "content") }
            let transport = HTTPUpdateTransport(try UpdateServer(endless.url), through: .curl)
            let others = (0..<4).map { _ in
                Task {
                    await failure { () async throws(TransportFailure) in
                        try await transport.get(UpdateRequest(path: "x", limit: 1 << 30, timeLimit: .seconds(40)))
                    }
                }
            }
            for _ in 0..<20 {
                #expect(try await get(server, .curl) == .content(Array("content".utf8), entityTag: nil))
            }
            for other in others { other.cancel() }
            for other in others { #expect(await other.value?.text == "it was canceled") }
        }

        @Test func connectionIsReused() async throws {
            let server = try RawServer { connection in
                var answered = 0
                repeat {
                    answered += 1
                    connection.send(Array("HTTP/1.1 200 X\r\nContent-Length: 1\r\n\r\n\(answered)".utf8))
                } while connection.hasNextRequest()
            }
            let transport = HTTPUpdateTransport(try UpdateServer(server.url), through: .curl)
            for number in 1...3 {
                let response = try await transport.get(UpdateRequest(path: "x", limit: 10, timeLimit: .seconds(20)))
                #expect(response == .content(Array("\(number)".utf8), entityTag: nil))
            }
            #expect(server.requests.withLock { $0.count } == 1)
        }
    #endif

    @Test(arguments: ["http://example.com/", "ftp://example.com/", "file:///etc", "https:///x", "markets"])
    func unsupportedServersAreRejected(_ text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: MetadataError.self) { try UpdateServer(url) }
    }

    @Test(arguments: ["https://example.com/m", "http://127.0.0.1:8080", "http://localhost/", "http://[::1]:1/x"])
    func supportedServersAreAccepted(_ text: String) throws {
        _ = try UpdateServer(#require(URL(string: text)))
    }

    /// 100,000 spaces, compressed with gzip.
    private static func spaces() throws -> [UInt8] {
        let folder = FileManager.default.temporaryDirectory.appending(path: "spaces-\(UUID().uuidString)")
        try Data(repeating: 0x20, count: 100_000).write(to: folder)
        defer { try? FileManager.default.removeItem(at: folder.appendingPathExtension("gz")) }  // leftover of a test
        let gzip = Process()
        gzip.executableURL = URL(filePath: "/usr/bin/env")
        gzip.arguments = ["gzip", "-9", folder.path]
        try gzip.run()
        gzip.waitUntilExit()
        return Array(try Data(contentsOf: folder.appendingPathExtension("gz")))
    }
}
