// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import SampleServices

// 004:42-45
public final class Container: SharedContainer {
    public static let shared = Container()
    public let manager = ContainerManager()
}

// Around the snippet.
extension Container {
    var service: Factory<MyServiceType> { self { MyService() }.cached }
}
