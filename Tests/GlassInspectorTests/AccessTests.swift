import FlyingSocks
import Foundation
import Testing

@testable import GlassInspector

/// Which requests are answered.
@Suite(.timeLimit(.minutes(1)))
struct AccessTests {
    @Test(arguments: [
        "Host: evil.example:PORT", "Host: evil.example", "Host: 127.0.0.1", "Host: 127.0.0.1:1", "Host: localhost",
        "Host: [::1]:PORT", "Host: 127.0.0.1.evil.example:PORT", "Host: localhost:PORT.evil.example", "Host:",
    ])
    func otherHostIsRejected(field: String) async throws {
        try await InspectorFixture.with { server in
            let field = field.replacing("PORT", with: "\(server.port)")
            for path in ["/", "/api/state", "/app.js"] {
                let reply = try await server.ask("GET \(path)", [field, server.cookie])
                #expect(reply.status == 403, "\(field) \(path)")
                #expect(!reply.body.contains("asked"))
            }
        }
    }

    @Test func bothLocalHostNamesAreAccepted() async throws {
        try await InspectorFixture.with { server in
            for name in ["127.0.0.1", "localhost", "LOCALHOST"] {
                let reply = try await server.ask("GET /api/state", ["Host: \(name):\(server.port)", server.cookie])
                #expect(reply.status == 200)
            }
        }
    }

    @Test(arguments: [
        ("http://evil.example", 403), ("null", 403), ("https://127.0.0.1:PORT", 403), ("http://127.0.0.1:1", 403),
        ("http://127.0.0.1:PORT", 200), ("http://localhost:PORT", 200), ("http://127.0.0.1:PORT.evil.example", 403),
    ])
    func foreignOriginIsRejected(origin: String, status: Int) async throws {
        try await InspectorFixture.with { server in
            let field = "Origin: " + origin.replacing("PORT", with: "\(server.port)")
            #expect(try await server.ask("GET /api/state", [field, server.cookie]).status == status)
            let json = "Content-Type: application/json"
            let reply = try await server.ask(
                "POST /api/link", [field, json, server.cookie], body: #"{"link":"a://b"}"#)
            #expect(reply.status == status)
        }
    }

    @Test(arguments: [
        ("POST /", 405), ("PUT /api/state", 405), ("DELETE /api/values?market=us", 405), ("OPTIONS /api/link", 405),
        ("OPTIONS /api/state", 405), ("PATCH /api/link", 405), ("GET /api/link", 405), ("HEAD /api/link", 405),
        ("POST /api/session", 405), ("POST /api/events", 405), ("HEAD /api/state", 200), ("GET /api/state", 200),
    ])
    func onlyReadsAndOnePostAreAllowed(line: String, status: Int) async throws {
        try await InspectorFixture.with { server in
            let reply = try await server.ask(line, [server.cookie])
            #expect(reply.status == status)
            if status == 405 {
                #expect(reply.values(of: "Allow") == [line.contains("/api/link") ? "POST" : "GET, HEAD"])
            }
        }
    }

    @Test(arguments: [
        "/api/state", "/api/matrix", "/api/schema", "/api/values?market=us", "/api/value?market=us&key=a",
        "/api/services?market=us", "/api/picture?market=us", "/api/compare?a=us&b=ca", "/api/events",
        "/api/review?base=HEAD", "/sheet?market=us",
    ])
    func sessionIsRequired(path: String) async throws {
        try await InspectorFixture.with { server in
            let wrong = String(repeating: "0", count: 32)
            let others = [
                [], ["Cookie: glass-inspect-\(server.port)=\(wrong)"], ["Cookie: glass-inspect-\(server.port)="],
                ["Cookie: glass-inspect-1=\(server.inspector.keys.session)"],
                ["Cookie: glass-inspect-\(server.port)=\(server.token)"], ["X-Glass-Token: \(server.token)"],
            ]
            for fields in others {
                let reply = try await server.ask("GET \(path)", fields)
                #expect(reply.status == 401)
                #expect(!reply.body.contains("asked"))
            }
            if path != "/api/events" {
                #expect(
                    try await server.ask("GET \(path)", ["Cookie: a=b; \(server.cookie.dropFirst(8))"]).status == 200)
            }
        }
    }

    @Test func tokenIsExchangedForHTTPOnlyCookie() async throws {
        try await InspectorFixture.with { server in
            #expect(server.url == "http://127.0.0.1:\(server.port)/#token=\(server.token)")
            let reply = try await server.ask("GET /api/session", ["X-Glass-Token: \(server.token)"])
            #expect(reply.status == 200)
            let session = server.inspector.keys.session
            #expect(
                reply.values(of: "Set-Cookie") == [
                    "glass-inspect-\(server.port)=\(session); Path=/; HttpOnly; SameSite=Strict"
                ])
            for wrong in ["", "0", server.token + "0", String(server.token.dropLast()), session] {
                let reply = try await server.ask("GET /api/session", ["X-Glass-Token: \(wrong)"])
                #expect(reply.status == 401)
                #expect(reply.values(of: "Set-Cookie").isEmpty)
            }
            #expect(try await server.ask("GET /api/session").status == 401)
        }
    }

    @Test func secretsHave128BitsAndDiffer() {
        let keys = (0..<20).map { _ in SessionCredentials() }
        let secrets = keys.map(\.token) + keys.map(\.session)
        #expect(Set(secrets).count == 40)
        #expect(secrets.allSatisfy { $0.count == 32 && $0.allSatisfy(\.isHexDigit) })
    }

    @Test(arguments: [
        ("", "", true), ("a", "a", true), ("a", "b", false), ("ab", "a", false), ("", "a", false),
        ("é", "e\u{301}", false),
    ])
    func secretsAreComparedByBytes(one: String, other: String, areEqual: Bool) {
        #expect(SessionCredentials.areEqual(one, other) == areEqual)
    }

    @Test func serverListensOnlyOnLoopbackAddress() async throws {
        try await InspectorFixture.with { server in
            let six = sockaddr_in6.loopback(port: server.port)
            await #expect(throws: (any Error).self) { _ = try await AsyncSocket.connected(to: six, timeout: 2) }
            // Another address of this machine, on which a server bound to 0.0.0.0 would listen.
            var four = sockaddr_in.inet(port: server.port)
            four.sin_addr.s_addr = UInt32(0x7F00_0002).bigEndian
            await #expect(throws: (any Error).self) { _ = try await AsyncSocket.connected(to: four, timeout: 2) }
        }
    }

    @Test func portInUseIsReported() async throws {
        try await InspectorFixture.with { server in
            let second = Inspector(answers: EchoingAnswers(), port: server.port)
            let error = #expect(throws: InspectorStartError.self) { _ = try second.start() }
            #expect(
                error?.description == "cannot listen on port \(server.port) of 127.0.0.1: Address already in use; "
                    + "choose another with --port, or omit it to use a free port")
            await second.stop()
        }
    }
}
