import GlassBase
public import GlassFlags
public import GlassMarkets
public import GlassSchema

/// Flags whose values a test sets. It records what is read.
///
/// ```swift
/// let flags = FeatureFlagsMock(["newCheckout": .boolean(true)])
/// container.register((any FeatureFlags).self) { _ in flags }
/// // ... run the code under test ...
/// #expect(flags.reads == ["newCheckout"])
/// ```
public final class FeatureFlagsMock: FeatureFlags {
    private struct State {
        var values: [String: ConfigurationValue]
        var forced: [String: ConfigurationValue] = [:]
        var reads: [String] = []
        var contexts: [MarketContext?] = []
    }

    private let state: Lock<State>
    private let changed = Broadcast<FlagChange>()

    /// Creates a mock.
    ///
    /// - Parameter values: The values by the names of flags. All other flags have their defaults in code.
    public init(_ values: [String: ConfigurationValue] = [:]) {
        state = Lock(State(values: values))
    }

    /// The flags that were read, oldest first; a peek is no reading.
    public var reads: [String] { state.withLock { $0.reads } }
    /// The situation of each reading; nil for the app's.
    public var contexts: [MarketContext?] { state.withLock { $0.contexts } }

    /// Sets the value of a flag, as a change of the market would.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The flag.
    public func set<Value>(_ value: Value, for key: FlagKey<Value>) {
        state.withLock { $0.values[key.name.text] = value.flagValue }
        changed.send(FlagChange([key.name.text], cause: .market))
    }

    /// The forced value, or the one that is set; records the reading.
    ///
    /// - Parameters:
    ///   - flag: The name of the flag.
    ///   - type: The type that the caller expects.
    /// - Returns: The value; nil if none is set.
    public func value(of flag: FlagName, as type: FlagType) -> FlagContent? {
        answer(of: flag, as: type, in: nil, isExposure: true).content
    }

    /// The value and whether it is forced; records the reading unless it is a peek.
    ///
    /// - Parameters:
    ///   - flag: The name of the flag.
    ///   - type: The type that the caller expects.
    ///   - context: The situation, which does not matter.
    ///   - isExposure: Whether this is a reading.
    /// - Returns: The answer.
    public func answer(
        of flag: FlagName, as type: FlagType, in context: MarketContext?, isExposure: Bool
    ) -> FlagAnswer {
        let name = flag.text
        let (forced, value) = state.withLock { state in
            if isExposure {
                state.reads.append(name)
                state.contexts.append(context)
            }
            return (state.forced[name], state.values[name])
        }
        if let forced {
            return FlagAnswer(name, content: FlagContent(forced), reason: .static, provider: "forced")
        }
        if let value { return FlagAnswer(name, content: FlagContent(value), reason: .static, provider: "mock") }
        return FlagAnswer(
            name, content: nil, reason: .error, provider: "code",
            error: FlagError(.flagNotFound, "the mock has no value for \(name)"))
    }

    /// Forces a value, whatever the build is.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - flag: The name of the flag.
    /// - Throws: `FlagError` if the mock's value has another type.
    public func force(_ value: ConfigurationValue, for flag: FlagName) throws(FlagError) {
        let isFitting = state.withLock { state in
            if let known = state.values[flag.text].flatMap({ FlagType(of: $0) }) {
                guard let type = FlagType(of: value), known.accepts(type) else { return false }
            }
            state.forced[flag.text] = value
            return true
        }
        guard isFitting else { throw FlagError(.typeMismatch, "\(flag) has a value of another type") }
        changed.send(FlagChange([flag.text], cause: .forced))
    }

    /// Ends the forcing of a value.
    ///
    /// - Parameter flag: The name of the flag.
    public func unforce(_ flag: FlagName) {
        state.withLock { $0.forced[flag.text] = nil }
        changed.send(FlagChange([flag.text], cause: .forced))
    }

    /// The forced values.
    public var forced: [String: ConfigurationValue] { state.withLock { $0.forced } }
    /// The names of the flags with a value.
    public var names: [String] { state.withLock { $0.values.keys.sorted() } }
    /// The changes by ``set(_:for:)`` and by forcing.
    public func changes() -> AsyncStream<FlagChange> { changed.values(limit: 64) }
}
