import FlyingSocks
import Foundation
import Testing

@testable import GlassInspector

/// The situation that a page sends with each request.
@Suite(.timeLimit(.minutes(1)))
struct SituationTests {
    private static func field(_ text: String) -> String { "X-Glass-Situation: \(text)" }

    @Test func situationReachesTheDataSource() async throws {
        try await InspectorFixture.with { server in
            let field = Self.field(#"{"build":"debug","audience":"a+\u00e9\ud83d\ude00"}"#)
            for path in ["/api/state", "/api/values?market=us", "/api/compare?a=us&b=ca", "/api/review?base=HEAD"] {
                let reply = try await server.ask("GET \(path)", [server.cookie, field])
                #expect(reply.body.contains(#""in":"audience=a+é😀,build=debug""#), "\(reply.body)")
            }
            let link = try await server.ask(
                "POST /api/link", [server.cookie, "Content-Type: application/json", field], body: #"{"link":"a://b"}"#)
            #expect(link.body.contains("build=debug"))
            // It belongs to the request.
            let next = try await server.ask("GET /api/state", [server.cookie])
            #expect(next.status == 200 && !next.body.contains("debug"))
        }
    }

    @Test(
        arguments: [
            ("{}", 200, nil), (#"{"a":""}"#, 200, nil), ("", 400, nil), ("{", 400, nil), ("[]", 400, nil),
            ("null", 400, nil),
            (#"{"a":"1","a":"2"}"#, 400, nil), (#"{"a":1}"#, 400, "a"), (#"{"a":{"b":"c"}}"#, 400, "a"),
            (#"{"a":null}"#, 400, "a"),
            (#"{"a":"\ud800"}"#, 400, nil), (#"{"build":"debg"}"#, 422, "build"),
            ("{" + (1...64).map { "\"a\($0)\":\"\"" }.joined(separator: ",") + "}", 200, nil),
            ("{" + (1...65).map { "\"a\($0)\":\"\"" }.joined(separator: ",") + "}", 400, nil),
            (#"{"a":""# + String(repeating: "b", count: 4096 - 8) + #""}"#, 200, nil),
            (#"{"a":""# + String(repeating: "b", count: 4096 - 7) + #""}"#, 431, nil),
        ] as [(String, Int, String?)])
    func situationHasBounds(text: String, status: Int, attribute: String?) async throws {
        try await InspectorFixture.with { server in
            let reply = try await server.ask("GET /api/state", [server.cookie, Self.field(text)])
            #expect(reply.status == status, "\(reply.body)")
            guard status != 200 else { return }
            let object = try JSONSerialization.jsonObject(with: Data(reply.body.utf8)) as? [String: String]
            #expect(object?["attribute"] == attribute)
            #expect(object?["error"]?.isEmpty == false)
        }
    }

    @Test func repeatedSituationIsRejected() async throws {
        try await InspectorFixture.with { server in
            let field = Self.field(#"{"build":"debug"}"#)
            let reply = try await server.ask("GET /api/state", [server.cookie, field, field])
            #expect(reply.status == 400)
        }
    }

    @Test func situationNeedsTheSession() async throws {
        try await InspectorFixture.with { server in
            let reply = try await server.ask("GET /api/state", [Self.field(#"{"build":"debug"}"#)])
            #expect(reply.status == 401 && !reply.body.contains("debug"))
        }
    }

    @Test func situationIsInNoEvent() async throws {
        try await InspectorFixture.with { server in
            let socket = try await server.follow()
            defer { try? socket.close() }
            _ = try await InspectorFixture.read(socket, until: "hello")
            for text in [
                #"{"customerID":"100234"}"#, #"{"customerID":100234}"#, #"{"build":"debg","customerID":"100234"}"#,
            ] {
                _ = try await server.ask("GET /api/state", [server.cookie, Self.field(text)])
            }
            server.inspector.publish("{\"event\":\"applied\"}")
            let events = try await InspectorFixture.read(socket, until: "applied")
            #expect(!events.contains("100234") && !events.contains("customerID"))
        }
    }

    @Test func scriptsKeepNoSituation() {
        for (path, file) in PageFile.all {
            let text = String(decoding: file.bytes, as: UTF8.self)
            #expect(
                !text.contains("localStorage") && !text.contains("indexedDB") && !text.contains("document.cookie"),
                "\(path)")
            // Only the recent links are in the storage of the tab.
            #expect(path == "/links.js" || !text.contains("sessionStorage"), "\(path)")
        }
    }
}
