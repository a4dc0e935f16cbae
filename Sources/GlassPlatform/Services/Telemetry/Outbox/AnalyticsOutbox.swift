import GlassBase
import Foundation
import GlassDeepLinking
import GRDB

/// Stores events until every sink has them: in one SQLite file for all processes, or in memory.
///
/// Each sink has a cursor, which is the id of the last event that it acknowledged, and at most one batch in flight. The
/// batch is stored with its key before it is sent, and none of its events are dropped. After a crash or a lost
/// acknowledgment, exactly the same events are therefore sent with the same key, which identifies them to the receiver.
/// Only one process at a time sends to a sink: it holds a lease, which ends with the process, or if the process does
/// not renew it.
///
/// Committed transactions survive the end of the process. A power failure may lose the last ones, because events do not
/// justify waiting for the disk on each tap.
final class AnalyticsOutbox: Sendable {
    let limits: AnalyticsOutboxLimits
    let clock: TelemetryClock
    /// The identifier of this outbox object among all of them, in this process and others.
    let owner = UUID().uuidString.lowercased()
    private let database: DurableDatabase
    /// The sinks that are entitled to every event, and those that no longer are.
    private let sinks: (claiming: [String], retired: [String])
    /// The number of events that this process has stored. It is locked while an event is written, so that the numbers
    /// follow the order in the file. The database writes one event at a time anyway, so this does not add waiting time.
    private let sequence = Lock<Int64>(0)

    /// Creates an outbox. Opens nothing until the first use.
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
        options.stateFolder = file.flatMap(AnalyticsSetup.stateFolder)
        options.prepare = { database in
            // With a write-ahead log, this loses nothing when a process ends; only a power failure may lose the last
            // transactions.
            try database.execute(sql: "PRAGMA synchronous = NORMAL")
            try prepare?(database)
        }
        database = DurableDatabase(file: file, migrator: OutboxSchema.migrator, options: options)
    }

    // MARK: - Events

    /// Stores an event. When this returns, the event survives the end of the process.
    func keep(_ record: Data) throws -> Int {
        try sequence.withLock { sequence in
            let next = sequence + 1
            var payload = Data(#"{"process":"\#(owner)","sequence":\#(next),"#.utf8)
            payload.append(record.dropFirst())
            let dropped = try write("store an event") { database in
                try OutboxSchema.insert(payload, limits: limits, in: database)
            }
            // Increment it only now: the number of an event that could not be stored would leave a gap.
            sequence = next
            return dropped
        }
    }

    /// The id of the newest event so far, even if the event is no longer stored.
    func lastID() throws -> Int64 { try read("read the events") { try OutboxSchema.lastID(in: $0) } }

    /// The numbers of events by status.
    func counts() throws -> AnalyticsCounts {
        var counts = try read("count the events") { try OutboxSchema.counts(in: $0) }
        counts.setAside = setAside()
        return counts
    }

    // MARK: - Sinks

    /// The number of events that are waiting for a sink, and the id of the newest event.
    func waiting(for sink: String, limit: Int) throws -> (count: Int, lastID: Int64) {
        // Use one transaction, so that no event is counted that is newer than the id.
        try read("read the events") {
            (try OutboxSchema.waiting(for: sink, limit: limit, in: $0), try OutboxSchema.lastID(in: $0))
        }
    }

    /// Claims the next batch for sending. It is the previous batch if that was not acknowledged.
    func claim(for sink: String, batching: AnalyticsBatching) throws -> OutboxClaim {
        try write("claim a batch") { db in
            // Read the clock once the leases of others can no longer change: a lease that starts after this time would
            // appear invalid.
            let now = clock.uptime()
            let holder = LeaseHolder(owner: owner, until: now + limits.leaseDuration)
            return try OutboxSchema.claim(
                for: sink, batching: batching, holder: holder, now: now, limits: limits, in: db)
        }
    }

    /// Renews the lease while a batch is being sent. Changes nothing if another process has taken over the batch,
    /// because this owner must not renew that lease.
    func renewLease(for sink: String) throws {
        let until = clock.uptime() + limits.leaseDuration
        try write("renew a lease") { try OutboxSchema.renewLease(for: sink, owner: self.owner, until: until, in: $0) }
    }

    /// Allows other processes to send. The batch in flight is kept: it may have arrived, so it is sent again with the
    /// same key rather than rebuilt.
    func releaseLease(for sink: String) throws {
        try write("release a lease") { try OutboxSchema.releaseLease(for: sink, owner: self.owner, in: $0) }
    }

    /// Records that a sink has a batch, and removes events that every sink has.
    ///
    /// A batch that another process has already recorded changes nothing, because its key is no longer in flight. A
    /// process that was replaced while it slept can therefore wake up and acknowledge without counting anything twice.
    func acknowledge(_ batch: OutboxBatch, isRejected: Bool = false) throws {
        try write("acknowledge a batch") { try OutboxSchema.acknowledge(batch, isRejected: isRejected, in: $0) }
    }

    /// Splits a batch that a sink refused, to find the event that it refuses. A single event is rejected.
    func split(_ batch: OutboxBatch) throws -> Bool {
        try write("split a batch") { try OutboxSchema.split(batch, in: $0) }
    }

    // MARK: - The file

    /// Closes the database. No later call works.
    func close() { database.close() }

    /// The names of corrupt files that were renamed, in byte order.
    private func setAside() -> [String] {
        guard let file = database.file else { return [] }
        let folder = file.deletingLastPathComponent().path
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []  // without a folder, none
        return names.filter { name in
            name.hasPrefix(file.lastPathComponent + ".corrupt-")
                && !["-wal", "-shm", "-journal"].contains(where: name.hasSuffix)
        }.sorted()
    }

    /// Reads without registering sinks, because reading removes no event.
    private func read<Value>(_ operation: String, _ body: (Database) throws -> Value) throws -> Value {
        try again { try database.read(operation, body) }
    }

    /// Writes after registering the sinks, so that no event is removed before each sink has had it, even in a new file
    /// that replaced a corrupt one.
    private func write<Value>(_ operation: String, _ body: (Database) throws -> Value) throws -> Value {
        try again {
            try database.write(operation) { database in
                // Do this before the body, in the same transaction, because the body may remove events according to the
                // cursors.
                try OutboxSchema.register(sinks.claiming, retired: sinks.retired, in: database)
                return try body(database)
            }
        }
    }

    /// Retries once if the file turns out to be corrupt, because it has been renamed by then. It retries only once,
    /// because a new file that is also corrupt means a disk failure, which no number of attempts can fix.
    private func again<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch StorageError.unavailable(_, let cause as DatabaseError) where cause.isCorruption {
            return try body()
        }
    }
}

/// The result of claiming a batch.
enum OutboxClaim {
    /// A batch to send.
    case batch(OutboxBatch)
    /// Another process is sending; try again after this time.
    case busy(Duration)
    /// There are no waiting events.
    case empty
}

/// The events of a batch that is being sent to a sink.
struct OutboxBatch: Sendable, Equatable {
    /// The sink's name.
    var sink: String
    /// The key of the batch, which stays the same each time it is sent.
    var key: String
    /// The id of the last event.
    var lastID: Int64
    /// The number of events that were dropped since the last batch that the sink acknowledged.
    var dropped: Int
    /// The events, oldest first.
    var payloads: [Data]
}
