import FlyingSocks
import Foundation
import Testing

@testable import GlassInspector

/// The events that pages receive.
@Suite(.timeLimit(.minutes(1)))
struct EventTests {
    private static func first(_ count: Int, of stream: AsyncStream<String>) async -> [String] {
        var texts: [String] = []
        for await text in stream {
            texts.append(text)
            if texts.count == count { break }
        }
        return texts
    }

    @Test func newPageReceivesFutureEvents() async throws {
        let log = EventLog(run: "r")
        log.append("1")
        let stream = try #require(log.events(after: nil))
        log.append("2")
        log.beat()
        #expect(
            await Self.first(3, of: stream) == [
                "retry: 1000\nid: r-1\nevent: hello\ndata: {}\n\n", "id: r-2\ndata: 2\n\n", ": still here\n\n",
            ])
    }

    @Test(arguments: [
        ("r-1", ["id: r-2\ndata: 2\n\n", "id: r-3\ndata: 3\n\n"]), ("r-3", []), ("r-4", ["event: reset\ndata: {}\n\n"]),
        ("q-2", ["event: reset\ndata: {}\n\n"]), ("", ["event: reset\ndata: {}\n\n"]),
        ("r-", ["event: reset\ndata: {}\n\n"]),
        ("r--1", ["event: reset\ndata: {}\n\n"]), ("r-99999999999999999999", ["event: reset\ndata: {}\n\n"]),
    ])
    func returningPageReceivesMissedEvents(last: String, missed: [String]) async throws {
        let log = EventLog(run: "r")
        for number in 1...3 { log.append("\(number)") }
        let stream = try #require(log.events(after: last))
        log.append("end")
        let texts = await Self.first(missed.count + 2, of: stream)
        #expect(Array(texts.dropFirst().dropLast()) == missed)
    }

    @Test func eventsTooOldToReplayCauseReset() async throws {
        let log = EventLog(run: "r")
        for number in 1...300 { log.append("\(number)") }
        #expect(
            await Self.first(2, of: try #require(log.events(after: "r-10"))).last?.hasPrefix("event: reset") == true)
        #expect(await Self.first(2, of: try #require(log.events(after: "r-299"))).last == "id: r-300\ndata: 300\n\n")
    }

    @Test func numberOfListenersIsLimited() async throws {
        let log = EventLog(run: "r")
        var streams = (0..<EventLog.maximumListeners).compactMap { _ in log.events(after: nil) }
        #expect(streams.count == EventLog.maximumListeners)
        #expect(log.events(after: nil) == nil)
        streams.removeLast()
        // A released listener makes room for another.
        #expect(log.events(after: nil) != nil)
    }

    @Test func eventReachesPageImmediately() async throws {
        try await InspectorFixture.with { server in
            let socket = try await server.connect()
            defer { try? socket.close() }
            let request =
                "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(server.cookie)\r\nLast-Event-ID: x-1\r\n\r\n"
            try await socket.write(Data(request.utf8))
            let head = try await InspectorFixture.read(socket, until: "event: reset")
            #expect(head.contains("Content-Type: text/event-stream\r\n"))
            server.inspector.publish("{\"event\":\"applied\"}")
            let event = try await InspectorFixture.read(socket, until: "applied")
            #expect(event.contains("data: {\"event\":\"applied\"}\n\n"))
        }
    }

    @Test func closedPageIsNoticedByKeepAlive() async throws {
        try await InspectorFixture.with { server in
            let socket = try await server.connect()
            let request = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(server.cookie)\r\n\r\n"
            try await socket.write(Data(request.utf8))
            _ = try await InspectorFixture.read(socket, until: "hello")
            #expect(server.inspector.log.listenerCount == 1)
            try socket.close()
            // The system reports a closed reader at the second write.
            while server.inspector.log.listenerCount > 0 {
                server.inspector.log.beat()
                await Task.yield()
            }
        }
    }
}
