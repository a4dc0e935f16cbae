import GlassContainer
import ModuleP

struct PlainService: SomeServiceType {
    let origin: String
}

extension MyContainer {
    var someService: Factory<SomeServiceType> { self { PlainService(origin: "definition") } }
    var first: Factory<SomeServiceType> { self { PlainService(origin: self.someService().origin) } }
}
