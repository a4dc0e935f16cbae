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

    /// A connection that is closed goes on for a moment, and does not make room twice.
    @Test func eachOneTooManyEndsAnother() async throws {
        let base = SlowToEnd()
        let pool = BoundedPool(base, now: { .now })
        let connections = try Connections(count: BoundedPool.mostWaiting + 3)
        defer { connections.close() }
        try await withThrowingTaskGroup { group in
            for socket in connections.accepted {
                let count = base.state.withLock { $0.begun }
                group.addTask { try? await pool.suspendSocket(socket, untilReadyFor: .read) }
                while base.state.withLock({ $0.begun }) == count { await Task.yield() }
            }
            #expect(pool.waitingCount == BoundedPool.mostWaiting)
            let ended = Set(base.state.withLock { $0.ended })
            #expect(ended == Set(connections.accepted[..<3].map(\.file.rawValue)))
            base.release()
            try await group.waitForAll()
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

/// A pool whose waits note that they are to end, and end when they are released.
private final class SlowToEnd: AsyncSocketPool {
    struct State: Sendable {
        var begun = 0
        var ended: [Int32] = []
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    let state = Lock(State())

    func prepare() async throws {}

    func run() async throws {}

    func suspendSocket(_ socket: Socket, untilReadyFor events: Socket.Events) async throws {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                state.withLock {
                    $0.begun += 1
                    $0.waiting.append(continuation)
                }
            }
        } onCancel: {
            state.withLock { $0.ended.append(socket.file.rawValue) }
        }
    }

    func release() {
        for continuation in state.withLock({ $0.waiting }) { continuation.resume() }
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
