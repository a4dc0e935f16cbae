import Synchronization
import Testing

@testable import LuaBridge

/// Checks the assumptions on which the proofs of `LuaCore`, `OwnerThread` and `AllocationFault` rely. Run these under
/// ThreadSanitizer: it detects an access without its lock even when the results are right.
@Suite(.timeLimit(.minutes(2)))
struct LuaRaceTests {
    private static let rounds = 300

    /// The reader learns of each round through a relaxed atomic, so only the count itself orders its reads.
    @Test func allocationsAreCountedWhileAnotherThreadReads() async throws {
        let fault = AllocationFault(at: 0, forGood: false)
        let state = try LuaState(
            profile: .config, limits: .config, output: nil, moduleLoader: nil, fault: fault)
        let before = fault.seen
        final class Progress: Sendable {
            let round = Atomic(0)
        }
        let progress = Progress()
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                var (last, read) = (0, 0)
                while read < Self.rounds {
                    let now = progress.round.load(ordering: .relaxed)
                    // Reads once per round: ThreadSanitizer remembers few accesses per word, and a spinning reader
                    // would fill them.
                    if now == read { continue }
                    read = now
                    let seen = fault.seen
                    if seen < last { Issue.record("\(seen) allocations after \(last)") }
                    last = seen
                }
            }
            group.addTask {
                for _ in 0..<Self.rounds {
                    do {
                        _ = try state.perform { try $0.call($0.load(LuaSource("return {}", chunkName: "t"))) }
                    } catch {
                        Issue.record("\(error)")
                    }
                    progress.round.wrappingAdd(1, ordering: .relaxed)
                }
            }
        }
        #expect(fault.seen > before + Self.rounds)
    }

    /// Eight tasks use one state at once: calls, references that are released on other threads, and posted work.
    @Test func oneStateHandlesConcurrentCallsReleasesAndPostedWork() async throws {
        let state = try LuaState(profile: .script, limits: .script)
        let spin = try state.perform { lua in
            try lua.evaluate {
                try lua.call(
                    lua.load(LuaSource("count = 0 function tick() count = count + 1 end", chunkName: "t")))
            }
            return try lua.load(LuaSource("for i = 1, 2000 do local t = { i } end return 1", chunkName: "spin"))
        }
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<Self.rounds {
                        do {
                            // The function read here is released on this task's thread, not on the state's.
                            let function = try state.perform { lua in
                                let tick = try lua.global("tick").functionValue
                                if let tick { try lua.call(tick) }
                                return tick
                            }
                            if function == nil { Issue.record("the function was released") }
                        } catch {
                            Issue.record("\(error)")
                        }
                    }
                }
            }
            for _ in 0..<4 {
                group.addTask {
                    for _ in 0..<Self.rounds / 10 {
                        do {
                            let values = try await state.enqueue { try $0.call(spin) }
                            if values != [1] { Issue.record("\(values)") }
                        } catch {
                            Issue.record("\(error)")
                        }
                    }
                }
            }
        }
        #expect(try state.perform { try $0.global("count") } == 1200)
        state.close()
    }

    /// However many threads close at once, none returns before the pending work is done and the objects held by Lua are
    /// released.
    @Test func everyCloseWaitsForCompletion() async throws {
        let type = LuaObjectType(name: "Counted")
        for round in 0..<Self.rounds {
            let (held, done) = (Counter(), Counter())
            let state = try LuaState(profile: .config, limits: .config)
            try state.perform { try $0.setGlobal("held", $0.object(Counted(held), type)) }
            let work = round % 3
            for _ in 0..<work {
                #expect(state.thread.post { done.add(1) })
            }
            await withTaskGroup(of: (Int, Int).self) { group in
                for _ in 0..<4 {
                    group.addTask {
                        state.close()
                        return (held.value, done.value)
                    }
                }
                for await (left, done) in group where left != 0 || done != work {
                    Issue.record("a close returned with \(left) objects held and \(done) of \(work) jobs done")
                }
            }
        }
    }
}
