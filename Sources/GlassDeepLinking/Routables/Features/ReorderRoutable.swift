public import GlassContainer

/// What a link to the feature `reorder` asks for.
public struct ReorderParameters: RoutableParameters {
    /// The order whose items to buy again; `nil` shows the usual items.
    public let orderID: String?

    /// Creates parameters.
    ///
    /// - Parameter orderID: The order whose items to buy again; `nil` shows the usual items.
    public init(orderID: String? = nil) {
        self.orderID = orderID
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
        orderID = link.value("orderID")
    }
}

/// The feature `reorder`: items to buy again, of all orders or of one.
public protocol ReorderRoutable: Routable {
    /// Opens the items to buy again.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: ReorderParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension ReorderRoutable {
    /// The id in the catalogue.
    public var id: String { "reorder" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = ReorderParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the items to buy again. It adds nothing to the cart by itself.
public final class StandardReorderRoutable: ReorderRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardReorderRoutable.self, id: "reorder", tab: "shop", screen: "reorder",
        paths: ["reorder", "orders/:orderID(slug)/reorder"],
        optionalParameters: ["orderID"],
        summary: "Items to buy again, of all orders or of one.")

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
    public func open(_ parameters: ReorderParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["orderID": parameters.orderID])
        return true
    }
}
