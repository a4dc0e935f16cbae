import CLuaShims
import GlassBase
import Synchronization

/// What stands behind a ``LuaState``: the C state, its thread, and what Lua holds of Swift.
@usableFromInline
final class LuaCore: @unchecked Sendable {  // confined to the owner thread
    // Proof: every stored variable is used only on the thread that owns the state, which `LuaState.perform` leads to, and
    // `LuaContext` cannot leave. `owner` alone is also read by a thread that misuses a lent context; it does not change
    // while one is lent. Up to three threads own a state, one after the other: the one that makes it, until the state's
    // own thread starts; that thread; and the one that closes the state, when `OwnerThread` hands it over. What other
    // threads touch is inside of a lock or an atomic; the rest never changes.

    let profile: LuaProfile
    private let output: (@Sendable (LuaString) -> Void)?
    private let warning: (@Sendable (LuaString) -> Void)?

    private var state: OpaquePointer?
    /// The bytes of `state`; nil like it.
    private(set) var tape: UnsafeMutablePointer<glua_tape>?
    /// The thread that owns the state.
    private var owner: UInt = 0
    /// The context of the innermost `perform`.
    var context: LuaContext?
    /// The types whose metatables exist, kept because C knows them by address.
    private var types: [ObjectIdentifier: LuaObjectType] = [:]
    /// The types that were made for a key.
    private var keyedTypes: [AnyHashable: LuaObjectType] = [:]
    /// The last `LuaError` that a Swift function threw through Lua.
    private var passing: LuaError?

    /// Used on the owner thread only, like all that reads the tape.
    let names = NameCache()
    /// Fails allocations in tests; nil otherwise.
    private let fault: AllocationFault?
    /// Slots of references that are gone, from any thread.
    private let released = Lock<[UInt32]>([])
    private let hasReleased = Atomic<Bool>(false)
    /// The C state for whoever interrupts it, from any thread; nil while there is none.
    private let interruptible = Lock<Address?>(nil)

    /// Where the C state is.
    private struct Address: @unchecked Sendable {  // only passed on to functions that any thread may call
        let state: OpaquePointer
    }
    /// The bytes that were counted for the arguments of the calls that run.
    private var argumentBytes = 0
    /// Slots on the tape that no reference holds yet.
    private var unread: Set<UInt32> = []

    init(
        profile: LuaProfile,
        output: (@Sendable (LuaString) -> Void)?,
        warning: (@Sendable (LuaString) -> Void)?,
        fault: AllocationFault?
    ) {
        self.fault = fault
        self.profile = profile
        self.output = output
        self.warning = warning
    }

    // MARK: - Life, on the owner thread

    /// Makes the calling thread the owner.
    func moveToThread() {
        owner = UInt(glua_thread_current())
    }

    func open(limits: LuaLimits) throws(LuaError) {
        moveToThread()
        var shim = limits.shim
        var host = glua_host(
            // Unretained: the owner thread's closing closure keeps the core until the state is closed.
            context: Unmanaged.passUnretained(self).toOpaque(),
            fault: fault?.pointer,
            call: { context, function, object, position in
                guard let context, let function, let position else { return GLUA_RUNTIME }
                return Unmanaged<LuaCore>.fromOpaque(context)._withUnsafeGuaranteedRef { core in
                    Unmanaged<HostFunction>.fromOpaque(function)._withUnsafeGuaranteedRef { function in
                        let receiver = object.map { Unmanaged<HostObject>.fromOpaque($0).takeUnretainedValue() }
                        return core.answer(function, receiver, position)
                    }
                }
            },
            output: { context, bytes, count in
                guard let context else { return }
                let core = Unmanaged<LuaCore>.fromOpaque(context).takeUnretainedValue()
                core.output?(LuaString(UnsafeRawBufferPointer(start: bytes, count: count)))
            },
            warn: warning == nil
                ? nil
                : { context, bytes, count in
                    guard let context else { return }
                    let core = Unmanaged<LuaCore>.fromOpaque(context).takeUnretainedValue()
                    core.warning?(LuaString(UnsafeRawBufferPointer(start: bytes, count: count)))
                },
            release: { _, object in
                if let object { Unmanaged<AnyObject>.fromOpaque(object).release() }
            }
        )
        let profile = profile == .config ? GLUA_PROFILE_CONFIG : GLUA_PROFILE_SCRIPT
        guard let state = glua_open(&host, profile, &shim) else {
            throw .memoryLimit(LuaErrorDetail(message: "there is no memory for a Lua state: raise the memory limit"))
        }
        self.state = state
        interruptible.withLock { $0 = Address(state: state) }
        tape = glua_get_tape(state)
        let status = glua_install(state)
        guard status == GLUA_OK else { throw failure(status) }
    }

    func close() {
        guard let state else { return }
        context = nil
        interruptible.withLock { $0 = nil }
        glua_close(state)
        // What Lua held is released with the state still known, so that a `deinit` which asks finds it closed.
        self.state = nil
        tape = nil
        while let object = glua_take_dead(state) { Unmanaged<AnyObject>.fromOpaque(object).release() }
        glua_free(state)
        types = [:]
        keyedTypes = [:]
        passing = nil
    }

    /// Ends what runs, and what comes, on any thread.
    func interrupt() {
        interruptible.withLock { if let address = $0 { glua_interrupt(address.state) } }
    }

    /// Lets what comes run again.
    func endInterruption() {
        interruptible.withLock { if let address = $0 { glua_end_interruption(address.state) } }
    }

    /// The C state, after what other threads released has been given back.
    @inline(__always)
    func enter() -> OpaquePointer {
        guard let state else { trap("the LuaState is closed") }
        if hasReleased.load(ordering: .relaxed) { drain(state) }
        return state
    }

    @inline(__always)
    var isOwnThread: Bool { owner == UInt(glua_thread_current()) }

    /// The C state, when it was entered just before.
    var openState: OpaquePointer? { state }

    /// Releases what Lua no longer holds. Runs `deinit`s, so only call it where anything may happen.
    func releaseCollectedObjects() {
        while let state, let object = glua_take_dead(state) { Unmanaged<AnyObject>.fromOpaque(object).release() }
    }

    // MARK: - References, on any thread

    func release(_ slot: UInt32) {
        released.withLock { released in
            released.append(slot)
            hasReleased.store(true, ordering: .relaxed)
        }
    }

    private func drain(_ state: OpaquePointer) {
        var slots = released.withLock { released in
            let slots = released
            released = []
            hasReleased.store(false, ordering: .relaxed)
            return slots
        }
        if !unread.isEmpty {
            slots += unread
            unread = []
        }
        slots.withUnsafeBufferPointer { glua_release(state, $0.baseAddress, $0.count) }
    }

    /// Notes what the values of a typed call refer to. Whoever reads one holds it from then on; what nobody has read, such
    /// as an argument too many, is given back when the state is entered again.
    private func expect(_ count: Int) {
        guard let state else { return }
        let slots = Set(UnsafeBufferPointer(start: glua_get_references(state), count: count))
        drain(state)
        unread = slots
        hasReleased.store(true, ordering: .relaxed)
    }

    /// Notes that a reference to this slot was read.
    func claim(_ slot: UInt32) {
        if !unread.isEmpty { unread.remove(slot) }
    }

    // MARK: - Values

    /// Makes these values the contents of the tape.
    func write(_ values: [LuaValue]) throws(LuaError) {
        var writer = LuaValueWriter.answering(Unmanaged.passUnretained(self))
        for value in values { try writer.write(value) }
        finish(writer)
    }

    /// The limits of values that go to Lua.
    var callLimits: UnsafePointer<glua_limits> {
        guard let limits = glua_get_call_limits(enter()) else { trap("the LuaState has no limits") }
        return limits
    }

    /// What the tape holds, for whoever reads it.
    @inline(__always)
    func contents() -> ValueBuffer {
        guard let tape else { trap("the LuaState is closed") }
        if !tape.pointee.plain && tape.pointee.references > 0 { expect(Int(tape.pointee.references)) }
        return ValueBuffer(
            core: Unmanaged.passUnretained(self), bytes: UnsafeRawPointer(tape.pointee.bytes),
            count: tape.pointee.count, values: Int(tape.pointee.values))
    }

    /// Makes what the writer has written the contents of the tape.
    @inline(__always)
    func finish(_ writer: borrowing LuaValueWriter) {
        guard let tape else { return }
        tape.pointee.count = count(of: writer)
        tape.pointee.values = writer.values
        tape.pointee.plain = writer.isPlain
    }

    /// How many bytes were written.
    @inline(__always)
    func count(of writer: borrowing LuaValueWriter) -> Int {
        guard let tape else { return 0 }
        return writer.next - UnsafeMutableRawPointer(tape.pointee.bytes)
    }

    /// Makes room; the bytes may move.
    func grow(_ writer: inout LuaValueWriter, by count: Int) throws(LuaError) {
        finish(writer)
        guard let tape, glua_tape_reserve(tape, count), let bytes = UnsafeMutableRawPointer(tape.pointee.bytes) else {
            throw .memoryLimit(LuaErrorDetail(message: "there is no memory for the values"))
        }
        writer.next = bytes + tape.pointee.count
        writer.end = bytes + tape.pointee.capacity
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

    // MARK: - The account of memory

    /// Counts bytes that Swift keeps for Lua against the limit.
    func hold(bytes: Int, _ state: OpaquePointer) throws(LuaError) {
        let status = glua_hold(state, max(0, bytes))
        guard status == GLUA_OK else { throw failure(status) }
    }

    /// Counts the arguments of the call that runs, until it ends.
    func holdArguments(bytes: Int) throws(LuaError) {
        guard let state else { return }
        try hold(bytes: bytes, state)
        argumentBytes += bytes
    }

    /// The description that was made for a key, made once.
    func type(for key: AnyHashable, _ make: () -> LuaObjectType) -> LuaObjectType {
        if let type = keyedTypes[key] { return type }
        let type = make()
        keyedTypes[key] = type
        return type
    }

    // MARK: - Calls from Lua

    private func answer(
        _ function: HostFunction,
        _ receiver: HostObject?,
        _ position: UnsafeMutablePointer<glua_position>
    ) -> Int32 {
        let outer = argumentBytes
        do {
            var reader = LuaValueReader(arguments: contents())
            let writer = try function.body(receiver, &reader)
            finish(writer)
            if argumentBytes != outer { giveBackArguments(to: outer) }
            return GLUA_OK
        } catch {
            settle()
            giveBackArguments(to: outer)
            return answer(error, position)
        }
    }

    private func giveBackArguments(to outer: Int) {
        if let state { glua_give_back(state, argumentBytes - outer) }
        argumentBytes = outer
    }

    /// What is due after the work of each function, while the tape holds nothing: what Lua has collected is released, which
    /// may run anything, the clock is looked at, and references that are gone are given back.
    func settle() {
        while let state, glua_look(state) { releaseCollectedObjects() }
        guard let state else { return }
        if hasReleased.load(ordering: .relaxed) { drain(state) }
    }

    /// Leaves the error on the tape, so that C raises it with its kind and its position.
    private func answer(_ error: any Error, _ position: UnsafeMutablePointer<glua_position>) -> Int32 {
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
            case .conversion(let path, _): (status, detail) = (GLUA_KEY, LuaValue(path))
            case .notUTF8(let path, _): (status, detail) = (GLUA_NOT_UTF8, LuaValue(path))
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
            do {
                try write([LuaValue(message), detail])
            } catch {
                // The message itself is too large for the tape: its beginning is not.
                try write([LuaValue(String(message.unicodeScalars.prefix(500)) + "…")])
            }
        } catch {
            // C has a text of its own for a failure without message.
            if let tape {
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
