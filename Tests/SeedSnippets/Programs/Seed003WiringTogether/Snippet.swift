// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
// 003:101-110
import ModuleP
import ModuleA
import ModuleB

extension Container: @retroactive AutoRegistering {
    public func autoRegister() {
        accountLoading.register { AccountLoader() }
    }
}
