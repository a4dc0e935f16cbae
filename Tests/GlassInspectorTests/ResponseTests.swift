import Foundation
import Testing

@testable import GlassInspector

/// Headers and bodies of responses, for any client.
@Suite(.timeLimit(.minutes(1)))
struct ResponseTests {
    @Test(arguments: ["GET /", "GET /api/state", "GET /nothing", "DELETE /", "GET /api/values?market=missing"])
    func everyResponseHasSecurityHeaders(line: String) async throws {
        try await InspectorFixture.with { server in
            for fields in [
                [], [server.cookie], ["Host: evil.example"], ["Origin: http://evil.example", server.cookie],
            ] {
                let reply = try await server.ask(line, fields)
                #expect(
                    reply.values(of: "Content-Security-Policy") == [
                        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
                            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                    ])
                #expect(reply.values(of: "X-Content-Type-Options") == ["nosniff"])
                #expect(reply.values(of: "Referrer-Policy") == ["no-referrer"])
                #expect(reply.values(of: "Cache-Control") == ["no-store"])
                #expect(!reply.head.lowercased().contains("access-control"))
            }
        }
    }

    @Test(arguments: [
        "/..", "/../app.js", "/%2e%2e/%2e%2e/etc/passwd", "//app.js", "/app.js/", "/APP.JS", "/./app.js",
        "/a/../app.js",
        "/api", "/api/", "/api/state/", "/api/state%00", "/%61pp.js", "/api/values", "/api/value?market=us",
        "/api/compare?a=us", "/api/review",
        "/index.html", "/Page/app.js", "/etc/passwd", "*", "http://127.0.0.1/",
    ])
    func unknownPathsAreNotFound(path: String) async throws {
        try await InspectorFixture.with { server in
            let reply = try await server.ask("GET \(path)", [server.cookie])
            #expect(reply.status == 404)
        }
    }

    @Test(arguments: [
        ("/api/values?market=us", "values(market: \"us\")"),
        ("/api/value?market=a%26b&key=c%3Dd", "value(market: \"a&b\", key: \"c=d\")"),
        ("/api/compare?a=us&b=%3Cimg%3E", "comparison(\"us\", \"<img>\")"), ("/api/state", "state"),
        ("/api/review?base=origin%2Fmain", "review(base: \"origin/main\")"),
    ])
    func requestParametersAreDecoded(path: String, question: String) async throws {
        try await InspectorFixture.with { server in
            let reply = try await server.ask("GET \(path)", [server.cookie])
            let object = try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: String]
            #expect(object?["asked"]?.hasSuffix(question) == true, "\(reply.body)")
            #expect(reply.values(of: "Content-Type") == ["application/json"])
        }
    }

    @Test func headHasFieldsWithoutBody() async throws {
        try await InspectorFixture.with { server in
            for path in ["/", "/app.js", "/api/state", "/api/picture?market=us"] {
                let (get, head) = (
                    try await server.ask("GET \(path)", [server.cookie]),
                    try await server.ask("HEAD \(path)", [server.cookie])
                )
                #expect(head.status == 200 && head.body.isEmpty)
                #expect(head.values(of: "Content-Length") == ["\(get.body.utf8.count)"])
                #expect(head.values(of: "Content-Type") == get.values(of: "Content-Type"))
            }
            let missing = try await server.ask("HEAD /nothing")
            #expect(missing.status == 404 && missing.body.isEmpty)
            // The stream never ends, which must not delay the response.
            let events = try await server.ask("HEAD /api/events", [server.cookie])
            #expect(events.status == 200 && events.body.isEmpty)
            #expect(server.inspector.log.listenerCount == 0)
        }
    }

    @Test func unchangedFileIsNotSentAgain() async throws {
        try await InspectorFixture.with { server in
            let first = try await server.ask("GET /style.css")
            let tag = try #require(first.values(of: "ETag").first)
            let again = try await server.ask("GET /style.css", ["If-None-Match: \"x\", \(tag)"])
            #expect(again.status == 304 && again.body.isEmpty)
            #expect(again.values(of: "ETag") == [tag])
            #expect(try await server.ask("GET /app.js", ["If-None-Match: \(tag)"]).status == 200)
            // Without a session, a client does not learn whether it is unchanged.
            #expect(try await server.ask("GET /api/state", ["If-None-Match: \(tag)"]).status == 401)
        }
    }

    @Test func failuresHaveMessages() async throws {
        try await InspectorFixture.with { server in
            let missing = try await server.ask("GET /api/values?market=missing", [server.cookie])
            #expect(missing.status == 404 && missing.body == #"{"error":"there is no market"}"#)
            let large = try await server.ask("GET /api/values?market=large", [server.cookie])
            #expect(large.status == 422 && large.body == #"{"error":"too large"}"#)
        }
    }

    private static let json = "Content-Type: application/json"

    @Test(arguments: [
        (#"{"link":"walmart://a","hold":["signedIn"]}"#, 200), (#"{"link":"walmart://a"}"#, 200), ("", 400), ("{", 400),
        ("[]", 400), (#"{"link":1}"#, 400), (#"{"link":"a","link":"b"}"#, 400), (#"{"link":"\ud800"}"#, 400),
        (#"{"hold":[]}"#, 400), (String(repeating: "[", count: 10_000), 400),
        (#"{"link":""# + String(repeating: "a", count: 16_384 - 11) + #""}"#, 200),
        (#"{"link":""# + String(repeating: "a", count: 16_384 - 10) + #""}"#, 413),
    ])
    func linkIsSentInSmallBody(body: String, status: Int) async throws {
        try await InspectorFixture.with { server in
            let reply = try await server.ask("POST /api/link", [Self.json, server.cookie], body: body)
            #expect(reply.status == status, "\(reply.body.prefix(200))")
        }
    }

    @Test(arguments: ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
    func formContentTypesAreRejected(type: String) async throws {
        try await InspectorFixture.with { server in
            let fields = type.isEmpty ? [server.cookie] : ["Content-Type: \(type)", server.cookie]
            let reply = try await server.ask("POST /api/link", fields, body: #"{"link":"a"}"#)
            #expect(reply.status == 415)
        }
    }

    @Test func longBodyIsNotRead() async throws {
        try await InspectorFixture.with { server in
            let start = ContinuousClock.now
            let announced = try await server.ask(
                "POST /api/link", [Self.json, server.cookie, "Content-Length: 1073741824"], body: #"{"link":"a"}"#)
            #expect(announced.status == 413)
            let chunk = "2000\r\n" + String(repeating: "a", count: 0x2000) + "\r\n"
            let chunked = try await server.ask(
                "POST /api/link", [Self.json, server.cookie, "Transfer-Encoding: chunked"], body: chunk + "0\r\n\r\n")
            #expect(chunked.status == 411)
            #expect(ContinuousClock.now - start < .seconds(10))
        }
    }
}
