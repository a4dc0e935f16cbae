/// What a router calls on its way. All are called without a lock held, on the thread that opens or drains.
struct DeepLinkHooks {
    var preExecution: (@Sendable (DeepLink) -> Void)?
    var successRoute: (@Sendable (DeepLink) -> Void)?
    var externalURL: (@Sendable (DeepLink) -> Void)?
    var unableToRoute: (@Sendable (DeepLink, UnroutableReason) -> Void)?
    var preconditionLoadingStateUI: (@Sendable (Bool) -> Void)?
    var outcome: (@Sendable (DispatchResult) -> Void)?
    var tracking: (@Sendable (String, [QueryItem]) -> Void)?
}
