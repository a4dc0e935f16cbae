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

func resolved() -> MyServiceType {
    // 004:34
    let service = Container.shared.service()
    return service
}
