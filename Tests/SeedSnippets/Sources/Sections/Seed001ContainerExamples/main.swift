import Claims
import GlassContainer

await Claims.check { claim in
    let container = registered()
    claim("nothing is made before it is asked for", made.load(ordering: .relaxed) == 0)

    let api = retrieved(from: container)
    claim("the type of the constant finds the plugin", api is FeedbackPluginAPI)
    claim("the plugin's initializer gets the container", api.owner == ObjectIdentifier(container))
    claim("the container keeps the instance", retrieved(from: container) === api)
    claim("it is made once", made.load(ordering: .relaxed) == 1)
    claim("the type of a parameter finds the plugin", !isMock(container.get()))

    let other = registered()
    claim("another container has an instance of its own", retrieved(from: other) !== api)

    let demo = Container()
    demo.register(FeedbackAPI.self, FeedbackAPIMock.init)
    claim("a consumer gets a mock where one is registered", isMock(demo.get()))
}
