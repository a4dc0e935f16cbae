public import GlassContainer

/// A base class for routables that are classes of the main actor.
///
/// In a module whose default isolation is the main actor, as in a new app of Xcode, each class belongs to the main
/// actor, and its members cannot override those of ``BaseRoutable``. The members here do belong to it:
///
/// ```swift
/// class FlyersRoutable: MainActorRoutable {
///     override var actionRoutes: [String] { ["flyers/:week"] }
///
///     override func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
///         state.show("flyers", parameters: deepLink.parameters.dictionary)
///         return true
///     }
/// }
/// ```
///
/// The id, the patterns and the preconditions are read once, when the routable is registered. A link that is opened on
/// the main actor is handled at once. A link that is opened elsewhere is handled on the main actor later: its result is
/// ``RouteOutcome/running``, and the outcome hook gets the final outcome, as with an ``AsyncRoutable``.
@MainActor
open class MainActorRoutable {
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

    /// The routable in the form that lists of different routables take: ``Route/custom(_:)``, and an array that also
    /// contains routables of other kinds. Has the id, the patterns and the preconditions of this moment.
    public final var routable: any Routable {
        HandlerRoutable(
            id: id,
            configuration: RoutableConfiguration(paths: actionRoutes, waitForPreconditions: requiredPreconditions),
            handler: .mainActor { try self.handleDeepLink($0, state: $1) })
    }

    /// Adds the routable to its container's deep linker. Does nothing if the container has been released. Traps if the
    /// patterns do not fit into the deep linker's table; for a market's deep linker, use ``DeepLinker/add(routables:)``.
    open func registerRoutes() {
        reference?.deepLinker.register(routable)
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

extension DeepLinker {
    /// Adds routables of the main actor. Traps if the patterns do not form a valid table; see
    /// ``register(routables:file:line:)``.
    ///
    /// - Parameters:
    ///   - routables: The routables.
    ///   - file: The file of the call, for the message.
    ///   - line: The line of the call, for the message.
    @MainActor
    @_disfavoredOverload  // an empty list has no type of its own
    public func register(routables: [MainActorRoutable], file: StaticString = #fileID, line: UInt = #line) {
        register(routables: routables.map(\.routable), file: file, line: line)
    }

    /// Adds routables of the main actor.
    ///
    /// - Parameter routables: The routables.
    /// - Throws: ``RouteTableError`` if the patterns do not form a valid table; nothing has changed then.
    @MainActor
    @_disfavoredOverload  // an empty list has no type of its own
    public func add(routables: [MainActorRoutable]) throws(RouteTableError) {
        try add(routables: routables.map(\.routable))
    }
}
