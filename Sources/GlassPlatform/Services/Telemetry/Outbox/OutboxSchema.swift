import Foundation
import GRDB

/// The outbox's tables and all functions that read or change them. Each function runs inside one transaction.
enum OutboxSchema {
    /// The versions of the tables.
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1: events, sinks and a ledger", migrate: createTables)
        return migrator
    }

    private static func createTables(_ db: Database) throws {
        // Use AUTOINCREMENT: cursors compare ids, so the id of a deleted event must never be reused.
        try db.execute(
            sql: """
                CREATE TABLE event (
                    id INTEGER PRIMARY KEY AUTOINCREMENT,
                    payload BLOB NOT NULL,
                    isRejected INTEGER NOT NULL DEFAULT 0
                );
                CREATE TABLE sink (
                    name TEXT PRIMARY KEY,
                    acknowledged INTEGER NOT NULL DEFAULT 0,
                    sent INTEGER NOT NULL DEFAULT 0,
                    reportedDrops INTEGER NOT NULL DEFAULT 0,
                    batchKey TEXT, batchLast INTEGER, batchDrops INTEGER,
                    leaseOwner TEXT, leaseProcess INTEGER, leasePlace TEXT, leaseUntil REAL
                ) WITHOUT ROWID;
                CREATE TABLE ledger (
                    id INTEGER PRIMARY KEY CHECK (id = 1),
                    tracked INTEGER NOT NULL DEFAULT 0,
                    kept INTEGER NOT NULL DEFAULT 0,
                    keptBytes INTEGER NOT NULL DEFAULT 0,
                    sent INTEGER NOT NULL DEFAULT 0,
                    dropped INTEGER NOT NULL DEFAULT 0,
                    rejected INTEGER NOT NULL DEFAULT 0
                );
                INSERT INTO ledger (id) VALUES (1);
                """)
    }

    // MARK: - Events

    /// Adds an event, and drops the oldest events while the limits are exceeded.
    static func insert(_ payload: Data, limits: AnalyticsOutboxLimits, in db: Database) throws -> Int {
        try run(db, "INSERT INTO event (payload) VALUES (?)", [payload])
        let newest = db.lastInsertedRowID
        try run(
            db, "UPDATE ledger SET tracked = tracked + 1, kept = kept + 1, keptBytes = keptBytes + ?",
            [payload.count])
        let row = try fetch(db, "SELECT kept, keptBytes FROM ledger", [])
        var events: Int = row?["kept"] ?? 0
        var bytes: Int = row?["keptBytes"] ?? 0
        var dropped = 0
        while events > limits.maximumEvents || bytes > limits.maximumBytes,
            let oldest = try oldestDroppable(before: newest, in: db)
        {
            try run(db, "DELETE FROM event WHERE id = ?", [oldest.id])
            events -= 1
            bytes -= oldest.bytes
            dropped += 1
        }
        if dropped > 0 {
            try run(
                db, "UPDATE ledger SET dropped = dropped + ?, kept = ?, keptBytes = ?", [dropped, events, bytes])
        }
        return dropped
    }

    /// The oldest event that is not in a batch, because a batch must stay the same each time it is sent.
    private static func oldestDroppable(before newest: Int64, in db: Database) throws -> (id: Int64, bytes: Int)? {
        let row = try fetch(
            db,
            """
            SELECT id, length(payload) AS bytes FROM event WHERE id < ? AND NOT EXISTS (
                SELECT 1 FROM sink
                WHERE batchKey IS NOT NULL AND event.id > acknowledged AND event.id <= batchLast)
            ORDER BY id LIMIT 1
            """, [newest])
        return row.map { ($0["id"], $0["bytes"]) }
    }

    static func lastID(in db: Database) throws -> Int64 {
        try fetch(db, "SELECT seq FROM sqlite_sequence WHERE name = 'event'", [])?["seq"] ?? 0
    }

    static func counts(in db: Database) throws -> AnalyticsCounts {
        var counts = AnalyticsCounts()
        if let row = try fetch(db, "SELECT * FROM ledger", []) {
            counts.tracked = row["tracked"]
            counts.kept = row["kept"]
            counts.sent = row["sent"]
            counts.dropped = row["dropped"]
            counts.rejected = row["rejected"]
        }
        for row in try Row.fetchAll(db, sql: "SELECT name, sent FROM sink") {
            counts.sentBySink[row["name"]] = row["sent"]
        }
        return counts
    }

    // MARK: - Sinks

    static func register(_ sinks: [String], retired: [String], in db: Database) throws {
        for name in sinks { try run(db, "INSERT OR IGNORE INTO sink (name) VALUES (?)", [name]) }
        for name in retired {
            try run(db, "DELETE FROM sink WHERE name = ?", [name])
            if db.changesCount > 0 { try letGo(in: db) }
        }
    }

    static func waiting(for sink: String, limit: Int, in db: Database) throws -> Int {
        try fetch(
            db,
            """
            SELECT COUNT(*) AS count FROM (SELECT 1 FROM event WHERE id > COALESCE(
                (SELECT acknowledged FROM sink WHERE name = ?), 0) LIMIT ?)
            """, [sink, limit])?["count"] ?? 0
    }

    static func claim(
        for sink: String, batching: AnalyticsBatching, holder: LeaseHolder, now: Duration,
        limits: AnalyticsOutboxLimits, in db: Database
    ) throws -> OutboxClaim {
        try run(db, "INSERT OR IGNORE INTO sink (name) VALUES (?)", [sink])
        guard let row = try fetch(db, "SELECT * FROM sink WHERE name = ?", [sink]) else { return .empty }
        if let other = leaseHolder(in: row), other.owner != holder.owner,
            other.stands(now: now, longest: limits.leaseDuration)
        {
            return .busy(other.until - now)
        }
        let acknowledged: Int64 = row["acknowledged"]
        var batch = OutboxBatch(sink: sink, key: "", lastID: 0, dropped: 0, payloads: [])
        if let key: String = row["batchKey"] {
            batch.key = key
            batch.lastID = row["batchLast"]
            batch.dropped = row["batchDrops"]
            batch.payloads = try Data.fetchAll(
                db, sql: "SELECT payload FROM event WHERE id > ? AND id <= ? ORDER BY id",
                arguments: [acknowledged, batch.lastID])
        } else {
            var bytes = 0
            let events = try Row.fetchAll(
                db, sql: "SELECT id, payload FROM event WHERE id > ? ORDER BY id LIMIT ?",
                arguments: [acknowledged, batching.maximumEvents])
            for event in events {
                let payload: Data = event["payload"]
                bytes += payload.count
                if bytes > batching.maximumBytes, !batch.payloads.isEmpty { break }
                batch.payloads.append(payload)
                batch.lastID = event["id"]
            }
            guard !batch.payloads.isEmpty else { return .empty }
            let drops: Int = try fetch(db, "SELECT dropped FROM ledger", [])?["dropped"] ?? 0
            batch.dropped = drops - (row["reportedDrops"] as Int)
            batch.key = UUID().uuidString.lowercased()
        }
        try run(
            db,
            """
            UPDATE sink SET batchKey = ?, batchLast = ?, batchDrops = ?,
                leaseOwner = ?, leaseProcess = ?, leasePlace = ?, leaseUntil = ? WHERE name = ?
            """,
            [
                batch.key, batch.lastID, batch.dropped, holder.owner, holder.process, holder.place.text,
                holder.until.inSeconds, sink,
            ])
        return .batch(batch)
    }

    private static func leaseHolder(in row: Row) -> LeaseHolder? {
        guard let owner: String = row["leaseOwner"], let process: Int32 = row["leaseProcess"],
            let place: String = row["leasePlace"], let until: Double = row["leaseUntil"]
        else { return nil }
        return LeaseHolder(
            owner: owner, process: process, place: LeaseHolder.Place(text: place), until: .seconds(until))
    }

    static func renewLease(for sink: String, owner: String, until: Duration, in db: Database) throws {
        try run(
            db, "UPDATE sink SET leaseUntil = ? WHERE name = ? AND leaseOwner = ?", [until.inSeconds, sink, owner])
    }

    static func releaseLease(for sink: String, owner: String, in db: Database) throws {
        try run(db, "UPDATE sink SET leaseOwner = NULL WHERE name = ? AND leaseOwner = ?", [sink, owner])
    }

    /// Moves a sink's cursor past a batch, if that batch is still in flight.
    static func acknowledge(_ batch: OutboxBatch, isRejected: Bool, in db: Database) throws {
        try run(
            db,
            """
            UPDATE sink SET acknowledged = batchLast, sent = sent + ?, reportedDrops = reportedDrops + ?,
                batchKey = NULL, batchLast = NULL, batchDrops = NULL, leaseOwner = NULL
            WHERE name = ? AND batchKey = ?
            """,
            [isRejected ? 0 : batch.payloads.count, isRejected ? 0 : batch.dropped, batch.sink, batch.key])
        if db.changesCount > 0 { try letGo(in: db) }
    }

    /// Replaces the batch in flight with its first half, under a new key. A batch with a single event is rejected.
    static func split(_ batch: OutboxBatch, in db: Database) throws -> Bool {
        guard let row = try fetch(db, "SELECT * FROM sink WHERE name = ? AND batchKey = ?", [batch.sink, batch.key])
        else { return false }
        let acknowledged: Int64 = row["acknowledged"]
        guard batch.payloads.count > 1 else {
            try run(db, "UPDATE event SET isRejected = 1 WHERE id > ? AND id <= ?", [acknowledged, batch.lastID])
            try acknowledge(batch, isRejected: true, in: db)
            return true
        }
        let middle: Int64? = try fetch(
            db, "SELECT id FROM event WHERE id > ? ORDER BY id LIMIT 1 OFFSET ?",
            [acknowledged, batch.payloads.count / 2 - 1])?["id"]
        try run(
            db, "UPDATE sink SET batchKey = ?, batchLast = ? WHERE name = ?",
            [UUID().uuidString.lowercased(), middle ?? batch.lastID, batch.sink])
        return false
    }

    /// Deletes the events that every sink has had.
    private static func letGo(in db: Database) throws {
        let row = try fetch(db, "SELECT MIN(acknowledged) AS least FROM sink", [])
        guard let least: Int64 = row?["least"] else { return }
        guard
            let gone = try fetch(
                db,
                """
                SELECT COUNT(*) AS events, COALESCE(SUM(length(payload)), 0) AS bytes,
                    COALESCE(SUM(isRejected), 0) AS rejected FROM event WHERE id <= ?
                """, [least])
        else { return }
        let events: Int = gone["events"]
        let rejected: Int = gone["rejected"]
        let bytes: Int = gone["bytes"]
        guard events > 0 else { return }
        try run(db, "DELETE FROM event WHERE id <= ?", [least])
        try run(
            db,
            """
            UPDATE ledger SET kept = kept - ?, keptBytes = keptBytes - ?, sent = sent + ?, rejected = rejected + ?
            """, [events, bytes, events - rejected, rejected])
    }

    // MARK: - Statements

    /// Runs a statement that is compiled once per connection.
    private static func run(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws {
        try db.cachedStatement(sql: sql).execute(arguments: arguments)
    }

    private static func fetch(_ db: Database, _ sql: String, _ arguments: StatementArguments) throws -> Row? {
        try Row.fetchOne(db.cachedStatement(sql: sql), arguments: arguments)
    }
}
