import Foundation
import GRDB
import GlassSchema
import Testing

@testable import GlassPlatform

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The outbox alone: stored, claimed, released and dropped events.
struct AnalyticsOutboxTests {
    private let batching: AnalyticsBatching = {
        var batching = AnalyticsBatching()
        batching.maximumEvents = 3
        return batching
    }()

    private func event(_ number: Int, padding: Int = 0) -> Data {
        Data(#"{"n":\#(number),"p":"\#(String(repeating: "x", count: padding))"}"#.utf8)
    }

    private func batch(_ outbox: AnalyticsOutbox, _ sink: String = "a") throws -> OutboxBatch? {
        if case .batch(let batch) = try outbox.claim(for: sink, batching: batching) { return batch }
        return nil
    }

    private func isBusy(_ outbox: AnalyticsOutbox, _ sink: String = "a") throws -> Bool {
        if case .busy = try outbox.claim(for: sink, batching: batching) { return true }
        return false
    }

    private func numbers(_ batch: OutboxBatch?) throws -> [Int] {
        struct Event: Decodable { var n: Int }
        return try (batch?.payloads ?? []).map { try JSONDecoder().decode(Event.self, from: $0).n }
    }

    @Test(arguments: [false, true])
    func eventsAreOrderedAndRemovedOnAcknowledgment(onDisk: Bool) throws {
        let folder = try TestFolder()
        let outbox = AnalyticsOutbox(file: onDisk ? folder.outbox : nil, sinks: ["a"])
        for number in 1...5 { #expect(try outbox.keep(event(number)) == 0) }
        let first = try #require(try batch(outbox))
        #expect(try numbers(first) == [1, 2, 3])
        #expect(try batch(outbox) == first)
        try outbox.acknowledge(first)
        try outbox.acknowledge(first)
        let second = try #require(try batch(outbox))
        #expect(try numbers(second) == [4, 5])
        #expect(second.key != first.key)
        try outbox.acknowledge(second)
        #expect(try batch(outbox) == nil)
        let counts = try outbox.counts()
        #expect(counts.tracked == 5 && counts.sent == 5 && counts.kept == 0 && counts.sentBySink == ["a": 5])
        #expect(counts.isBalanced)
        #expect(FileManager.default.fileExists(atPath: folder.outbox.path) == onDisk)
    }

    @Test func reopenedOutboxHasSameEventsAndBatchInFlight() throws {
        let folder = try TestFolder()
        var outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"])
        for number in 1...4 { _ = try outbox.keep(event(number)) }
        let inFlight = try #require(try batch(outbox))
        try outbox.releaseLease(for: "a")
        outbox.close()
        outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"])
        _ = try outbox.keep(event(5))
        #expect(try batch(outbox) == inFlight)
        try outbox.acknowledge(inFlight)
        #expect(try numbers(try batch(outbox)) == [4, 5])
    }

    @Test func leaseExcludesOthersUntilItExpires() throws {
        let folder = try TestFolder()
        let clock = TestClock()
        let app = AnalyticsOutbox(file: folder.outbox, sinks: ["a"], clock: clock.clock)
        let other = AnalyticsOutbox(file: folder.outbox, sinks: ["a"], clock: clock.clock)
        _ = try app.keep(event(1))
        let claimed = try #require(try batch(app))
        #expect(try isBusy(other))
        clock.advance(.seconds(29))
        try app.renewLease(for: "a")
        clock.advance(.seconds(29))
        #expect(try isBusy(other))
        clock.advance(.seconds(2))
        // The same events under the same key: the receiver recognizes them if both arrive.
        #expect(try batch(other) == claimed)
        try app.acknowledge(claimed)
        try other.acknowledge(claimed)
        #expect(try app.counts().sent == 1)
    }

    @Test func leaseOfDeadProcessOrEarlierBootEndsImmediately() throws {
        var holder = LeaseHolder(owner: "x", until: .seconds(20))
        let longest = Duration.seconds(30)
        #expect(holder.stands(now: .seconds(10), longest: longest))
        #expect(!holder.stands(now: .seconds(20), longest: longest))
        // The clock went back, as after a reboot.
        holder.until = .seconds(20_000)
        #expect(!holder.stands(now: .seconds(10), longest: longest))
        holder.until = .seconds(20)
        // No process has this number: it exceeds the maximum on Linux and macOS.
        holder.process = 99_999_999
        #expect(!holder.stands(now: .seconds(10), longest: longest))
        // A different process namespace says nothing about processes in this one.
        holder.place.numbering = "pid:[1]"
        #expect(holder.stands(now: .seconds(10), longest: longest))
        holder.place.boot = "another"
        #expect(!holder.stands(now: .seconds(10), longest: longest))
    }

    @Test func eventsAreKeptUntilSlowestSinkHasThem() throws {
        let outbox = AnalyticsOutbox(file: nil, sinks: ["a", "b"])
        for number in 1...3 { _ = try outbox.keep(event(number)) }
        try outbox.acknowledge(try #require(try batch(outbox, "a")))
        #expect(try outbox.counts().kept == 3)
        #expect(try outbox.counts().sentBySink == ["a": 3, "b": 0])
        try outbox.acknowledge(try #require(try batch(outbox, "b")))
        #expect(try outbox.counts().kept == 0)
        #expect(try outbox.counts().sent == 3)
    }

    @Test func retiredSinkHoldsNothingBack() throws {
        let folder = try TestFolder()
        let old = AnalyticsOutbox(file: folder.outbox, sinks: ["old", "a"])
        for number in 1...3 { _ = try old.keep(event(number)) }
        try old.acknowledge(try #require(try batch(old, "a")))
        #expect(try old.counts().kept == 3)
        let new = AnalyticsOutbox(file: folder.outbox, sinks: ["a"], retired: ["old"])
        _ = try new.keep(event(4))
        #expect(try new.counts().kept == 1)
        #expect(try new.counts().sentBySink == ["a": 3])
    }

    @Test func fullOutboxDropsOldestExceptBatchInFlight() throws {
        var limits = AnalyticsOutboxLimits()
        limits.maximumEvents = 5
        let outbox = AnalyticsOutbox(file: nil, sinks: ["a"], limits: limits)
        for number in 1...5 { _ = try outbox.keep(event(number)) }
        let inFlight = try #require(try batch(outbox))
        #expect(try (6...9).map { try outbox.keep(event($0)) } == [1, 1, 1, 1])
        #expect(try batch(outbox) == inFlight)
        try outbox.acknowledge(inFlight)
        let next = try batch(outbox)
        #expect(try numbers(next) == [8, 9])
        #expect(next?.dropped == 4)
        try outbox.acknowledge(try #require(next))
        _ = try outbox.keep(event(10))
        #expect(try batch(outbox)?.dropped == 0)
        let counts = try outbox.counts()
        #expect(counts.tracked == 10 && counts.sent == 5 && counts.dropped == 4 && counts.kept == 1)
        #expect(counts.isBalanced)
    }

    @Test func bytesAreLimited() throws {
        var limits = AnalyticsOutboxLimits()
        limits.maximumBytes = 10_000
        let outbox = AnalyticsOutbox(file: nil, sinks: ["a"], limits: limits)
        for number in 1...50 { _ = try outbox.keep(event(number, padding: 900)) }
        let counts = try outbox.counts()
        #expect(counts.isBalanced)
        #expect((8...10).contains(counts.kept), "\(counts)")
        #expect(try numbers(try batch(outbox)).first == 50 - counts.kept + 1)
    }

    @Test func batchIsLimitedInBytesUnlessOneEventIsLarger() throws {
        var small = batching
        small.maximumBytes = 400
        let outbox = AnalyticsOutbox(file: nil, sinks: ["a"])
        for (number, padding) in [(1, 100), (2, 100), (3, 2_000), (4, 1)] {
            _ = try outbox.keep(event(number, padding: padding))
        }
        var sizes: [Int] = []
        while case .batch(let batch) = try outbox.claim(for: "a", batching: small) {
            sizes.append(batch.payloads.count)
            try outbox.acknowledge(batch)
        }
        #expect(sizes == [2, 1, 1])
    }

    @Test func rejectedBatchIsHalvedUntilEventIsFound() throws {
        var batching = batching
        batching.maximumEvents = 8
        let outbox = AnalyticsOutbox(file: nil, sinks: ["a"])
        for number in 1...8 { _ = try outbox.keep(event(number)) }
        var taken: [Int] = []
        var keys: Set<String> = []
        while case .batch(let batch) = try outbox.claim(for: "a", batching: batching) {
            let numbers = try numbers(batch)
            #expect(keys.insert(batch.key).inserted, "a batch of other events has another key")
            if numbers.contains(6) {
                let isRejected = try outbox.split(batch)
                #expect(isRejected == (numbers == [6]))
            } else {
                taken += numbers
                try outbox.acknowledge(batch)
            }
        }
        #expect(taken == [1, 2, 3, 4, 5, 7, 8])
        let counts = try outbox.counts()
        #expect(counts.rejected == 1 && counts.sent == 7 && counts.isBalanced)
        #expect(counts.sentBySink == ["a": 7])
    }

    // MARK: - Faults

    @Test func fullDiskLosesNoStoredEvents() throws {
        let folder = try TestFolder()
        let outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"]) { database in
            try database.execute(sql: "PRAGMA max_page_count = 24")
        }
        var kept: [Int] = []
        let error = #expect(throws: StorageError.self) {
            for number in 1...1_000 {
                _ = try outbox.keep(event(number, padding: 1_000))
                kept.append(number)
            }
        }
        guard case .unavailable("store an event", let cause as DatabaseError)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(cause.resultCode == .SQLITE_FULL)
        #expect(kept.count > 5)
        // Sending makes room, and the sequence numbers of the process have no gap.
        var sent: [Int] = []
        while let batch = try batch(outbox) {
            sent += try numbers(batch)
            try outbox.acknowledge(batch)
        }
        #expect(sent == kept)
        _ = try outbox.keep(event(7))
        struct Numbered: Decodable { var sequence: Int }
        let next = try #require(try batch(outbox)?.payloads.first)
        #expect(try JSONDecoder().decode(Numbered.self, from: next).sequence == kept.count + 1)
        #expect(try outbox.counts().isBalanced)
    }

    @Test func unusableFolderIsReportedAndRetried() throws {
        let folder = try TestFolder()
        // A file in place of the folder, which also stops root.
        let obstacle = folder.outbox.deletingLastPathComponent()
        try Data().write(to: obstacle)
        let outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"])
        #expect(throws: StorageError.self) { try outbox.keep(event(1)) }
        #expect(throws: StorageError.self) { try outbox.counts() }
        try FileManager.default.removeItem(at: obstacle)
        _ = try outbox.keep(event(2))
        #expect(try numbers(try batch(outbox)) == [2])
    }

    @Test(.timeLimit(.minutes(1)))
    func readOnlyFolderIsErrorAndStaysEmpty() async throws {
        let folder = try TestFolder()
        try FileManager.default.setAttributes([.posixPermissions: 0o555], ofItemAtPath: folder.url.path)
        await #expect(processExitsWith: .success) { [file = folder.outbox.path as String] in
            // Root may write everywhere, so a test that runs as root switches to the user `nobody`.
            if getuid() == 0, setuid(65_534) != 0 { throw TestFailure() }
            let error = #expect(throws: StorageError.self) {
                try AnalyticsOutbox(file: URL(filePath: file), sinks: ["a"]).keep(Data("{}".utf8))
            }
            guard case .unavailable? = error else { throw TestFailure() }
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path).isEmpty)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: folder.url.path)
        _ = try AnalyticsOutbox(file: folder.outbox, sinks: ["a"]).keep(event(1))
    }

    @Test func unwritableFileIsErrorAndStaysUnchanged() throws {
        let folder = try TestFolder()
        var outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"])
        _ = try outbox.keep(event(1))
        outbox.close()
        outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"]) { database in
            try database.execute(sql: "PRAGMA query_only = 1")
        }
        #expect(throws: StorageError.self) { try outbox.keep(event(2)) }
        outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"])
        #expect(try numbers(try batch(outbox)) == [1])
    }

    @Test func corruptOutboxIsSetAsideUnchangedAndReported() throws {
        let folder = try TestFolder()
        var outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a", "b"])
        _ = try outbox.keep(event(1))
        outbox.close()
        let garbage = Data(repeating: 0x5A, count: 8_192)
        try garbage.write(to: folder.outbox)
        outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a", "b"])
        _ = try outbox.keep(event(2))
        let aside = try outbox.counts().setAside
        #expect(aside.count == 1)
        let kept = folder.outbox.deletingLastPathComponent().appending(path: try #require(aside.first))
        #expect(try Data(contentsOf: kept) == garbage)
        // Both sinks also have a claim in the new file.
        try outbox.acknowledge(try #require(try batch(outbox, "a")))
        #expect(try numbers(try batch(outbox, "b")) == [2])
    }

    @Test func outboxCorruptedWhileOpenIsSetAside() throws {
        let folder = try TestFolder()
        let outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"])
        for number in 1...20 { _ = try outbox.keep(event(number, padding: 3_000)) }
        // Another connection checkpoints the log, then the file is corrupted under the open connection.
        let other = try DatabaseQueue(path: folder.outbox.path)
        try other.writeWithoutTransaction { _ = try $0.checkpoint(.truncate) }
        try other.close()
        let handle = try FileHandle(forWritingTo: folder.outbox)
        let size = try handle.seekToEnd()
        for page in 1..<(size / 4_096) {
            try handle.seek(toOffset: page * 4_096)
            try handle.write(contentsOf: Data(repeating: 0xFF, count: 4_096))
        }
        try handle.close()
        // A connection without the corrupted pages in its cache detects the corruption.
        let reader = AnalyticsOutbox(file: folder.outbox, sinks: ["a"])
        _ = try reader.keep(event(21))
        #expect(try reader.counts().setAside.count == 1)
        // The connection that stayed open also finds the new file.
        _ = try outbox.keep(event(22))
        #expect(try numbers(try batch(reader)) == [21, 22])
    }

    @Test func removedOutboxIsCreatedAgain() throws {
        let folder = try TestFolder()
        let outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"])
        _ = try outbox.keep(event(1))
        try FileManager.default.removeItem(at: folder.outbox.deletingLastPathComponent())
        _ = try outbox.keep(event(2))
        #expect(try numbers(try batch(outbox)) == [2])
    }

    @Test(.timeLimit(.minutes(1)))
    func lockedOutboxIsErrorAfterWait() throws {
        let folder = try TestFolder()
        var limits = AnalyticsOutboxLimits()
        limits.busyTimeout = .milliseconds(50)
        let outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"], limits: limits)
        _ = try outbox.keep(event(1))
        let other = try DatabaseQueue(path: folder.outbox.path)
        try other.writeWithoutTransaction { database in
            try database.execute(sql: "BEGIN IMMEDIATE")
            let error = #expect(throws: StorageError.self) { try outbox.keep(event(2)) }
            guard case .unavailable(_, let cause as DatabaseError)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(cause.resultCode == .SQLITE_BUSY)
            try database.execute(sql: "COMMIT")
        }
        _ = try outbox.keep(event(3))
        #expect(try numbers(try batch(outbox)) == [1, 3])
    }

    @Test func concurrentThreadsStoreWithoutGaps() async throws {
        let folder = try TestFolder()
        let outbox = AnalyticsOutbox(file: folder.outbox, sinks: ["a"])
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask {
                    for number in 0..<25 {
                        #expect(throws: Never.self) { try outbox.keep(Data(#"{"n":\#(thread * 100 + number)}"#.utf8)) }
                    }
                }
            }
        }
        struct Event: Decodable { var n: Int, sequence: Int }
        var events: [Event] = []
        while let batch = try batch(outbox) {
            events += try batch.payloads.map { try JSONDecoder().decode(Event.self, from: $0) }
            try outbox.acknowledge(batch)
        }
        #expect(events.map(\.sequence) == Array(1...100))
        for thread in 0..<4 {
            #expect(events.map(\.n).filter { $0 / 100 == thread } == Array(thread * 100..<thread * 100 + 25))
        }
    }
}
