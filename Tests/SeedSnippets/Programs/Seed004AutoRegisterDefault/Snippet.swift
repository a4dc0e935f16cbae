// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import ModuleB
import ModuleP

typealias MyContainer = Container

// 004:175-179
extension Container: @retroactive AutoRegistering {
    public func autoRegister() {
        someService.register { ModuleB.SomeService() }
    }
}
