/// A reference to a coroutine of one Lua state.
///
/// It keeps the coroutine alive until the reference is released, which can happen on any thread. Only Lua runs
/// coroutines: pass it to a function that resumes it.
public final class LuaCoroutine: Sendable {
    let core: LuaCore
    let slot: UInt32
    private let identity: UInt64

    init(core: LuaCore, slot: UInt32, identity: UInt64) {
        self.core = core
        self.slot = slot
        self.identity = identity
    }

    deinit {
        core.release(slot)
    }
}

extension LuaCoroutine: Equatable {
    /// Returns whether two references refer to the same coroutine.
    ///
    /// - Parameters:
    ///   - left: A reference.
    ///   - right: Another reference.
    /// - Returns: True if it is the same coroutine of the same state.
    public static func == (left: LuaCoroutine, right: LuaCoroutine) -> Bool {
        left.core === right.core && left.identity == right.identity
    }
}
