// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import SampleServices

// 004:21-25
extension Container {
    var service: Factory<MyServiceType> {
        self { MyService() }
    }
}

// 004:64-69
class ContentViewModel {
    let service2: MyServiceType
    init(container: Container) {
        service2 = container.service()
    }
}
