import CLuaShims

extension LuaContext {
    /// Runs a part of an evaluation that has time of its own: what it takes is not the evaluation's, and a limit that it
    /// meets, other than ``LuaLimits/instructions``, ends the part alone.
    ///
    /// The memory is that of the evaluation. What the part leaves behind after it met that limit is collected.
    package func part<Result>(
        time: Duration, outputSize: Int, _ body: () throws(LuaError) -> Result
    ) throws(LuaError) -> Result {
        let state = enter()
        var part = glua_part()
        let nanoseconds = max(1, LuaLimits.nanoseconds(time))
        glua_begin_part(state, nanoseconds, nanoseconds, max(0, outputSize), &part)
        defer { glua_end_part(state, &part) }
        return try body()
    }
}
