import GlassContainer
import GlassContainerTesting
import Testing

@MainActor
final class HomeModel {}

extension Container {
    @MainActor var model: Factory<HomeModel> { self { HomeModel() } }
}

@MainActor
final class HomeCoordinator {
    @LazyInjected(\.model) var model
}

/// The migration page, on the main actor.
@Suite(.container) struct MainActorPageTests {
    @Test func mainActorModelIsInjectedThereAndResolvedElsewhere() async {
        let container = Container.shared
        let isKept = await MainActor.run {
            let coordinator = HomeCoordinator()
            return coordinator.model === coordinator.model
        }
        #expect(isKept)
        _ = await container.model.resolveOnMainActor()
    }
}
