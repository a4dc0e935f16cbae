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

func released() -> [ServiceType] {
    // 004:223-240
    var container = MyContainer()
    let service1 = container.cachedService()

    let service2 = container.cachedService()
    assert(service1.id == service2.id)

    container = MyContainer()

    let service3 = container.cachedService()
    assert(service1.id != service3.id)

    let service4 = container.cachedService()
    assert(service3.id == service4.id)
    return [service1, service2, service3, service4]
}
