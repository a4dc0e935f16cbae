import GlassBase
import FlyingFox
import Foundation
import GlassDeepLinking
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests as received by a real HTTP server, and the handling of its responses.
@Suite(.timeLimit(.minutes(2)))
struct NetworkingTests {
    struct Item: Codable, Equatable {
        var id: Int
        var name: String
    }

    @Test func requestHasBaseURLMarketFieldsAndUserAgent() async throws {
        let seen = Lock<HTTPRequest?>(nil)
        try await withServer { request in
            seen.withLock { $0 = request }
            return HTTPResponse(
                statusCode: .ok, headers: HTTPHeaders([.init("X-Answer"): "yes"]), body: Data("hello".utf8))
        } _: { url in
            let live = LiveNetworking(url) { $0.headers = ["WM-Market": "mx", "X-Own": "market"] }
            let response = try await live.networking.send(
                NetworkRequest(
                    .get, "items/a b", query: [URLQueryItem(name: "q", value: "a+b & ñ")], headers: ["x-own": "request"]
                ))
            #expect(response.status == 200 && response.attempts == 1)
            #expect(String(decoding: response.body, as: UTF8.self) == "hello")
            #expect(response.headers["x-answer"] == "yes")
        }
        let request = try #require(seen.withLock { $0 })
        #expect(request.path == "/base/items/a b" || request.path == "/base/items/a%20b")
        #expect(request.query.map(\.name) == ["q"])
        #expect(request.query.first?.value == "a+b & ñ")
        #expect(request.headers[.init("WM-Market")] == "mx")
        #expect(request.headers[.init("X-Own")] == "request")
        #expect(request.headers[.init("Accept-Language")] == "es-MX")
        #expect(request.headers[.init("User-Agent")] == UserAgentProvidingMock().userAgent)
    }

    @Test func contentIsSentAndJSONIsDecoded() async throws {
        try await withServer { request in
            HTTPResponse(statusCode: request.method == .POST ? .created : .badRequest, body: try await request.bodyData)
        } _: { url in
            var request = NetworkRequest(.post, "items")
            try request.setJSON(Item(id: 1, name: "ñ"))
            let item: Item = try await LiveNetworking(url).networking.decode(from: request)
            #expect(item == Item(id: 1, name: "ñ"))
        }
    }

    @Test(
        arguments: [
            ("<html>", "it is not valid JSON"), ("", "it is not valid JSON"),
            ("{\"id\":1}", "the key \"name\" is missing"),
            ("{\"id\":\"1\",\"name\":\"\"}", "expected Int at id"),
            ("{\"id\":null,\"name\":\"\"}", "expected Int, got null at id"),
        ])
    func unexpectedResponseIsExplained(body: String, problem: String) async throws {
        try await withServer { _ in
            HTTPResponse(statusCode: .ok, body: Data(body.utf8))
        } _: { url in
            let live = LiveNetworking(url)
            let error = await failure { () async throws(NetworkingError) in
                try await live.networking.decode(Item.self, from: NetworkRequest(.get, "x"))
            }
            #expect(error?.description == "the response to GET \(url)/x cannot be decoded as Item: \(problem)")
            #expect(error?.cause is DecodingError)
        }
    }

    @Test(
        arguments: [
            (.useProtocolCachePolicy, "max-age=60", "", 1),
            (.useProtocolCachePolicy, "max-age=60", "Accept-Language", 1),
            (.useProtocolCachePolicy, "max-age=60", "Cookie", 3), (.useProtocolCachePolicy, "no-store", "", 3),
            (.useProtocolCachePolicy, "max-age=0", "", 3), (.reloadIgnoringLocalCacheData, "max-age=60", "", 3),
            (.returnCacheDataElseLoad, "max-age=0", "", 1), (.returnCacheDataDontLoad, "max-age=60", "", 0),
        ] as [(SessionConfiguration.CachePolicy, String, String, Int)])
    func policyAndServerDecideAboutCaching(
        policy: SessionConfiguration.CachePolicy, cacheControl: String, vary: String, requests: Int
    ) async throws {
        let asked = Lock(0)
        try await withServer { _ in
            let number = asked.withLock { count in
                count += 1
                return count
            }
            return HTTPResponse(
                statusCode: .ok,
                headers: HTTPHeaders([
                    .init("Cache-Control"): cacheControl, .init("Vary"): vary, .init("ETag"): "\"1\"",
                ]),
                body: Data("\(number)".utf8))
        } _: { url in
            let networking = URLSessionNetworking(
                configuration: NetworkingConfiguration(), environment: EnvironmentAPIMock(),
                sessions: sessions { $0.cachePolicy = policy })
            var request = NetworkRequest(.get, url: url)
            request.retry = .never
            let sent = request
            for _ in 0..<3 {
                let error = await failure { () async throws(NetworkingError) in try await networking.send(sent) }
                #expect((error == nil) == (requests > 0))
            }
        }
        #expect(asked.withLock { $0 } == requests)
    }

    @Test func errorStatusIsThrownWithResponse() async throws {
        try await withServer { _ in
            HTTPResponse(statusCode: .notFound, body: Data("no such item".utf8))
        } _: { url in
            let live = LiveNetworking(url)
            let request = NetworkRequest(.get, "items", query: [URLQueryItem(name: "token", value: "secret")])
            let error = await failure { () async throws(NetworkingError) in try await live.networking.send(request) }
            #expect(error?.description == "GET \(url)/items?token=… returned 404")
            #expect(error?.status == 404)
            guard case .status(_, let response, nil)? = error else { return #expect(Bool(false)) }
            #expect(String(decoding: response.body, as: UTF8.self) == "no such item")
            #expect(live.clock.pauses.isEmpty)
        }
    }

    @Test func redirectsAreFollowedAndCookiesStored() async throws {
        try await withServer { request in
            if request.path.hasSuffix("old") {
                return HTTPResponse(
                    statusCode: .temporaryRedirect,
                    headers: HTTPHeaders([.location: "/base/new", .init("Set-Cookie"): "session=1; Path=/"]))
            }
            return HTTPResponse(statusCode: .ok, body: Data((request.headers[.init("Cookie")] ?? "none").utf8))
        } _: { url in
            let live = LiveNetworking(url)
            let response = try await live.networking.send(NetworkRequest(.get, "old"))
            #expect(response.url.path == "/base/new")
            #expect(live.cookies.cookies(for: url).map(\.name) == ["session"])
            let again = try await live.networking.send(NetworkRequest(.get, "new"))
            #expect(String(decoding: again.body, as: UTF8.self) == "session=1")
        }
    }

    @Test func requestsAreReportedWithoutQuery() async throws {
        try await withServer { request in
            HTTPResponse(statusCode: request.path.hasSuffix("bad") ? .notFound : .ok)
        } _: { url in
            let live = LiveNetworking(url)
            _ = try await live.networking.send(
                NetworkRequest(.get, "good", query: [URLQueryItem(name: "token", value: "secret")]))
            _ = await failure { () async throws(NetworkingError) in
                try await live.networking.send(NetworkRequest(.get, "bad"))
            }
            var silent = NetworkRequest(.get, "good")
            silent.isTracked = false
            _ = try await live.networking.send(silent)
            #expect(
                live.events.events == [
                    AnalyticsEvent(
                        "networkRequest",
                        attributes: [
                            "method": .string("GET"), "outcome": .string("answered"), "attempts": .integer(1),
                            "milliseconds": .integer(0), "service": .string("api"), "path": .string("good"),
                            "status": .integer(200),
                        ]),
                    AnalyticsEvent(
                        "networkRequest",
                        attributes: [
                            "method": .string("GET"), "outcome": .string("status"), "attempts": .integer(1),
                            "milliseconds": .integer(0), "service": .string("api"), "path": .string("bad"),
                            "status": .integer(404),
                        ]),
                ])
            let quiet = LiveNetworking(url) { $0.tracking = false }
            _ = try await quiet.networking.send(NetworkRequest(.get, "good"))
            #expect(quiet.events.events.isEmpty)
        }
    }

    @Test func secretHeadersAreOnlySentToMarketServices() async throws {
        let seen = Lock<[String]>([])
        try await withServer { request in
            let names = ["X-Api-Key", "X-Session", "X-Plain", "X-Other"]
            seen.withLock { seen in
                seen.append(names.map { request.headers[.init($0)] ?? "-" }.joined(separator: " "))
            }
            return HTTPResponse(statusCode: .ok)
        } _: { url in
            func networking(_ key: Secret) -> URLSessionNetworking {
                var configuration = NetworkingConfiguration()
                configuration.defaultService = "api"
                configuration.headers = ["X-Api-Key": .secret(key), "X-Plain": "p"]
                return URLSessionNetworking(
                    configuration: configuration, environment: EnvironmentAPIMock(baseURLs: ["api": url]),
                    sessions: sessions {
                        $0.headers = [
                            "X-Session": .secret(Secret(name: "SESSION", value: "s1")), "X-Other": "o",
                            "x-api-key": .secret(Secret(name: "OLD", value: "old")),
                        ]
                    })
            }
            let live = networking(Secret(name: "KEY", value: "k1"))
            _ = try await live.send(NetworkRequest(.get, "a"))
            _ = try await live.send(NetworkRequest(.get, url: url))
            var own = NetworkRequest(.get, "a")
            own.headers["X-Api-Key"] = "own"
            _ = try await live.send(own)
            for (value, problem) in [
                (nil, "the secret KEY is not set: set it in the host's environment"),
                ("a\r\nb", "the value of x-api-key must be printable ASCII on one line"),
            ] {
                let error = await failure { () async throws(NetworkingError) in
                    try await networking(Secret(name: "KEY", value: value)).send(NetworkRequest(.get, "a"))
                }
                #expect(error?.description.hasSuffix(problem) == true, "\(String(describing: error))")
            }
        }
        #expect(seen.withLock { $0 } == ["k1 s1 p o", "- - p o", "own s1 p o"])
    }

    @Test func consumerKeyIsOnlySentToMarketServices() async throws {
        let seen = Lock<[String?]>([])
        try await withServer { request in
            seen.withLock { $0.append(request.headers[.init("WM-Consumer-Key")]) }
            return HTTPResponse(statusCode: .ok)
        } _: { url in
            let live = LiveNetworking(url) { $0.consumerKey = Secret(name: "KEY", value: "k1") }
            _ = try await live.networking.send(NetworkRequest(.get, "a"))
            _ = try await live.networking.send(NetworkRequest(.get, url: url))
            let unset = LiveNetworking(url) { $0.consumerKey = Secret(name: "KEY") }
            let error = await failure { () async throws(NetworkingError) in
                try await unset.networking.send(NetworkRequest(.get, "a"))
            }
            #expect(
                error?.description
                    == "GET \(url)/a cannot be sent: the secret KEY is not set: set it in the host's environment"
            )
        }
        #expect(seen.withLock { $0 } == ["k1", nil])
    }

    @Test func scriptReceivesResponsesAndValues() async throws {
        try await withServer { request in
            HTTPResponse(
                statusCode: request.method == .DELETE ? .forbidden : .ok, body: Data("{\"a\":[1,2.5,true,\"x\"]}".utf8))
        } _: { url in
            let networking = LiveNetworking(url).networking
            #expect(try await call(networking.scriptMethods, "json", ["x"]) == ["a": [1, 2.5, true, "x"]])
            guard case .map(let got) = try await call(networking.scriptMethods, "get", [.string(url.absoluteString)])
            else {
                return #expect(Bool(false))
            }
            #expect(got["status"] == 200 && got["attempts"] == 1)
            guard case .map(let sent) = try await call(networking.scriptMethods, "send", ["delete", "x"]) else {
                return #expect(Bool(false))
            }
            #expect(sent["status"] == 403)
            await #expect(throws: ScriptArgumentError.self) {
                try await call(networking.scriptMethods, "send", ["fetch", "x"])
            }
        }
    }
}
