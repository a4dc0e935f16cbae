/// A feature that a link can open.
///
/// In a module whose default isolation is the main actor, write `nonisolated struct FlyersRoutable: Routable`: links
/// are opened on any thread. A class that needs the main actor inherits from ``MainActorRoutable``.
///
/// ```swift
/// struct FlyersRoutable: Routable {
///     let actionRoutes = ["flyers/:week"]
///
///     func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
///         state.show("flyers", parameters: deepLink.parameters.dictionary)
///         return true
///     }
/// }
/// ```
public protocol Routable: Sendable {
    /// The name that identifies the routable in markets and results; by default the type's name.
    var id: String { get }

    /// The route patterns of the routable.
    var actionRoutes: [String] { get }

    /// Whether its links wait for preconditions; true by default.
    var waitForPreconditions: Bool { get }

    /// The preconditions that its links wait for; by default all or none, depending on ``waitForPreconditions``.
    var requiredPreconditions: PreconditionRequirement { get }

    /// Registers the routable's routes itself, if it has a deep linker.
    ///
    /// Not needed for registering a routable with a router, which reads ``actionRoutes``. Does nothing by default. Traps
    /// if the patterns, which are constants, do not fit into the deep linker's table.
    func registerRoutes()

    /// Handles a link.
    ///
    /// - Parameters:
    ///   - deepLink: The link with the parameters of the matched pattern.
    ///   - state: The navigation state to change. Changes become visible when the function returns true.
    /// - Returns: False to decline the link; the next candidate is then tried.
    /// - Throws: Any error; the link's outcome is then `failed`, and it is not retried.
    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool
}

extension Routable {
    /// The type's name.
    public var id: String { String(describing: type(of: self)) }

    /// True.
    public var waitForPreconditions: Bool { true }

    /// All preconditions or none, depending on ``waitForPreconditions``.
    public var requiredPreconditions: PreconditionRequirement { PreconditionRequirement(waitForPreconditions) }

    /// Does nothing.
    public func registerRoutes() {}
}
