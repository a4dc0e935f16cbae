// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import SampleServices

// 004:101-110
public final class MyContainer: SharedContainer {
     public static let shared = MyContainer()
     public let manager = ContainerManager()
}

extension MyContainer {
    var cachedService: Factory<ServiceType> {
        self { MyService() }.cached
    }
}
