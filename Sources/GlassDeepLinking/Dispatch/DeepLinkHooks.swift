/// What a deep linker calls on its way.
///
/// All are called without a lock held, on the thread that opens a link or runs those that waited.
///
/// ```swift
/// var hooks = DeepLinkHooks()
/// hooks.externalURL = { link in print("leaves the app: \(link)") }
/// hooks.outcome = { result in print(result.outcome.name) }
/// router.hooks = hooks
/// ```
///
/// Each is also a property of the ``DeepLinker``, such as ``DeepLinker/outcomeHandler``.
public struct DeepLinkHooks: Sendable {
    /// Called with a link before the first routable is asked.
    public var preExecution: (@Sendable (DeepLink) -> Void)?

    /// Called with a link that a routable has handled.
    public var successRoute: (@Sendable (DeepLink) -> Void)?

    /// Called with a link of an allowed domain that no route takes: open it outside the app.
    public var externalURL: (@Sendable (DeepLink) -> Void)?

    /// Called with a link that no route takes, and why. A refused link is no link; ``outcome`` hears of it.
    public var unableToRoute: (@Sendable (DeepLink, UnroutableReason) -> Void)?

    /// Called with true when links start to wait and with false when none waits any more.
    public var preconditionLoadingStateUI: (@Sendable (Bool) -> Void)?

    /// Called once with the final result of each link, also of those that waited.
    public var outcome: (@Sendable (DispatchResult) -> Void)?

    /// Called with an event's name and a routed link's items; see ``DeepLinkConfiguration/TrackedQueryParameter``.
    public var tracking: (@Sendable (String, [QueryItem]) -> Void)?

    /// Creates hooks that do nothing.
    public init() {}
}
