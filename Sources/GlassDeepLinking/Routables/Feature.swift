/// The description of a feature that links can open.
///
/// ```swift
/// let feature = Feature(
///     id: "flyers", tab: "deals", screen: "flyers", paths: ["flyers/:week(int)"], requires: ["week"],
///     "One week's flyer.")
/// print(feature.missingParameters(in: try RoutePattern("flyers")))  // ["week"]
/// ```
public struct Feature: Sendable, Equatable {
    /// The id that identifies the feature in markets and results.
    public let id: String

    /// The tab of the feature; `nil` leaves the tab unchanged.
    public let tab: String?

    /// The screen of the feature; `nil` for a tab's root.
    public let screen: String?

    /// The default patterns, which a market can replace.
    package let paths: [String]

    /// The required values, without which the feature declines a link: each is a path parameter or a required query
    /// item.
    package let requires: [String]

    /// The optional values.
    package let takes: [String]

    /// A one-line summary.
    package let summary: String

    /// Creates a feature.
    ///
    /// - Parameters:
    ///   - id: The id that identifies the feature in markets and results.
    ///   - tab: The tab of the feature; `nil` leaves the tab unchanged.
    ///   - screen: The screen of the feature; `nil` for a tab's root.
    ///   - paths: The default patterns, which a market can replace.
    ///   - requires: The required values, without which the feature declines a link.
    ///   - takes: The optional values.
    ///   - summary: A one-line summary.
    public init(
        id: String, tab: String? = nil, screen: String? = nil, paths: [String], requires: [String] = [],
        takes: [String] = [], _ summary: String
    ) {
        self.id = id
        self.tab = tab
        self.screen = screen
        self.paths = paths
        self.requires = requires
        self.takes = takes
        self.summary = summary
    }

    /// The required values that a pattern does not provide, so that the feature would decline its links.
    package func missingParameters(in pattern: RoutePattern) -> [String] {
        let names = Set(pattern.parameterNames.dropLast(pattern.isLastOptional ? 1 : 0) + pattern.requiredQuery)
        return requires.filter { !names.contains($0) }
    }
}
