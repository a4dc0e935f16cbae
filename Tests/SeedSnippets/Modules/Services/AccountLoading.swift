// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import IndependentModuleP

// 003:193-196
extension Container {
    public var accountLoading: Factory<AccountLoading?> { self { nil } }
}
