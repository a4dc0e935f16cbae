import CLuaShims

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
}
