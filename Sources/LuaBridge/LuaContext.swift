import CLuaShims

/// The interpreter, lent to the closure of ``LuaState/perform(_:)`` and to the Swift functions that Lua calls.
///
/// Using it after they have returned traps.
public final class LuaContext {
    let core: LuaCore
    let limits: LuaLimits
    private(set) var isLent = true

    init(core: LuaCore, limits: LuaLimits) {
        self.core = core
        self.limits = limits
    }

    func end() {
        isLent = false
    }

    @inline(__always)
    func enter() -> OpaquePointer {
        guard isLent else { trap("a LuaContext was used after the work it was lent to had ended") }
        guard core.isOwnThread else { trap("a LuaContext was used on a thread other than its state's") }
        return core.enter()
    }

    /// Runs a closure as one evaluation, whose calls share one budget of time, instructions and output.
    ///
    /// Within another evaluation, the budget of the outer one continues. A ``load(_:)`` or ``call(_:_:)`` outside any
    /// evaluation is an evaluation of its own.
    ///
    /// - Parameters:
    ///   - limits: The limits of the evaluation; the state's limits if nil.
    ///   - body: The closure.
    /// - Returns: The result of `body`.
    /// - Throws: The error of `body`, or the exceeded limit, even if `body` caught it.
    @discardableResult
    public func evaluate<R>(limits: LuaLimits? = nil, _ body: () throws -> R) throws -> R {
        let state = enter()
        var shim = (limits ?? self.limits).shim
        glua_begin(state, &shim)
        let result: Result<R, any Error>
        do {
            result = .success(try body())
        } catch {
            result = .failure(error)
        }
        let limit = glua_end(state)
        guard limit == GLUA_OK else { throw core.failure(limit) }
        return try result.get()
    }

    /// Compiles a chunk.
    ///
    /// - Parameter source: The text.
    /// - Returns: The chunk as a function without parameters.
    /// - Throws: ``LuaError/syntax(_:)``, ``LuaError/sourceTooLarge(_:)``, ``LuaError/tooManyNames(_:)``, or an
    ///   exceeded limit.
    ///
    /// The corresponding Lua function is `lua_load`.
    public func load(_ source: LuaSource) throws(LuaError) -> LuaFunction {
        let state = enter()
        var slot: UInt32 = 0
        var identity: UInt64 = 0
        // "@" marks the name of a file, which Lua then shows unchanged.
        let status = ("@" + source.chunkName).withCString { name in
            source.bytes.withUnsafeBytes { bytes in
                glua_load(
                    state, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), bytes.count, name, &slot, &identity)
            }
        }
        guard status == GLUA_OK else { throw core.failure(status, source: source) }
        return LuaFunction(core: core, slot: slot, identity: identity)
    }

    /// Calls a function.
    ///
    /// - Parameters:
    ///   - function: A function of this state.
    ///   - arguments: The arguments.
    /// - Returns: The results.
    /// - Throws: The error that the function raised, an exceeded limit, or an error if a result cannot be copied (a
    ///   cycle, too deep, too large).
    ///
    /// The corresponding Lua function is `lua_pcall`.
    @discardableResult
    public func call(_ function: LuaFunction, _ arguments: [LuaValue] = []) throws(LuaError) -> [LuaValue] {
        var writer = beginCall(function)
        for argument in arguments { try writer.write(argument) }
        var reader = LuaValueReader(results: try finishCall(function, writer))
        return try reader.rest()
    }

    /// Sets a global variable, without metamethods.
    ///
    /// - Parameters:
    ///   - name: The variable's name.
    ///   - value: The value.
    /// - Throws: An error if the value cannot be passed, or an exceeded limit.
    public func setGlobal(_ name: String, _ value: LuaValue) throws(LuaError) {
        let state = enter()
        try core.write([value])
        var name = name
        let status = name.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { glua_set_global(state, $0.baseAddress, $0.count) }
        }
        guard status == GLUA_OK else { throw core.failure(status) }
    }

    /// Reads a global variable, without metamethods. A variable that does not exist is `nil`.
    ///
    /// - Parameter name: The variable's name.
    /// - Returns: The value.
    /// - Throws: An error if the value cannot be copied, or an exceeded limit.
    public func global(_ name: String) throws(LuaError) -> LuaValue {
        let state = enter()
        var name = name
        let status = name.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { glua_get_global(state, $0.baseAddress, $0.count) }
        }
        guard status == GLUA_OK else { throw core.failure(status) }
        var reader = LuaValueReader(results: core.contents())
        return try reader.next()
    }

    /// Creates a Lua function from a Swift function.
    ///
    /// An error that it throws becomes a Lua error at the line that called it; a ``LuaError`` keeps its kind and its
    /// position. Exceeded limits pass through it and cannot be caught.
    ///
    /// - Parameters:
    ///   - name: The name of the function in the library's errors.
    ///   - body: The function. It is released when Lua no longer references it, or with the state.
    /// - Returns: The function as a value.
    /// - Throws: An exceeded limit.
    public func function(
        _ name: String,
        _ body: @escaping @Sendable (LuaContext, [LuaValue]) throws -> [LuaValue]
    ) throws(LuaError) -> LuaValue {
        try makeFunction(HostFunction(values: body))
    }

    func makeFunction(_ function: HostFunction) throws(LuaError) -> LuaValue {
        let state = enter()
        var slot: UInt32 = 0
        var identity: UInt64 = 0
        let retained = Unmanaged.passRetained(function)
        let status = glua_new_function(state, retained.toOpaque(), &slot, &identity)
        guard status == GLUA_OK else {
            retained.release()
            throw core.failure(status)
        }
        return .function(LuaFunction(core: core, slot: slot, identity: identity))
    }

    /// Creates a Lua object from a Swift object.
    ///
    /// Each call creates a new userdata. Two of the same object are equal in Lua only if the type defines equality.
    ///
    /// - Parameters:
    ///   - object: The object. It is released when Lua no longer references it, or with the state.
    ///   - type: The members that Lua can use.
    ///   - bytes: The memory that the object keeps besides itself. It counts toward ``LuaLimits/memory`` until Lua has
    ///     collected the object. An object with such memory is released at the time of its collection, while Lua is
    ///     running, so its release must not use the state.
    /// - Returns: The object as a value.
    /// - Throws: An exceeded limit.
    public func object<T: AnyObject & Sendable>(
        _ object: T, _ type: LuaObjectType, holding bytes: Int = 0
    ) throws(LuaError) -> LuaValue {
        let state = enter()
        let address = try core.install(type, in: state)
        let host = HostObject(object, type)
        var slot: UInt32 = 0
        var identity: UInt64 = 0
        let retained = Unmanaged.passRetained(host)
        let status = glua_new_object(state, address, retained.toOpaque(), max(0, bytes), &slot, &identity)
        guard status == GLUA_OK else {
            retained.release()
            throw core.failure(status)
        }
        return .object(LuaObjectReference(core: core, slot: slot, identity: identity, host: host))
    }

    /// In a function that Lua called, the position of the call; otherwise nil.
    public var callerPosition: LuaPosition? {
        var position = glua_position()
        guard glua_get_caller(enter(), &position) else { return nil }
        return LuaError.position(position)
    }

    /// The resources that the evaluation has used so far or, after it, in total.
    public var usage: LuaUsage {
        var usage = glua_usage()
        glua_get_usage(enter(), &usage)
        return LuaUsage(
            instructions: Int(clamping: usage.instructions),
            cpuTime: .nanoseconds(Int64(clamping: usage.cpu_ns)),
            memory: usage.memory,
            peakMemory: usage.peak_memory,
            output: usage.output
        )
    }

    /// The remaining ``LuaLimits/wallTime`` of the evaluation; nil if it has no such limit, or if no evaluation is
    /// running.
    ///
    /// A host function that waits should wait no longer than this, because nothing can interrupt it. If the time is
    /// used up, this is zero, and Lua stops within a thousand instructions after the function has returned.
    public var remainingTime: Duration? {
        var nanoseconds: UInt64 = 0
        guard glua_get_remaining_wall(enter(), &nanoseconds) else { return nil }
        return .nanoseconds(Int64(clamping: nanoseconds))
    }

    func setModuleLoader(_ loader: @escaping @Sendable (String) throws -> LuaSource?) throws(LuaError) {
        let state = enter()
        let function = Unmanaged.passRetained(
            HostFunction(values: { _, arguments in
                guard let name = arguments.first?.stringValue, let source = try loader(name) else { return [] }
                return [.string(LuaString(bytes: source.bytes)), LuaValue(source.chunkName)]
            })
        )
        let status = glua_set_module_loader(state, function.toOpaque())
        guard status == GLUA_OK else {
            function.release()
            throw core.failure(status)
        }
    }
}

extension LuaContext {
    /// Runs a part of an evaluation with its own time limit. Its time does not count toward the evaluation, and a limit
    /// that it exceeds, other than ``LuaLimits/instructions``, ends only the part.
    ///
    /// The memory limit is that of the evaluation. If the part exceeds it, the memory that the part no longer uses is
    /// collected.
    package func part<Result>(
        time: Duration, outputSize: Int, _ body: () throws(LuaError) -> Result
    ) throws(LuaError) -> Result {
        let state = enter()
        var part = glua_part()
        // At least 1, because 0 would mean no wall-clock limit.
        let nanoseconds = max(1, LuaLimits.nanoseconds(time))
        glua_begin_part(state, nanoseconds, nanoseconds, max(0, outputSize), &part)
        defer { glua_end_part(state, &part) }
        return try body()
    }

    /// Runs Swift code whose time does not count toward the evaluation, such as the conversion of a result.
    ///
    /// The code must bound its own time, and must not call Lua, which has no time limit meanwhile.
    package func untimed<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        let state = enter()
        var part = glua_part()
        glua_begin_part(state, .max, 0, 0, &part)
        defer { glua_end_part(state, &part) }
        return try body()
    }
}
