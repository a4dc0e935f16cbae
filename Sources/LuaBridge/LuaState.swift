/// A Lua interpreter with a profile and limits, which runs on its own thread.
///
/// The interpreter is used through ``perform(_:)``, which can be called from any thread and waits for its turn.
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
/// Two states must not wait for each other, because their threads would deadlock.
public final class LuaState: Sendable {
    let core: LuaCore
    let thread: OwnerThread
    let limits: LuaLimits

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - profile: The names that programs may use.
    ///   - limits: The limits of an evaluation that does not specify its own.
    ///   - output: Receives each line that `print` writes, without its line ending, on the state's thread.
    ///   - warning: Receives each message of `warn`, and warnings of Lua itself, on the state's thread. It must not
    ///     call the state. Messages count as output. Without it, `warn` does not exist.
    ///   - moduleLoader: Returns the source of a module for `require`, or nil if there is none. Names consist of
    ///     letters, digits, `_` and `-`, in parts separated by `.`. Without a loader, `require` does not exist.
    /// - Throws: ``LuaError/memoryLimit(_:)`` if the limits leave no room for the libraries, and
    ///   ``LuaError/runtime(_:)`` if the system cannot create a thread.
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

    /// Creates a state whose allocations can fail, for tests.
    init(
        profile: LuaProfile,
        limits: LuaLimits,
        output: (@Sendable (LuaString) -> Void)? = nil,
        warning: (@Sendable (LuaString) -> Void)? = nil,
        moduleLoader: (@Sendable (String) throws -> LuaSource?)? = nil,
        fault: AllocationFault?
    ) throws(LuaError) {
        let core = LuaCore(profile: profile, output: output, warning: warning, fault: fault)
        // Done here and not on the state's thread: opening a state runs no Lua, so it needs no deep stack, and the
        // caller does not wait for a thread to start.
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
            throw .runtime(LuaErrorDetail(message: "cannot create a thread for a Lua state (errno \(error))"))
        }
        self.core = core
        self.thread = thread
        self.limits = limits
    }

    deinit {
        thread.close()
    }

    /// Runs a closure with the interpreter, on its thread, and waits for the result.
    ///
    /// A call on the state's own thread, from a function that Lua called, runs at once.
    ///
    /// - Parameter body: The closure. Its context is valid until it returns.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
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

    /// Runs a closure with the interpreter, on its thread, without blocking the caller's thread.
    ///
    /// ```swift
    /// let memory = try await state.enqueue { lua in lua.usage.memory }
    /// ```
    ///
    /// - Parameter body: The closure. Its context is valid until it returns.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`.
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

    /// Lends the interpreter to a closure, on the owner thread.
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

    /// Ends the running evaluation and all later ones with ``LuaError/timeLimit(_:)``, as if their CPU time were used
    /// up.
    ///
    /// Can be called from any thread, and has no effect on a closed state. A Swift function that Lua called runs to its
    /// end.
    package func interrupt() {
        core.interrupt()
    }

    /// Ends an interruption, so that later evaluations run again. The evaluation that was running during the call of
    /// ``interrupt()`` must have ended; otherwise it might continue.
    package func endInterruption() {
        core.endInterruption()
    }

    /// Closes the interpreter and releases everything that Lua references. Calling it again has no effect.
    ///
    /// Queued work is still done. Inside ``perform(_:)``, the state closes after the closure has returned; elsewhere,
    /// `close()` returns when the state is closed. Objects are released on the state's thread or, if the state is idle,
    /// on a thread that called `close()`.
    public func close() {
        if thread.isCurrent { thread.close() } else { thread.closeAndWait() }
    }
}
