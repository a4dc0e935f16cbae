import GlassBase

/// A web page about markets, served to browsers on this machine.
///
/// ```swift
/// let inspector = Inspector(answers: markets)
/// print(try inspector.start())
/// inspector.publish(#"{"event":"applied"}"#)
/// ```
///
/// Listens only on 127.0.0.1. Without the URL that ``start()`` returns, a client gets the static page only.
package final class Inspector: Sendable {
    let keys = SessionCredentials()
    let log: EventLog
    private let answers: any InspectorDataSource
    private let port: UInt16
    private let limits: PageServer.Limits
    private let now: @Sendable () -> ContinuousClock.Instant
    private let started = Lock<PageServer?>(nil)

    /// Creates a server that isn't listening yet.
    package convenience init(answers: any InspectorDataSource, port: UInt16 = 0) {
        self.init(answers: answers, port: port, limits: PageServer.Limits(), now: { .now })
    }

    /// Creates a server with limits, and with a clock for the deadlines of connections.
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

    /// The server; nil until it listens.
    var server: PageServer? { started.withLock { $0 } }

    /// Starts listening, and returns the URL of the page, which contains the access token.
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

    /// Sends an event to all open pages.
    package func publish(_ json: String) { log.append(json) }

    /// Closes all connections.
    package func stop() async {
        log.close()
        await server?.stop()
    }
}

/// The error of a server that could not listen.
package struct InspectorStartError: Error, Equatable, CustomStringConvertible {
    /// The requested port; 0 for any.
    package let port: UInt16
    /// The system's error message.
    let reason: String

    /// Such as `cannot listen on port 8080 of 127.0.0.1: …; choose another with --port, or omit it to use a free port`.
    package var description: String {
        let place = port == 0 ? "127.0.0.1" : "port \(port) of 127.0.0.1"
        return "cannot listen on \(place): \(reason)"
            + (port == 0 ? "" : "; choose another with --port, or omit it to use a free port")
    }
}
