/// The hooks that a deep linker calls while it handles links.
///
/// All of them are called without a lock held, on the thread that opens a link or runs waiting links.
///
/// ```swift
/// var hooks = DeepLinkHooks()
/// hooks.externalURLHandler = { link in print("leaves the app: \(link)") }
/// hooks.outcomeHandler = { result in print(result.outcome.name) }
/// router.hooks = hooks
/// ```
///
/// Each is also a property of a ``DeepLinker``: `router.outcomeHandler = …` changes one and leaves the others
/// unchanged.
public struct DeepLinkHooks: Sendable {
    /// Called with a link before the first routable is tried.
    public var preExecutionHandler: (@Sendable (DeepLink) -> Void)?

    /// Called with a link that a routable has handled.
    public var successRouteHandler: (@Sendable (DeepLink) -> Void)?

    /// Called with a link of an allowed domain that no route matches: open it outside the app.
    public var externalURLHandler: (@Sendable (DeepLink) -> Void)?

    /// Called with a link that cannot be routed, and the reason. Not called for a refused link, which only
    /// ``outcomeHandler`` receives.
    public var unableToRouteHandler: (@Sendable (DeepLink, UnroutableReason) -> Void)?

    /// Called with true when links start to wait, and with false when no link waits any longer.
    public var preconditionLoadingStateUIHandler: (@Sendable (Bool) -> Void)?

    /// Called once with the final result of each link, including links that waited.
    public var outcomeHandler: (@Sendable (DispatchResult) -> Void)?

    /// Called with an event's name and a routed link's items; see ``DeepLinkConfiguration/TrackedQueryParameter``.
    public var trackingHandler: (@Sendable (String, [QueryItem]) -> Void)?

    /// Creates hooks that do nothing.
    public init() {}
}
