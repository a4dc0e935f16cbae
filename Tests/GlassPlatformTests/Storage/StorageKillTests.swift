#if os(Linux)
    import Foundation
    import GRDB
    import GlassPlatform
    import Glibc
    import TestSupport
    import Testing

    /// Kills writers at random moments and checks what they left.
    struct StorageKillTests {
        @Test(.timeLimit(.minutes(3))) func killedWriterLosesNothing() async throws {
            let seed = UInt64.random(in: 0...UInt64.max)
            // A round mostly waits for the disk, so several files are processed concurrently.
            let outcome = try await withThrowingTaskGroup(of: KillOutcome.self) { group in
                for session in 0..<8 {
                    group.addTask {
                        // A kill has the same effect on any medium. Most rounds are in memory, where a sync costs
                        // nothing.
                        let isOnDisk = session < 2
                        return try await onOwnThread {
                            try killStorageWriters(rounds: 25, isOnDisk: isOnDisk, seed: seed &+ UInt64(session))
                        }
                    }
                }
                return try await group.reduce(into: KillOutcome()) { $0.add($1) }
            }
            #expect(outcome.problems == [], "seed \(seed)")
            #expect(outcome.kills == 200)
            #expect(outcome.acknowledged > 300, "too few writes for a meaningful result")
            print("\(outcome.kills) kills, \(outcome.acknowledged) acknowledged writes, all there, seed \(seed)")
        }

        @Test(.timeLimit(.minutes(2))) func killedWriterLeavesOldStartupFileOrNewOne() async throws {
            let seed = UInt64.random(in: 0...UInt64.max)
            let outcome = try await onOwnThread { try killStartupWriters(rounds: 20, seed: seed) }
            #expect(outcome.problems == [], "seed \(seed)")
            #expect(outcome.kills == 20 && outcome.acknowledged > 20)
        }
    }

    /// The results of a session of kills.
    private struct KillOutcome: Sendable {
        var kills = 0
        var acknowledged = 0
        var problems: [String] = []

        mutating func add(_ other: KillOutcome) {
            kills += other.kills
            acknowledged += other.acknowledged
            problems += other.problems
        }
    }

    /// A `storage-writer serve`, which forks one writer after the other.
    private final class WriterServer {
        private let process = Process()
        private let commands = Pipe()
        private let output = Pipe()
        private var unread = Data()

        init() throws {
            process.executableURL = StorageWriter.executable
            process.arguments = ["serve"]
            process.standardInput = commands
            process.standardOutput = output
            try process.run()
        }

        /// Starts a writer, kills it at a random moment, and waits until it has ended.
        ///
        /// - Returns: The last acknowledged number, how many there were, and whether SIGKILL ended it.
        func killOne(
            _ command: String, _ generator: inout SplitMix64
        ) throws -> (last: Int, count: Int, wasKilled: Bool, error: String?) {
            try commands.fileHandleForWriting.write(contentsOf: Data((command + "\n").utf8))
            var writer: pid_t = 0
            var (last, count) = (0, 0)
            var error: String?
            // Half of the kills happen in the first milliseconds, when the file is created and opened; the others while
            // the writer is running, regardless of the machine's load.
            let early = Bool.random(using: &generator)
            let delay = UInt32.random(in: 0...12_000, using: &generator)
            let acknowledgements = Int.random(in: 1...20, using: &generator)
            while let words = line() {
                switch words[0] {
                case "pid":
                    writer = pid_t(words[1]) ?? 0
                    if early {
                        usleep(delay)
                        kill(writer, SIGKILL)
                    }
                case "ack":
                    last = Int(words[1]) ?? 0
                    count += 1
                case "ended": return (last, count, words[1] == "\(SIGKILL)", error)
                default: error = words.joined(separator: " ")
                }
                if !early, count >= acknowledgements, writer > 0 {
                    usleep(delay / 20)
                    kill(writer, SIGKILL)
                }
            }
            return (last, count, false, "the server ended")
        }

        func stop() throws {
            try commands.fileHandleForWriting.close()
            process.waitUntilExit()
        }

        private func line() -> [String]? {
            while true {
                if let end = unread.firstIndex(of: UInt8(ascii: "\n")) {
                    let text = String(decoding: unread[unread.startIndex..<end], as: UTF8.self)
                    unread = Data(unread[(end + 1)...])
                    return text.split(separator: " ", maxSplits: 1).map(String.init)
                }
                let chunk = output.fileHandleForReading.availableData
                if chunk.isEmpty { return nil }
                unread += chunk
            }
        }
    }

    private func killStorageWriters(rounds: Int, isOnDisk: Bool, seed: UInt64) throws -> KillOutcome {
        var generator = SplitMix64(state: seed)
        var outcome = KillOutcome()
        let server = try WriterServer()
        let memory = URL(filePath: "/dev/shm")
        let isInMemory = !isOnDisk && FileManager.default.isWritableFile(atPath: memory.path)
        let parent = isInMemory ? memory : FileManager.default.temporaryDirectory
        var folder = try StateFolder(in: parent)
        for round in 0..<rounds {
            // A new file every eighth time, so that some kills hit its creation.
            if round % 8 == 0 { folder = try StateFolder(in: parent) }
            let writer = try server.killOne("storage \(folder.url.path)", &generator)
            outcome.kills += writer.wasKilled ? 1 : 0
            outcome.acknowledged += writer.count
            outcome.problems += [writer.error].compactMap { $0 }
            outcome.problems += try problems(in: folder, acknowledged: writer.last).map { "round \(round): \($0)" }
        }
        try server.stop()
        return outcome
    }

    /// Checks the stored values, and the file.
    private func problems(in folder: StateFolder, acknowledged: Int) throws -> [String] {
        var found: [String] = []
        let storage = StoragePlatformAPI(folder: folder.url)
        let last = try storage.value(for: StorageKey<Int>("writer", "counter")) ?? 0
        if last < acknowledged { found.append("\(acknowledged) was acknowledged, \(last) is stored") }
        let log = Set(try storage.keys(in: "log"))
        if log != Set((0..<last).map { "\($0 + 1)" }) { found.append("\(log.count) of \(last) log entries") }
        let short = Set(try storage.keys(in: "short"))
        if short != Set((0..<last).suffix(8).map { "\($0 + 1)" }) { found.append("removals are torn: \(short)") }
        for slot in 0..<8 {
            let expected = (max(0, last - 7)...max(0, last)).first { $0 > 0 && $0 % 8 == slot }
            let stored = try storage.value(for: StorageKey<Int>("writer", "slot\(slot)"))
            if stored != expected { found.append("slot \(slot) has \(String(describing: stored)), a torn transaction") }
        }
        if last > 0 {
            let text = try storage.value(for: StorageKey<String>("log", "\(last)"))
            if text?.count != last % 700 { found.append("the value of \(last) is torn") }
        }
        // The storage has repaired the effects of the kill; SQLite alone checks its current contents.
        let queue = try DatabaseQueue(path: StoragePlatformAPI.file(in: folder.url).path)
        let check = try queue.read { try String.fetchAll($0, sql: "PRAGMA integrity_check") }
        if check != ["ok"] { found.append("integrity_check: \(check)") }
        found += storage.issues.map(\.description)
        return found
    }

    private func killStartupWriters(rounds: Int, seed: UInt64) throws -> KillOutcome {
        var generator = SplitMix64(state: seed)
        var outcome = KillOutcome()
        let server = try WriterServer()
        let folder = try StateFolder()
        var last = 0
        for round in 0..<rounds {
            let writer = try server.killOne("startup \(folder.url.path)", &generator)
            outcome.kills += writer.wasKilled ? 1 : 0
            outcome.acknowledged += writer.count
            outcome.problems += [writer.error].compactMap { $0 }
            last = max(last, writer.last)
            let stored = Int(try StartupPreferencePlatformAPI.read(in: folder.url).market ?? "0") ?? 0
            if stored < last || stored > last + 1 {
                outcome.problems.append("round \(round): \(last) was acknowledged, \(stored) is stored")
            }
            last = stored
        }
        try server.stop()
        outcome.problems += try folder.setAside()
        return outcome
    }
#endif
