public import GlassContainer

/// What a link to the feature `registry` asks for.
public struct RegistryParameters: RoutableParameters {
    /// The gift registry; `nil` shows the start page.
    public let registryID: String?

    /// Creates parameters.
    ///
    /// - Parameter registryID: The gift registry; `nil` shows the start page.
    public init(registryID: String? = nil) {
        self.registryID = registryID
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
        registryID = link.value("registryID")
    }
}

/// The feature `registry`: gift registries, or one of them.
public protocol RegistryRoutable: Routable {
    /// Opens the gift registries or one of them.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: RegistryParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension RegistryRoutable {
    /// The id in the catalogue.
    public var id: String { "registry" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = RegistryParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the gift registries or one of them.
public final class StandardRegistryRoutable: RegistryRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardRegistryRoutable.self, id: "registry", tab: "account", screen: "registry",
        paths: ["registry", "registry/:registryID(alnum)"],
        optionalParameters: ["registryID"],
        summary: "Gift registries, or one of them.")

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
    public func open(_ parameters: RegistryParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["registryID": parameters.registryID])
        return true
    }
}
