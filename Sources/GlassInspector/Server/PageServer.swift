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

/// An HTTP/1.1 server for the page: one answer for each connection, and a limit on everything that a client can do.
///
/// The page of any site can make a browser send bytes here. So one thread owns all connections, and does nothing for one
/// of them that takes longer than a short head does; what takes time, it leaves to `Responder`'s queue. Servers of
/// libraries were no choice: FlyingFox, which was here before, takes quadratic time for a long line, stops at the first
/// connection for which there is no descriptor, and has no place where a reader of one's own could stand in front of its.
final class PageServer: Sendable {
    struct Limits: Sendable {
        /// The most connections at a time. One more closes the one that is missed the least.
        var connections = descriptorsForConnections
        /// How long a client may take for its head, for its body, and to take an answer or an event.
        var patience = Duration.seconds(10)
        /// How long a client that has its answer may take to hang up.
        var lingering = Duration.seconds(2)
        /// The most bytes that are read and dropped of a client that goes on sending after its request.
        var droppedBytes = 1 << 20
        /// The most bytes of events that wait for one client.
        var eventBytes = 1 << 20
        /// The most bytes that wait for all clients, beyond which a question gets no answer.
        var unsentBytes = 64 << 20
        /// The most questions that wait for their answers.
        var questions = 64
    }

    fileprivate enum Message: Sendable {
        case answer(connection: Int, HTTPAnswer)
        case event(connection: Int, String)
        case endOfEvents(connection: Int)
    }

    private struct Inbox: Sendable {
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
    private let inbox = Lock(Inbox())

    /// Serves the connections of a socket that listens, and closes it when it stops.
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
        // The thread keeps the server until it is stopped.
        let thread = Thread { [self] in
            var loop = ConnectionLoop(self)
            loop.run()
        }
        thread.name = "inspector"
        thread.start()
    }

    /// How many connections there are, for tests.
    var connectionCount: Int { inbox.withLock { $0.connectionCount } }

    /// Makes the thread look at the clock, for tests.
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

    /// What came since the last call; nil when the thread is to end.
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

/// A client. Only the server's thread has one.
private final class Connection {
    enum Stage {
        case head(HTTPHeadReader)
        case body(HTTPHead, InspectorRoute, received: [UInt8])
        /// The answer is being found.
        case question
        /// The answer is on its way, the whole of it.
        case answer
        /// Events come until one side hangs up.
        case events
        /// Everything is sent. Closing now would make the system drop what the client has not read yet, if there is
        /// something of the client's that nobody has read.
        case lingering
    }

    let id: Int
    let socket: LoopbackSocket
    var stage = Stage.head(HTTPHeadReader())
    /// When it is closed unless it gets on.
    var deadline: ContinuousClock.Instant?
    var isOpen = true
    /// Whether the answer has no body.
    var isHead = false
    var unsent: [UInt8] = []
    var sentBytes = 0
    var droppedBytes = 0
    /// Ends what goes on for this client elsewhere.
    var cancel: (() -> Void)?

    init(id: Int, _ socket: LoopbackSocket, deadline: ContinuousClock.Instant) {
        self.id = id
        self.socket = socket
        self.deadline = deadline
    }

    var unsentBytes: Int { unsent.count - sentBytes }

    /// What `poll` waits for.
    var events: Int16 {
        switch stage {
        // A client that hangs up is noticed by reading.
        case .head, .body, .question, .lingering: Int16(POLLIN)
        case .answer: Int16(POLLOUT)
        case .events: Int16(unsentBytes > 0 ? POLLIN | POLLOUT : POLLIN)
        }
    }

    /// How much is lost with it. What needs the session comes last, so that no other site's page can close it.
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

/// What the server's thread does.
private struct ConnectionLoop {
    /// How often a stream without events has a sign of life.
    private static let beat = Duration.seconds(10)
    /// How long nobody is accepted where there is no descriptor for a connection.
    private static let rest = Duration.milliseconds(100)
    /// The most connections that are accepted before those that are there have their turn.
    private static let acceptedAtOnce = 64

    private let server: PageServer
    /// In the order in which they came.
    private var connections: [Connection] = []
    private var connectionsSoFar = 0
    /// Questions whose answers have not come, also of clients that are gone.
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

    /// Waits until there is something to do, and does it.
    private mutating func wait() {
        let polled = connections
        // A descriptor of a negative number is left out.
        let listener = restsUntil == nil ? server.listener.descriptor : -1
        var descriptors = [server.waker.reader, listener].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        descriptors += polled.map { pollfd(fd: $0.socket.descriptor, events: $0.events, revents: 0) }
        let next = polled.compactMap(\.deadline).reduce(min(nextBeat, restsUntil ?? nextBeat), min)
        // One more, because what is left of a millisecond would be a busy loop.
        let milliseconds = min(60_000, max(0, server.now().duration(to: next) / .milliseconds(1))) + 1
        waitForEvents(&descriptors, milliseconds: Int32(milliseconds))
        if descriptors[0].revents != 0 { server.waker.reset() }
        for (connection, descriptor) in zip(polled, descriptors.dropFirst(2)) where descriptor.revents != 0 {
            // A connection that is broken is neither readable nor writable, and the next call for it says so.
            if case .answer = connection.stage { send(connection) } else { receive(connection) }
            if connection.isOpen, connection.unsentBytes > 0, descriptor.revents & Int16(POLLOUT) != 0 {
                send(connection)
            }
        }
        connections.removeAll { !$0.isOpen }
        if descriptors[1].revents != 0 { accept() }
    }

    // MARK: - Beginning and ending

    private mutating func accept() {
        for _ in 0..<Self.acceptedAtOnce {
            switch server.listener.accept() {
            case .connection(let socket):
                if connections.count >= server.limits.connections { makeRoom() }
                connectionsSoFar += 1
                let deadline = server.now() + server.limits.patience
                let connection = Connection(id: connectionsSoFar, socket, deadline: deadline)
                connections.append(connection)
                // Most requests are there already. Who has sent one is then not the first that makes room.
                receive(connection)
            case .gone: continue
            case .none: return
            case .exhausted:
                // The descriptors may all be somebody else's.
                if connections.isEmpty { restsUntil = server.now() + Self.rest } else { makeRoom() }
                return
            }
        }
    }

    /// Closes the connection that is missed the least; of several, the one that came first.
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
                // While the stage has the reader too, each change would copy its bytes.
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
                case .question(let question): try ask(question, head, for: connection)
                }
                return
            }
            // Nobody reads what comes behind a request.
            connection.droppedBytes += bytes.count
            if connection.droppedBytes > server.limits.droppedBytes { connection.close() }
        } catch {
            send(.failure(error), to: connection)
        }
    }

    private mutating func ask(
        _ question: InspectorQuestion, _ head: HTTPHead, for connection: Connection
    ) throws(HTTPFailure) {
        guard questions < server.limits.questions else {
            throw HTTPFailure(.serviceUnavailable, "\(questions) questions are being answered already; ask again later")
        }
        questions += 1
        connection.stage = .question
        // How long the answer takes is not the client's doing.
        connection.deadline = nil
        let isWanted = Lock(true)
        connection.cancel = { isWanted.withLock { $0 = false } }
        server.responder.answer(question, head, unless: { !isWanted.withLock { $0 } }) { [server, id = connection.id] in
            server.post(.answer(connection: id, $0))
        }
    }

    // MARK: - Answers

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
                let failure = HTTPFailure(.serviceUnavailable, "too many answers wait to be read; ask again later")
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

    /// Sends an answer as the last thing of a connection; of HEAD, its head only (RFC 9110 §9.3.2).
    private func send(_ answer: HTTPAnswer, to connection: Connection) {
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
        // What was sent is dropped here, so that a client that always leaves something does not keep all of it.
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
            connection.socket.endWriting()
            connection.stage = .lingering
            connection.deadline = server.now() + server.limits.lingering
        }
    }
}
