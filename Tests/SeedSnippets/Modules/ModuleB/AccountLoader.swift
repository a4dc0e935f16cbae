import ModuleP

/// Loads two accounts.
public struct AccountLoader: AccountLoading {
    /// Creates a loader.
    public init() {}

    /// The accounts.
    ///
    /// - Returns: Always the same two.
    public func load() -> [Account] {
        [Account(name: "checking"), Account(name: "savings")]
    }
}
