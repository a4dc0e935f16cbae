public import GlassContainer

/// What a link to the feature `item` asks for.
public struct ItemParameters: RoutableParameters {
    /// The item's number.
    public let itemID: Int64

    /// The item's name as the link has it; for display only.
    public let slug: String?

    /// Creates parameters.
    ///
    /// - Parameters:
    ///   - itemID: The item's number.
    ///   - slug: The item's name as the link has it; for display only.
    public init(itemID: Int64, slug: String? = nil) {
        self.itemID = itemID
        self.slug = slug
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    /// - Returns: `nil` without `itemID`.
    public init?(_ link: DeepLink) {
        guard let itemID = link.integer("itemID") else { return nil }
        self.itemID = itemID
        slug = link.value("slug")
    }
}

/// The feature `item`: one item, by its number.
public protocol ItemRoutable: Routable {
    /// Opens one item's page.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: ItemParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension ItemRoutable {
    /// The id in the catalogue.
    public var id: String { "item" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = ItemParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens one item's page.
public final class StandardItemRoutable: ItemRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardItemRoutable.self, id: "item", tab: "shop", screen: "item",
        paths: ["ip/:itemID(int)", "ip/:slug/:itemID(int)"],
        requiredParameters: ["itemID"],
        optionalParameters: ["slug"],
        summary: "One item, by its number.")

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
    public func open(_ parameters: ItemParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["itemID": String(parameters.itemID), "slug": parameters.slug])
        return true
    }
}
