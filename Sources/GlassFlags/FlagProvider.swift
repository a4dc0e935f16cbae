public import GlassMarkets
public import GlassSchema

/// A service whose values of flags come before the market's, such as a remote one. Set it in
/// `PlatformHost.flagProviders`.
///
/// It answers from what it has in memory: reading a flag waits for nothing. Its answers for the app's situation are kept
/// until ``changes()`` says that they have changed, or the situation changes.
public protocol FlagProvider: Sendable {
    /// The name, for details and messages, such as `remote`.
    var name: String { get }

    /// The value of a flag.
    ///
    /// - Parameters:
    ///   - flag: The name of the flag.
    ///   - type: The type that the value must have.
    ///   - context: The situation.
    /// - Returns: The value or an error; nil if the provider does not know the flag.
    func resolve(_ flag: String, as type: FlagType, in context: MarketContext) -> FlagResolution?

    /// The changes of its values from now on: the names of the flags, or nil if that may be any.
    func changes() -> AsyncStream<Set<String>?>
}

/// The answer of a provider.
public enum FlagResolution: Sendable {
    /// A value. It must have the type of the flag, and be that of one of its variants if it has some.
    case value(ConfigurationValue, variant: String? = nil, reason: FlagReason = .unknown)
    /// An error. The next layer answers, and the details of the flag have the error. Do not write a person's values
    /// into it.
    case failure(FlagError)
}
