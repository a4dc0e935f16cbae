// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import ModuleB
import ModuleP

public final class MyContainer: SharedContainer {
    public static let shared = MyContainer()
    public let manager = ContainerManager()
}

// 004:159-163
extension MyContainer: AutoRegistering {
    public func autoRegister() {
        someService.register { ModuleB.SomeService() }
    }
}
