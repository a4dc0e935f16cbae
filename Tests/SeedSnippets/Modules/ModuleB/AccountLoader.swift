import ModuleP

/// Loads two accounts.
public struct AccountLoader: AccountLoading {
    /// Makes a loader.
    public init() {}

    /// The accounts.
    ///
    /// - Returns: always the same two.
    public func load() -> [Account] {
        [Account(name: "checking"), Account(name: "savings")]
    }
}
