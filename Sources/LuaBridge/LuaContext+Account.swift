import CLuaShims

/// Accounting for memory that Swift keeps for a Lua program.
///
/// A host function that keeps values from Lua uses memory that Lua's allocator does not see. It counts these bytes
/// here, so that the limits of a program apply to everything that it causes.
extension LuaContext {
    /// Counts bytes that Swift keeps toward ``LuaLimits/memory``, until they are given back.
    ///
    /// If there is no room, objects that Lua no longer references are collected and released first.
    ///
    /// - Parameter bytes: The number of bytes.
    /// - Throws: ``LuaError/memoryLimit(_:)``, which is sticky like every limit. The bytes are then not counted.
    public func charge(bytes: Int) throws(LuaError) {
        try core.hold(bytes: bytes, enter())
    }

    /// Gives back bytes that were counted.
    ///
    /// - Parameter bytes: The number of bytes that were counted for memory that is no longer kept.
    public func giveBack(bytes: Int) {
        glua_give_back(enter(), max(0, bytes))
    }

    /// Counts bytes that Swift will write for the program toward ``LuaLimits/outputSize``, as `print` does.
    package func chargeOutput(bytes: Int) throws(LuaError) {
        let status = glua_count_output(enter(), max(0, bytes))
        guard status == GLUA_OK else { throw core.failure(status) }
    }

    /// The remaining time of the evaluation, ``LuaLimits/cpuTime`` or ``LuaLimits/wallTime``, whichever is less; nil if
    /// no evaluation is running.
    ///
    /// A host function that runs work elsewhere should limit it to this time.
    package var timeLeft: Duration? {
        var nanoseconds: UInt64 = 0
        guard glua_get_remaining_time(enter(), &nanoseconds) else { return nil }
        return .nanoseconds(Int64(clamping: nanoseconds))
    }

    /// Ends the evaluation if its time is used up, as Lua would within a thousand instructions.
    ///
    /// A host function that limited its work to the remaining time calls this to report why the work did not finish.
    package func checkTime() throws(LuaError) {
        let status = glua_check_time(enter())
        guard status == GLUA_OK else { throw core.failure(status) }
    }

    /// Counts CPU time that another thread used for the program toward ``LuaLimits/cpuTime``.
    package func charge(cpuTime: Duration) {
        glua_count_time(enter(), LuaLimits.nanoseconds(cpuTime))
    }

    /// The object type for a key in this state, created on first use.
    ///
    /// A state keeps the metatable of each object type that it has seen, so a host that created one for each object
    /// would fill it.
    package func type(for key: some Hashable, _ make: () -> LuaObjectType) -> LuaObjectType {
        _ = enter()
        return core.type(for: AnyHashable(key), make)
    }
}
