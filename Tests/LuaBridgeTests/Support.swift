import Foundation
import LuaBridge
import Synchronization

/// Runs a chunk in a fresh state.
func run(
    _ text: String,
    profile: LuaProfile = .config,
    limits: LuaLimits? = nil,
    chunk: String = "test.lua",
    globals: @Sendable (LuaContext) throws -> [String: LuaValue] = { _ in [:] }
) throws -> [LuaValue] {
    let state = try LuaState(profile: profile, limits: limits ?? (profile == .config ? .config : .script))
    defer { state.close() }
    return try state.perform { lua in
        for (name, value) in try globals(lua) { try lua.setGlobal(name, value) }
        return try lua.evaluate { try lua.call(lua.load(LuaSource(text, chunkName: chunk))) }
    }
}

/// Runs a chunk that must fail.
func failure(
    _ text: String,
    profile: LuaProfile = .config,
    limits: LuaLimits? = nil,
    chunk: String = "test.lua",
    globals: @Sendable (LuaContext) throws -> [String: LuaValue] = { _ in [:] }
) -> LuaError? {
    do {
        _ = try run(text, profile: profile, limits: limits, chunk: chunk, globals: globals)
        return nil
    } catch {
        return error as? LuaError
    }
}

/// Counts its live instances.
final class Counted: Sendable {
    private let counter: Counter

    init(_ counter: Counter) {
        self.counter = counter
        counter.add(1)
    }

    deinit {
        counter.add(-1)
    }
}

/// A counter that threads may change.
final class Counter: Sendable {
    private let number = Atomic<Int>(0)

    func add(_ count: Int) {
        number.add(count, ordering: .sequentiallyConsistent)
    }

    var value: Int { number.load(ordering: .sequentiallyConsistent) }
}

/// Collects lines.
final class Lines: @unchecked Sendable {
    // Only the thread of one Lua state appends, and a test reads after `perform` has returned.
    private(set) var all: [String] = []

    func add(_ line: String) {
        all.append(line)
    }
}

/// Does long work on its own thread, so that tests that wait for one of the few shared threads do not lose time.
func onOwnThread<R: Sendable>(_ work: @escaping @Sendable () throws -> R) async throws -> R {
    try await withCheckedThrowingContinuation { continuation in
        Thread.detachNewThread { continuation.resume(with: Result { try work() }) }
    }
}
