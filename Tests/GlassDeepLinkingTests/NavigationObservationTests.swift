import GlassBase
import Observation
import Testing

@testable import GlassDeepLinking

/// Navigation as a stream and as an observable, as a `NavigationStack` uses it.
@Suite(.timeLimit(.minutes(1)))
struct NavigationObservationTests {
    private func router(_ state: DeepLinkNavigationState) throws -> DeepLinkRouter {
        let router = DeepLinkRouter(
            configuration: DeepLinkConfiguration(schemes: ["shop"]), navigationState: state)
        router.addRoutes(["item/:id"], waitForPreconditions: false) { link, state in
            state.select(tab: "shop")
            state.show("list")
            state.show("item", parameters: link.parameters.dictionary)
            return true
        }
        router.addRoutes(["declined"], waitForPreconditions: false) { _, state in
            state.show("never")
            return false
        }
        return router
    }

    @Test func linkCausesOneChange() async throws {
        let state = DeepLinkNavigationState()
        let router = try router(state)
        var changes = state.changes().makeAsyncIterator()
        #expect(await changes.next() == NavigationSnapshot(tab: "home"))
        router.open("shop://item/7")
        router.open("shop://declined")
        // Opening the same link again changes nothing observable.
        router.open("shop://item/7")
        state.dismiss()
        let opened = await changes.next()
        #expect(opened?.tab == "shop" && opened?.screens.map(\.name) == ["list", "item"])
        #expect(await changes.next()?.screens.map(\.name) == ["list"])
    }

    @Test func everyListenerSeesEachChangeInOrder() async throws {
        let state = DeepLinkNavigationState()
        var listeners = [state.changes().makeAsyncIterator(), state.changes().makeAsyncIterator()]
        for number in 1...10 { state.show("s\(number)") }
        for index in listeners.indices {
            for number in 0...10 { #expect(await listeners[index].next()?.screens.count == number) }
        }
    }

    @Test func streamEndsWithState() async {
        var state: DeepLinkNavigationState? = DeepLinkNavigationState()
        var changes = state?.changes().makeAsyncIterator()
        _ = await changes?.next()
        state = nil
        #expect(await changes?.next() == nil)
    }

    @Test func committedDraftFollowsAppState() async throws {
        let state = DeepLinkNavigationState()
        let kept = Lock<DeepLinkNavigationState?>(nil)
        let router = DeepLinkRouter(
            configuration: DeepLinkConfiguration(schemes: ["shop"]), navigationState: state)
        router.addRoutes(["keep"], waitForPreconditions: false) { _, state in
            kept.withLock { $0 = state }
            return true
        }
        router.open("shop://keep")
        let draft = try #require(kept.withLock { $0 })
        var changes = draft.changes().makeAsyncIterator()
        _ = await changes.next()
        draft.show("later")
        #expect(await changes.next()?.screens.map(\.name) == ["later"])
        #expect(state.screens.map(\.name) == ["later"])
    }

    enum Property: CaseIterable {
        case snapshot, tab, screens

        func read(_ state: DeepLinkNavigationState) {
            switch self {
            case .snapshot: _ = state.snapshot
            case .tab: _ = state.tab
            case .screens: _ = state.screens
            }
        }
    }

    @Test(arguments: Property.allCases)
    func readerIsNotifiedOfNextChange(property: Property) {
        let state = DeepLinkNavigationState()
        let told = Lock(0)
        withObservationTracking {
            property.read(state)
        } onChange: {
            told.withLock { $0 += 1 }
        }
        state.dismiss()
        #expect(told.withLock { $0 } == 0, "nothing changed")
        state.show("item")
        state.show("other")
        #expect(told.withLock { $0 } == 1)
    }

    @Test func stackIsSetAsWhole() {
        let state = DeepLinkNavigationState(tab: "shop")
        state.screens = (0..<100).map { NavigationSnapshot.Screen(name: "s\($0)") }
        #expect(state.screens.count == DeepLinkNavigationState.maximumDepth && state.screens.last?.name == "s99")
        state.screens.removeLast(60)
        #expect(state.screens.map(\.name) == ["s36", "s37", "s38", "s39"])
        state.tab = "shop"
        #expect(state.screens.count == 4)
        state.tab = "account"
        #expect(state.snapshot == NavigationSnapshot(tab: "account"))
    }
}
