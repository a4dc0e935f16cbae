public import LuaBridge

/// What the Lua of a market may use.
public struct MarketLimits: Sendable, Equatable {
    /// For the evaluation of a market together with everything it extends and includes.
    public var evaluation: LuaLimits
    /// For one link that a `handle` of the market takes.
    public var handle: LuaLimits

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - evaluation: For the evaluation of the whole chain.
    ///   - handle: For one link.
    public init(evaluation: LuaLimits = .config, handle: LuaLimits = .config) {
        self.evaluation = evaluation
        self.handle = handle
    }
}
