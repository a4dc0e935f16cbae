public import GlassContainer

/// A base class for routables that are classes.
///
/// ```swift
/// class FlyersRoutable: BaseRoutable, @unchecked Sendable {
///     override var actionRoutes: [String] { ["flyers/:week"] }
///
///     override func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
///         state.show("flyers", parameters: deepLink.parameters.dictionary)
///         return true
///     }
/// }
/// ```
///
/// A new routable is shorter as a structure that conforms to ``Routable``.
open class BaseRoutable: Routable, @unchecked Sendable {
    // Unchecked, because the compiler cannot check what a subclass adds; each subclass restates the conformance. The
    // one property here is a constant weak reference, which any thread may read.

    /// The container that the routable was created with, or nil after it has been released. The container holds the
    /// routable by way of its deep linker, so the routable doesn't hold the container.
    public final weak let container: Container?

    /// Creates the routable, and registers nothing: a subclass can still change its routes in its own initializer.
    ///
    /// - Parameter container: The container with the services that the routable uses.
    public required init(container: Container) {
        self.container = container
    }

    /// The class's name.
    open var id: String { String(describing: type(of: self)) }

    /// No patterns.
    open var actionRoutes: [String] { [] }

    /// True.
    open var waitForPreconditions: Bool { true }

    /// All preconditions or none, depending on ``waitForPreconditions``.
    open var requiredPreconditions: PreconditionRequirement { PreconditionRequirement(waitForPreconditions) }

    /// Adds the routable to its container's deep linker. Does nothing if the container has been released.
    ///
    /// - Throws: ``RouteTableError`` if the patterns do not fit into the deep linker's table.
    open func registerRoutes() throws {
        try container?.deepLinker.register(routables: [self])
    }

    /// Declines the link.
    ///
    /// - Parameters:
    ///   - deepLink: The link with the parameters of the matched pattern.
    ///   - state: The navigation state to change.
    /// - Returns: False.
    /// - Throws: Nothing; an override may throw any error.
    open func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool { false }
}
