import Foundation
import GlassDeepLinking
import GRDB
import Logging

/// Keeps events until every sink has them: in one SQLite file for all processes, or in memory.
///
/// Each sink has a cursor, the id of the last event it acknowledged, and at most one batch in flight. The batch is written
/// down with its key before it is sent, and nothing in it is dropped; so after a crash, or when an acknowledgement was
/// lost, exactly the same events are sent under the same key, by which the receiver recognises them. One process at a time
/// sends to a sink: it holds a lease, which ends with the process or when it shows no sign of life.
///
/// Committed transactions survive the end of the process (write-ahead log). A power failure may take the last ones.
final class AnalyticsOutbox: Sendable {
    /// What the lock protects: the connection, which comes and goes, and how far this process has counted.
    private struct State {
        var connection: (queue: DatabaseQueue, identity: FileIdentity?)?
        var sequence: Int64 = 0
    }

    let limits: AnalyticsOutboxLimits
    let clock: TelemetryClock
    /// Tells this user of the outbox from others, in this process and elsewhere.
    let owner: String
    private let file: OutboxFile?
    /// The sinks that have a claim to every event, and those that lose it.
    private let sinks: (claiming: [String], retired: Set<String>)
    /// The most pages of the database, by which tests fill the disk.
    private let maximumPages: Int?
    private let state = Lock(State())
    private let logger: Logger

    /// Creates an outbox; nothing is opened before the first use.
    ///
    /// - Parameters:
    ///   - file: The database's file; nil keeps everything in memory.
    ///   - sinks: The sinks that have a claim to every event from now on.
    ///   - retired: Sinks that have no claim any more.
    ///   - limits: How much is kept.
    ///   - clock: The clocks.
    ///   - maximumPages: The most pages of the database.
    ///   - logger: Takes reports of what went wrong.
    init(
        file: URL?, sinks: [String] = [], retired: Set<String> = [],
        limits: AnalyticsOutboxLimits = AnalyticsOutboxLimits(), clock: TelemetryClock = .system,
        maximumPages: Int? = nil, logger: Logger = Logger(label: "glass.analytics")
    ) {
        self.file = file.map { OutboxFile(url: $0) }
        self.sinks = (sinks, retired.subtracting(sinks))
        self.limits = limits
        self.clock = clock
        self.maximumPages = maximumPages
        self.logger = logger
        owner = UUID().uuidString.lowercased()
    }

    // MARK: - Events

    /// Keeps an event; when this returns, it survives the end of the process.
    ///
    /// - Parameter record: The event as a JSON object. Process and sequence number are added: the numbers of one process
    ///   have no gaps and are in the order in which its events were kept.
    /// - Returns: How many events were dropped for it.
    /// - Throws: ``AnalyticsOutboxError`` or what SQLite says; nothing is kept then.
    func keep(_ record: Data) throws -> Int {
        try state.withLock { state in
            let sequence = state.sequence + 1
            var payload = Data(#"{"process":"\#(owner)","sequence":\#(sequence),"#.utf8)
            payload.append(record.dropFirst())
            let dropped = try write(&state) { db in
                try OutboxSchema.insert(payload, limits: limits, in: db)
            }
            state.sequence = sequence
            return dropped
        }
    }

    /// The id of the newest event so far, whether or not it is still kept.
    func lastID() throws -> Int64 { try read { try OutboxSchema.lastID(in: $0) } }

    /// What became of the events.
    func counts() throws -> AnalyticsCounts {
        var counts = try read { try OutboxSchema.counts(in: $0) }
        counts.setAside = file?.setAside() ?? []
        return counts
    }

    // MARK: - Sinks

    /// How many events wait for a sink.
    ///
    /// - Parameters:
    ///   - sink: The sink's name.
    ///   - limit: More are not counted.
    /// - Returns: The number, and the newest id of that moment.
    func waiting(for sink: String, limit: Int) throws -> (count: Int, lastID: Int64) {
        try read { (try OutboxSchema.waiting(for: sink, limit: limit, in: $0), try OutboxSchema.lastID(in: $0)) }
    }

    /// Takes the right to send the next batch, which is the last one again if it was not acknowledged.
    func claim(for sink: String, batching: AnalyticsBatching) throws -> OutboxClaim {
        let holder = LeaseHolder(owner: owner, until: clock.uptime() + limits.leaseDuration)
        let now = clock.uptime()
        return try write { db in
            try OutboxSchema.claim(for: sink, batching: batching, holder: holder, now: now, limits: limits, in: db)
        }
    }

    /// Shows a sign of life while a batch is being sent.
    func renewLease(for sink: String) throws {
        let until = clock.uptime() + limits.leaseDuration
        try write { try OutboxSchema.renewLease(for: sink, owner: self.owner, until: until, in: $0) }
    }

    /// Lets others send. The batch in flight stays what it is.
    func releaseLease(for sink: String) throws {
        try write { try OutboxSchema.releaseLease(for: sink, owner: self.owner, in: $0) }
    }

    /// Writes down that a sink has a batch, and lets go of events that every sink has.
    ///
    /// A batch that somebody else wrote down already changes nothing.
    func acknowledge(_ batch: OutboxBatch, isRejected: Bool = false) throws {
        try write { try OutboxSchema.acknowledge(batch, isRejected: isRejected, in: $0) }
    }

    /// Splits a batch that a sink refused, to find the event that it refuses; a single event is rejected.
    ///
    /// - Returns: Whether an event was rejected.
    func split(_ batch: OutboxBatch) throws -> Bool {
        try write { try OutboxSchema.split(batch, in: $0) }
    }

    // MARK: - Connection

    /// Closes the file; the next use opens it again. What is in memory stays.
    func close() {
        if file != nil { state.withLock { $0.connection = nil } }
    }

    private func read<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try state.withLock { state in
            try withConnection(&state) { try $0.read(body) }
        }
    }

    private func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
        try state.withLock { try write(&$0, body) }
    }

    private func write<Value>(_ state: inout State, _ body: (Database) throws -> Value) throws -> Value {
        try withConnection(&state) { try $0.write(body) }
    }

    /// Runs `body` with a connection to the file that is there now; a file that turns out corrupt is set aside, once.
    private func withConnection<Value>(
        _ state: inout State, _ body: (DatabaseQueue) throws -> Value
    ) throws -> Value {
        do {
            return try body(try connection(&state))
        } catch let error as DatabaseError where error.isCorruption {
            guard let file else { throw error }
            // Closed first, so that the last connection does not write into what is set aside.
            let identity = state.connection?.identity
            state.connection = nil
            try file.whileLocked(timeout: limits.busyTimeout, clock) {
                // Another process may have set it aside already.
                if identity == nil || identity == file.identity() { try setAside(file, because: error) }
            }
            return try body(try connection(&state))
        } catch let error as DatabaseError where error.isStaleConnection && file != nil {
            state.connection = nil
            throw error
        }
    }

    private func connection(_ state: inout State) throws -> DatabaseQueue {
        if let connection = state.connection {
            // Somebody may have moved the file away: what is written to it would never be sent.
            if file == nil || connection.identity == file?.identity() { return connection.queue }
            logger.error("the analytics outbox is not where it was; a new one is begun")
            state.connection = nil
        }
        let queue: DatabaseQueue
        if let file {
            try file.makeFolder()
            queue = try file.whileLocked(timeout: limits.busyTimeout, clock) { try open(file) }
        } else {
            queue = try OutboxSchema.open(path: nil, busyTimeout: limits.busyTimeout, maximumPages: maximumPages)
        }
        if !sinks.claiming.isEmpty || !sinks.retired.isEmpty {
            // Before the first event, so that no event is let go before each of them has had it.
            try queue.write { try OutboxSchema.register(sinks.claiming, retired: sinks.retired, in: $0) }
        }
        state.connection = (queue, file?.identity())
        return queue
    }

    private func open(_ file: OutboxFile) throws -> DatabaseQueue {
        do {
            return try OutboxSchema.open(
                path: file.path, busyTimeout: limits.busyTimeout, maximumPages: maximumPages)
        } catch let error as DatabaseError where error.isCorruption {
            try setAside(file, because: error)
            return try OutboxSchema.open(
                path: file.path, busyTimeout: limits.busyTimeout, maximumPages: maximumPages)
        }
    }

    private func setAside(_ file: OutboxFile, because error: DatabaseError) throws {
        let name = try file.moveAside()
        logger.error("the analytics outbox is corrupt and lies aside as \(name); a new one is begun: \(error)")
    }
}

/// The answer to a request for a batch.
enum OutboxClaim {
    /// Send this.
    case batch(OutboxBatch)
    /// Somebody else is sending; ask again after a while.
    case busy(Duration)
    /// Nothing waits.
    case empty
}

/// Events on their way to a sink.
struct OutboxBatch: Sendable, Equatable {
    /// The sink's name.
    var sink: String
    /// Stays the same however often the batch is sent.
    var key: String
    /// The id of the last event.
    var lastID: Int64
    /// How many events were dropped since the last batch that the sink acknowledged.
    var dropped: Int
    /// The events, oldest first.
    var payloads: [Data]
}

/// Why an outbox cannot be used, where SQLite does not say it.
enum AnalyticsOutboxError: Error, Equatable, CustomStringConvertible {
    /// The folder cannot be made or written.
    case folder(_ path: String, code: Int32)
    /// Another process holds the file for too long.
    case locked(_ path: String)
    /// A later version of the app wrote the file.
    case newer(version: Int, supported: Int)

    /// What failed and what to do.
    var description: String {
        switch self {
        case .folder(let path, let code):
            "cannot use the folder of \(path): \(String(cString: strerror(code))); choose a state folder that is writable"
        case .locked(let path):
            "\(path) is held by another process; try again"
        case .newer(let version, let supported):
            "the outbox has version \(version), this program knows \(supported): update it or use another state folder"
        }
    }
}

extension DatabaseError {
    /// Whether the file is no usable database. Everything else may pass.
    var isCorruption: Bool { [.SQLITE_CORRUPT, .SQLITE_NOTADB].contains(resultCode) }

    /// Whether a new connection may do better.
    var isStaleConnection: Bool { [.SQLITE_IOERR, .SQLITE_READONLY, .SQLITE_CANTOPEN].contains(resultCode) }
}
