// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import GlassDeepLinking

// 002:134-152, 161-210
class Deeplinker {
    enum Route {
        case featureA(FeatureRoutableA)
        case featureB(FeatureRoutableB)
    }

    var routables: [Routable] = []

    func register(routes: [Route], using container: Container) {
        routes.forEach { route in
            switch route {
            case .featureA(let routable):
                routables.append(routable)
            case .featureB(let routable):
                routables.append(routable)
            }
        }
    }
}

protocol FeatureRoutableA: Routable {
}

final class StandardFeatureRoutableA: FeatureRoutableA {
    struct Configuration {
        let customPath: String
    }

    private let configuredRoutes: [String]
    private static let standardRoutes = [
        "path1",
        "path2"
    ]

    var actionRoutes: [String] { configuredRoutes }

    init(container: Container, configaration: Configuration) {
        configuredRoutes = Self.standardRoutes + [configaration.customPath]
    }

    init(container: Container) {
        configuredRoutes = Self.standardRoutes
    }

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.show("a")
        return true
    }
}

protocol FeatureRoutableB: Routable {
}

final class StandardFeatureRoutableB: FeatureRoutableB {
    var actionRoutes: [String] {
        [
           "path3",
           "path4"
       ]
    }

    init(container: Container) {}

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        state.show("b")
        return true
    }
}

func makeDeeplinker() -> Deeplinker {
let container = Container()
let deeplinker = Deeplinker()

deeplinker.register(
    routes: [
        .featureA(StandardFeatureRoutableA(container: container, configaration: .init(customPath: "customFeaturePath"))),
        .featureB(StandardFeatureRoutableB(container: container))
    ],
    using: container
)
return deeplinker
}
