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
            // One that is closed never waits again.
            while server.inspector.pool.waitingCount == 0 { await Task.yield() }
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
            #expect(server.inspector.pool.waitingCount <= BoundedPool.mostWaiting)
            #expect(try await InspectorFixture.read(idle[0]).isEmpty)
        }
    }

    /// A connection still being closed is not chosen again.
    @Test func eachOneTooManyEndsAnother() async throws {
        let base = SlowToEnd()
        let pool = BoundedPool(base, now: { .now })
        let connections = try Connections(count: BoundedPool.mostWaiting + 3)
        defer { connections.close() }
        try await withThrowingTaskGroup { group in
            for (index, socket) in connections.accepted.enumerated() {
                group.addTask { try? await pool.suspendSocket(socket, untilReadyFor: .read) }
                // One after the other, so that the first ones have waited longest.
                while pool.waitingCount < min(index + 1, BoundedPool.mostWaiting) { await Task.yield() }
            }
            while base.state.withLock({ $0.waiting.count }) < connections.accepted.count { await Task.yield() }
            // Each of the last three ends one just after it has begun.
            while base.state.withLock({ $0.ended.count }) < 3 { await Task.yield() }
            #expect(pool.waitingCount == BoundedPool.mostWaiting)
            #expect(base.state.withLock { Set($0.ended) } == Set(connections.accepted[..<3].map(\.file.rawValue)))
            base.release()
            try await group.waitForAll()
        }
    }

    /// Whatever it was doing while the overdue ones were closed.
    @Test func oneThatIsOverdueWhenItWaitsAgainIsClosed() async throws {
        let now = Lock(ContinuousClock.now)
        let base = SlowToEnd()
        let pool = BoundedPool(base, now: { now.withLock { $0 } })
        let connections = try Connections(count: 1)
        defer { connections.close() }
        let socket = connections.accepted[0]
        func wait() -> Task<Void, any Error> {
            Task { try await pool.suspendSocket(socket, untilReadyFor: .read) }
        }
        let first = wait()
        while base.state.withLock({ $0.waiting.isEmpty }) { await Task.yield() }
        base.release()
        try await first.value
        now.withLock { $0 += BoundedPool.patience + .seconds(1) }
        pool.closeOverdue()
        let second = wait()
        while base.state.withLock({ $0.ended.isEmpty }) { await Task.yield() }
        base.release()
        await #expect(throws: CancellationError.self) { try await second.value }
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

/// A pool whose waits record cancellation but end only when released.
private final class SlowToEnd: AsyncSocketPool {
    struct State: Sendable {
        var ended: [Int32] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let state = Lock(State())

    func prepare() async throws {}

    func run() async throws {}

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock { $0.waiting.append(continuation) }
            }
        } onCancel: {
            state.withLock { $0.ended.append(socket.file.rawValue) }
        }
        try Task.checkCancellation()
    }

    func release() {
        let waiting = state.withLock { state in
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// Both ends of connections on loopback.
private struct Connections {
    private(set) var accepted: [Socket] = []
    private var others: [Socket] = []

    init(count: Int) throws {
        let listener = try Socket(domain: Int32(AF_INET))
        others.append(listener)
        var address = sockaddr_in.inet(port: 0)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        try listener.bind(to: address)
        try listener.listen()
        guard case .ip4(_, let port) = try listener.sockname() else { throw SocketError.unsupportedAddress }
        address.sin_port = port.bigEndian
        for _ in 0..<count {
            let socket = try Socket(domain: Int32(AF_INET))
            others.append(socket)
            try socket.connect(to: address)
            accepted.append(Socket(file: try listener.accept().file))
        }
    }

    func close() {
        for socket in accepted + others { try? socket.close() }
    }
}
