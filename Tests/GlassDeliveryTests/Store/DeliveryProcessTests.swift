import Foundation
import GlassBase
@testable import GlassDelivery
import TestSupport
import Testing

@Suite struct DeliveryProcessTests {
    /// Two processes write and four threads read while the versions of each market come and go.
    @Test(.timeLimit(.minutes(10))) func concurrentProcessesLeaveStoreConsistent() async throws {
        let temporary = TemporaryStore(isInMemory: true)
        let times = rounds(all: 5_000, few: 200, races: true)
        try temporary.store.update { $0.app = "1" }
        let writers = try ["ca", "mx"].map {
            try DeliveryWriter.start(["activate", temporary.path, $0, "\(times)"])
        }
        let isOver = Lock(false)
        let problems = Lock([String]())
        let reads = Lock(0)
        let path = temporary.path
        await awaitThreads(5) { index in
            if index == 0 {
                for (process, _) in writers { process.waitUntilExit() }
                isOver.withLock { $0 = true }
                return
            }
            let store = DeliveryStore(path)
            var last = 0
            while !isOver.withLock({ $0 }) {
                do {
                    guard let state = try store.state() else { continue }
                    if state.generation < last {
                        problems.withLock { $0.append("generation \(state.generation) after \(last)") }
                    }
                    last = state.generation
                    for (id, health) in state.markets {
                        guard let active = health.active else { continue }
                        do {
                            let bytes = try store.bytes(of: active)
                            let text = String(decoding: bytes, as: UTF8.self)
                            if text != "\(id) \(active.serial ?? 0)" {
                                problems.withLock { $0.append("\(id) is \(text)") }
                            }
                            reads.withLock { $0 += 1 }
                        } catch {
                            // It may have been removed since the state was read, but not while it is active.
                            if try store.state()?.markets[id]?.active == active {
                                problems.withLock { $0.append("\(error)") }
                            }
                        }
                    }
                } catch {
                    problems.withLock { $0.append("\(error)") }
                }
            }
        }
        #expect(problems.withLock { $0 } == [])
        let state = try #require(try temporary.store.state())
        #expect(state.versions["ca"] == times)
        #expect(state.versions["mx"] == times)
        #expect(state.generation == 2 * times + 1)
        #expect(state.markets["ca"]?.healthy?.serial == times)
        for (process, output) in writers {
            #expect(process.terminationStatus == 0)
            let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let words = text.split(whereSeparator: \.isWhitespace).map(String.init)
            print(
                "delivery: \(2 * times) activations, \(reads.withLock { $0 }) reads; lock in µs (longest, 99 %, median): \(text)",
                terminator: "")
            // The median, because a process that is preempted on a busy machine holds the lock meanwhile.
            #expect(words.count == 4 && words[0] == "held")
            #expect(Int(words.last ?? "") ?? .max < 5_000)
        }
    }
}
