import CLuaShims
import Synchronization

/// What stands behind a ``LuaState``: the C state, its thread, and what Lua holds of Swift.
final class LuaCore: @unchecked Sendable {
    // `state`, `context`, `types` and `passing` are used on the owner thread only; `released` is used under `lock`;
    // everything else never changes.

    let profile: LuaProfile
    private let output: (@Sendable (LuaString) -> Void)?
    private let warning: (@Sendable (LuaString) -> Void)?

    private var state: OpaquePointer?
    /// The context of the innermost `perform`.
    var context: LuaContext?
    /// The types whose metatables exist, kept because C knows them by address.
    private var types: [ObjectIdentifier: LuaObjectType] = [:]
    /// The last `LuaError` that a Swift function threw through Lua.
    private var passing: LuaError?

    private let lock = Lock()
    private var released: [UInt32] = []
    private let hasReleased = Atomic<Bool>(false)

    init(
        profile: LuaProfile,
        output: (@Sendable (LuaString) -> Void)?,
        warning: (@Sendable (LuaString) -> Void)?
    ) {
        self.profile = profile
        self.output = output
        self.warning = warning
    }

    // MARK: - Life, on the owner thread

    func open(limits: LuaLimits) throws(LuaError) {
        var shim = limits.shim
        var host = glua_host(
            // Unretained: the owner thread's closing closure keeps the core until the state is closed.
            context: Unmanaged.passUnretained(self).toOpaque(),
            call: { context, function, object, position in
                guard let context, let function, let position else { return GLUA_RUNTIME }
                let core = Unmanaged<LuaCore>.fromOpaque(context).takeUnretainedValue()
                let body = Unmanaged<HostFunction>.fromOpaque(function).takeUnretainedValue()
                let receiver = object.map { Unmanaged<HostObject>.fromOpaque($0).takeUnretainedValue() }
                return core.answer(body, receiver, position)
            },
            output: { context, bytes, count in
                guard let context else { return }
                let core = Unmanaged<LuaCore>.fromOpaque(context).takeUnretainedValue()
                core.output?(LuaString(UnsafeRawBufferPointer(start: bytes, count: count)))
            },
            warn: { context, bytes, count in
                guard let context else { return }
                let core = Unmanaged<LuaCore>.fromOpaque(context).takeUnretainedValue()
                core.warning?(LuaString(UnsafeRawBufferPointer(start: bytes, count: count)))
            }
        )
        let profile = profile == .config ? GLUA_PROFILE_CONFIG : GLUA_PROFILE_SCRIPT
        guard let state = glua_open(&host, profile, &shim) else {
            throw .memoryLimit(LuaErrorDetail(message: "there is no memory for a Lua state: raise the memory limit"))
        }
        self.state = state
        let status = glua_install(state)
        guard status == GLUA_OK else { throw failure(status) }
    }

    func close() {
        guard let state else { return }
        context = nil
        glua_close(state)
        // What Lua held is released with the state still known, so that a `deinit` which asks finds it closed.
        self.state = nil
        while let object = glua_take_dead(state) { Unmanaged<AnyObject>.fromOpaque(object).release() }
        glua_free(state)
        types = [:]
        passing = nil
    }

    /// The C state, after what other threads released has been given back.
    func enter() -> OpaquePointer {
        guard let state else { trap("the LuaState is closed") }
        if hasReleased.load(ordering: .relaxed) { drain(state) }
        return state
    }

    /// Releases what Lua no longer holds. Runs `deinit`s, so only call it where anything may happen.
    func releaseDead() {
        while let state, let object = glua_take_dead(state) { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }

    // MARK: - References, on any thread

    func release(_ slot: UInt32) {
        lock.withLock {
            released.append(slot)
            hasReleased.store(true, ordering: .relaxed)
        }
    }

    private func drain(_ state: OpaquePointer) {
        let slots = lock.withLock {
            let slots = released
            released = []
            hasReleased.store(false, ordering: .relaxed)
            return slots
        }
        slots.withUnsafeBufferPointer { glua_release(state, $0.baseAddress, $0.count) }
    }

    // MARK: - Values

    func write(_ values: [LuaValue], to state: OpaquePointer) throws(LuaError) {
        guard let tape = glua_get_tape(state), let limits = glua_get_limits(state) else { return }
        var writer = TapeWriter(core: self, tape: tape, limits: limits.pointee)
        try writer.write(values)
    }

    func readTape(_ state: OpaquePointer) throws(LuaError) -> [LuaValue] {
        guard let tape = glua_get_tape(state)?.pointee, tape.values > 0 else { return [] }
        var reader = TapeReader(UnsafeRawBufferPointer(start: tape.bytes, count: tape.count), core: self)
        return try reader.values(Int(tape.values))
    }

    /// Makes the metatable of a type, once.
    func install(_ type: LuaObjectType, in state: OpaquePointer) throws(LuaError) -> UnsafeRawPointer {
        let address = UnsafeRawPointer(Unmanaged.passUnretained(type).toOpaque())
        if types[ObjectIdentifier(type)] != nil { return address }
        var name = type.name
        var status = name.withUTF8 { text in
            text.withMemoryRebound(to: CChar.self) { glua_new_type(state, address, $0.baseAddress, $0.count) }
        }
        for member in type.members where status == GLUA_OK {
            var name = member.name
            let function = Unmanaged.passRetained(member.function)
            status = name.withUTF8 { text in
                text.withMemoryRebound(to: CChar.self) {
                    glua_add_member(state, address, member.kind, $0.baseAddress, $0.count, function.toOpaque())
                }
            }
            if status != GLUA_OK { function.release() }
        }
        guard status == GLUA_OK else { throw failure(status) }
        types[ObjectIdentifier(type)] = type
        return address
    }

    // MARK: - Calls from Lua

    private func answer(
        _ body: HostFunction,
        _ receiver: HostObject?,
        _ position: UnsafeMutablePointer<glua_position>
    ) -> Int32 {
        guard let context, let state else { return GLUA_RUNTIME }
        do {
            let arguments = try readTape(state)
            let results = try body(context, receiver, arguments)
            if hasReleased.load(ordering: .relaxed) { drain(state) }
            try write(results, to: state)
            return GLUA_OK
        } catch {
            return answer(error, state, position)
        }
    }

    /// Leaves the error on the tape, so that C raises it with its kind and its position.
    private func answer(
        _ error: any Error,
        _ state: OpaquePointer,
        _ position: UnsafeMutablePointer<glua_position>
    ) -> Int32 {
        var status = GLUA_RUNTIME
        var message = "\(error)"
        var detail: LuaValue = .nil
        if let error = error as? LuaError {
            switch error {
            case .denied(let name, _):
                status = GLUA_DENIED
                detail = LuaValue(name)
            case .cycle(let path, _): (status, detail) = (GLUA_CYCLE, LuaValue(path))
            case .tooDeep(let path, _): (status, detail) = (GLUA_DEEP, LuaValue(path))
            case .tooLarge(let path, _): (status, detail) = (GLUA_LARGE, LuaValue(path))
            default: break
            }
            passing = error
            if let place = error.position {
                position.pointee.line = Int32(clamping: place.line)
                withUnsafeMutableBytes(of: &position.pointee.chunk) { buffer in
                    var count = 0
                    for byte in place.chunk.utf8.prefix(buffer.count - 1) {
                        buffer[count] = byte
                        count += 1
                    }
                    buffer[count] = 0
                }
                message = error.message
            }
        }
        do {
            try write([LuaValue(message), detail], to: state)
        } catch {
            // The message itself is too large for the tape: say so in one that is not.
            if let tape = glua_get_tape(state) {
                tape.pointee.count = 0
                tape.pointee.values = 0
            }
        }
        return status
    }

    // MARK: - Failures

    func failure(_ status: Int32, source: LuaSource? = nil) -> LuaError {
        guard let state, let failure = glua_get_failure(state), let limits = glua_get_limits(state) else {
            return .runtime(LuaErrorDetail(message: "the state is closed"))
        }
        let error = LuaError(status, failure, limits.pointee, source: source)
        defer { passing = nil }
        // A LuaError that a Swift function threw and nobody caught is the same error still, column and all.
        if let passing, passing.message == error.message, passing.position?.line == error.position?.line,
            passing.position?.chunk == error.position?.chunk, passing.position != nil
        {
            return passing
        }
        return error
    }
}
