/// A Lua interpreter with a profile and limits, which lives on a thread of its own.
///
/// Work is done in ``perform(_:)``, which may be called from any thread and waits for its turn.
///
/// ```swift
/// let state = try LuaState(profile: .config, limits: .config)
/// let answer = try state.perform { lua in
///     let chunk = try lua.load(LuaSource("return 6 * 7", chunkName: "answer.lua"))
///     return try lua.call(chunk)
/// }
/// // answer == [.integer(42)]
/// ```
///
/// A state must not wait for another state that waits for it: the two threads would wait for ever.
public final class LuaState: Sendable {
    let core: LuaCore
    let thread: OwnerThread
    let limits: LuaLimits

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - profile: What programs may use.
    ///   - limits: What one evaluation may use, where none are given with it.
    ///   - output: Receives each line that `print` writes, without its line end, on the state's thread.
    ///   - warning: Receives each message of `warn`, and warnings of Lua itself, on the state's thread. It must not call
    ///     the state. Messages count as output. Without it there is no `warn`.
    ///   - moduleLoader: Returns the source of a module for `require`, or nil when there is none. Names consist of
    ///     letters, digits, `_` and `-`, in parts joined by `.`. Without a loader there is no `require`.
    /// - Throws: ``LuaError/memoryLimit(_:)`` when the limits leave no room for the libraries, and
    ///   ``LuaError/runtime(_:)`` when the system gives no thread.
    public convenience init(
        profile: LuaProfile,
        limits: LuaLimits,
        output: (@Sendable (LuaString) -> Void)? = nil,
        warning: (@Sendable (LuaString) -> Void)? = nil,
        moduleLoader: (@Sendable (String) throws -> LuaSource?)? = nil
    ) throws(LuaError) {
        try self.init(
            profile: profile, limits: limits, output: output, warning: warning, moduleLoader: moduleLoader, fault: nil)
    }

    /// Creates a state whose allocations can be made to fail.
    init(
        profile: LuaProfile,
        limits: LuaLimits,
        output: (@Sendable (LuaString) -> Void)? = nil,
        warning: (@Sendable (LuaString) -> Void)? = nil,
        moduleLoader: (@Sendable (String) throws -> LuaSource?)? = nil,
        fault: AllocationFault?
    ) throws(LuaError) {
        let core = LuaCore(profile: profile, output: output, warning: warning, fault: fault)
        // Here and not on the state's thread: it runs no Lua, so it needs no deep stack, and nobody waits for a thread
        // to start.
        do throws(LuaError) {
            try core.open(limits: limits)
            if profile == .script, let moduleLoader {
                try LuaContext(core: core, limits: limits).setModuleLoader(moduleLoader)
            }
        } catch {
            core.close()
            throw error
        }
        let (thread, error) = OwnerThread.start(
            onStart: { core.moveToThread() },
            onClose: {
                // Closing runs no Lua either, so any thread may do it.
                core.moveToThread()
                core.close()
            })
        guard error == 0 else {
            core.close()
            throw .runtime(LuaErrorDetail(message: "the system gave no thread for a Lua state (errno \(error))"))
        }
        self.core = core
        self.thread = thread
        self.limits = limits
    }

    deinit {
        thread.close()
    }

    /// Does work with the interpreter, on its thread, and waits for the result.
    ///
    /// Calls made on the state's own thread, from a function that Lua called, run at once.
    ///
    /// - Parameter body: The work. The context is lent to it and ends with it.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw.
    /// - Precondition: The state is not closed.
    @discardableResult
    public func perform<R: Sendable, E: Error>(
        _ body: @Sendable (LuaContext) throws(E) -> R
    ) throws(E) -> R {
        var result: Result<R, E>?
        let isOpen = thread.run {
            do throws(E) {
                result = .success(try lend(body))
            } catch {
                result = .failure(error)
            }
        }
        guard isOpen, let result else { trap("perform was called on a LuaState after close()") }
        return try result.get()
    }

    /// Does work with the interpreter, on its thread, without blocking the caller's thread.
    ///
    /// ```swift
    /// let memory = try await state.enqueue { lua in lua.usage.memory }
    /// ```
    ///
    /// - Parameter body: The work. The context is lent to it and ends with it.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw.
    /// - Precondition: The state is not closed.
    @discardableResult
    public func enqueue<R: Sendable>(_ body: @escaping @Sendable (LuaContext) throws -> R) async throws -> R {
        try await withCheckedContinuation { continuation in
            let isPosted = thread.post {
                continuation.resume(returning: Result { try self.lend(body) })
            }
            if !isPosted { trap("enqueue was called on a LuaState after close()") }
        }.get()
    }

    /// Lends the interpreter to the work, on the owner thread.
    func lend<R, E: Error>(_ body: (LuaContext) throws(E) -> R) throws(E) -> R {
        let outer = core.context
        let context = LuaContext(core: core, limits: limits)
        core.context = context
        defer {
            context.end()
            core.context = outer
            if outer == nil { core.releaseCollectedObjects() }
        }
        return try body(context)
    }

    /// Ends what runs in the interpreter, and all that comes, as its CPU time would: with ``LuaError/timeLimit(_:)``.
    ///
    /// It may be called from any thread, and does nothing to a state that is closed. A Swift function that Lua called runs
    /// to its end.
    package func interrupt() {
        core.interrupt()
    }

    /// Takes an interruption back, so that what comes runs again. What was running when ``interrupt()`` was called has to
    /// be over: it might go on otherwise.
    package func endInterruption() {
        core.endInterruption()
    }

    /// Closes the interpreter and releases all that Lua holds. Calling it again does nothing.
    ///
    /// Work that waits for its turn is still done. Inside of ``perform(_:)`` the state closes when that work has ended;
    /// from elsewhere, `close()` returns when the state is closed. What Lua held is released on the state's thread or,
    /// when the state is idle, on a thread that called `close()`.
    public func close() {
        if thread.isCurrent { thread.close() } else { thread.closeAndWait() }
    }
}
