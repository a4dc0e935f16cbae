// swift-format-ignore-file
// The snippets are printed verbatim.
import GlassContainer
import GlassDeepLinking

// 002:246-324, 327-334
class Routable: @unchecked Sendable {
    let container: Container

    var actionRoutes: [String] {
        []
    }

    var waitForPreconditions: Bool {
        true
    }

    required init(container: Container) {
        self.container = container

        registerRoutes()
    }

    private func registerRoutes() {
        container.deepLinker.addRoutes(actionRoutes, waitForPreconditions: waitForPreconditions)
        { [weak self] (deepLink, state) -> Bool in
            self?.handleDeepLink(deepLink, state: state) ?? false
        }
    }

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
        false
    }
}

class Deeplinker {
    enum Route {
        case featureA(configuration: FeatureRoutableA.Configuration)
        case featureB
    }

    struct Configurations {
        let featureAConfiguration: FeatureRoutableA.Configuration
    }

    var routables: [Routable] = []

    func registerRoutes(with configurations: Configurations, using container: Container) {
        routables.append(FeatureRoutableA(container: container, configaration: configurations.featureAConfiguration))
        routables.append(FeatureRoutableB(container: container))
    }
}

class FeatureRoutableA: Routable, @unchecked Sendable {
    struct Configuration {
        let customPath: String
    }

    private var configuredRoutes = [
        "path1",
        "path2"
    ]

    override var actionRoutes: [String] { configuredRoutes }

    init(container: Container, configaration: Configuration) {
        configuredRoutes.append(configaration.customPath)

        super.init(container: container)
    }

    required init(container: Container) {
        super.init(container: container)
    }
}

class FeatureRoutableB: Routable, @unchecked Sendable {
    override var actionRoutes: [String] {
        [
           "path3",
           "path4"
       ]
    }
}

func makeDeeplinker(_ container: Container) -> Deeplinker {
let deeplinker = Deeplinker()

deeplinker.registerRoutes(
    with: .init(
        featureAConfiguration: .init(customPath: "customFeaturePath")
    ),
    using: container
)
return deeplinker
}
