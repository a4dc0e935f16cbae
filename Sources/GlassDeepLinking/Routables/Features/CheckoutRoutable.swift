public import GlassContainer

/// What a link to the feature `checkout` asks for.
public struct CheckoutParameters: RoutableParameters {
    /// Creates parameters; the feature takes none.
    public init() {}

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
    }
}

/// The feature `checkout`: the checkout of the cart.
public protocol CheckoutRoutable: Routable {
    /// Opens the checkout of the cart.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: CheckoutParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension CheckoutRoutable {
    /// The id in the catalogue.
    public var id: String { "checkout" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = CheckoutParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the checkout of the cart. It shows a page and never places an order: a link carries no proof of its sender.
public final class StandardCheckoutRoutable: CheckoutRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardCheckoutRoutable.self, id: "checkout", tab: "cart", screen: "checkout",
        paths: ["checkout"],
        summary: "The checkout of the cart.")

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
    public func open(_ parameters: CheckoutParameters, state: DeepLinkNavigationState) -> Bool {
        show(state)
        return true
    }
}
