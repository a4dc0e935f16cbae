// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import GlassDeepLinking

// 002:45-51, 60-111
class Deeplinker {
    var routables: [Routable] = []

    func register(routables: [Routable]) {
        self.routables = routables
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

    init(container: Container, configuration: Configuration) {
        configuredRoutes = Self.standardRoutes + [configuration.customPath]
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
    routables: [
        StandardFeatureRoutableA(
            container: container,
            configuration: .init(customPath: "customFeaturePath")
        ),
        StandardFeatureRoutableB(container: container)
    ]
)
return deeplinker
}
