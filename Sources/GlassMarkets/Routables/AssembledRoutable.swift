import GlassContainer
import GlassDeepLinking

/// A routable of a market: the market's paths and preconditions, and the handler of its links.
final class AssembledRoutable: Routable, AsyncHandling {
    let id: String
    let actionRoutes: [String]
    let requiredPreconditions: PreconditionRequirement
    private let handler: RoutableEntry.Handler

    var waitForPreconditions: Bool { requiredPreconditions.waits }

    /// Creates a routable.
    init(id: String, paths: [String], configuration: RoutableConfiguration, handler: RoutableEntry.Handler) {
        self.id = id
        actionRoutes = (configuration.paths ?? paths) + configuration.customPaths
        requiredPreconditions = configuration.waitForPreconditions
        self.handler = handler
    }

    /// The handler that the router calls instead of ``handleDeepLink(_:state:)``, for an asynchronous routable.
    var asynchronousHandler: AsyncRoutable.Handler? {
        guard case .asynchronous(let handler) = handler else { return nil }
        return handler
    }

    func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        switch handler {
        case .synchronous(let handler): return try handler(deepLink, state)
        case .asynchronous:
            // Only an app's own deep linker calls this: the router uses `asynchronousHandler` instead.
            throw AsynchronousRoutableError(routable: id)
        }
    }
}

/// The error if a deep linker other than `DeepLinkRouter` is given the link of an asynchronous routable.
struct AsynchronousRoutableError: Error, Equatable, CustomStringConvertible {
    let routable: String

    var description: String {
        "the routable \"\(routable)\" is asynchronous, but this deep linker is not; use a DeepLinkRouter"
    }
}
