import Testing

@testable import GlassDeepLinking

@Suite struct DeepLinkNavigationStateTests {
    @Test func selectingTabEmptiesStack() {
        let state = DeepLinkNavigationState()
        state.show("item", parameters: ["itemID": "1"])
        state.select(tab: "account")
        #expect(state.snapshot == NavigationSnapshot(tab: "account", screens: []))
    }

    @Test func sameScreenIsNotPushedTwice() {
        let state = DeepLinkNavigationState()
        state.show("item", parameters: ["itemID": "1"])
        state.show("item", parameters: ["itemID": "1"])
        state.show("item", parameters: ["itemID": "2"])
        #expect(state.snapshot.screens.map(\.parameters) == [["itemID": "1"], ["itemID": "2"]])
    }

    @Test func stackDepthIsLimited() {
        let state = DeepLinkNavigationState()
        for number in 0..<100 { state.show("item", parameters: ["itemID": String(number)]) }
        #expect(state.snapshot.screens.count == DeepLinkNavigationState.maximumDepth)
        #expect(state.snapshot.screens.last?.parameters == ["itemID": "99"])
    }

    @Test func dismissAndResetNavigateBack() {
        let state = DeepLinkNavigationState(tab: "shop")
        state.select(tab: "account")
        state.show("orders")
        state.show("orderDetail")
        state.dismiss()
        #expect(state.snapshot.screens.map(\.name) == ["orders"])
        state.reset()
        state.dismiss()
        #expect(state.snapshot == NavigationSnapshot(tab: "shop"))
    }

    @Test func draftChangesAppearAtCommit() {
        let state = DeepLinkNavigationState()
        let draft = state.draft()
        draft.select(tab: "shop")
        draft.show("item")
        #expect(draft.snapshot.tab == "shop")
        #expect(state.snapshot == NavigationSnapshot())
        state.select(tab: "account")
        draft.commit()
        #expect(state.snapshot == NavigationSnapshot(tab: "shop", screens: [.init(name: "item")]))
        draft.show("late")
        #expect(state.snapshot.screens.map(\.name) == ["item", "late"])
        #expect(draft.snapshot == state.snapshot)
    }

    @Test func discardedDraftChangesNothing() {
        let state = DeepLinkNavigationState()
        let draft = state.draft()
        draft.show("item")
        draft.discard()
        draft.show("late")
        draft.commit()
        #expect(state.snapshot == NavigationSnapshot())
    }
}
