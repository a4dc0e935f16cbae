public import GlassContainer

/// What a link to the feature `account` asks for.
public struct AccountParameters: RoutableParameters {
    /// Creates parameters; the feature takes none.
    public init() {}

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
    }
}

/// The feature `account`: the account page.
public protocol AccountRoutable: Routable {
    /// Opens the account page.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: AccountParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension AccountRoutable {
    /// The id in the catalogue.
    public var id: String { "account" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = AccountParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the account page.
public final class StandardAccountRoutable: AccountRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardAccountRoutable.self, id: "account", tab: "account", screen: "account",
        paths: ["account"],
        summary: "The account page.")

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
    public func open(_ parameters: AccountParameters, state: DeepLinkNavigationState) -> Bool {
        show(state)
        return true
    }
}
