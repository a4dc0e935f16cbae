import GlassBase
import Foundation
import GlassDeepLinking
import GRDB

/// Keeps events until every sink has them: in one SQLite file for all processes, or in memory.
///
/// Each sink has a cursor, the id of the last event it acknowledged, and at most one batch in flight. The batch is written
/// down with its key before it is sent, and nothing in it is dropped; so after a crash, or when an acknowledgement was
/// lost, exactly the same events are sent under the same key, by which the receiver recognises them. One process at a time
/// sends to a sink: it holds a lease, which ends with the process or when it shows no sign of life.
///
/// Committed transactions survive the end of the process. A power failure may take the last ones: an event is not worth a
/// wait for the disk on each tap.
final class AnalyticsOutbox: Sendable {
    let limits: AnalyticsOutboxLimits
    let clock: TelemetryClock
    /// Tells this user of the outbox from others, in this process and elsewhere.
    let owner = UUID().uuidString.lowercased()
    private let database: DurableDatabase
    /// The sinks that have a claim to every event, and those that lose it.
    private let sinks: (claiming: [String], retired: [String])
    /// How many events this process has kept. The lock is held while one is written, which is what makes the numbers those
    /// of the order in the file; the database writes one at a time anyway, so nobody waits longer for it.
    private let sequence = Lock<Int64>(0)

    /// Creates an outbox; nothing is opened before the first use.
    init(
        file: URL?, sinks: [String] = [], retired: Set<String> = [],
        limits: AnalyticsOutboxLimits = AnalyticsOutboxLimits(), clock: TelemetryClock = .system,
        suspension: StorageSuspension? = nil, prepare: (@Sendable (Database) throws -> Void)? = nil
    ) {
        self.sinks = (sinks, retired.subtracting(sinks).sorted())
        self.limits = limits
        self.clock = clock
        var options = DurableDatabase.Options()
        options.busyTimeout = limits.busyTimeout
        options.now = clock.now
        options.suspension = suspension
        options.prepare = { database in
            // With a write-ahead log this loses nothing when a process ends; only a power failure may take the last ones.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            try prepare?(database)
        }
        database = DurableDatabase(file: file, migrator: OutboxSchema.migrator, options: options)
    }

    // MARK: - Events

    /// Keeps an event; when this returns, it survives the end of the process.
    func keep(_ record: Data) throws -> Int {
        try sequence.withLock { sequence in
            let next = sequence + 1
            var payload = Data(#"{"process":"\#(owner)","sequence":\#(next),"#.utf8)
            payload.append(record.dropFirst())
            let dropped = try write("keep an event") { database in
                try OutboxSchema.insert(payload, limits: limits, in: database)
            }
            // Only now: a number of an event that could not be kept would be a gap.
            sequence = next
            return dropped
        }
    }

    /// The id of the newest event so far, whether or not it is still kept.
    func lastID() throws -> Int64 { try read("look at the events") { try OutboxSchema.lastID(in: $0) } }

    /// What became of the events.
    func counts() throws -> AnalyticsCounts {
        var counts = try read("count the events") { try OutboxSchema.counts(in: $0) }
        counts.setAside = setAside()
        return counts
    }

    // MARK: - Sinks

    /// How many events wait for a sink.
    func waiting(for sink: String, limit: Int) throws -> (count: Int, lastID: Int64) {
        // In one transaction, so that no event is newer than the id and yet counted.
        try read("look at the events") {
            (try OutboxSchema.waiting(for: sink, limit: limit, in: $0), try OutboxSchema.lastID(in: $0))
        }
    }

    /// Takes the right to send the next batch, which is the last one again if it was not acknowledged.
    func claim(for sink: String, batching: AnalyticsBatching) throws -> OutboxClaim {
        try write("claim a batch") { db in
            // Read when everybody else's lease is in the table: one from after this moment would look impossible.
            let now = clock.uptime()
            let holder = LeaseHolder(owner: owner, until: now + limits.leaseDuration)
            return try OutboxSchema.claim(
                for: sink, batching: batching, holder: holder, now: now, limits: limits, in: db)
        }
    }

    /// Shows a sign of life while a batch is being sent. Changes nothing when another process has taken the batch over: its
    /// lease is not this owner's to prolong.
    func renewLease(for sink: String) throws {
        let until = clock.uptime() + limits.leaseDuration
        try write("renew a lease") { try OutboxSchema.renewLease(for: sink, owner: self.owner, until: until, in: $0) }
    }

    /// Lets others send. The batch in flight stays what it is: it may have arrived, so it is sent again under its key and
    /// not made anew.
    func releaseLease(for sink: String) throws {
        try write("release a lease") { try OutboxSchema.releaseLease(for: sink, owner: self.owner, in: $0) }
    }

    /// Writes down that a sink has a batch, and lets go of events that every sink has.
    ///
    /// A batch that somebody else wrote down already changes nothing: its key is no longer the one in flight. So a process
    /// that was taken over while it slept may wake up and acknowledge, and counts nothing twice.
    func acknowledge(_ batch: OutboxBatch, isRejected: Bool = false) throws {
        try write("acknowledge a batch") { try OutboxSchema.acknowledge(batch, isRejected: isRejected, in: $0) }
    }

    /// Splits a batch that a sink refused, to find the event that it refuses; a single event is rejected.
    func split(_ batch: OutboxBatch) throws -> Bool {
        try write("split a batch") { try OutboxSchema.split(batch, in: $0) }
    }

    // MARK: - The file

    /// Closes the database; nothing works afterwards.
    func close() { database.close() }

    /// The names of the files that turned out corrupt and lie aside, in byte order.
    private func setAside() -> [String] {
        guard let file = database.file else { return [] }
        let folder = file.deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // No folder, nothing in it.
        return names.filter { name in
            name.hasPrefix(file.lastPathComponent + ".corrupt-")
                && !["-wal", "-shm", "-journal"].contains(where: name.hasSuffix)
        }.sorted()
    }

    /// Reads without the write's registration: reading lets no event go.
    private func read<Value>(_ operation: String, _ body: (Database) throws -> Value) throws -> Value {
        try again { try database.read(operation, body) }
    }

    /// Writes, after seeing to it that no event is let go before each sink has had it: also in a new file that took the
    /// place of a corrupt one.
    private func write<Value>(_ operation: String, _ body: (Database) throws -> Value) throws -> Value {
        try again {
            try database.write(operation) { database in
                // Before the body, in its transaction: the body may let go of events by what the cursors say.
                try OutboxSchema.register(sinks.claiming, retired: sinks.retired, in: database)
                return try body(database)
            }
        }
    }

    /// Does it once more when the file turns out corrupt: it is set aside by then. Once, because a new file that is corrupt
    /// too is a fault of the disk, which no number of attempts fixes.
    private func again<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch StorageError.unavailable(_, let cause as DatabaseError) where cause.isCorruption {
            return try body()
        }
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
