import GlassBase
public import Observation

/// The navigation state that links change: the tab and the stack of screens that an app's UI renders.
///
/// The state is thread-safe. The router passes each handler its own draft: its changes become visible, as a single
/// change, when the handler returns true; if it declines or throws, they are discarded. A committed draft forwards
/// later changes immediately, so a handler may keep it.
///
/// ```swift
/// let state = DeepLinkNavigationState()
/// state.select(tab: "shop")
/// state.show("item", parameters: ["itemID": "42"])
/// print(state.snapshot.screens.count)  // 1
/// ```
///
/// A view that reads ``snapshot``, ``tab`` or ``screens`` is updated when it changes; ``changes()`` provides the same
/// as a sequence. Use ``screens`` as the `path` of a `NavigationStack`: it can be set, which happens when the user goes
/// back.
public final class DeepLinkNavigationState: Sendable, Observable {
    /// The maximum number of screens on the stack; further ones push out the lowest, so that no number of links can
    /// grow it indefinitely.
    package static let maximumDepth = 64

    private enum Change {
        case select(tab: String)
        case show(NavigationSnapshot.Screen)
        case replace([NavigationSnapshot.Screen])
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

        var snapshot: NavigationSnapshot { NavigationSnapshot(tab: tab, screens: screens) }

        mutating func apply(_ change: Change) {
            switch change {
            case .select(let newTab):
                tab = newTab
                screens = []
            case .show(let screen):
                // Opening the same link twice must not push the same screen twice.
                if screens.last == screen { return }
                if screens.count == DeepLinkNavigationState.maximumDepth { screens.removeFirst() }
                screens.append(screen)
            case .replace(let screens):
                self.screens = screens.suffix(DeepLinkNavigationState.maximumDepth)
            case .dismiss:
                _ = screens.popLast()
            case .reset:
                tab = initialTab
                screens = []
            }
        }
    }

    private let content: Lock<Content>
    private let broadcast = Broadcast<NavigationSnapshot>()
    private let registrar = ObservationRegistrar()

    /// Creates a state at the root of a tab.
    ///
    /// - Parameter tab: The initial tab, which ``reset()`` also selects.
    public convenience init(tab: String = "home") {
        self.init(Content(tab: tab, screens: [], initialTab: tab, phase: .root))
    }

    private init(_ content: sending Content) {
        self.content = Lock(content)
    }

    /// The current tab and screens.
    public var snapshot: NavigationSnapshot {
        registrar.access(self, keyPath: \.snapshot)
        return current
    }

    /// The selected tab. Setting another tab shows its root; setting the same one changes nothing, because a tab bar
    /// also sets its current selection.
    public var tab: String {
        get { snapshot.tab }
        set { if newValue != current.tab { select(tab: newValue) } }
    }

    /// The screens from bottom to top: the `path` of a `NavigationStack`. If more than 64 screens are set, the lowest
    /// are dropped.
    public var screens: [NavigationSnapshot.Screen] {
        get { snapshot.screens }
        set { apply(.replace(newValue)) }
    }

    /// The current tab and screens, and then the new ones after each change. All that a link does is one change.
    ///
    /// - Returns: A separate stream for each call, which ends when this object is released. A slow listener misses the
    ///   oldest changes, but never the latest.
    public func changes() -> AsyncStream<NavigationSnapshot> {
        if let parent { return parent.changes() }
        return content.withLock { broadcast.values(startingWith: $0.snapshot, limit: 16) }
    }

    /// The tab and the screens, without registering an observation: the router's results don't depend on observers.
    var current: NavigationSnapshot {
        let content = content.withLock { $0 }
        if case .committed(let parent) = content.phase { return parent.current }
        return content.snapshot
    }

    /// The state to which a committed draft forwards everything.
    private var parent: DeepLinkNavigationState? {
        if case .committed(let parent) = content.withLock({ $0.phase }) { parent } else { nil }
    }

    /// Selects a tab and shows its root.
    ///
    /// - Parameter tab: The tab.
    public func select(tab: String) {
        apply(.select(tab: tab))
    }

    /// Pushes a screen, unless it is already on top.
    ///
    /// - Parameters:
    ///   - screen: The screen's name.
    ///   - parameters: The screen's parameters.
    public func show(_ screen: String, parameters: [String: String] = [:]) {
        apply(.show(NavigationSnapshot.Screen(name: screen, parameters: parameters)))
    }

    /// Pops the top screen, if there is one.
    public func dismiss() {
        apply(.dismiss)
    }

    /// Returns to the root of the initial tab.
    public func reset() {
        apply(.reset)
    }

    // MARK: Drafts

    /// Creates a copy whose changes wait for ``commit()``.
    func draft() -> DeepLinkNavigationState {
        let (snapshot, initialTab) = (current, content.withLock { $0.initialTab })
        return DeepLinkNavigationState(
            Content(
                tab: snapshot.tab, screens: snapshot.screens, initialTab: initialTab,
                phase: .draft(of: self, changes: [])))
    }

    /// Applies a draft's changes to its origin as a single change.
    func commit() {
        let (parent, changes): (DeepLinkNavigationState?, [Change]) = content.withLock { content in
            guard case .draft(let parent, let changes) = content.phase else { return (nil, []) }
            content.phase = .committed(to: parent)
            return (parent, changes)
        }
        parent?.apply(changes)
    }

    /// Discards a draft's changes, including later ones.
    func discard() {
        content.withLock { $0.phase = .discarded }
    }

    private func apply(_ change: Change) {
        apply([change])
    }

    private func apply(_ changes: [Change]) {
        let (next, isChanged): (DeepLinkNavigationState?, Bool) = content.withLock { content in
            switch content.phase {
            case .committed(let parent): return (parent, false)
            case .draft(let parent, let earlier): content.phase = .draft(of: parent, changes: earlier + changes)
            case .root, .discarded: break
            }
            let before = content.snapshot
            for change in changes { content.apply(change) }
            guard content.snapshot != before else { return (nil, false) }
            // Under the lock, because two changes must not overtake each other; sending only wakes the listeners.
            broadcast.send(content.snapshot)
            return (nil, true)
        }
        // Outside the lock, so that two locks are never held together and observers may read.
        next?.apply(changes)
        guard isChanged else { return }
        // One mutation for all three properties: each depends on the snapshot, and the new value is already in place
        // for observers.
        registrar.withMutation(of: self, keyPath: \.snapshot) {}
    }
}
