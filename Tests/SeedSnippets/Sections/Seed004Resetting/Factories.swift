import GlassContainer
import SampleServices

extension Container {
    var myService: Factory<MyServiceType> { self { MyService() }.cached }
    var yourService: Factory<MyServiceType> { self { MyService() }.cached }
    var sharedService: Factory<MyServiceType> { self { MyService() }.shared }
}
