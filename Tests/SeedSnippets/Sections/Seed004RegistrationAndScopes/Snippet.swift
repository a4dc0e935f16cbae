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

func services() -> (containerA: MyContainer, service1: ServiceType, service2: ServiceType) {
    // 004:146-153
    let containerA = MyContainer()
    containerA.cachedService.register { MockService() }

    let service1 = containerA.cachedService()

    let service2 = MyContainer.shared.cachedService()
    return (containerA, service1, service2)
}
