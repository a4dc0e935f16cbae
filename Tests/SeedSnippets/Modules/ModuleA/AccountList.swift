import GlassContainer
import ModuleP

/// Shows accounts without depending on the module that loads them.
public struct AccountList {
    /// Creates a list.
    public init() {}

    /// The names of the accounts, or `nil` if no loader is registered.
    public var names: [String]? {
        Container.shared.accountLoading()?.load().map(\.name)
    }
}
