public import GlassContainer

/// What a link to the feature `search` asks for.
public struct SearchParameters: RoutableParameters {
    /// What to search for; `nil` opens an empty search.
    public let q: String?

    /// Creates parameters.
    ///
    /// - Parameter q: What to search for; `nil` opens an empty search.
    public init(q: String? = nil) {
        self.q = q
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
        q = link.value("q")
    }
}

/// The feature `search`: the search, with or without a text.
public protocol SearchRoutable: Routable {
    /// Opens the search.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: SearchParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension SearchRoutable {
    /// The id in the catalogue.
    public var id: String { "search" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = SearchParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the search.
public final class StandardSearchRoutable: SearchRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardSearchRoutable.self, id: "search", tab: "shop", screen: "search",
        paths: ["search", "search?q"],
        optionalParameters: ["q"],
        summary: "The search, with or without a text.")

    /// What the routable was created with.
    public let setup: RoutableSetup

    /// Creates the routable.
    ///
    /// - Parameters:
    ///   - container: The container with the services that the feature uses; it is held weakly.
    ///   - configuration: How the market changes it.
    public init(container: Container, configuration: Configuration) {
        setup = RoutableSetup(container: container, configuration: configuration)
    }

    /// Shows the feature.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: True.
    public func open(_ parameters: SearchParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["q": parameters.q])
        return true
    }
}
