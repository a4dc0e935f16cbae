import FlyingSocks
import Foundation
import GlassBase
import Testing

@testable import GlassInspector

/// Attacks by clients that only know the port, and by clients with a session: the page is still served.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct FloodTests {
    /// Requires the page's script within two seconds, or somewhat more on a machine that is busy with other tests.
    private static func requirePage(_ server: InspectorFixture) async throws {
        let start = ContinuousClock.now
        #expect(try await server.ask("GET /app.js").status == 200)
        #expect(ContinuousClock.now - start < .seconds(8))
    }

    private static let foreign = " HTTP/1.1\r\nHost: evil.example\r\nOrigin: http://evil.example\r\n\r\n"

    /// The client's first bytes, the bytes that it then repeats, up to a megabyte, and the status that it gets.
    private static let longRequests: [(first: String, again: String, status: Int)] = [
        ("GET /", "a", 414),
        ("GET /api/values?", "market=us&", 414),
        ("", "A", 414),
        ("", " ", 414),
        ("", "\r\n", 400),
        ("", "\n", 400),
        ("", "\0", 400),
        ("GET / HTTP/1.1\r\nX: ", "a", 431),
        ("GET / HTTP/1.1\r\nHost: ", "a", 431),
        ("GET / HTTP/1.1\r\n", "a", 431),
        ("GET / HTTP/1.1\r\n", "a:b\r\n", 431),
        ("GET / HTTP/1.1\r\n", "X: LONG\r\n", 431),
        ("POST / HTTP/1.1\r\nHost: evil.example\r\nContent-Length: 1048576\r\n\r\n", "a", 403),
        ("POST /api/link HTTP/1.1\r\nHost: OURS\r\nContent-Length: 1048576\r\n\r\n", "a", 401),
        ("POST /api/link HTTP/1.1\r\nHost: OURS\r\nCOOKIE\r\nContent-Length: 1048576\r\n\r\n", "a", 413),
        ("POST /api/link HTTP/1.1\r\nHost: OURS\r\nTransfer-Encoding: chunked\r\n\r\n", "0", 411),
        ("GET /app.js HTTP/1.1\r\nHost: OURS\r\n\r\n", "a", 200),
        ("", "GET /app.js HTTP/1.1\r\nHost: OURS\r\n\r\n", 200),
    ]

    @Test(arguments: longRequests)
    func longRequestsAreRejectedWhilePageIsServed(first: String, again: String, status: Int) async throws {
        // The clock is stopped, because a busy machine may take long to send everything.
        let now = ContinuousClock.now
        try await InspectorFixture.with(limits: { $0.droppedBytes = 4 << 20 }, now: { now }) { server in
            func written(_ text: String) -> String {
                text.replacing("OURS", with: "127.0.0.1:\(server.port)").replacing("COOKIE", with: server.cookie)
                    .replacing("LONG", with: String(repeating: "a", count: 4000))
            }
            let unit = written(again)
            let text = written(first) + String(repeating: unit, count: (1 << 20) / unit.utf8.count)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<3 {
                    group.addTask {
                        let reply = try await server.send(text)
                        #expect(reply.status == status)
                    }
                }
                try await Self.requirePage(server)
                try await group.waitForAll()
            }
            try await Self.requirePage(server)
            while server.connectionCount > 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    /// Data after a rejected request is read for a while, so that the rejection arrives, but not forever.
    @Test func clientThatKeepsSendingIsClosed() async throws {
        try await InspectorFixture.with { server in
            let socket = try await server.connect()
            defer { try? socket.close() }
            let more = Data(repeating: 0x61, count: 1 << 16)
            await #expect(throws: SocketError.self) { while true { try await socket.write(more) } }
            while server.connectionCount > 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test func heldConnectionsDoNotBlockOthers() async throws {
        try await InspectorFixture.with(limits: { $0.connections = 64 }) { server in
            var held: [AsyncSocket] = []
            for index in 0..<300 {
                let socket = try await server.connect()
                held.append(socket)
                // Some send nothing, some start a request, some got their response and stay. Writing to a closed one
                // fails.
                let text = ["", "GET / HT", "GET /app.js\(Self.foreign)", "POST /"][index % 4]
                do { try await socket.write(Data(text.utf8)) } catch is SocketError { continue }
                if index % 50 == 0 { try await Self.requirePage(server) }
            }
            #expect(server.connectionCount <= 64)
            try await Self.requirePage(server)
            for socket in held { try socket.close() }
            try await Self.requirePage(server)
            while server.connectionCount > 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test func shortConnectionsDoNotBlockOthers() async throws {
        try await InspectorFixture.with { server in
            try await withThrowingTaskGroup { group in
                for _ in 0..<4 {
                    group.addTask {
                        for index in 0..<200 {
                            let socket = try await server.connect()
                            if index % 2 == 0 { try await socket.write(Data("GET /".utf8)) }
                            try socket.close()
                        }
                    }
                }
                for _ in 0..<5 { try await Self.requirePage(server) }
                try await group.waitForAll()
            }
            while server.connectionCount > 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test func unreadStreamsAreLimitedInNumberAndSize() async throws {
        try await InspectorFixture.with { server in
            var streams: [AsyncSocket] = []
            for _ in 0..<EventLog.maximumListeners {
                streams.append(try await server.follow())
                _ = try await InspectorFixture.read(streams[streams.count - 1], until: "hello")
            }
            defer { for socket in streams { try? socket.close() } }
            #expect(try await server.ask("GET /api/events", [server.cookie]).status == 503)
            let event = String(repeating: "a", count: 64 << 10)
            for _ in 0..<200 { server.inspector.publish(event) }
            try await Self.requirePage(server)
            while server.inspector.log.listenerCount > 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
            try await Self.requirePage(server)
        }
    }

    @Test func queueOfRequestsIsLimited() async throws {
        let answers = HeldAnswers()
        try await InspectorFixture.with(answers: answers, limits: { $0.questions = 4 }) { server in
            try await withThrowingTaskGroup(of: Int.self) { group in
                for _ in 0..<5 {
                    group.addTask { try await server.ask("GET /api/state", [server.cookie]).status }
                }
                #expect(try await group.next() == 503)
                try await Self.requirePage(server)
                answers.release()
                for try await status in group { #expect(status == 200) }
            }
            #expect(try await server.ask("GET /api/state", [server.cookie]).status == 200)
        }
    }

    @Test func requestsOfClosedConnectionsAreDropped() async throws {
        let answers = HeldAnswers()
        try await InspectorFixture.with(answers: answers) { server in
            let text = "GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(server.cookie)\r\n\r\n"
            var sockets: [AsyncSocket] = []
            for _ in 0..<20 {
                sockets.append(try await server.connect())
                try await sockets[sockets.count - 1].write(Data(text.utf8))
            }
            while server.connectionCount < 20 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
            for socket in sockets { try socket.close() }
            while server.connectionCount > 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
            answers.release()
            #expect(try await server.ask("GET /api/state", [server.cookie]).status == 200)
            // The one in progress when the clients disconnected, and the last one.
            #expect(answers.count.withLock { $0 } <= 2)
        }
    }

    @Test func unreadResponsesAreLimited() async throws {
        let (size, now) = (8 << 20, ContinuousClock.now)
        let answers = LargeAnswers(size: size)
        try await InspectorFixture.with(answers: answers, limits: { $0.unsentBytes = 3 * size }, now: { now }) {
            server in
            let text = "GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(server.cookie)\r\n\r\n"
            var sockets: [AsyncSocket] = []
            for _ in 0..<8 {
                sockets.append(try await server.connect())
                try await sockets[sockets.count - 1].write(Data(text.utf8))
            }
            defer { for socket in sockets { try? socket.close() } }
            while try await server.ask("GET /api/state", [server.cookie]).status != 503 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
            try await Self.requirePage(server)
            // A client that reads gets the whole response.
            let reply = Reply(try await InspectorFixture.read(sockets[0]))
            #expect(reply.status == 200 && reply.body.utf8.count == size)
        }
    }
}

/// Responses that are held back until the test releases them.
private final class HeldAnswers: InspectorDataSource {
    let count = Lock(0)
    private let gate = DispatchSemaphore(value: 0)

    func answer(_ question: InspectorRequest, in situation: InspectorSituation) throws -> InspectorResponse {
        count.withLock { $0 += 1 }
        gate.wait()
        gate.signal()
        return InspectorResponse(.json, Array("{}".utf8))
    }

    func release() { gate.signal() }
}

/// Responses of a given size.
private struct LargeAnswers: InspectorDataSource {
    let size: Int

    func answer(_ question: InspectorRequest, in situation: InspectorSituation) throws -> InspectorResponse {
        InspectorResponse(.json, Array(repeating: 0x61, count: size))
    }
}
