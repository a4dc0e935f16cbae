/// The function that handles a routable's links.
package enum RoutableHandler: Sendable {
    case synchronous(@Sendable (DeepLink, DeepLinkNavigationState) throws -> Bool)
    case asynchronous(AsyncRoutable.Handler)
}

/// A routable made of its parts, such as one of a market. Its handler may be asynchronous.
package final class HandlerRoutable: Routable {
    package let id: String
    package let actionRoutes: [String]
    package let requiredPreconditions: PreconditionRequirement
    package let handler: RoutableHandler

    package var waitForPreconditions: Bool { requiredPreconditions.waits }

    /// Creates a routable with the patterns and the preconditions of a configuration.
    package init(id: String, configuration: RoutableConfiguration, handler: RoutableHandler) {
        self.id = id
        actionRoutes = configuration.routes(standard: [])
        requiredPreconditions = configuration.waitForPreconditions
        self.handler = handler
    }

    package func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard case .synchronous(let handler) = handler else {
            // Only an app's own deep linker calls this: the router calls the handler itself.
            throw AsynchronousRoutableError(routable: id)
        }
        return try handler(deepLink, state)
    }
}

/// The error if a deep linker other than `DeepLinkRouter` is given the link of an asynchronous routable.
struct AsynchronousRoutableError: Error, Equatable, CustomStringConvertible {
    let routable: String

    var description: String {
        "the routable \"\(routable)\" is asynchronous, but this deep linker is not; use a DeepLinkRouter"
    }
}
