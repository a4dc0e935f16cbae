import GlassBase
/// What links change: the tab and the stack of screens that an app's UI renders.
///
/// The state is thread-safe. The router hands each handler a draft of its own: what the handler does becomes visible,
/// as one change, when it returns true; a handler that declines or throws leaves nothing behind. A draft that was
/// committed passes later changes straight on, so a handler may keep it.
///
/// ```swift
/// let state = DeepLinkNavigationState()
/// state.select(tab: "shop")
/// state.show("item", parameters: ["itemID": "42"])
/// print(state.snapshot.screens.count)  // 1
/// ```
public final class DeepLinkNavigationState: Sendable {
    /// The most screens the stack keeps; further ones push out the lowest, so that no number of links grows it.
    public static let maximumDepth = 64

    private enum Change {
        case select(tab: String)
        case show(NavigationSnapshot.Screen)
        case dismiss
        case reset
    }

    private enum Phase {
        case root
        case draft(of: DeepLinkNavigationState, changes: [Change])
        case committed(to: DeepLinkNavigationState)
        case discarded
    }

    private struct Content {
        var tab: String
        var screens: [NavigationSnapshot.Screen]
        let initialTab: String
        var phase: Phase

        mutating func apply(_ change: Change) {
            switch change {
            case .select(let newTab):
                tab = newTab
                screens = []
            case .show(let screen):
                // The same link opened twice does not stack the same screen twice.
                if screens.last == screen { return }
                if screens.count == DeepLinkNavigationState.maximumDepth { screens.removeFirst() }
                screens.append(screen)
            case .dismiss:
                _ = screens.popLast()
            case .reset:
                tab = initialTab
                screens = []
            }
        }
    }

    private let content: Lock<Content>

    /// Creates a state at the root of a tab.
    ///
    /// - Parameter tab: The tab that is selected at first and after ``reset()``.
    public convenience init(tab: String = "home") {
        self.init(Content(tab: tab, screens: [], initialTab: tab, phase: .root))
    }

    private init(_ content: sending Content) {
        self.content = Lock(content)
    }

    /// The tab and the screens at this moment.
    public var snapshot: NavigationSnapshot {
        switch content.withLock({ $0.phase }) {
        case .committed(let parent): parent.snapshot
        case .root, .draft, .discarded: content.withLock { NavigationSnapshot(tab: $0.tab, screens: $0.screens) }
        }
    }

    /// Selects a tab and shows its root.
    ///
    /// - Parameter tab: The tab.
    public func select(tab: String) {
        apply(.select(tab: tab))
    }

    /// Puts a screen on top of the stack, unless the same one is there.
    ///
    /// - Parameters:
    ///   - screen: The screen's name.
    ///   - parameters: What it shows.
    public func show(_ screen: String, parameters: [String: String] = [:]) {
        apply(.show(NavigationSnapshot.Screen(name: screen, parameters: parameters)))
    }

    /// Takes the top screen off the stack, if there is one.
    public func dismiss() {
        apply(.dismiss)
    }

    /// Goes back to the first tab's root.
    public func reset() {
        apply(.reset)
    }

    // MARK: Drafts

    /// A copy whose changes wait for ``commit()``.
    func draft() -> DeepLinkNavigationState {
        let snapshot = snapshot
        let initialTab = content.withLock { $0.initialTab }
        return DeepLinkNavigationState(
            Content(
                tab: snapshot.tab, screens: snapshot.screens, initialTab: initialTab,
                phase: .draft(of: self, changes: [])))
    }

    /// Applies a draft's changes to its origin at once.
    func commit() {
        let (parent, changes): (DeepLinkNavigationState?, [Change]) = content.withLock { content in
            guard case .draft(let parent, let changes) = content.phase else { return (nil, []) }
            content.phase = .committed(to: parent)
            return (parent, changes)
        }
        parent?.apply(changes)
    }

    /// Drops a draft's changes, those still to come included.
    func discard() {
        content.withLock { $0.phase = .discarded }
    }

    private func apply(_ change: Change) {
        apply([change])
    }

    private func apply(_ changes: [Change]) {
        let next: DeepLinkNavigationState? = content.withLock { content in
            switch content.phase {
            case .committed(let parent): return parent
            case .draft(let parent, let earlier): content.phase = .draft(of: parent, changes: earlier + changes)
            case .root, .discarded: break
            }
            for change in changes { content.apply(change) }
            return nil
        }
        // Outside the lock, so that no two locks are ever held together.
        next?.apply(changes)
    }
}
