import GlassContainer
import ModuleP

/// Shows accounts, and knows nothing of the module that loads them.
public struct AccountList {
    /// Makes a list.
    public init() {}

    /// The names of the accounts, or nil where nothing loads them.
    public var names: [String]? {
        Container.shared.accountLoading()?.load().map(\.name)
    }
}
