import FlyingSocks
import Foundation
import GlassBase
import Testing

@testable import GlassInspector

/// Connections end after a while; none is served forever.
@Suite(.timeLimit(.minutes(1)))
struct ConnectionTests {
    @Test(arguments: [
        "", "GET / HTTP/1.1\r\nHost: 127",
        "POST /api/link HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nCOOKIE\r\nContent-Length: 9\r\n\r\n",
    ])
    func incompleteRequestTimesOut(text: String) async throws {
        let now = Lock(ContinuousClock.now)
        try await InspectorFixture.with(now: { now.withLock { $0 } }) { server in
            let patience = PageServer.Limits().patience
            let socket = try await server.connect()
            defer { try? socket.close() }
            let text = text.replacing("PORT", with: "\(server.port)").replacing("COOKIE", with: server.cookie)
            if !text.isEmpty { try await socket.write(Data(text.utf8)) }
            while server.connectionCount == 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
            // The page is answered after the earlier data, and nothing was closed.
            #expect(try await server.ask("GET /").status == 200)
            now.withLock { $0 += patience / 2 }
            // Occasional bytes do not count as a new request.
            try await socket.write(Data(".".utf8))
            #expect(try await server.ask("GET /").status == 200)
            now.withLock { $0 += patience / 2 + .seconds(1) }
            server.inspector.server?.lookAtTheClock()
            #expect(try await InspectorFixture.read(socket).isEmpty)
        }
    }

    @Test func connectionLeftOpenTimesOut() async throws {
        let now = Lock(ContinuousClock.now)
        try await InspectorFixture.with(now: { now.withLock { $0 } }) { server in
            let socket = try await server.connect()
            defer { try? socket.close() }
            try await socket.write(Data("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n".utf8))
            #expect(try await InspectorFixture.read(socket).hasPrefix("HTTP/1.1 200 OK\r\n"))
            // The server's thread says how many there are once it has answered.
            while server.connectionCount != 1 {
                try Task.checkCancellation()
                await Task.yield()
            }
            now.withLock { $0 += PageServer.Limits().lingering }
            server.inspector.server?.lookAtTheClock()
            while server.connectionCount > 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    @Test func stalledReaderTimesOut() async throws {
        let now = Lock(ContinuousClock.now)
        try await InspectorFixture.with(limits: { $0.eventBytes = .max }, now: { now.withLock { $0 } }) { server in
            let socket = try await server.follow()
            defer { try? socket.close() }
            _ = try await InspectorFixture.read(socket, until: "hello")
            // More than the system buffers for a client that does not read.
            let event = String(repeating: "a", count: 64 << 10)
            for _ in 0..<300 { server.inspector.publish(event) }
            // The page is answered after the events, and nothing was closed.
            #expect(try await server.ask("GET /").status == 200)
            #expect(server.inspector.log.listenerCount == 1)
            // Whichever event is waiting when the clock is read, it has waited that long.
            while server.inspector.log.listenerCount > 0 {
                now.withLock { $0 += PageServer.Limits().patience + .seconds(1) }
                server.inspector.server?.lookAtTheClock()
                await Task.yield()
            }
        }
    }

    @Test func stalledReaderIsClosedWhenTooMuchIsQueued() async throws {
        try await InspectorFixture.with { server in
            let socket = try await server.follow()
            defer { try? socket.close() }
            _ = try await InspectorFixture.read(socket, until: "hello")
            let event = String(repeating: "a", count: 64 << 10)
            for _ in 0..<300 { server.inspector.publish(event) }
            while server.inspector.log.listenerCount > 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    /// Missed events are sent at once, and may exceed the usual queue limit.
    @Test func singleLargeEventIsAllowed() async throws {
        try await InspectorFixture.with(limits: { $0.eventBytes = 100 }) { server in
            let socket = try await server.follow()
            defer { try? socket.close() }
            _ = try await InspectorFixture.read(socket, until: "hello")
            server.inspector.publish(String(repeating: "a", count: 1 << 20) + "the end")
            #expect(try await InspectorFixture.read(socket, until: "the end").count > 1 << 20)
        }
    }

    @Test func excessConnectionClosesTheLongestIdleOne() async throws {
        try await InspectorFixture.with(limits: { $0.connections = 16 }) { server in
            var idle: [AsyncSocket] = []
            for _ in 0..<20 { idle.append(try await server.connect()) }
            defer { for socket in idle { try? socket.close() } }
            for socket in idle[..<4] { #expect(try await InspectorFixture.read(socket).isEmpty) }
            while server.connectionCount != 16 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
            #expect(try await server.ask("GET /api/state", [server.cookie]).status == 200)
            #expect(try await InspectorFixture.read(idle[4]).isEmpty)
            // The others are unaffected.
            let request = "GET /app.js HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\n\r\n"
            for socket in idle[5...] {
                try await socket.write(Data(request.utf8))
                #expect(try await InspectorFixture.read(socket).hasPrefix("HTTP/1.1 200"))
            }
        }
    }

    @Test func eventStreamOutlastsIdleConnections() async throws {
        try await InspectorFixture.with(limits: { $0.connections = 8 }) { server in
            let stream = try await server.follow()
            _ = try await InspectorFixture.read(stream, until: "hello")
            var idle: [AsyncSocket] = []
            for _ in 0..<30 { idle.append(try await server.connect()) }
            defer { for socket in idle + [stream] { try? socket.close() } }
            #expect(try await InspectorFixture.read(idle[0]).isEmpty)
            server.inspector.publish("\"still\"")
            #expect(try await InspectorFixture.read(stream, until: "still").contains("data: \"still\""))
        }
    }

    /// However many streams and requests there are, the page itself is served.
    @Test func streamIsClosedIfThereIsNoIdleConnection() async throws {
        try await InspectorFixture.with(limits: { $0.connections = 8 }) { server in
            var streams: [AsyncSocket] = []
            for _ in 0..<8 {
                streams.append(try await server.follow())
                _ = try await InspectorFixture.read(streams[streams.count - 1], until: "hello")
            }
            defer { for socket in streams { try? socket.close() } }
            #expect(try await server.ask("GET /app.js").status == 200)
            #expect(server.inspector.log.listenerCount == 7)
        }
    }

    @Test func unfinishedHeadDoesNotBlockOthers() async throws {
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

    /// A client whose process has ended is noticed without a keep-alive.
    @Test func closedPageIsNoticedImmediately() async throws {
        try await InspectorFixture.with { server in
            let socket = try await server.follow()
            _ = try await InspectorFixture.read(socket, until: "hello")
            try socket.close()
            while server.inspector.log.listenerCount > 0 {
                // Ends the test here once its time limit is exceeded.
                try Task.checkCancellation()
                await Task.yield()
            }
        }
    }

    /// Sixteen connections without available descriptors: the server waits instead of retrying in a loop.
    @Test func serverPausesWithoutDescriptors() async throws {
        await #expect(processExitsWith: .success) {
            let inspector = Inspector(answers: EchoingAnswers())
            let url = try inspector.start()
            let port = UInt16(url.split(separator: ":")[2].prefix { $0.isNumber }) ?? 0
            let clients = try (0..<16).map { _ in try Socket(domain: Int32(AF_INET)) }
            // Uses up the remaining descriptors.
            var taken: [Int32] = []
            while case let copy = dup(STDERR_FILENO), copy >= 0 { taken.append(copy) }
            var address = sockaddr_in.inet(port: port)
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            for client in clients {
                try client.connect(to: address)
                _ = try client.write(Data("GET /app.js HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n".utf8))
            }
            let used = processorTime()
            // Without descriptors, a task cannot sleep.
            usleep(1_000_000)
            #expect(processorTime() - used < .milliseconds(300))
            // One descriptor is enough for all of them, one after the other.
            close(taken.removeLast())
            for client in clients {
                #expect(String(decoding: try client.read(atMost: 12), as: UTF8.self) == "HTTP/1.1 200")
            }
            for descriptor in taken { close(descriptor) }
            await inspector.stop()
        }
    }
}

private func processorTime() -> Duration {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return .seconds(Int64(time.tv_sec)) + .nanoseconds(Int64(time.tv_nsec))
}
