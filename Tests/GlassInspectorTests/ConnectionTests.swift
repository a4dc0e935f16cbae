import FlyingSocks
import Foundation
import GlassBase
import Testing

@testable import GlassInspector

/// Connections that nobody serves for ever.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test func halfARequestIsClosedAfterAWhile() async throws {
        let now = Lock(ContinuousClock.now)
        try await InspectorFixture.with(now: { now.withLock { $0 } }) { server in
            let socket = try await server.connect()
            defer { try? socket.close() }
            try await socket.write(Data("GET / HTTP/1.1\r\nHost: 127".utf8))
            while server.inspector.pool.waitingCount == 0 { await Task.yield() }
            server.inspector.pool.closeOverdue()
            #expect(server.inspector.pool.waitingCount == 1)
            now.withLock { $0 += BoundedPool.patience / 2 }
            // A byte now and then does not make it a new request.
            try await socket.write(Data(".".utf8))
            now.withLock { $0 += BoundedPool.patience / 2 + .seconds(1) }
            while server.inspector.pool.waitingCount > 0 {
                server.inspector.pool.closeOverdue()
                await Task.yield()
            }
            #expect(try await InspectorFixture.read(socket).isEmpty)
        }
    }

    @Test func aReaderThatStallsIsClosedAfterAWhile() async throws {
        let now = Lock(ContinuousClock.now)
        try await InspectorFixture.with(now: { now.withLock { $0 } }) { server in
            let socket = try await server.connect()
            defer { try? socket.close() }
            let request = "GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\(server.cookie)\r\n\r\n"
            try await socket.write(Data(request.utf8))
            _ = try await InspectorFixture.read(socket, until: "hello")
            // More than the system takes for somebody who does not read.
            let event = String(repeating: "a", count: 64 << 10)
            for _ in 0..<300 { server.inspector.publish(event) }
            while server.inspector.pool.waitingCount == 0 { await Task.yield() }
            server.inspector.pool.closeOverdue()
            #expect(server.inspector.log.listenerCount == 1)
            now.withLock { $0 += BoundedPool.patience + .seconds(1) }
            while server.inspector.log.listenerCount > 0 {
                server.inspector.pool.closeOverdue()
                await Task.yield()
            }
        }
    }

    @Test func oneThatHasWaitedLongestMakesRoom() async throws {
        try await InspectorFixture.with { server in
            var idle: [AsyncSocket] = []
            for _ in 0..<(BoundedPool.mostWaiting + 8) { idle.append(try await server.connect()) }
            defer { for socket in idle { try? socket.close() } }
            #expect(try await server.ask("GET /api/state", [server.cookie]).status == 200)
            while server.inspector.pool.waitingCount > BoundedPool.mostWaiting { await Task.yield() }
            #expect(try await InspectorFixture.read(idle[0]).isEmpty)
        }
    }

    @Test func aHeadThatDoesNotEndKeepsNobodyElseWaiting() async throws {
        try await InspectorFixture.with { server in
            let socket = try await server.connect()
            defer { try? socket.close() }
            try await socket.write(Data("GET / HTTP/1.1\r\n".utf8))
            let sending = Task {
                let line = Data("X-Long: \(String(repeating: "a", count: 1000))\r\n".utf8)
                for _ in 0..<300 { try await socket.write(line) }
            }
            for _ in 0..<10 {
                #expect(try await server.ask("GET /api/state", [server.cookie]).status == 200)
            }
            sending.cancel()
        }
    }

    @Test(arguments: ["\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n", "\u{0}\u{1}\r\n\r\n"])
    func whatIsNoRequestIsClosed(text: String) async throws {
        try await InspectorFixture.with { server in
            let socket = try await server.connect()
            defer { try? socket.close() }
            try await socket.write(Data(text.utf8))
            #expect(!(try await InspectorFixture.read(socket)).contains("200"))
            #expect(try await server.ask("GET /").status == 200)
        }
    }
}
