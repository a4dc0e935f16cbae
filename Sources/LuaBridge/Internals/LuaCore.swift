import CLuaShims
import GlassBase
import Synchronization

/// The implementation of a ``LuaState``: the C state, its thread, and the Swift objects that Lua references.
@usableFromInline
final class LuaCore: @unchecked Sendable {  // confined to the owner thread
    // Proof: every stored variable is used only on the thread that owns the state; `LuaState.perform` switches to it,
    // and `LuaContext` cannot leave it. Only `owner` is also read by a thread that misuses a lent context, and it does
    // not change while a context is lent. Up to three threads own a state, one after the other: the one that creates
    // it, until the state's own thread starts; that thread; and the one that closes the state, if `OwnerThread` hands
    // it over. Everything that other threads access is in a lock or an atomic; the rest never changes.

    let profile: LuaProfile
    private let output: (@Sendable (LuaString) -> Void)?
    private let warning: (@Sendable (LuaString) -> Void)?

    private var state: OpaquePointer?
    /// The tape of `state`; nil if `state` is nil.
    private(set) var tape: UnsafeMutablePointer<glua_tape>?
    /// The thread that owns the state.
    private var owner: UInt = 0
    /// The context of the innermost `perform`.
    var context: LuaContext?
    /// The types whose metatables exist, retained because C identifies them by address.
    private var types: [ObjectIdentifier: LuaObjectType] = [:]
    /// The types that were created for a key.
    private var keyedTypes: [AnyHashable: LuaObjectType] = [:]
    /// The last `LuaError` that a Swift function threw through Lua.
    private var passing: LuaError?

    /// Used only on the owner thread, like everything that reads the tape.
    let names = NameCache()
    /// Fails allocations in tests; nil otherwise.
    private let fault: AllocationFault?
    /// The slots of released references, from any thread.
    private let released = Lock<[UInt32]>([])
    // Relaxed throughout: the slots themselves are read under the lock, and missing new ones only delays their release.
    private let hasReleased = Atomic<Bool>(false)
    /// The C state for interruptions from any thread; nil while there is none.
    private let interruptible = Lock<Address?>(nil)

    /// The address of the C state.
    private struct Address: @unchecked Sendable {  // only passed to functions that any thread may call
        let state: OpaquePointer
    }
    /// The bytes that are counted for the arguments of the running calls.
    private var argumentBytes = 0
    /// The slots on the tape that no reference owns yet.
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

    // MARK: - Lifecycle, on the owner thread

    /// Makes the calling thread the owner.
    func moveToThread() {
        owner = UInt(glua_thread_current())
    }

    func open(limits: LuaLimits) throws(LuaError) {
        moveToThread()
        var shim = limits.shim
        var host = glua_host(
            // Unretained: the owner thread's closing closure retains the core until the state is closed.
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
            throw .memoryLimit(LuaErrorDetail(message: "not enough memory for a Lua state: raise the memory limit"))
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
        // The objects are released after the state is marked as closed, so that a `deinit` that uses the state finds it
        // closed.
        self.state = nil
        tape = nil
        while let object = glua_take_dead(state) { Unmanaged<AnyObject>.fromOpaque(object).release() }
        glua_free(state)
        types = [:]
        keyedTypes = [:]
        passing = nil
    }

    /// Ends the running evaluation and all later ones. Can be called on any thread.
    func interrupt() {
        interruptible.withLock { if let address = $0 { glua_interrupt(address.state) } }
    }

    /// Lets later evaluations run again.
    func endInterruption() {
        interruptible.withLock { if let address = $0 { glua_end_interruption(address.state) } }
    }

    /// The C state, after freeing the slots that other threads released.
    @inline(__always)
    func enter() -> OpaquePointer {
        guard let state else { trap("the LuaState is closed") }
        if hasReleased.load(ordering: .relaxed) { drain(state) }
        return state
    }

    @inline(__always)
    var isOwnThread: Bool { owner == UInt(glua_thread_current()) }

    /// The C state, if it was entered just before.
    var openState: OpaquePointer? { state }

    /// Releases collected objects. Runs `deinit`s, so call it only where arbitrary code may run.
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

    /// Records the references among the values of a typed call. Reading one takes ownership of it; those that are not
    /// read, such as an additional argument, are freed when the state is entered again.
    private func expect(_ count: Int) {
        guard let state else { return }
        let slots = Set(UnsafeBufferPointer(start: glua_get_references(state), count: count))
        drain(state)
        unread = slots
        hasReleased.store(true, ordering: .relaxed)
    }

    /// Records that a reference to this slot was read.
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

    /// The limits for values that are passed to Lua.
    var callLimits: UnsafePointer<glua_limits> {
        guard let limits = glua_get_call_limits(enter()) else { trap("the LuaState has no limits") }
        return limits
    }

    /// The contents of the tape, for reading.
    @inline(__always)
    func contents() -> ValueBuffer {
        guard let tape else { trap("the LuaState is closed") }
        if !tape.pointee.plain && tape.pointee.references > 0 { expect(Int(tape.pointee.references)) }
        return ValueBuffer(
            core: Unmanaged.passUnretained(self), bytes: UnsafeRawPointer(tape.pointee.bytes),
            count: tape.pointee.count, values: Int(tape.pointee.values))
    }

    /// Makes the output of the writer the contents of the tape.
    @inline(__always)
    func finish(_ writer: borrowing LuaValueWriter) {
        guard let tape else { return }
        tape.pointee.count = count(of: writer)
        tape.pointee.values = writer.values
        tape.pointee.plain = writer.isPlain
    }

    /// The number of bytes that were written.
    @inline(__always)
    func count(of writer: borrowing LuaValueWriter) -> Int {
        guard let tape else { return 0 }
        return writer.next - UnsafeMutableRawPointer(tape.pointee.bytes)
    }

    /// Makes room. The bytes may move.
    func grow(_ writer: inout LuaValueWriter, by count: Int) throws(LuaError) {
        finish(writer)
        guard let tape, glua_tape_reserve(tape, count), let bytes = UnsafeMutableRawPointer(tape.pointee.bytes) else {
            throw .memoryLimit(LuaErrorDetail(message: "not enough memory for the values"))
        }
        writer.next = bytes + tape.pointee.count
        writer.end = bytes + tape.pointee.capacity
    }

    /// Creates the metatable of a type, once.
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

    // MARK: - Memory accounting

    /// Counts bytes that Swift keeps for Lua toward the limit.
    func hold(bytes: Int, _ state: OpaquePointer) throws(LuaError) {
        let status = glua_hold(state, max(0, bytes))
        guard status == GLUA_OK else { throw failure(status) }
    }

    /// Counts the arguments of the running call, until it ends.
    func holdArguments(bytes: Int) throws(LuaError) {
        guard let state else { return }
        try hold(bytes: bytes, state)
        argumentBytes += bytes
    }

    /// The type for a key, created once.
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

    /// Housekeeping after each host function, while the tape is empty: releases collected objects, which may run
    /// arbitrary code, checks the clock, and frees the slots of released references.
    func settle() {
        while let state, glua_look(state) { releaseCollectedObjects() }
        guard let state else { return }
        if hasReleased.load(ordering: .relaxed) { drain(state) }
    }

    /// Leaves the error on the tape, so that C raises it with its kind and position.
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
                // The message is too large for the tape, but its beginning is not.
                try write([LuaValue(String(message.unicodeScalars.prefix(500)) + "…")])
            }
        } catch {
            // C has its own text for a failure without a message.
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
        // An uncaught LuaError of a Swift function is still the same error, including its column.
        if let passing, passing.message == error.message, passing.position?.line == error.position?.line,
            passing.position?.chunk == error.position?.chunk, passing.position != nil
        {
            return passing
        }
        return error
    }
}
