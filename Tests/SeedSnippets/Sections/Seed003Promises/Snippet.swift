// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import IndependentModuleP

// 003:170-172
extension Container {
    public var accountLoading: Factory<AccountLoading?> { promised() }
}
