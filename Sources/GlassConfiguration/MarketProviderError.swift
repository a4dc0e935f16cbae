#if SwiftConfiguration
    /// The reason why a value of a market cannot be read through swift-configuration.
    public enum MarketProviderError: Error, Equatable, CustomStringConvertible {
        /// The value is not of the requested type.
        case notConvertible(key: String, found: String, type: String)

        /// The key, what was requested, and what the market has.
        public var description: String {
            switch self {
            case .notConvertible(let key, let found, let type): "\(key): expected \(type), the market has \(found)"
            }
        }
    }
#endif
