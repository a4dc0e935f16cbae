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
    private let core: LuaCore
    private let thread: OwnerThread
    private let limits: LuaLimits

    /// Creates a state.
    ///
    /// - Parameters:
    ///   - profile: What programs may use.
    ///   - limits: What one evaluation may use, where none are given with it.
    ///   - output: Receives each line that `print` writes, without its line end, on the state's thread.
    ///   - warning: Receives warnings of Lua itself, on the state's thread. It must not call the state.
    ///   - moduleLoader: Answers the source of a module for `require`, or nil when there is none. Names consist of
    ///     letters, digits, `_` and `-`, in parts joined by `.`. Without a loader there is no `require`.
    /// - Throws: ``LuaError/memoryLimit(_:)`` when the limits leave no room for the libraries, and
    ///   ``LuaError/runtime(_:)`` when the system gives no thread.
    public init(
        profile: LuaProfile,
        limits: LuaLimits,
        output: (@Sendable (LuaString) -> Void)? = nil,
        warning: (@Sendable (LuaString) -> Void)? = nil,
        moduleLoader: (@Sendable (String) throws -> LuaSource?)? = nil
    ) throws(LuaError) {
        let core = LuaCore(profile: profile, output: output, warning: warning)
        let (thread, error) = OwnerThread.start(onClose: { core.close() })
        guard error == 0 else {
            throw .runtime(LuaErrorDetail(message: "the system gave no thread for a Lua state (errno \(error))"))
        }
        self.core = core
        self.thread = thread
        self.limits = limits
        var failure: LuaError?
        _ = thread.run {
            do throws(LuaError) {
                try core.open(limits: limits)
                if profile == .script, let moduleLoader {
                    try LuaContext(core: core, limits: limits).setModuleLoader(moduleLoader)
                }
            } catch {
                failure = error
            }
        }
        // `deinit` runs in this case too, because every stored property is set, and ends the thread.
        if let failure { throw failure }
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
            let outer = core.context
            let context = LuaContext(core: core, limits: limits)
            core.context = context
            do throws(E) {
                result = .success(try body(context))
            } catch {
                result = .failure(error)
            }
            context.end()
            core.context = outer
            if outer == nil { core.releaseDead() }
        }
        guard isOpen, let result else { trap("perform was called on a LuaState after close()") }
        return try result.get()
    }

    /// Closes the interpreter and releases all that Lua holds. Calling it again does nothing.
    ///
    /// Work that waits for its turn is still done. Inside of ``perform(_:)`` the state closes when that work has ended;
    /// from elsewhere, `close()` waits until the state is closed.
    public func close() {
        thread.close()
        if !thread.isCurrent { thread.waitUntilClosed() }
    }
}
