/// The result of opening a link.
public struct DispatchResult: Sendable, Equatable {
    /// The link as it was written.
    public let text: String

    /// The outcome.
    public let outcome: RouteOutcome

    /// The id of the routable that handled the link, that it waits for, or that failed; `nil` if there is none.
    public let routableID: String?

    /// The pattern that matched.
    public let pattern: String?

    /// The path parameters of the match.
    public let parameters: RouteParameters

    /// The link's query items; empty for a refused link.
    public let queryItems: [QueryItem]

    /// The navigation state after the link.
    public let navigation: NavigationSnapshot

    /// A short reason, if the outcome has one; see ``RouteOutcome/reason``.
    package var reason: String? { outcome.reason }

    /// Creates a result.
    ///
    /// - Parameters:
    ///   - text: The link as it was written.
    ///   - outcome: The outcome.
    ///   - link: The link with its match, or `nil` if the gate refused it.
    ///   - navigation: The navigation state after the link.
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
