/// What the router did with a link.
public struct DispatchResult: Sendable, Equatable {
    /// The link as it was written.
    public let text: String

    /// What became of it.
    public let outcome: RouteOutcome

    /// The id of the routable that took it, waits for it or failed; `nil` where none did.
    public let routableID: String?

    /// The pattern that matched.
    public let pattern: String?

    /// The path parameters of the match.
    public let parameters: RouteParameters

    /// The link's query items; empty for a refused link.
    public let queryItems: [QueryItem]

    /// Where the app is after the link.
    public let navigation: NavigationSnapshot

    /// A short reason where the outcome has one; see ``RouteOutcome/reason``.
    package var reason: String? { outcome.reason }

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - text: The link as it was written.
    ///   - outcome: What became of it.
    ///   - link: The link with its match, or `nil` when the gate refused it.
    ///   - navigation: Where the app is after the link.
    public init(text: String, outcome: RouteOutcome, link: DeepLink?, navigation: NavigationSnapshot) {
        self.text = text
        self.outcome = outcome
        routableID = link?.routableID
        pattern = link?.pattern
        parameters = link?.parameters ?? RouteParameters()
        queryItems = link?.queryItems ?? []
        self.navigation = navigation
    }
}
