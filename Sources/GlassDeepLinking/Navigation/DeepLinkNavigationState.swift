import GlassBase
public import Observation

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
///
/// A view that reads ``snapshot``, ``tab`` or ``screens`` is drawn again when it changes, and ``changes()`` is the same for
/// whoever iterates. `path` of a `NavigationStack` is ``screens``, which can be set, as it is when the user goes back.
public final class DeepLinkNavigationState: Sendable, Observable {
    /// The most screens the stack keeps; further ones push out the lowest, so that no number of links grows it.
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
                // The same link opened twice does not stack the same screen twice.
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
    /// - Parameter tab: The tab that is selected at first and after ``reset()``.
    public convenience init(tab: String = "home") {
        self.init(Content(tab: tab, screens: [], initialTab: tab, phase: .root))
    }

    private init(_ content: sending Content) {
        self.content = Lock(content)
    }

    /// The tab and the screens at this moment.
    public var snapshot: NavigationSnapshot {
        registrar.access(self, keyPath: \.snapshot)
        return current
    }

    /// The selected tab. Setting another one shows its root; setting the same changes nothing, as a tab bar does that is
    /// told what it says.
    public var tab: String {
        get { snapshot.tab }
        set { if newValue != current.tab { select(tab: newValue) } }
    }

    /// The screens from the bottom to the top: the `path` of a `NavigationStack`. If a stack of more than
    /// 64 screens is set, the lowest are dropped.
    public var screens: [NavigationSnapshot.Screen] {
        get { snapshot.screens }
        set { apply(.replace(newValue)) }
    }

    /// The tab and the screens now, and then after each change. What a link does is one change.
    ///
    /// - Returns: A stream of the caller's own, which ends with this object. A listener that does not keep up loses the
    ///   oldest changes, never the last.
    public func changes() -> AsyncStream<NavigationSnapshot> {
        if let parent { return parent.changes() }
        return content.withLock { broadcast.values(startingWith: $0.snapshot, limit: 16) }
    }

    /// The tab and the screens, without a word to observers: what the router reports does not depend on who looks.
    var current: NavigationSnapshot {
        switch content.withLock({ $0.phase }) {
        case .committed(let parent): parent.current
        case .root, .draft, .discarded: content.withLock { $0.snapshot }
        }
    }

    /// The state that a committed draft passes everything on to.
    private var parent: DeepLinkNavigationState? {
        if case .committed(let parent) = content.withLock({ $0.phase }) { parent } else { nil }
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
        let snapshot = current
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
        let (next, isChanged): (DeepLinkNavigationState?, Bool) = content.withLock { content in
            switch content.phase {
            case .committed(let parent): return (parent, false)
            case .draft(let parent, let earlier): content.phase = .draft(of: parent, changes: earlier + changes)
            case .root, .discarded: break
            }
            let before = content.snapshot
            for change in changes { content.apply(change) }
            guard content.snapshot != before else { return (nil, false) }
            // Under the lock, because two changes must not overtake each other; it only wakes the listeners.
            broadcast.send(content.snapshot)
            return (nil, true)
        }
        // Outside the lock, so that no two locks are ever held together, and observers may read.
        next?.apply(changes)
        guard isChanged else { return }
        // One mutation for all three: each is what changed, and the value that observers read is there already.
        registrar.withMutation(of: self, keyPath: \.snapshot) {}
    }
}
