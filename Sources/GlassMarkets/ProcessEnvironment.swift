#if canImport(Darwin)
    import Darwin
#elseif canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#endif

/// The environment variables of the process, from which secrets come unless the host decides otherwise.
///
/// A `MarketLoader` looks up only names that begin with one of its prefixes.
public enum ProcessEnvironment {
    /// The value of a variable.
    ///
    /// - Parameter name: The variable's name.
    /// - Returns: Its value; nil if it is not set or is empty.
    public static func value(of name: String) -> String? {
        guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else { return nil }
        return value
    }
}
