import Foundation

/// The environment variables of the process: where secrets come from unless the host says otherwise.
///
/// A `MarketLoader` asks only for names that begin with one of its prefixes.
public enum ProcessEnvironment {
    /// The value of a variable.
    ///
    /// - Parameter name: The variable's name.
    /// - Returns: Its value; nil when it is not set or empty.
    public static func value(of name: String) -> String? {
        let value = ProcessInfo.processInfo.environment[name]
        return value?.isEmpty == true ? nil : value
    }
}
