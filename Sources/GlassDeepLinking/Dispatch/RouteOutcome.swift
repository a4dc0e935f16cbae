/// The reason that a link could not be routed.
public enum UnroutableReason: Sendable, Equatable, CustomStringConvertible {
    /// The market has no such custom scheme.
    case unknownScheme(String)
    /// The host is neither a universal-link host nor an allowed domain.
    case unknownHost(String)
    /// No pattern matches.
    case noRoute
    /// Patterns match, but every routable declined the link.
    case declined
    /// The link waited for its preconditions for too long.
    case expired
    /// Newer links displaced the link from the full waiting queue.
    case displaced
    /// The link was cancelled, or the router was released.
    case cancelled

    /// The stable name, which scripts and logs may rely on.
    public var name: String {
        switch self {
        case .unknownScheme: "unknownScheme"
        case .unknownHost: "unknownHost"
        case .noRoute: "noRoute"
        case .declined: "declined"
        case .expired: "expired"
        case .displaced: "displaced"
        case .cancelled: "cancelled"
        }
    }

    /// The reason in a sentence.
    public var description: String {
        switch self {
        case .unknownScheme(let scheme): "this market has no scheme \"\(scheme)\""
        case .unknownHost(let host): "the host \"\(host)\" is neither a universal link nor an allowed domain"
        case .noRoute: "no route matches the link"
        case .declined: "every routable that matches declined the link"
        case .expired: "the link waited too long for its preconditions"
        case .displaced: "newer links displaced the link from the waiting queue"
        case .cancelled: "the waiting link was cancelled"
        }
    }
}

/// An error that a handler threw.
public struct RouteFailure: Sendable, Equatable, CustomStringConvertible {
    /// The error itself.
    public let error: any Error

    /// The error's description.
    public let description: String

    /// Creates a failure.
    package init(_ error: any Error) {
        self.error = error
        description = String(describing: error)
    }

    /// Whether both errors have the same description; errors cannot be compared in general.
    public static func == (left: RouteFailure, right: RouteFailure) -> Bool {
        left.description == right.description
    }
}

/// The outcome of a link.
public enum RouteOutcome: Sendable, Equatable {
    /// A routable handled the link.
    case routed
    /// The link waits for these preconditions, at least one; another outcome follows.
    case waiting(unmet: [String])
    /// An ``AsyncRoutable`` is handling the link, or it is on its way to a ``MainActorRoutable``; another outcome
    /// follows.
    case running
    /// No route matches the link, but its domain may open outside the app.
    case external
    /// The link cannot be routed.
    case unroutable(UnroutableReason)
    /// The gate refused the link as hostile or malformed.
    case refused(DeepLinkRefusal)
    /// The handler threw an error. The link is not retried.
    case failed(RouteFailure)

    /// The outcome's stable name: `routed`, `waiting`, `running`, `external`, `unroutable`, `refused` or `failed`.
    public var name: String {
        switch self {
        case .routed: "routed"
        case .waiting: "waiting"
        case .running: "running"
        case .external: "external"
        case .unroutable: "unroutable"
        case .refused: "refused"
        case .failed: "failed"
        }
    }

    /// Whether the outcome is final.
    package var isFinal: Bool {
        switch self {
        case .waiting, .running: false
        case .routed, .external, .unroutable, .refused, .failed: true
        }
    }

    /// A short reason: the rule, the unroutable reason's name, the unmet preconditions, or the error's description.
    public var reason: String? {
        switch self {
        case .routed, .running, .external: nil
        case .waiting(let unmet): unmet.joined(separator: ", ")
        case .unroutable(let reason): reason.name
        case .refused(let refusal): refusal.rule.rawValue
        case .failed(let failure): failure.description
        }
    }

    /// A description of the outcome, or `nil` if its name is sufficient.
    package var explanation: String? {
        switch self {
        case .routed: nil
        case .external: "no route matches the link; its domain may open outside the app"
        case .running: "a handler is running; its outcome follows"
        case .waiting(let unmet): "the link waits for \(unmet.joined(separator: ", "))"
        case .unroutable(let reason): reason.description
        case .refused(let refusal): refusal.explanation
        case .failed(let failure): failure.description
        }
    }
}
