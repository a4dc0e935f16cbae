// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer

func resetFactory(of container: Container) {
    // 004:192
    container.myService.reset()
}

func resetManager(of container: Container) {
    // 004:193
    container.manager.reset()
}

func resetContainer(_ container: Container) {
    // 004:194
    container.reset()
}

func resetRegistrations() {
    // 004:199
    Container.shared.manager.reset(options: .registration)
}

func resetScopes() {
    // 004:202
    Container.shared.manager.reset(options: .scope)
}

func resetCached() {
    // 004:206
    Container.shared.manager.reset(scope: .cached)
}
