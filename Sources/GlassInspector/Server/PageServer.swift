import Dispatch
import Foundation
import GlassBase

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// An HTTP/1.1 server for the page. Each connection gets one response, and everything that a client can do has a limit.
///
/// Any website's page can make a browser send bytes here. So one thread owns all connections and never spends more time
/// on one than a short head takes; slow work runs on the queue of `Responder`. Existing server libraries do not fit:
/// FlyingFox, the previous choice, needs quadratic time for a long line, stops at the first connection without a
/// descriptor, and has no hook for a different parser.
final class PageServer: Sendable {
    struct Limits: Sendable {
        /// The maximum number of connections. A further one closes the least important.
        var connections = descriptorsForConnections
        /// The maximum time for a client to send its head, to send its body, or to receive a response or an event.
        var patience = Duration.seconds(10)
        /// The maximum time for a client to close the connection after its response.
        var lingering = Duration.seconds(2)
        /// The maximum number of bytes to read and discard from a client that keeps sending after its request.
        var droppedBytes = 1 << 20
        /// The maximum number of bytes of events that wait for one client.
        var eventBytes = 1 << 20
        /// The maximum number of bytes that wait for all clients. Beyond it, requests about the markets are rejected.
        var unsentBytes = 64 << 20
        /// The maximum number of pending requests about the markets.
        var questions = 64
    }

    fileprivate enum Message: Sendable {
        case answer(connection: Int, HTTPResponse)
        case event(connection: Int, String)
        case endOfEvents(connection: Int)
    }

    private struct PendingRequests: Sendable {
        var messages: [Message] = []
        var isStopping = false
        var whenStopped: [CheckedContinuation<Void, Never>] = []
        var hasStopped = false
        var connectionCount = 0
    }

    fileprivate let listener: LoopbackSocket
    fileprivate let responder: Responder
    fileprivate let limits: Limits
    fileprivate let now: @Sendable () -> ContinuousClock.Instant
    fileprivate let waker: PollWaker
    /// The only mutable state that other threads share with the server's thread.
    private let inbox = Lock(PendingRequests())

    /// Serves the connections of a listening socket, and closes it at the end.
    init(
        _ listener: LoopbackSocket, _ responder: Responder, _ limits: Limits,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) throws(LoopbackSocket.Failure) {
        do {
            waker = try PollWaker()
        } catch {
            listener.close()
            throw error
        }
        self.listener = listener
        self.responder = responder
        self.limits = limits
        self.now = now
        // The thread keeps the server alive until the server stops.
        let thread = Thread { [self] in
            var loop = ConnectionLoop(self)
            loop.run()
        }
        thread.name = "inspector"
        thread.start()
    }

    /// The number of connections, for tests.
    var connectionCount: Int { inbox.withLock { $0.connectionCount } }

    /// Makes the thread check the clock, for tests.
    func lookAtTheClock() { waker.wake() }

    /// Closes all connections.
    func stop() async {
        await withCheckedContinuation { continuation in
            let hasStopped = inbox.withLock { inbox in
                inbox.isStopping = true
                if !inbox.hasStopped { inbox.whenStopped.append(continuation) }
                return inbox.hasStopped
            }
            waker.wake()
            if hasStopped { continuation.resume() }
        }
    }

    fileprivate func post(_ message: Message) {
        inbox.withLock { if !$0.isStopping { $0.messages.append(message) } }
        waker.wake()
    }

    /// The messages since the last call; nil if the thread must stop.
    fileprivate func takeMessages(connectionCount: Int) -> [Message]? {
        inbox.withLock { inbox in
            inbox.connectionCount = connectionCount
            defer { inbox.messages = [] }
            return inbox.isStopping ? nil : inbox.messages
        }
    }

    fileprivate func hasStopped() {
        let waiting = inbox.withLock { inbox in
            defer { inbox.whenStopped = [] }
            (inbox.hasStopped, inbox.connectionCount) = (true, 0)
            return inbox.whenStopped
        }
        for continuation in waiting { continuation.resume() }
    }
}

/// A client. Only the server's thread uses it.
private final class Connection {
    enum Stage {
        case head(HTTPHeadReader)
        case body(HTTPHead, InspectorRoute, received: [UInt8])
        /// The response is being computed.
        case question
        /// The complete response is being sent.
        case answer
        /// Events are sent until one side closes the connection.
        case events
        /// Everything is sent. If the server closed the connection now with unread input, the system would discard data
        /// that the client hasn't read yet.
        case lingering
    }

    let id: Int
    let socket: LoopbackSocket
    var stage = Stage.head(HTTPHeadReader())
    /// The time at which the connection closes unless it makes progress.
    var deadline: ContinuousClock.Instant?
    var isOpen = true
    /// Whether the response has no body.
    var isHead = false
    var unsent: [UInt8] = []
    var sentBytes = 0
    var droppedBytes = 0
    /// Cancels this client's work elsewhere.
    var cancel: (() -> Void)?

    init(id: Int, _ socket: LoopbackSocket, deadline: ContinuousClock.Instant) {
        self.id = id
        self.socket = socket
        self.deadline = deadline
    }

    var unsentBytes: Int { unsent.count - sentBytes }

    /// The events for `poll`.
    var events: Int16 {
        switch stage {
        // Reading detects that the client closes the connection.
        case .head, .body, .question, .lingering: Int16(POLLIN)
        case .answer: Int16(POLLOUT)
        case .events: Int16(unsentBytes > 0 ? POLLIN | POLLOUT : POLLIN)
        }
    }

    /// The importance of the connection. Connections that require the session close last, so that another site's page
    /// cannot close them.
    var rank: Int {
        switch stage {
        case .lingering: 0
        case .head, .body: 1
        case .answer: 2
        case .events: 3
        case .question: 4
        }
    }

    func close() {
        guard isOpen else { return }
        isOpen = false
        cancel?()
        unsent = []
        sentBytes = 0
        socket.close()
    }
}

/// The work of the server's thread.
private struct ConnectionLoop {
    /// The interval at which streams send a comment.
    private static let beat = Duration.seconds(10)
    /// The time for which the server stops accepting if no descriptor is available.
    private static let rest = Duration.milliseconds(100)
    /// The maximum number of connections to accept before the existing ones are served.
    private static let acceptedAtOnce = 64

    private let server: PageServer
    /// In order of arrival.
    private var connections: [Connection] = []
    private var connectionsSoFar = 0
    /// The number of pending requests about the markets, including those of clients that left.
    private var questions = 0
    private var buffer: [UInt8] = Array(repeating: 0, count: 16 << 10)
    private var restsUntil: ContinuousClock.Instant?
    private var nextBeat: ContinuousClock.Instant

    init(_ server: PageServer) {
        self.server = server
        nextBeat = server.now() + Self.beat
    }

    mutating func run() {
        while let messages = server.takeMessages(connectionCount: connections.count) {
            for message in messages { take(message) }
            lookAtTheClock()
            wait()
        }
        for connection in connections { connection.close() }
        server.listener.close()
        server.hasStopped()
    }

    private mutating func lookAtTheClock() {
        let now = server.now()
        for connection in connections where connection.deadline.map({ $0 <= now }) == true { connection.close() }
        connections.removeAll { !$0.isOpen }
        if nextBeat <= now {
            nextBeat = now + Self.beat
            server.responder.log.beat()
        }
        if let until = restsUntil, until <= now { restsUntil = nil }
    }

    /// Waits for events and handles them.
    private mutating func wait() {
        let polled = connections
        // `poll` ignores negative descriptors.
        let listener = restsUntil == nil ? server.listener.descriptor : -1
        var descriptors = [server.waker.reader, listener].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        descriptors += polled.map { pollfd(fd: $0.socket.descriptor, events: $0.events, revents: 0) }
        let next = polled.compactMap(\.deadline).reduce(min(nextBeat, restsUntil ?? nextBeat), min)
        // Round up, because a timeout of 0 for a fraction of a millisecond would cause a busy loop.
        let milliseconds = min(60_000, max(0, server.now().duration(to: next) / .milliseconds(1))) + 1
        waitForEvents(&descriptors, milliseconds: Int32(milliseconds))
        if descriptors[0].revents != 0 { server.waker.reset() }
        for (connection, descriptor) in zip(polled, descriptors.dropFirst(2)) where descriptor.revents != 0 {
            // A broken connection may be neither readable nor writable; the next call on it reports the error.
            if case .answer = connection.stage { send(connection) } else { receive(connection) }
            if connection.isOpen, connection.unsentBytes > 0, descriptor.revents & Int16(POLLOUT) != 0 {
                send(connection)
            }
        }
        connections.removeAll { !$0.isOpen }
        if descriptors[1].revents != 0 { accept() }
    }

    // MARK: - Connections

    private mutating func accept() {
        for _ in 0..<Self.acceptedAtOnce {
            switch server.listener.accept() {
            case .connection(let socket):
                if connections.count >= server.limits.connections { makeRoom() }
                connectionsSoFar += 1
                let deadline = server.now() + server.limits.patience
                let connection = Connection(id: connectionsSoFar, socket, deadline: deadline)
                connections.append(connection)
                // Most requests have already arrived. Reading it now keeps a client with a request from being the first
                // to be closed.
                receive(connection)
            case .gone: continue
            case .none: return
            case .exhausted:
                // Without connections to close, other code holds all descriptors.
                if connections.isEmpty { restsUntil = server.now() + Self.rest } else { makeRoom() }
                return
            }
        }
    }

    /// Closes the least important connection, the oldest if there are several.
    private mutating func makeRoom() {
        guard let connection = connections.min(by: { $0.rank < $1.rank }) else { return }
        connection.close()
        connections.removeAll { !$0.isOpen }
    }

    // MARK: - Requests

    private mutating func receive(_ connection: Connection) {
        switch connection.socket.read(into: &buffer) {
        case .later: break
        case .ended: connection.close()
        case .bytes(let count):
            var bytes = buffer[..<count]
            read(&bytes, of: connection)
        }
    }

    private mutating func read(_ bytes: inout ArraySlice<UInt8>, of connection: Connection) {
        do throws(HTTPFailure) {
            if case .head(var reader) = connection.stage {
                // Another reference in the stage would make each change copy the reader's bytes.
                connection.stage = .lingering
                guard let head = try reader.read(&bytes) else {
                    connection.stage = .head(reader)
                    return
                }
                connection.isHead = head.method == "HEAD"
                let route = try server.responder.route(of: head)
                connection.stage = .body(head, route, received: [])
                connection.deadline = server.now() + server.limits.patience
            }
            if case .body(let head, let route, var received) = connection.stage {
                connection.stage = .lingering  // as above
                received += bytes.prefix(head.contentLength - received.count)
                connection.stage = .body(head, route, received: received)
                guard received.count == head.contentLength else { return }
                switch try server.responder.reply(to: head, route, body: received) {
                case .answer(let answer): send(answer, to: connection)
                case .question(let question, let situation): try ask(question, in: situation, head, for: connection)
                }
                return
            }
            // Bytes after a request are ignored.
            connection.droppedBytes += bytes.count
            if connection.droppedBytes > server.limits.droppedBytes { connection.close() }
        } catch {
            send(.failure(error), to: connection)
        }
    }

    private mutating func ask(
        _ question: InspectorRequest, in situation: InspectorSituation, _ head: HTTPHead, for connection: Connection
    ) throws(HTTPFailure) {
        guard questions < server.limits.questions else {
            throw HTTPFailure(.serviceUnavailable, "\(questions) requests are being processed; try again later")
        }
        questions += 1
        connection.stage = .question
        // The client isn't responsible for the time that the response takes.
        connection.deadline = nil
        let isWanted = Lock(true)
        connection.cancel = { isWanted.withLock { $0 = false } }
        let isGone: @Sendable () -> Bool = { !isWanted.withLock { $0 } }
        server.responder.answer(question, in: situation, head, unless: isGone) { [server, id = connection.id] in
            server.post(.answer(connection: id, $0))
        }
    }

    // MARK: - Responses

    private mutating func take(_ message: PageServer.Message) {
        let id =
            switch message {
            case .answer(let id, _), .event(let id, _), .endOfEvents(let id): id
            }
        let connection = connections.first { $0.id == id && $0.isOpen }
        switch message {
        case .answer(_, let answer):
            questions -= 1
            guard let connection else { return }
            let unsent = connections.reduce(0) { $0 + $1.unsentBytes }
            guard case .bytes(let bytes) = answer.body, unsent + bytes.count <= server.limits.unsentBytes else {
                let failure = HTTPFailure(.serviceUnavailable, "too many responses wait to be read; try again later")
                return send(.failure(failure), to: connection)
            }
            send(answer, to: connection)
        case .event(_, let text):
            guard let connection else { return }
            guard connection.unsentBytes == 0 || connection.unsentBytes + text.utf8.count <= server.limits.eventBytes
            else { return connection.close() }
            append(Array(text.utf8), to: connection)
        case .endOfEvents: connection?.close()
        }
    }

    /// Sends the only response of a connection. For HEAD, sends only its head (RFC 9110, section 9.3.2).
    private func send(_ answer: HTTPResponse, to connection: Connection) {
        connection.stage = .answer
        connection.cancel = nil
        switch answer.body {
        case .bytes(let bytes):
            append(connection.isHead ? answer.headBytes : answer.headBytes + bytes, to: connection)
        case .events(let events):
            connection.stage = .events
            let task = Task { [server, id = connection.id] in
                for await text in events { server.post(.event(connection: id, text)) }
                server.post(.endOfEvents(connection: id))
            }
            connection.cancel = task.cancel
            append(answer.headBytes, to: connection)
        }
    }

    private func append(_ bytes: [UInt8], to connection: Connection) {
        if connection.unsentBytes == 0 { connection.deadline = server.now() + server.limits.patience }
        // Remove the bytes that were sent; otherwise, a client that never reads everything would keep them all in
        // memory.
        connection.unsent.removeFirst(connection.sentBytes)
        connection.sentBytes = 0
        connection.unsent += bytes
        send(connection)
    }

    private func send(_ connection: Connection) {
        while connection.unsentBytes > 0 {
            switch connection.socket.write(connection.unsent[connection.sentBytes...]) {
            case .bytes(let count): connection.sentBytes += count
            case .later: return
            case .ended: return connection.close()
            }
        }
        connection.unsent = []
        connection.sentBytes = 0
        connection.deadline = nil
        if case .answer = connection.stage {
            connection.stage = .lingering
            // Set the deadline first: once the client sees the end, it must not be waited for any longer than that.
            connection.deadline = server.now() + server.limits.lingering
            connection.socket.endWriting()
        }
    }
}
