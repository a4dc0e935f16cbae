/// A reference to a function of one Lua state.
///
/// It keeps the function alive until the reference is released, which can happen on any thread. Call it with
/// ``LuaContext/call(_:_:)``.
public final class LuaFunction: Sendable {
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

extension LuaFunction: Equatable {
    /// Returns whether two references refer to the same function.
    ///
    /// - Parameters:
    ///   - left: A reference.
    ///   - right: Another reference.
    /// - Returns: True if it is the same function of the same state.
    public static func == (left: LuaFunction, right: LuaFunction) -> Bool {
        left.core === right.core && left.identity == right.identity
    }
}
