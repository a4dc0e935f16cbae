/// What is known about a feature that links can open, before any link comes.
///
/// ```swift
/// let feature = Feature(
///     id: "flyers", tab: "deals", screen: "flyers", paths: ["flyers/:week(int)"], requires: ["week"],
///     "One week's flyer.")
/// print(feature.missingParameters(in: try RoutePattern("flyers")))  // ["week"]
/// ```
public struct Feature: Sendable, Equatable {
    /// The id under which a market and a result know the feature.
    public let id: String

    /// The tab that the feature lives in; `nil` leaves the tab as it is.
    public let tab: String?

    /// The screen that it shows; `nil` for a tab's root.
    public let screen: String?

    /// The patterns that it answers to unless a market replaces them.
    package let paths: [String]

    /// The values without which it declines a link: each a path parameter or a required query item.
    package let requires: [String]

    /// The values that it uses where a link has them.
    package let takes: [String]

    /// What a link to it opens, in one line.
    package let summary: String

    /// Describes a feature.
    ///
    /// - Parameters:
    ///   - id: The id under which a market and a result know the feature.
    ///   - tab: The tab that the feature lives in; `nil` leaves the tab as it is.
    ///   - screen: The screen that it shows; `nil` for a tab's root.
    ///   - paths: The patterns that it answers to unless a market replaces them.
    ///   - requires: The values without which it declines a link.
    ///   - takes: The values that it uses where a link has them.
    ///   - summary: What a link to it opens, in one line.
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

    /// The required values that a pattern does not provide: links to it would be declined.
    package func missingParameters(in pattern: RoutePattern) -> [String] {
        let names = Set(pattern.parameterNames.dropLast(pattern.isLastOptional ? 1 : 0) + pattern.requiredQuery)
        return requires.filter { !names.contains($0) }
    }
}
