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

// 004:82-86
extension SharedContainer {
    var commonService: Factory<ServiceType> {
        self { MyService() }
    }
}

func common() -> (ServiceType, ServiceType) {
    // 004:90-91
    let common1 = Container.shared.commonService()
    let common2 = MyContainer.shared.commonService()
    return (common1, common2)
}
