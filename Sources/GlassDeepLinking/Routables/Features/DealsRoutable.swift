public import GlassContainer

/// What a link to the feature `deals` asks for.
public struct DealsParameters: RoutableParameters {
    /// The category of the deals; `nil` shows all.
    public let category: String?

    /// Creates parameters.
    ///
    /// - Parameter category: The category of the deals; `nil` shows all.
    public init(category: String? = nil) {
        self.category = category
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
        category = link.value("category")
    }
}

/// The feature `deals`: deals, of all categories or of one.
public protocol DealsRoutable: Routable {
    /// Opens the deals.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: DealsParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension DealsRoutable {
    /// The id in the catalogue.
    public var id: String { "deals" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = DealsParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the deals.
public final class StandardDealsRoutable: DealsRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardDealsRoutable.self, id: "deals", tab: "shop", screen: "deals",
        paths: ["deals", "deals/:category(slug)"],
        optionalParameters: ["category"],
        summary: "Deals, of all categories or of one.")

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
    public func open(_ parameters: DealsParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["category": parameters.category])
        return true
    }
}
