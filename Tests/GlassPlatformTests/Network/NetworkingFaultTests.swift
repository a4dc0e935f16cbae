import Foundation
import GlassContainer
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassPlatform

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests when the server, the network or the caller misbehaves.
@Suite(.timeLimit(.minutes(2)))
struct NetworkingFaultTests {
    private func send(_ live: LiveNetworking, _ request: NetworkRequest = NetworkRequest(.get, "x")) async
        -> NetworkingError?
    {
        await failure { () async throws(NetworkingError) in try await live.networking.send(request) }
    }

    @Test(arguments: [RawServer.Reply.close, .reset])
    func droppedConnectionIsRetried(fault: RawServer.Reply) async throws {
        let server = try RawServer { _, number in number < 3 ? fault : answer(200, "at last") }
        defer { server.stop() }
        let live = LiveNetworking(server.url)
        let response = try await live.networking.send(NetworkRequest(.get, "x"))
        #expect(String(decoding: response.body, as: UTF8.self) == "at last")
        #expect(response.attempts == 3)
        #expect(live.clock.pauses == [.seconds(1), .seconds(2)])
    }

    @Test func truncatedResponseIsRejected() async throws {
        let server = try RawServer { _, _ in .bytes("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf") }
        defer { server.stop() }
        let error = await send(LiveNetworking(server.url))
        #expect(
            error?.description
                == "GET \(server.url)/x failed after 3 attempts: the connection was lost before the response was complete (URLError -1005)"
        )
        #expect(server.requests.count == 3)
    }

    @Test(
        arguments: [
            "nonsense\r\n\r\n", "HTTP/1.1 abc\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n",
            "HTTP/1.1 200 OK\r\nContent-Length: minus\r\n\r\n", "HTTP/9.9 200 OK\r\n\r\n",
            "HTTP/1.1 200 OK\r\nno colon\r\n: no name\r\nContent-Length: 9\r\n\r\nx",
        ])
    func invalidHTTPIsReported(bytes: String) async throws {
        let server = try RawServer { _, _ in .bytes(bytes) }
        defer { server.stop() }
        let error = await send(LiveNetworking(server.url) { $0.retry.maxRetries = 0 })
        guard case .transport(let request, _)? = error else { return #expect(error != nil, "\(bytes)") }
        #expect(request.attempts == 1)
    }

    @Test func refusedConnectionIsReported() async throws {
        let server = try RawServer { _, _ in .close }
        server.stop()
        let error = await send(LiveNetworking(server.url))
        #expect(
            error?.description
                == "GET \(server.url)/x failed after 3 attempts: the host does not accept connections; check that the server is running (URLError -1004)"
        )
        #expect((error?.cause as? URLError)?.code == .cannotConnectToHost)
    }

    @Test(arguments: ["", "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf"])
    func silentServerTimesOut(beginning: String) async throws {
        let server = try RawServer { _, _ in .hang(beginning) }
        defer { server.stop() }
        var request = NetworkRequest(.get, "x")
        request.timeout = .milliseconds(50)
        request.retry = .never
        let error = await send(LiveNetworking(server.url), request)
        #expect(error?.description == "GET \(server.url)/x failed: the request timed out (URLError -1001)")
        try await eventually { server.disconnects == 1 }
    }

    @Test func sessionTimeoutApplies() async throws {
        let server = try RawServer { _, _ in .hang("") }
        defer { server.stop() }
        let networking = URLSessionNetworking(
            configuration: NetworkingConfiguration(), environment: EnvironmentAPIMock(),
            sessions: sessions { $0.requestTimeoutSeconds = 1 })
        var request = NetworkRequest(.get, url: server.url)
        request.retry = .never
        let asked = request
        let error = await failure { () async throws(NetworkingError) in try await networking.send(asked) }
        #expect((error?.cause as? URLError)?.code == .timedOut)
    }

    @Test func timeLimitForWholeResponseApplies() async throws {
        let server = try RawServer { _, _ in .hang("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf") }
        defer { server.stop() }
        let networking = URLSessionNetworking(
            configuration: NetworkingConfiguration(), environment: EnvironmentAPIMock(),
            sessions: sessions { $0.resourceTimeoutSeconds = 0.05 })
        var request = NetworkRequest(.get, url: server.url)
        request.retry = .never
        let asked = request
        let error = await failure { () async throws(NetworkingError) in try await networking.send(asked) }
        #expect((error?.cause as? URLError)?.code == .timedOut)
        try await eventually { server.disconnects == 1 }
    }

    @Test(arguments: [408, 429, 500, 502, 503, 504])
    func statusInPolicyIsRetried(status: Int) async throws {
        let server = try RawServer { _, number in answer(number == 1 ? status : 200) }
        defer { server.stop() }
        let live = LiveNetworking(server.url, random: 0.5) { $0.retry.jitter = 0.5 }
        #expect(try await live.networking.send(NetworkRequest(.put, "x", body: Data("b".utf8))).attempts == 2)
        #expect(live.clock.pauses == [.milliseconds(750)])
        #expect(server.requests.map(\.body) == ["b", "b"])
    }

    @Test(
        arguments: [
            (NetworkRequest.Method.post, false, nil, 1), (.patch, false, nil, 1), (.post, true, nil, 3),
            (.post, false, true, 3), (.get, false, false, 1), (.get, false, nil, 3), (.delete, false, nil, 3),
        ] as [(NetworkRequest.Method, Bool, Bool?, Int)])
    func onlyIdempotentRequestsAreRepeated(
        method: NetworkRequest.Method, policy: Bool, request: Bool?, attempts: Int
    ) async throws {
        let server = try RawServer { _, _ in answer(503) }
        defer { server.stop() }
        var asked = NetworkRequest(method, "x")
        asked.isIdempotent = request
        let error = await send(LiveNetworking(server.url) { $0.retry.retriesNonIdempotent = policy }, asked)
        #expect(error?.status == 503)
        #expect(error?.request.attempts == attempts)
        #expect(server.requests.count == attempts)
    }

    @Test(
        arguments: [
            ("7", [.seconds(7)]), ("Sun, 06 Nov 1994 08:49:47 GMT", [.seconds(10)]),
            ("Sun, 06 Nov 1994 08:49:00 GMT", [.seconds(1)]), ("soon", [.seconds(1)]), ("-3", [.seconds(1)]),
            ("31", []), ("99999999999999999999", [.seconds(1)]),
        ] as [(String, [Duration])])
    func retryAfterIsRespected(retryAfter: String, pauses: [Duration]) async throws {
        let server = try RawServer { _, number in
            number == 1 ? answer(503, "", ["Retry-After": retryAfter]) : answer()
        }
        defer { server.stop() }
        let live = LiveNetworking(server.url)
        let error = await send(live)
        #expect(live.clock.pauses == pauses)
        #expect(
            error?.description
                == (pauses.isEmpty ? "GET \(server.url)/x returned 503; retry after 31 s" : nil))
    }

    @Test func endlessRedirectIsStopped() async throws {
        let server = try RawServer { _, number in answer(302, "", ["Location": "/loop\(number)?secret=1"]) }
        defer { server.stop() }
        let error = await send(LiveNetworking(server.url))
        #expect(
            error?.description
                == "GET \(server.url)/x was redirected more than 10 times, last to http://127.0.0.1:\(server.port)/loop11?secret=…"
        )
        #expect(server.requests.count == 11)
    }

    @Test func cancellationDuringRedirectIsSafe() async throws {
        let server = try RawServer { _, number in answer(302, "", ["Location": "/\(number)"]) }
        defer { server.stop() }
        let live = LiveNetworking(server.url) { $0.tracking = false }
        await withTaskGroup { group in
            for _ in 0..<200 {
                group.addTask {
                    let task = Task { await send(live) }
                    let asked = server.requests.count
                    while server.requests.count == asked { await Task.yield() }
                    for _ in 0..<Int.random(in: 0..<300) { await Task.yield() }
                    task.cancel()
                    switch await task.value {
                    case .cancelled, .redirect: break
                    case let other: Issue.record("\(String(describing: other))")
                    }
                }
                if Bool.random() { await group.next() }
            }
        }
    }

    @Test func cookiesStayWithSecureConnectionsAndTheirHost() async throws {
        let other = try RawServer { _, _ in answer() }
        let server = try RawServer { request, _ in
            request.path.hasSuffix("away")
                ? answer(302, "", ["Location": "http://localhost:\(other.port)/", "Set-Cookie": "new=3; Path=/"])
                : answer()
        }
        defer {
            other.stop()
            server.stop()
        }
        let live = LiveNetworking(server.url)
        for properties: [HTTPCookiePropertyKey: Any] in [
            [.name: "open", .value: "1", .domain: "127.0.0.1", .path: "/"],
            [.name: "closed", .value: "2", .domain: "127.0.0.1", .path: "/", .secure: "TRUE"],
        ] {
            live.cookies.storage.setCookie(try #require(HTTPCookie(properties: properties)))
        }
        _ = try await live.networking.send(NetworkRequest(.get, "x"))
        _ = try await live.networking.send(NetworkRequest(.get, "away"))
        _ = try await live.networking.send(NetworkRequest(.get, "x"))
        let cookies = server.requests.map { $0.headers["cookie"]?.components(separatedBy: "; ").sorted() }
        #expect(cookies == [["open=1"], ["open=1"], ["new=3", "open=1"]])
        #expect(other.requests.map { $0.headers["cookie"] } == [nil])
        _ = try await live.networking.send(NetworkRequest(.get, "x", headers: ["Cookie": "own=4"]))
        #expect(server.requests.last?.headers["cookie"] == "own=4")
        let quiet = URLSessionNetworking(
            configuration: NetworkingConfiguration(), environment: EnvironmentAPIMock(),
            sessions: sessions(live.cookies) { $0.setsCookies = false })
        _ = try await quiet.send(NetworkRequest(.get, url: server.url))
        #expect(server.requests.last?.headers["cookie"] == nil)
    }

    @Test func credentialsDoNotFollowRedirectToOtherHost() async throws {
        let other = try RawServer { _, _ in answer() }
        let server = try RawServer { _, _ in answer(307, "", ["Location": other.url.absoluteString]) }
        defer {
            other.stop()
            server.stop()
        }
        let live = LiveNetworking(server.url) { $0.headers = ["WM-Tenant": "t"] }
        _ = try await live.networking.send(
            NetworkRequest(.get, "x", headers: ["Authorization": "Bearer t", "Accept": "text/plain"]))
        #expect(server.requests.first?.headers["authorization"] == "Bearer t")
        #expect(other.requests.count == 1)
        #expect(other.requests.first?.headers["authorization"] == nil)
        #expect(other.requests.first?.headers["wm-tenant"] == nil)
        #expect(other.requests.first?.headers["accept"] == "text/plain")
    }

    @Test func oversizedResponseIsRejected() async throws {
        let server = try RawServer { _, _ in answer(200, String(repeating: "x", count: 1001)) }
        let endless = try RawServer { _, _ in .hang("HTTP/1.1 200 OK\r\n\r\n" + String(repeating: "x", count: 2000)) }
        defer {
            server.stop()
            endless.stop()
        }
        for server in [server, endless] {
            let error = await send(LiveNetworking(server.url, maximumBytes: 1000))
            #expect(
                error?.description == "the response to GET \(server.url)/x exceeds the limit of 1000 bytes")
        }
        try await eventually { endless.disconnects == 1 }
    }

    @Test func cancellationReturnsImmediatelyAndClosesConnection() async throws {
        let server = try RawServer { _, _ in .hang("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nx") }
        defer { server.stop() }
        let live = LiveNetworking(server.url)
        let task = Task { await send(live) }
        try await eventually { server.requests.count == 1 }
        task.cancel()
        #expect(await task.value?.description == "GET \(server.url)/x was canceled")
        try await eventually { server.disconnects == 1 }
        #expect(live.events.events.map { $0.attributes["outcome"] } == [.string("cancelled")])
    }

    @Test func requestCancelledBeforeStartIsNotSent() async throws {
        let server = try RawServer { _, _ in answer() }
        defer { server.stop() }
        let live = LiveNetworking(server.url)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return await send(live)
        }
        guard case .cancelled? = await task.value else { return #expect(Bool(false)) }
        #expect(server.requests.isEmpty)
    }

    @Test func cancellationEndsPause() async throws {
        let server = try RawServer { _, _ in answer(503) }
        defer { server.stop() }
        let networking = URLSessionNetworking(
            configuration: NetworkingConfiguration(), environment: EnvironmentAPIMock(), sessions: sessions())
        var request = NetworkRequest(.get, url: server.url)
        var policy = RetryPolicy()
        policy.initialDelaySeconds = 3600
        policy.maximumDelaySeconds = 3600
        request.retry = policy
        let asked = request
        let task = Task {
            await failure { () async throws(NetworkingError) in try await networking.send(asked) }
        }
        try await eventually { server.requests.count == 1 }
        task.cancel()
        guard case .cancelled? = await task.value else { return #expect(Bool(false)) }
    }

    @Test func shutDownServiceEndsRequestsAndRejectsNewOnes() async throws {
        let server = try RawServer { _, _ in .hang("") }
        defer { server.stop() }
        let live = LiveNetworking(server.url)
        let task = Task { await send(live) }
        try await eventually { server.requests.count == 1 }
        live.networking.dispose()
        #expect(
            await task.value?.description == "GET \(server.url)/x was not sent: the service is shut down")
        guard case .shutDown? = await send(live) else { return #expect(Bool(false)) }
        try await eventually { server.disconnects == 1 }
    }

    @Test func unreferencedServiceIsFreedWithConnections() async throws {
        let server = try RawServer { _, _ in
            .hang("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nConnection: keep-alive\r\n\r\nx")
        }
        defer { server.stop() }
        weak var gone: URLSessionNetworking?
        do {
            let live = LiveNetworking(server.url)
            gone = live.networking
            _ = try await live.networking.send(NetworkRequest(.get, "x"))
        }
        #expect(gone == nil)
        try await eventually { server.disconnects == 1 }
    }

    @Test(
        arguments: [
            (
                NetworkRequest(.get, "a/../b"),
                "GET https://e.org/v1 cannot be sent: the path \"a/../b\" has a segment \".\" or \"..\""
            ),
            (
                NetworkRequest(.get, "a", headers: ["X-A": "1\r\nX-B: 2"]),
                "GET https://e.org/v1/a cannot be sent: the value of x-a must be printable ASCII on one line"
            ),
            (
                NetworkRequest(.get, "a", headers: ["X A": "1"]),
                "GET https://e.org/v1/a cannot be sent: \"x a\" is not a valid header field name"
            ),
            (
                NetworkRequest(.post, url: URL(filePath: "/etc/passwd")),
                "POST file:///etc/passwd cannot be sent: it needs an http or https URL"
            ),
            (
                NetworkRequest(.get, "a", service: "apo"),
                "GET a cannot be sent: environment \"mock\" has no service \"apo\"; its services are api"
            ),
        ])
    func invalidRequestIsExplained(request: NetworkRequest, text: String) async throws {
        let live = LiveNetworking(try #require(URL(string: "https://e.org/v1")))
        #expect(await send(live, request)?.description == text)
    }

    @Test func descriptionsContainNoSecrets() throws {
        let url = try #require(URL(string: "https://user:pw@e.org:8443/a/b?t=s3&u&v=%20#frag"))
        let shown = NetworkingError.Request(method: "GET", url: url, attempts: 2)
        #expect(shown.description == "GET https://e.org:8443/a/b?t=…&u=…&v=…")
        let error = NetworkingError.redirect(shown, .insecure, to: "http://e.org/")
        #expect(
            error.description
                == "GET https://e.org:8443/a/b?t=…&u=…&v=… was redirected from https to http://e.org/; the server must redirect to https"
        )
    }

    @Test func pausesGrowToLimitAndJitterShortensThem() {
        var policy = RetryPolicy()
        policy.maximumDelaySeconds = 3
        policy.jitter = 0.5
        #expect((1...5).map { policy.pause(beforeRetry: $0, random: 0) / .seconds(1) } == [0.5, 1, 2, 3, 3])
        #expect(policy.pause(beforeRetry: 3, random: 0.5) == .seconds(1.5))
        #expect(policy.pause(beforeRetry: 5000, random: 0) == .seconds(3))
        #expect(policy.pause(beforeRetry: 1, random: 0, retryAfter: .seconds(4)) == nil)
    }

    @Test(
        arguments: [
            ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
            ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 29 Feb 2024 23:59:60 GMT", 1_709_251_200),
            ("0", nil), ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 25:49:37 GMT", nil),
            ("Sun, 06 Nov 1994 08:49:37 PST", nil), ("", nil),
        ] as [(String, Double?)])
    func headerDatesAreParsed(text: String, seconds: Double?) {
        var asked: Duration?
        let timing = RetryTiming(now: { Date(timeIntervalSince1970: 0) })
        asked = timing.retryAfter(["Retry-After": text])
        if text == "0" { #expect(asked == .zero) } else { #expect(asked == seconds.map { .seconds($0) }) }
    }
}
