import CLuaShims

extension LuaContext {
    /// Calls a function with Swift values and reads its results as Swift values.
    ///
    /// ```swift
    /// let sum = try lua.call(add, passing: 1, 2, returning: Int.self)
    /// let (name, age) = try lua.call(person, returning: String.self, Int.self)
    /// ```
    ///
    /// With integers, floats and booleans the call allocates nothing.
    ///
    /// - Parameters:
    ///   - function: A function of this state.
    ///   - arguments: The arguments.
    ///   - results: The types of the results. Additional results are ignored.
    /// - Returns: The results.
    /// - Throws: The error that the function raised, an exceeded limit, or ``LuaError/conversion(keyPath:_:)`` if a
    ///   result has another type.
    @inlinable
    @discardableResult
    public func call<each Argument: LuaRepresentable, each Result: LuaInitializable>(
        _ function: LuaFunction,
        passing arguments: repeat each Argument,
        returning results: repeat (each Result).Type
    ) throws(LuaError) -> (repeat each Result) {
        var writer = beginCall(function)
        for argument in repeat each arguments {
            try argument.write(to: &writer)
        }
        var reader = LuaValueReader(results: try finishCall(function, writer))
        return (repeat try (each Result)(from: &reader))
    }

    @usableFromInline
    func beginCall(_ function: LuaFunction) -> LuaValueWriter {
        _ = enter()
        guard function.core === core else { trap("a function of another LuaState was called") }
        return LuaValueWriter.answering(Unmanaged.passUnretained(core))
    }

    @usableFromInline
    func finishCall(_ function: LuaFunction, _ writer: borrowing LuaValueWriter) throws(LuaError) -> ValueBuffer {
        guard isLent, let state = core.openState else { trap("a LuaContext was used after its work had ended") }
        core.finish(writer)
        let status = glua_call(state, function.slot)
        guard status == GLUA_OK else { throw core.failure(status) }
        return core.contents()
    }

    /// Creates a Lua function from a Swift function with typed parameters.
    ///
    /// An argument of another type raises a Lua error that names the argument. A ``LuaVariadic`` as the last parameter
    /// takes all remaining arguments; as the result, it returns any number of values.
    ///
    /// ```swift
    /// try lua.setGlobal("add", try lua.bind("add") { (a: Int, b: Int) in a + b })
    /// ```
    ///
    /// - Parameters:
    ///   - name: The name of the function in the library's errors.
    ///   - body: The function. It is released when Lua no longer references it, or with the state.
    /// - Returns: The function as a value.
    /// - Throws: An exceeded limit.
    @inlinable
    public func bind<each Argument: LuaInitializable, Result: LuaRepresentable>(
        _ name: String,
        _ body: @escaping @Sendable (repeat each Argument) throws -> Result
    ) throws(LuaError) -> LuaValue {
        try makeFunction { _, reader in
            let arguments = (repeat try (each Argument)(from: &reader))
            try reader.end()
            let result = try body(repeat each arguments)
            var writer = reader.answer()
            try result.write(to: &writer)
            return writer
        }
    }

    /// Creates a Lua function from a Swift function without a result.
    ///
    /// - Parameters:
    ///   - name: The name of the function in the library's errors.
    ///   - body: The function. It is released when Lua no longer references it, or with the state.
    /// - Returns: The function as a value.
    /// - Throws: An exceeded limit.
    @inlinable
    public func bind<each Argument: LuaInitializable>(
        _ name: String,
        _ body: @escaping @Sendable (repeat each Argument) throws -> Void
    ) throws(LuaError) -> LuaValue {
        try makeFunction { _, reader in
            let arguments = (repeat try (each Argument)(from: &reader))
            try reader.end()
            try body(repeat each arguments)
            return reader.answer()
        }
    }

    @usableFromInline
    func makeFunction(
        _ body: @escaping @Sendable (HostObject?, inout LuaValueReader) throws -> LuaValueWriter
    ) throws(LuaError) -> LuaValue {
        try makeFunction(HostFunction(body))
    }
}
