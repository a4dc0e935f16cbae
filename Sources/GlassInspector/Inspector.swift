import GlassBase

/// A page about markets, served to the browser on this machine.
///
/// ```swift
/// let inspector = Inspector(answers: markets)
/// print(try inspector.start())
/// inspector.publish(#"{"event":"applied"}"#)
/// ```
///
/// It listens on 127.0.0.1 only. Who does not have the URL that ``start()`` returns gets the page and nothing of the
/// markets.
package final class Inspector: Sendable {
    let keys = SessionCredentials()
    let log: EventLog
    private let answers: any InspectorDataSource
    private let port: UInt16
    private let limits: PageServer.Limits
    private let now: @Sendable () -> ContinuousClock.Instant
    private let started = Lock<PageServer?>(nil)

    /// Makes a server; nothing listens yet.
    package convenience init(answers: any InspectorDataSource, port: UInt16 = 0) {
        self.init(answers: answers, port: port, limits: PageServer.Limits(), now: { .now })
    }

    /// Makes a server with limits, and a clock by which connections are overdue.
    init(
        answers: any InspectorDataSource, port: UInt16 = 0, limits: PageServer.Limits,
        now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.answers = answers
        self.port = port
        self.limits = limits
        self.now = now
        log = EventLog(run: String(keys.session.prefix(6)))
    }

    /// The server, once it listens.
    var server: PageServer? { started.withLock { $0 } }

    /// Listens.
    package func start() throws(InspectorStartError) -> String {
        do {
            let (socket, port) = try LoopbackSocket.listening(on: port)
            let responder = Responder(keys: keys, port: port, log: log, answers: answers)
            let server = try PageServer(socket, responder, limits, now: now)
            started.withLock { $0 = server }
            return "http://127.0.0.1:\(port)/#token=\(keys.token)"
        } catch {
            throw InspectorStartError(port: port, reason: error.reason)
        }
    }

    /// Tells the pages that are open of something.
    package func publish(_ json: String) { log.append(json) }

    /// Ends all connections.
    package func stop() async {
        log.close()
        await server?.stop()
    }
}

/// A server that could not listen.
package struct InspectorStartError: Error, Equatable, CustomStringConvertible {
    /// The port that was asked for; 0 for any.
    package let port: UInt16
    /// What the system said.
    let reason: String

    /// `cannot listen on port 8080 of 127.0.0.1: …; choose another with --port, or none`
    package var description: String {
        let place = port == 0 ? "127.0.0.1" : "port \(port) of 127.0.0.1"
        return "cannot listen on \(place): \(reason)"
            + (port == 0 ? "" : "; choose another with --port, or leave it out for one that is free")
    }
}
