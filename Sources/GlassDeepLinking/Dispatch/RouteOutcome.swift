/// Why no route took a link.
public enum UnroutableReason: Sendable, Equatable, CustomStringConvertible {
    /// The market has no such custom scheme.
    case unknownScheme(String)
    /// The host is neither a universal-link host nor an allowed domain.
    case unknownHost(String)
    /// No pattern matches.
    case noRoute
    /// Patterns match, and every routable declined the link.
    case declined
    /// The link waited for its preconditions for too long.
    case expired
    /// Newer links pushed the link out of the full waiting queue.
    case displaced
    /// The waiting links were cancelled, or the router went away.
    case cancelled

    /// The stable name that scripts and logs may rely on.
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
        case .displaced: "newer links pushed the link out of the waiting queue"
        case .cancelled: "the waiting link was cancelled"
        }
    }
}

/// An error that a handler threw.
public struct RouteFailure: Sendable, Equatable, CustomStringConvertible {
    /// The error itself.
    public let error: any Error

    /// The error's text.
    public let description: String

    /// Creates a failure.
    package init(_ error: any Error) {
        self.error = error
        description = String(describing: error)
    }

    /// Whether both have the same text; errors cannot be compared in general.
    public static func == (left: RouteFailure, right: RouteFailure) -> Bool {
        left.description == right.description
    }
}

/// What became of a link.
public enum RouteOutcome: Sendable, Equatable {
    /// A routable handled the link.
    case routed
    /// The link waits until these preconditions hold, at least one; another outcome follows.
    case waiting(unmet: [String])
    /// An ``AsyncRoutable`` is at work on the link; another outcome follows.
    case running
    /// No route takes the link, and its domain may open outside the app.
    case external
    /// No route takes the link.
    case unroutable(UnroutableReason)
    /// The gate refused the link as hostile or malformed.
    case refused(DeepLinkRefusal)
    /// The handler threw. The link is not tried again.
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

    /// Whether no other outcome follows.
    package var isFinal: Bool {
        switch self {
        case .waiting, .running: false
        case .routed, .external, .unroutable, .refused, .failed: true
        }
    }

    /// A short reason: the rule, the unroutable reason's name, the unmet preconditions, or the error's text.
    public var reason: String? {
        switch self {
        case .routed, .running, .external: nil
        case .waiting(let unmet): unmet.joined(separator: ", ")
        case .unroutable(let reason): reason.name
        case .refused(let refusal): refusal.rule.rawValue
        case .failed(let failure): failure.description
        }
    }

    /// The outcome in a sentence, or `nil` where its name says it all.
    package var explanation: String? {
        switch self {
        case .routed: nil
        case .external: "no route takes the link; its domain may open outside the app"
        case .running: "a handler is at work on the link; its outcome follows"
        case .waiting(let unmet): "the link waits for \(unmet.joined(separator: ", "))"
        case .unroutable(let reason): reason.description
        case .refused(let refusal): refusal.explanation
        case .failed(let failure): failure.description
        }
    }
}
