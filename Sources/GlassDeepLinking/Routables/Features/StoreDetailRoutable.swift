public import GlassContainer

/// What a link to the feature `storeDetail` asks for.
public struct StoreDetailParameters: RoutableParameters {
    /// The store's number.
    public let storeID: Int64

    /// Creates parameters.
    ///
    /// - Parameter storeID: The store's number.
    public init(storeID: Int64) {
        self.storeID = storeID
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    /// - Returns: `nil` without `storeID`.
    public init?(_ link: DeepLink) {
        guard let storeID = link.integer("storeID") else { return nil }
        self.storeID = storeID
    }
}

/// The feature `storeDetail`: one store.
public protocol StoreDetailRoutable: Routable {
    /// Opens one store.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: StoreDetailParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension StoreDetailRoutable {
    /// The id in the catalogue.
    public var id: String { "storeDetail" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = StoreDetailParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens one store.
public final class StandardStoreDetailRoutable: StoreDetailRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardStoreDetailRoutable.self, id: "storeDetail", tab: "shop", screen: "storeDetail",
        paths: ["store/:storeID(int)"],
        requiredParameters: ["storeID"],
        summary: "One store.")

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
    public func open(_ parameters: StoreDetailParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["storeID": String(parameters.storeID)])
        return true
    }
}
