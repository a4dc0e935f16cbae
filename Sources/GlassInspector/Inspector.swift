import FlyingFox
import FlyingSocks
import Foundation
import GlassBase

/// A page about markets, served to the browser on this machine.
///
/// ```swift
/// let inspector = Inspector(answers: markets)
/// print(try await inspector.start())
/// inspector.publish(#"{"event":"applied"}"#)
/// ```
///
/// It listens on 127.0.0.1 only. Who does not have the URL that ``start()`` returns gets the page and nothing of the
/// markets.
package final class Inspector: Sendable {
    /// How often connections are looked after, and how many such looks lie between two signs of life.
    private static let (interval, looksBetweenBeats) = (Duration.seconds(5), 2)

    let keys = AccessKeys()
    let log: EventLog
    let pool: BoundedPool
    let responder: Responder
    private let server: HTTPServer
    private let port: Lock<UInt16>
    private let tasks = Lock<[Task<Void, Never>]>([])

    /// Makes a server; nothing listens yet.
    package convenience init(answers: any InspectorAnswers, port: UInt16 = 0) {
        self.init(answers: answers, port: port, now: { .now })
    }

    /// Makes a server with a clock by which connections are overdue.
    init(
        answers: any InspectorAnswers, port: UInt16 = 0, now: @escaping @Sendable () -> ContinuousClock.Instant
    ) {
        self.port = Lock(port)
        log = EventLog(run: String(keys.session.prefix(6)))
        pool = BoundedPool(HTTPServer.defaultPool(), now: now)
        responder = Responder(keys: keys, port: self.port, log: log, answers: answers, pool: pool)
        // `.loopback` would be ::1 alone, which 127.0.0.1 does not reach.
        var address = sockaddr_in.inet(port: port)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        server = HTTPServer(
            config: HTTPServer.Configuration(
                address: address, timeout: 60, pool: pool, logger: .disabled),
            handler: responder)
    }

    /// Listens.
    package func start() async throws(InspectorStartError) -> String {
        let wanted = port.withLock { $0 }
        let failure = Lock<String?>(nil)
        // Whichever comes first: the server runs until it ends, so it is not waited for.
        let (decided, decide) = AsyncStream.makeStream(of: Void.self)
        let running = Task { [server] in
            do {
                try await server.run()
            } catch {
                failure.withLock { $0 = error.reason }
                decide.yield()
            }
        }
        tasks.withLock { $0.append(running) }
        Task { [server] in
            try? await server.waitUntilListening()  // what is wrong is the error of `run`
            decide.yield()
        }
        for await _ in decided { break }
        guard case .ip4(_, let port)? = await server.listeningAddress else {
            throw InspectorStartError(port: wanted, reason: failure.withLock { $0 })
        }
        self.port.withLock { $0 = port }
        let care = Task { [weak self] in
            var looks = 0
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.interval)  // cancelled: the condition says so
                looks += 1
                self?.look(beats: looks % Self.looksBetweenBeats == 0)
            }
        }
        tasks.withLock { $0.append(care) }
        return "http://127.0.0.1:\(port)/#token=\(keys.token)"
    }

    /// Closes what waited too long, and lets connections that are gone be noticed.
    private func look(beats: Bool) {
        pool.closeOverdue()
        if beats { log.beat() }
    }

    /// Tells the pages that are open of something.
    package func publish(_ json: String) { log.append(json) }

    /// Ends all connections.
    package func stop() async {
        log.close()
        for task in tasks.withLock({ $0 }) { task.cancel() }
        await server.stop()
    }
}

/// A server that could not listen.
package struct InspectorStartError: Error, Equatable, CustomStringConvertible {
    /// The port that was asked for; 0 for any.
    package let port: UInt16
    /// What the system said.
    let reason: String?

    /// `cannot listen on port 8080 of 127.0.0.1: …; choose another with --port, or none`
    package var description: String {
        let place = port == 0 ? "127.0.0.1" : "port \(port) of 127.0.0.1"
        return "cannot listen on \(place): \(reason ?? "the system does not say why")"
            + (port == 0 ? "" : "; choose another with --port, or leave it out for one that is free")
    }
}

extension Error {
    /// What the system says, of an error of FlyingSocks.
    fileprivate var reason: String {
        if case .failed(_, _, let message)? = self as? SocketError { message } else { "\(self)" }
    }
}
