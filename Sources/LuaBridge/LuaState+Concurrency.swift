extension LuaState {
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
        guard let result = await post(body) else { trap("enqueue was called on a LuaState after close()") }
        return try result.get()
    }

    /// Nil when the state is closed.
    private func post<R: Sendable>(
        _ body: @escaping @Sendable (LuaContext) throws -> R
    ) async -> Result<R, any Error>? {
        await withCheckedContinuation { continuation in
            let isPosted = thread.post {
                continuation.resume(returning: Result { try self.lend(body) })
            }
            if !isPosted { continuation.resume(returning: nil) }
        }
    }

    /// Calls a function that may call asynchronous Swift functions, and waits for its results.
    ///
    /// The function runs as a coroutine. When it calls a function that ``LuaContext/asyncFunction(_:_:)`` made, the
    /// coroutine is suspended and the Swift function runs in the caller's task; the state's thread does other work
    /// meanwhile. The limits hold for all pieces together; time spent waiting counts only for
    /// ``LuaLimits/wallTime``, which is looked at when Lua goes on.
    ///
    /// ```swift
    /// let main = try state.perform { lua in
    ///     let fetch = try lua.asyncFunction("fetch") { arguments in [try await download(arguments)] }
    ///     try lua.setGlobal("fetch", fetch)
    ///     return try lua.load(LuaSource("return fetch('ca')", chunkName: "main.lua"))
    /// }
    /// let results = try await state.run(main)
    /// ```
    ///
    /// - Parameters:
    ///   - function: A function of this state.
    ///   - arguments: The arguments.
    ///   - limits: What the call may use; the state's limits if nil.
    /// - Returns: The results.
    /// - Throws: What the function raised; a limit; `CancellationError` when the task is cancelled. Lua then stops within
    ///   some thousand instructions, and the coroutine's pending variables are closed within the limits.
    public func run(
        _ function: LuaFunction,
        _ arguments: [LuaValue] = [],
        limits: LuaLimits? = nil
    ) async throws -> [LuaValue] {
        guard function.core === core else { trap("a function of another LuaState was called") }
        let run = AsyncRun(function, limits: limits ?? self.limits)
        return try await withTaskCancellationHandler {
            do {
                return try await advance(run, arguments)
            } catch {
                // The state may have been closed meanwhile, and the coroutine with it.
                _ = await post { run.abandon($0) }
                throw run.isCancelled ? CancellationError() : error
            }
        } onCancel: {
            core.cancel(run)
        }
    }

    private func advance(_ run: AsyncRun, _ arguments: [LuaValue]) async throws -> [LuaValue] {
        var delivery = AsyncRun.Delivery.values(arguments)
        while true {
            let next = delivery
            guard let result = await post({ try run.advance($0, next) }) else {
                throw LuaError.runtime(LuaErrorDetail(message: "the LuaState was closed while the function waited"))
            }
            switch try result.get() {
            case .returned(let values): return values
            case .waiting(let function, let arguments):
                do {
                    delivery = .values(try await function.wait(arguments))
                } catch {
                    delivery = .failure(error)
                }
                try Task.checkCancellation()
            }
        }
    }
}
