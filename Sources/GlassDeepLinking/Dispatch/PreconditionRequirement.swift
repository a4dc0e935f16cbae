/// The preconditions that a link waits for before its routable handles it.
///
/// Written as `true` (all), `false` (none) or a list of names.
public enum PreconditionRequirement: Sendable, Equatable, ExpressibleByBooleanLiteral, ExpressibleByArrayLiteral {
    /// Every precondition that the router knows when the link is opened.
    case all
    /// None: the link is handled immediately.
    case none
    /// The named preconditions. A name that the router does not know is unmet until the app satisfies it.
    case named([String])

    /// Creates a requirement from `true` or `false` in a market file.
    ///
    /// - Parameter waits: Whether to wait for all preconditions.
    public init(_ waits: Bool) {
        self = waits ? .all : .none
    }

    /// Creates `all` from `true` and `none` from `false`.
    ///
    /// - Parameter value: Whether to wait for all preconditions.
    public init(booleanLiteral value: Bool) {
        self.init(value)
    }

    /// Creates a requirement of named preconditions.
    ///
    /// - Parameter elements: The names; an empty list waits for none.
    public init(arrayLiteral elements: String...) {
        self = elements.isEmpty ? .none : .named(elements)
    }

    /// Whether a link may have to wait.
    package var waits: Bool {
        switch self {
        case .all: true
        case .none: false
        case .named(let names): !names.isEmpty
        }
    }
}

/// The preconditions that every market has.
public enum StandardPrecondition: String, Sendable, CaseIterable {
    /// The app has finished starting.
    case appStarted
    /// A user is signed in.
    case signedIn
    /// A store is selected.
    case storeSelected
}
