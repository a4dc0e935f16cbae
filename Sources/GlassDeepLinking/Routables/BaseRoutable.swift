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
/// In a module whose default isolation is the main actor, as in a new app of Xcode, inherit from ``MainActorRoutable``,
/// or write `nonisolated class FlyersRoutable: BaseRoutable, @unchecked Sendable`. A new routable is shorter as a
/// structure that conforms to ``Routable``.
open class BaseRoutable: Routable, @unchecked Sendable {
    // Unchecked, because the compiler cannot check what a subclass adds; each subclass restates the conformance. The
    // one property here is a constant weak reference, which any thread may read.

    /// Weak, because the container holds the routable by way of its deep linker.
    private final weak let reference: Container?

    /// The container that the routable was created with.
    ///
    /// The routable doesn't hold it, because the container holds the routable by way of its deep linker. Traps if the
    /// container has been released.
    public final var container: Container {
        guard let reference else { fatalError(releasedContainer(of: id)) }
        return reference
    }

    /// Creates the routable, and registers nothing: a subclass can still change its routes in its own initializer.
    ///
    /// - Parameter container: The container with the services that the routable uses.
    public required init(container: Container) {
        reference = container
    }

    /// The class's name.
    open var id: String { String(describing: type(of: self)) }

    /// No patterns.
    open var actionRoutes: [String] { [] }

    /// True.
    open var waitForPreconditions: Bool { true }

    /// All preconditions or none, depending on ``waitForPreconditions``.
    open var requiredPreconditions: PreconditionRequirement { PreconditionRequirement(waitForPreconditions) }

    /// Adds the routable to its container's deep linker. Does nothing if the container has been released. Traps if the
    /// patterns do not fit into the deep linker's table; for a market's deep linker, use ``DeepLinker/add(routables:)``.
    open func registerRoutes() {
        reference?.deepLinker.register(self)
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

/// The sentence for a routable that reads its container too late.
func releasedContainer(of id: String) -> String {
    "the routable \"\(id)\" reads its container after the container was released; a routable doesn't hold its container, "
        + "so keep the container as long as its links are opened"
}
