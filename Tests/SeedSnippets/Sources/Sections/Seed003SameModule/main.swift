import Claims
import GlassContainer
import Networking

await Claims.check { claim in
    let network: Networking = Container.shared.network()
    let text: String = try await network.load()
    claim("another module gets an instance and sees only the protocol", text == "loaded")
    do {
        let number: Int = try await network.load()
        claim("the private implementation runs", number < 0)
    } catch {
        claim("the private implementation throws", error is Unloadable)
    }
    let factory: Factory<Networking> = Container.shared.network
    claim("the property promises the protocol", type(of: factory) == Factory<any Networking>.self)
    let first = Container.shared.network() as AnyObject
    let second = Container.shared.network() as AnyObject
    claim("each resolution makes a new instance", first !== second)
}
