import CLuaShims

/// The interpreter, lent to the work that ``LuaState/perform(_:)`` does and to the Swift functions that Lua calls.
///
/// Using it after that work has ended stops the program.
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
        guard core.isOwnThread else { trap("a LuaContext was used on another thread than its state's") }
        return core.enter()
    }

    /// Does work as one evaluation: its calls share one budget of time, instructions and output.
    ///
    /// Inside of another evaluation, the outer one's budget goes on. A ``load(_:)`` or ``call(_:_:)`` outside of any is
    /// an evaluation of its own.
    ///
    /// - Parameters:
    ///   - limits: What the evaluation may use; the state's limits if nil.
    ///   - body: The work.
    /// - Returns: What `body` returned.
    /// - Throws: What `body` threw; the limit that was hit, even if `body` caught it.
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
    /// - Throws: ``LuaError/syntax(_:)``, ``LuaError/sourceTooLarge(_:)``, ``LuaError/tooManyNames(_:)``, or a limit.
    ///
    /// The corresponding Lua function is `lua_load`.
    public func load(_ source: LuaSource) throws(LuaError) -> LuaFunction {
        let state = enter()
        var slot: UInt32 = 0
        var identity: UInt64 = 0
        // "@" marks the name of a file, which Lua then shows as it is.
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
    /// - Throws: What the function raised, a limit, or that a result cannot be copied (a cycle, too deep, too large).
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
    /// - Throws: That the value cannot be passed, or a limit.
    public func setGlobal(_ name: String, _ value: LuaValue) throws(LuaError) {
        let state = enter()
        try core.write([value])
        var name = name
        let status = name.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { glua_set_global(state, $0.baseAddress, $0.count) }
        }
        guard status == GLUA_OK else { throw core.failure(status) }
    }

    /// Reads a global variable, without metamethods: one that does not exist is `nil`.
    ///
    /// - Parameter name: The variable's name.
    /// - Returns: The value.
    /// - Throws: That the value cannot be copied, or a limit.
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

    /// Makes a Swift function into one that Lua can call.
    ///
    /// An error that it throws becomes an error of Lua at the line that called it; a ``LuaError`` keeps its kind and its
    /// position. Limits pass through it: they cannot be caught.
    ///
    /// - Parameters:
    ///   - name: What errors of the library call it.
    ///   - body: The function. It is released when Lua no longer holds it, or with the state.
    /// - Returns: The function as a value.
    /// - Throws: A limit.
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

    /// Makes a Swift object into one that Lua can use.
    ///
    /// Each call makes a new userdata; two of the same object are equal in Lua only if the type says so.
    ///
    /// - Parameters:
    ///   - object: The object. It is released when Lua no longer holds it, or with the state.
    ///   - type: What Lua can do with it.
    ///   - bytes: What the object keeps beside itself. It counts against ``LuaLimits/memory`` until Lua has collected the
    ///     object. An object with such bytes is released in that moment, in the middle of Lua's own work: releasing it must
    ///     not use the state.
    /// - Returns: The object as a value.
    /// - Throws: A limit.
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

    /// In a function that Lua called: the line that called it. Otherwise nil.
    public var callerPosition: LuaPosition? {
        var position = glua_position()
        guard glua_get_caller(enter(), &position) else { return nil }
        return LuaError.position(position)
    }

    /// What the evaluation has used so far; after it, what it used.
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

    /// What is left of the evaluation's ``LuaLimits/wallTime``; nil when it has no such limit, or none runs.
    ///
    /// A function of the host that waits for something should wait no longer: while it does, nothing stops it. When the
    /// time is used up, this is zero, and Lua ends within a thousand instructions after the function has returned.
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
