import CLuaShims
import Synchronization

/// One call of ``LuaState/run(_:_:limits:)``: a coroutine that may wait for Swift between its pieces.
final class AsyncRun: @unchecked Sendable {
    // Proof: `coroutine` and `carry` are used on the owner thread only, by `advance` and `abandon`; `cancelled` is atomic.

    /// How one piece ended.
    enum Step: Sendable {
        case returned([LuaValue])
        case waiting(HostFunction, [LuaValue])
    }

    /// What the coroutine gets next.
    enum Delivery: Sendable {
        case values([LuaValue])
        case failure(any Error)
    }

    private let function: LuaFunction
    private let limits: LuaLimits
    private var coroutine: LuaCoroutine?
    private var carry = glua_carry()
    private let cancelled = Atomic<Bool>(false)

    init(_ function: LuaFunction, limits: LuaLimits) {
        self.function = function
        self.limits = limits
    }

    var isCancelled: Bool { cancelled.load(ordering: .relaxed) }

    func markCancelled() { cancelled.store(true, ordering: .relaxed) }

    /// Does one piece, on the owner thread. The budget is what the pieces before have left of it.
    func advance(_ context: LuaContext, _ delivery: Delivery) throws -> Step {
        let core = context.core
        let state = context.enter()
        var shim = limits.shim
        guard core.begin(self) else { throw CancellationError() }
        glua_continue(state, &shim, &carry)
        let result = Result { try resume(context, state, delivery) }
        let limit = glua_pause(state, &carry)
        core.end(self)
        if limit == GLUA_CANCELLED { throw CancellationError() }
        guard limit == GLUA_OK else { throw core.failure(limit) }
        return try result.get()
    }

    private func resume(_ context: LuaContext, _ state: OpaquePointer, _ delivery: Delivery) throws -> Step {
        let core = context.core
        let coroutine: LuaCoroutine
        if let started = self.coroutine {
            coroutine = started
        } else {
            coroutine = try context.coroutine(function)
            self.coroutine = coroutine
        }
        var resumption = glua_resumption()
        resumption.drives = true
        var position = glua_position()
        switch delivery {
        case .values(let values): try core.write(values, to: state)
        case .failure(let error): resumption.delivered = core.answer(error, state, &position)
        }
        let status = withUnsafePointer(to: position) { position in
            resumption.position = position
            return glua_resume(state, coroutine.slot, &resumption)
        }
        guard status == GLUA_OK else { throw core.failure(status) }
        let values = try core.readTape(state)
        switch resumption.state {
        case GLUA_THREAD_DONE: return .returned(values)
        case GLUA_THREAD_WAITING:
            guard let function = resumption.function else { trap("a coroutine waits for nothing") }
            return .waiting(Unmanaged<HostFunction>.fromOpaque(function).takeUnretainedValue(), values)
        default:
            throw LuaError.runtime(
                LuaErrorDetail(message: "the function yielded, but LuaState.run is not inside of a coroutine of Lua"))
        }
    }

    /// Ends the coroutine if it still waits, on the owner thread: `__close` runs within what is left of the limits.
    func abandon(_ context: LuaContext) {
        guard let coroutine else { return }
        let state = context.enter()
        var shim = limits.shim
        glua_continue(state, &shim, &carry)
        // What a `__close` raises has nobody to hear it: the run has failed already.
        _ = glua_close_thread(state, coroutine.slot)
        _ = glua_pause(state, &carry)
        self.coroutine = nil
    }
}
