public import GlassMarkets
public import GlassSchema

/// The values of the market's flags.
///
/// ```swift
/// extension FlagKey where Value == Bool {
///     static let newCheckout = FlagKey("newCheckout", default: false)
/// }
///
/// let flags: any FeatureFlags = container.get()
/// if flags[.newCheckout] { showNewCheckout() }
/// ```
///
/// A flag has its value from the first of these that has one. Remote configuration does not touch flags.
///
/// | Rank | Layer | Counts if |
/// |---|---|---|
/// | 1 | A value that a tester forced | the app's situation says that the build is debug or beta |
/// | 2 | The providers of `PlatformHost.flagProviders`, in order | the value has the flag's type and, if the flag has variants, equals one of them |
/// | 3 | The market: its rules in order, or the flag's default | the market has the flag |
/// | 4 | The default of the ``FlagKey`` in code | always |
///
/// Reading never fails and never waits. ``details(_:in:)`` says where a value comes from, and what is wrong if anything
/// is. Values follow the app's situation: after `MarketStore.update(context:)`, every reading gives the new values, also
/// through a service that was taken from the container of a market that has been replaced.
///
/// The first reading of a value that a split gives, or of a flag with `track`, is an exposure: analytics get the event
/// `flagExposure` once in a process for each flag, variant and unit. It has the attributes that OpenTelemetry names, the
/// rule, the layer, and the name of the unit's attribute, but never the unit's value. ``peek(_:in:)`` reads without
/// exposure.
public protocol FeatureFlags: AnyObject, Sendable {
    /// The value of a flag in the app's situation; use `flags[.newCheckout]` instead.
    ///
    /// - Parameters:
    ///   - flag: The name of the flag.
    ///   - type: The type that the caller expects.
    /// - Returns: The value, which may have another type; nil if the default in code applies.
    func value(of flag: FlagName, as type: FlagType) -> FlagContent?

    /// What the layers answer about a flag; use ``details(_:in:)`` instead.
    ///
    /// - Parameters:
    ///   - flag: The name of the flag.
    ///   - type: The type that the caller expects.
    ///   - context: Attributes that override the app's situation; nil to use it unchanged.
    ///   - isExposure: Whether this read counts as an exposure.
    /// - Returns: The answer. Its value may have another type.
    func answer(
        of flag: FlagName, as type: FlagType, in context: MarketContext?, isExposure: Bool
    ) -> FlagAnswer

    /// Forces a value, for testers; pass a ``FlagKey`` instead.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - flag: The name of the flag.
    /// - Throws: ``FlagError`` if the flag has another type, or variants with other values.
    func force(_ value: ConfigurationValue, for flag: FlagName) throws(FlagError)

    /// Removes a forced value; pass a ``FlagKey`` instead.
    ///
    /// - Parameter flag: The name of the flag.
    func unforce(_ flag: FlagName)

    /// The values that testers have forced, whether they count or not.
    var forced: [String: ConfigurationValue] { get }

    /// The names of the market's flags, in byte order.
    var names: [String] { get }

    /// Changes from now on. If a listener falls behind, only the latest 64 are kept.
    ///
    /// - Returns: The changes, each with the flags that may have other values. These can be read already.
    func changes() -> AsyncStream<FlagChange>
}

extension FeatureFlags {
    /// The value of a flag in the app's situation. O(1); allocates nothing.
    ///
    /// - Parameter key: The flag.
    @inlinable
    public subscript<Value: FlagValue>(key: FlagKey<Value>) -> Value {
        // Always, because the runtime would otherwise look up generic types at each reading.
        @inline(__always) get {
            guard let content = value(of: key.name, as: Value.flagType) else { return key.default }
            return Value(content: content) ?? key.default
        }
    }

    /// The value of a flag, where it comes from, and why.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - context: Attributes that differ from the app's situation, such as those of a request; nil for that.
    /// - Returns: The details.
    public func details<Value>(_ key: FlagKey<Value>, in context: MarketContext? = nil) -> FlagDetails<Value> {
        answer(of: key.name, as: Value.flagType, in: context, isExposure: true).details(for: key)
    }

    /// The details of a flag, without exposing anybody: for menus of testers, logs and tests.
    ///
    /// - Parameters:
    ///   - key: The flag.
    ///   - context: Attributes that override the app's situation; nil to use it unchanged.
    /// - Returns: The details.
    public func peek<Value>(_ key: FlagKey<Value>, in context: MarketContext? = nil) -> FlagDetails<Value> {
        answer(of: key.name, as: Value.flagType, in: context, isExposure: false).details(for: key)
    }

    /// Forces the value of a flag, for testers. It counts in debug and beta builds only, until ``unforce(_:)`` or the end
    /// of the process, also after a reload of the market.
    ///
    /// - Parameters:
    ///   - value: The value.
    ///   - key: The flag.
    /// - Throws: ``FlagError`` if the market's flag has another type, or variants with other values.
    public func force<Value>(_ value: Value, for key: FlagKey<Value>) throws(FlagError) {
        try force(value.flagValue, for: key.name)
    }

    /// Removes a forced value.
    ///
    /// - Parameter key: The flag.
    public func unforce<Value>(_ key: FlagKey<Value>) {
        unforce(key.name)
    }
}
