// swift-format-ignore-file
// The snippets stand as they are printed.
import GlassContainer
import IndependentModuleP

// 003:170-172
extension Container {
    public var accountLoading: Factory<AccountLoading?> { promised() }
}
