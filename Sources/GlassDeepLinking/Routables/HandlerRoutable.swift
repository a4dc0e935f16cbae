import GlassContainer

/// The function that handles a routable's links.
package enum RoutableHandler: Sendable {
    case synchronous(@Sendable (DeepLink, DeepLinkNavigationState) throws -> Bool)
    case asynchronous(AsyncRoutable.Handler)
    /// Runs on the main actor: at once for a link that is opened there, and like an asynchronous one otherwise.
    case mainActor(@MainActor @Sendable (DeepLink, DeepLinkNavigationState) throws -> Bool)
}

/// A routable made of its parts, such as one of a market. Its handler may be asynchronous or belong to the main actor.
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
        // Only an app's own deep linker calls this: the router calls the handler itself.
        switch handler {
        case .synchronous(let handler): return try handler(deepLink, state)
        case .asynchronous: throw AsynchronousRoutableError(routable: id)
        case .mainActor(let handler):
            guard MainActor.shared.isCurrent else { throw MainActorRoutableError(routable: id) }
            return try MainActor.assumeIsolated { try handler(deepLink, state) }
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

/// The error if a deep linker other than `DeepLinkRouter` calls a routable of the main actor elsewhere.
struct MainActorRoutableError: Error, Equatable, CustomStringConvertible {
    let routable: String

    var description: String {
        "the routable \"\(routable)\" belongs to the main actor, but this deep linker calls it elsewhere; use a "
            + "DeepLinkRouter, or open the link on the main actor"
    }
}
