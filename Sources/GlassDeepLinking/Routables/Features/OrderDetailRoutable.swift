public import GlassContainer

/// What a link to the feature `orderDetail` asks for.
public struct OrderDetailParameters: RoutableParameters {
    /// The order's number.
    public let orderID: String

    /// Creates parameters.
    ///
    /// - Parameter orderID: The order's number.
    public init(orderID: String) {
        self.orderID = orderID
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    /// - Returns: `nil` without `orderID`.
    public init?(_ link: DeepLink) {
        guard let orderID = link.value("orderID") else { return nil }
        self.orderID = orderID
    }
}

/// The feature `orderDetail`: one order.
public protocol OrderDetailRoutable: Routable {
    /// Opens one order.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: OrderDetailParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension OrderDetailRoutable {
    /// The id in the catalogue.
    public var id: String { "orderDetail" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = OrderDetailParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens one order.
public final class StandardOrderDetailRoutable: OrderDetailRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardOrderDetailRoutable.self, id: "orderDetail", tab: "account", screen: "orderDetail",
        paths: ["orders/:orderID(slug)"],
        requiredParameters: ["orderID"],
        summary: "One order.")

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
    public func open(_ parameters: OrderDetailParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["orderID": parameters.orderID])
        return true
    }
}
