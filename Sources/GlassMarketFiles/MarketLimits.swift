public import LuaBridge

/// What a market may use.
public struct MarketLimits: Sendable, Equatable {
    /// The CPU time for the whole load: reading, running, merging, validating, assembling, and telling what is wrong.
    public var load: Duration
    /// For the evaluation of a market together with everything it extends and includes.
    public var evaluation: LuaLimits
    /// For the handlers of one link, however many of the market's `handle` functions are asked, together.
    public var handle: LuaLimits

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - evaluation: For the evaluation of the whole chain.
    ///   - handle: For one link.
    ///   - load: The CPU time for the whole load, what Lua takes of it included.
    public init(
        evaluation: LuaLimits = .config, handle: LuaLimits = .config, load: Duration = .milliseconds(700)
    ) {
        self.load = load
        self.evaluation = evaluation
        self.handle = handle
    }
}
