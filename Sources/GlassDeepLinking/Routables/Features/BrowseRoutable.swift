public import GlassContainer

/// What a link to the feature `browse` asks for.
public struct BrowseParameters: RoutableParameters {
    /// The path of the category, such as `food/fruit`.
    public let category: String?

    /// The category's number.
    public let categoryID: Int64?

    /// Creates parameters.
    ///
    /// - Parameters:
    ///   - category: The path of the category, such as `food/fruit`.
    ///   - categoryID: The category's number.
    public init(category: String? = nil, categoryID: Int64? = nil) {
        self.category = category
        self.categoryID = categoryID
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
        category = link.value("category")
        categoryID = link.integer("categoryID")
    }
}

/// The feature `browse`: the departments, or one category.
public protocol BrowseRoutable: Routable {
    /// Opens the departments or one category.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: BrowseParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension BrowseRoutable {
    /// The id in the catalogue.
    public var id: String { "browse" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = BrowseParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the departments or one category.
public final class StandardBrowseRoutable: BrowseRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardBrowseRoutable.self, id: "browse", tab: "shop", screen: "browse",
        paths: ["browse", "browse/*category", "cp/:name(slug)/:categoryID(int)"],
        optionalParameters: ["category", "categoryID"],
        summary: "The departments, or one category.")

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
    public func open(_ parameters: BrowseParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["category": parameters.category, "categoryID": parameters.categoryID.map { String($0) }])
        return true
    }
}
