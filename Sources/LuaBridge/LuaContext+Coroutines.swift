import CLuaShims

extension LuaContext {
    /// Makes a coroutine that will run a function.
    ///
    /// - Parameter function: A function of this state.
    /// - Returns: The coroutine, suspended.
    /// - Throws: A limit.
    ///
    /// The corresponding Lua function is `lua_newthread`.
    public func coroutine(_ function: LuaFunction) throws(LuaError) -> LuaCoroutine {
        let state = enter()
        guard function.core === core else { trap("a function of another LuaState was called") }
        var slot: UInt32 = 0
        var identity: UInt64 = 0
        let status = glua_new_thread(state, function.slot, &slot, &identity)
        guard status == GLUA_OK else { throw core.failure(status) }
        return LuaCoroutine(core: core, slot: slot, identity: identity)
    }

    /// Runs a coroutine until it yields or ends.
    ///
    /// - Parameters:
    ///   - coroutine: A coroutine of this state.
    ///   - arguments: What its function, or the `yield` where it waits, receives.
    /// - Returns: What it yielded or returned.
    /// - Throws: What it raised, with the traceback of the coroutine; that it is dead or runs already; a limit.
    ///
    /// The corresponding Lua function is `lua_resume`.
    public func resume(_ coroutine: LuaCoroutine, _ arguments: [LuaValue] = []) throws(LuaError) -> LuaCoroutine.Step {
        let state = enter()
        guard coroutine.core === core else { trap("a coroutine of another LuaState was resumed") }
        try core.write(arguments, to: state)
        var resumption = glua_resumption()
        let status = glua_resume(state, coroutine.slot, &resumption)
        guard status == GLUA_OK else { throw core.failure(status) }
        let values = try core.readTape(state)
        return resumption.state == GLUA_THREAD_DONE ? .returned(values) : .yielded(values)
    }

    /// Says what a coroutine is doing.
    ///
    /// - Parameter coroutine: A coroutine of this state.
    /// - Returns: Its status.
    ///
    /// The corresponding Lua function is `coroutine.status`.
    public func status(of coroutine: LuaCoroutine) -> LuaCoroutine.Status {
        let state = enter()
        guard coroutine.core === core else { trap("a coroutine of another LuaState was asked for its status") }
        switch glua_thread_status(state, coroutine.slot) {
        case GLUA_THREAD_SUSPENDED: return .suspended
        case GLUA_THREAD_RUNNING: return .running
        default: return .dead
        }
    }

    /// Ends a coroutine: its variables that wait to be closed are closed, within the limits.
    ///
    /// - Parameter coroutine: A coroutine of this state. One that is dead stays so.
    /// - Throws: What a `__close` raised, that the coroutine runs, or a limit.
    ///
    /// The corresponding Lua function is `lua_resetthread`.
    public func close(_ coroutine: LuaCoroutine) throws(LuaError) {
        let state = enter()
        guard coroutine.core === core else { trap("a coroutine of another LuaState was closed") }
        let status = glua_close_thread(state, coroutine.slot)
        guard status == GLUA_OK else { throw core.failure(status) }
    }

    /// Makes an asynchronous Swift function into one that Lua can call.
    ///
    /// Lua calls it like any other function; the coroutine that calls it is suspended until the function has ended, and
    /// the state's thread is free for other work meanwhile. It can be called only below a function that
    /// ``LuaState/run(_:_:limits:)`` has started, not inside of a coroutine of the script's own and not from a library
    /// function such as `table.sort`.
    ///
    /// - Parameters:
    ///   - name: What errors of the library call it.
    ///   - body: The function. It runs in the task that called `run`, so that cancelling that task cancels it.
    /// - Returns: The function as a value.
    /// - Throws: A limit.
    public func asyncFunction(
        _ name: String,
        _ body: @escaping @Sendable ([LuaValue]) async throws -> [LuaValue]
    ) throws(LuaError) -> LuaValue {
        let state = enter()
        var slot: UInt32 = 0
        var identity: UInt64 = 0
        let function = Unmanaged.passRetained(HostFunction(waiting: body))
        let status = glua_new_async_function(state, function.toOpaque(), &slot, &identity)
        guard status == GLUA_OK else {
            function.release()
            throw core.failure(status)
        }
        return .function(LuaFunction(core: core, slot: slot, identity: identity))
    }
}
