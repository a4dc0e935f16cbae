import CLuaShims

/// The account of what Swift keeps for a Lua program.
///
/// A function of the host that keeps what Lua passed to it makes memory that no allocator of Lua's sees. It counts these
/// bytes here, so that the limits of a program hold for all that it causes.
extension LuaContext {
    /// Counts bytes that Swift keeps against ``LuaLimits/memory``, until they are given back.
    ///
    /// When there is no room, what Lua no longer holds is collected and released first.
    ///
    /// - Parameter bytes: How many.
    /// - Throws: ``LuaError/memoryLimit(_:)``, which is sticky like each limit; the bytes are not counted then.
    public func charge(bytes: Int) throws(LuaError) {
        try core.hold(bytes: bytes, enter())
    }

    /// Gives back bytes that were counted.
    ///
    /// - Parameter bytes: As many as were counted for what is no longer kept.
    public func giveBack(bytes: Int) {
        glua_give_back(enter(), max(0, bytes))
    }

    /// Counts bytes that Swift will write for the program against ``LuaLimits/outputSize``, as `print` does.
    package func chargeOutput(bytes: Int) throws(LuaError) {
        let status = glua_count_output(enter(), max(0, bytes))
        guard status == GLUA_OK else { throw core.failure(status) }
    }

    /// What is left of the evaluation's time, of ``LuaLimits/cpuTime`` and ``LuaLimits/wallTime`` whichever is less; nil when
    /// none runs.
    ///
    /// A function of the host that does work elsewhere should give it no more than that.
    package var timeLeft: Duration? {
        var nanoseconds: UInt64 = 0
        guard glua_get_remaining_time(enter(), &nanoseconds) else { return nil }
        return .nanoseconds(Int64(clamping: nanoseconds))
    }

    /// Ends the evaluation when its time is used up, as Lua would within a thousand instructions.
    ///
    /// A function of the host that gave work what was left of the time says with it why the work did not end.
    package func checkTime() throws(LuaError) {
        let status = glua_check_time(enter())
        guard status == GLUA_OK else { throw core.failure(status) }
    }

    /// Counts processor time that another thread used for the program against ``LuaLimits/cpuTime``.
    package func charge(cpuTime: Duration) {
        glua_count_time(enter(), LuaLimits.nanoseconds(cpuTime))
    }

    /// The description that was made for a key in this state, made when it is asked for first.
    ///
    /// A state keeps the metatable of each description that it has seen, so a host that makes one for each object would fill
    /// it.
    package func type(for key: some Hashable, _ make: () -> LuaObjectType) -> LuaObjectType {
        _ = enter()
        return core.type(for: AnyHashable(key), make)
    }
}
