/// A reference to a coroutine of one Lua state.
///
/// It keeps the coroutine alive until it is itself released, which may happen on any thread. Run it with
/// ``LuaContext/resume(_:_:)``.
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

    /// What a coroutine is doing.
    public enum Status: Sendable, Equatable {
        /// It has not begun, or it has yielded.
        case suspended
        /// It runs, or it waits for another that it has resumed.
        case running
        /// It has ended, failed, or was closed.
        case dead
    }

    /// How a resumed coroutine came back.
    public enum Step: Sendable, Equatable {
        /// It yielded these values and can be resumed.
        case yielded([LuaValue])
        /// It ended with these results.
        case returned([LuaValue])

        /// The values that came back.
        public var values: [LuaValue] {
            switch self {
            case .yielded(let values), .returned(let values): return values
            }
        }
    }
}

extension LuaCoroutine: Equatable {
    /// Says whether two references name the same coroutine.
    ///
    /// - Parameters:
    ///   - left: A reference.
    ///   - right: Another reference.
    /// - Returns: True when it is the same coroutine of the same state.
    public static func == (left: LuaCoroutine, right: LuaCoroutine) -> Bool {
        left.core === right.core && left.identity == right.identity
    }
}
