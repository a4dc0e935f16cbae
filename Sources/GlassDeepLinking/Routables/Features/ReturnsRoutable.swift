public import GlassContainer

/// What a link to the feature `returns` asks for.
public struct ReturnsParameters: RoutableParameters {
    /// The order to return items of; `nil` shows the start page.
    public let orderID: String?

    /// Creates parameters.
    ///
    /// - Parameter orderID: The order to return items of; `nil` shows the start page.
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

/// The feature `returns`: returns, of all orders or of one.
public protocol ReturnsRoutable: Routable {
    /// Opens the returns.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: ReturnsParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension ReturnsRoutable {
    /// The id in the catalogue.
    public var id: String { "returns" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = ReturnsParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the returns. It starts none by itself.
public final class StandardReturnsRoutable: ReturnsRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardReturnsRoutable.self, id: "returns", tab: "account", screen: "returns",
        paths: ["returns", "returns/:orderID(slug)"],
        optionalParameters: ["orderID"],
        summary: "Returns, of all orders or of one.")

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
    public func open(_ parameters: ReturnsParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["orderID": parameters.orderID])
        return true
    }
}
