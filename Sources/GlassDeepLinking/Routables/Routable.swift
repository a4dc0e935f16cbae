/// A feature that a link can open.
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
    /// The name under which a market and a result know the routable; by default the type's name.
    var id: String { get }

    /// The patterns that the routable answers to.
    var actionRoutes: [String] { get }

    /// Whether its links wait for preconditions; true by default.
    var waitForPreconditions: Bool { get }

    /// Which preconditions they wait for; by default all or none, as ``waitForPreconditions`` says.
    var requiredPreconditions: PreconditionRequirement { get }

    /// Registers the routable's routes by itself, where it knows a deep linker.
    ///
    /// Registering a routable with a router does not need this: the router reads ``actionRoutes``. By default it does
    /// nothing.
    ///
    /// - Throws: ``RouteTableError`` when the patterns do not fit into the deep linker's table.
    func registerRoutes() throws

    /// Handles a link.
    ///
    /// - Parameters:
    ///   - deepLink: The link with the parameters of the pattern that matched.
    ///   - state: What to change. Changes become visible when the function returns true.
    /// - Returns: False to decline the link; then the next candidate is asked.
    /// - Throws: Any error; the link's outcome is then `failed`, and it is not tried again.
    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool
}

extension Routable {
    /// The type's name.
    public var id: String { String(describing: type(of: self)) }

    /// True.
    public var waitForPreconditions: Bool { true }

    /// All preconditions or none, as ``waitForPreconditions`` says.
    public var requiredPreconditions: PreconditionRequirement { PreconditionRequirement(waitForPreconditions) }

    /// Does nothing.
    public func registerRoutes() throws {}
}
