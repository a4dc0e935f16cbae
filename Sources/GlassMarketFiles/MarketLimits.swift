public import LuaBridge

/// The time and memory that a market may use.
public struct MarketLimits: Sendable, Equatable {
    /// The CPU time for a whole load: reading, running, merging, validating, assembling and reporting.
    ///
    /// A debug build counts only a quarter of the CPU time used, because its code is not optimized. For the same
    /// reason, `LuaLimits.config` allows four times as much time there, so that both builds accept the same markets.
    public var load: Duration
    /// The limits of evaluating a market with its base markets and the files that they include.
    public var evaluation: LuaLimits
    /// The limits of opening one link, shared by all `handle` functions of the market that are called for it.
    public var handle: LuaLimits

    /// The maximum length of an `extends` chain.
    package static let maximumChainLength = 32

    /// Creates limits.
    ///
    /// - Parameters:
    ///   - evaluation: The limits of evaluating a market with its base markets and the files that they include.
    ///   - handle: The limits of opening one link.
    ///   - load: The CPU time for a whole load, including that of Lua.
    public init(
        evaluation: LuaLimits = .config, handle: LuaLimits = .config, load: Duration = .milliseconds(700)
    ) {
        self.load = load
        self.evaluation = evaluation
        self.handle = handle
    }
}
