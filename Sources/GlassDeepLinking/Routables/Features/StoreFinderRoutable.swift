public import GlassContainer

/// What a link to the feature `storeFinder` asks for.
public struct StoreFinderParameters: RoutableParameters {
    /// Where to look; `nil` looks around the device.
    public let postalCode: String?

    /// Creates parameters.
    ///
    /// - Parameter postalCode: Where to look; `nil` looks around the device.
    public init(postalCode: String? = nil) {
        self.postalCode = postalCode
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
        postalCode = link.value("postalCode")
    }
}

/// The feature `storeFinder`: the store finder.
public protocol StoreFinderRoutable: Routable {
    /// Opens the store finder.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: StoreFinderParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension StoreFinderRoutable {
    /// The id in the catalogue.
    public var id: String { "storeFinder" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = StoreFinderParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the store finder.
public final class StandardStoreFinderRoutable: StoreFinderRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardStoreFinderRoutable.self, id: "storeFinder", tab: "shop", screen: "storeFinder",
        paths: ["store-finder", "store-finder/:postalCode"],
        optionalParameters: ["postalCode"],
        summary: "The store finder.")

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
    public func open(_ parameters: StoreFinderParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["postalCode": parameters.postalCode])
        return true
    }
}
