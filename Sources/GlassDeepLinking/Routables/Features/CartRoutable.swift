public import GlassContainer

/// What a link to the feature `cart` asks for.
public struct CartParameters: RoutableParameters {
    /// Creates parameters; the feature takes none.
    public init() {}

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
    }
}

/// The feature `cart`: the shopping cart.
public protocol CartRoutable: Routable {
    /// Opens the shopping cart.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: CartParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension CartRoutable {
    /// The id in the catalogue.
    public var id: String { "cart" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = CartParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the shopping cart.
public final class StandardCartRoutable: CartRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardCartRoutable.self, id: "cart", tab: "cart", screen: "cart",
        paths: ["cart"],
        summary: "The shopping cart.")

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
    public func open(_ parameters: CartParameters, state: DeepLinkNavigationState) -> Bool {
        show(state)
        return true
    }
}
