// A generic function over a parameter pack is not specialized for its types, which doubles the cost of a short call.
// These overloads are specialized.
extension LuaContext {
    /// Calls a function with one argument: like the general form, but specialized for its types.
    ///
    /// - Parameters:
    ///   - function: A function of this state.
    ///   - first: An argument.
    ///   - result: The type of the result.
    /// - Returns: The result.
    /// - Throws: The same errors as the general form.
    @inlinable
    @discardableResult
    public func call<First: LuaRepresentable, Result: LuaInitializable>(
        _ function: LuaFunction,
        passing first: First,
        returning result: Result.Type
    ) throws(LuaError) -> Result {
        var writer = beginCall(function)
        try first.write(to: &writer)
        var reader = LuaValueReader(results: try finishCall(function, writer))
        return try Result(from: &reader)
    }

    /// Creates a Lua function from a Swift function with one parameter: like the general form, but specialized for its
    /// types.
    ///
    /// - Parameters:
    ///   - name: The name of the function in the library's errors.
    ///   - body: The function.
    /// - Returns: The function as a value.
    /// - Throws: An exceeded limit.
    @inlinable
    public func bind<First: LuaInitializable, Result: LuaRepresentable>(
        _ name: String,
        _ body: @escaping @Sendable (First) throws -> Result
    ) throws(LuaError) -> LuaValue {
        try makeFunction { _, reader in
            let first = try First(from: &reader)
            try reader.end()
            let result = try body(first)
            var writer = reader.answer()
            try result.write(to: &writer)
            return writer
        }
    }

    /// Calls a function with two arguments: like the general form, but specialized for its types.
    ///
    /// - Parameters:
    ///   - function: A function of this state.
    ///   - first: An argument.
    ///   - second: Another argument.
    ///   - result: The type of the result.
    /// - Returns: The result.
    /// - Throws: The same errors as the general form.
    @inlinable
    @discardableResult
    public func call<First: LuaRepresentable, Second: LuaRepresentable, Result: LuaInitializable>(
        _ function: LuaFunction,
        passing first: First,
        _ second: Second,
        returning result: Result.Type
    ) throws(LuaError) -> Result {
        var writer = beginCall(function)
        try first.write(to: &writer)
        try second.write(to: &writer)
        var reader = LuaValueReader(results: try finishCall(function, writer))
        return try Result(from: &reader)
    }

    /// Creates a Lua function from a Swift function with two parameters: like the general form, but specialized for its
    /// types.
    ///
    /// - Parameters:
    ///   - name: The name of the function in the library's errors.
    ///   - body: The function.
    /// - Returns: The function as a value.
    /// - Throws: An exceeded limit.
    @inlinable
    public func bind<First: LuaInitializable, Second: LuaInitializable, Result: LuaRepresentable>(
        _ name: String,
        _ body: @escaping @Sendable (First, Second) throws -> Result
    ) throws(LuaError) -> LuaValue {
        try makeFunction { _, reader in
            let first = try First(from: &reader)
            let second = try Second(from: &reader)
            try reader.end()
            let result = try body(first, second)
            var writer = reader.answer()
            try result.write(to: &writer)
            return writer
        }
    }

    /// Calls a function with three arguments: like the general form, but specialized for its types.
    ///
    /// - Parameters:
    ///   - function: A function of this state.
    ///   - first: An argument.
    ///   - second: Another argument.
    ///   - third: A third argument.
    ///   - result: The type of the result.
    /// - Returns: The result.
    /// - Throws: The same errors as the general form.
    @inlinable
    @discardableResult
    public func call<
        First: LuaRepresentable, Second: LuaRepresentable, Third: LuaRepresentable, Result: LuaInitializable
    >(
        _ function: LuaFunction,
        passing first: First,
        _ second: Second,
        _ third: Third,
        returning result: Result.Type
    ) throws(LuaError) -> Result {
        var writer = beginCall(function)
        try first.write(to: &writer)
        try second.write(to: &writer)
        try third.write(to: &writer)
        var reader = LuaValueReader(results: try finishCall(function, writer))
        return try Result(from: &reader)
    }

    /// Creates a Lua function from a Swift function with three parameters: like the general form, but specialized for
    /// its types.
    ///
    /// - Parameters:
    ///   - name: The name of the function in the library's errors.
    ///   - body: The function.
    /// - Returns: The function as a value.
    /// - Throws: An exceeded limit.
    @inlinable
    public func bind<
        First: LuaInitializable, Second: LuaInitializable, Third: LuaInitializable, Result: LuaRepresentable
    >(
        _ name: String,
        _ body: @escaping @Sendable (First, Second, Third) throws -> Result
    ) throws(LuaError) -> LuaValue {
        try makeFunction { _, reader in
            let first = try First(from: &reader)
            let second = try Second(from: &reader)
            let third = try Third(from: &reader)
            try reader.end()
            let result = try body(first, second, third)
            var writer = reader.answer()
            try result.write(to: &writer)
            return writer
        }
    }
}
