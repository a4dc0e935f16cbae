// swift-format-ignore-file
// The snippets stand as they are printed.
import GlassContainer
import IndependentModuleP

// 003:159-161
extension Container {
    public var accountLoading: Factory<AccountLoading?> { self { fatalError() } }
}
