public import GlassContainer

/// What a link to the feature `lists` asks for.
public struct ListsParameters: RoutableParameters {
    /// The list; `nil` shows all lists.
    public let listID: String?

    /// Creates parameters.
    ///
    /// - Parameter listID: The list; `nil` shows all lists.
    public init(listID: String? = nil) {
        self.listID = listID
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
        listID = link.value("listID")
    }
}

/// The feature `lists`: the shopper's lists, or one of them.
public protocol ListsRoutable: Routable {
    /// Opens the shopper's lists or one of them.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: ListsParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension ListsRoutable {
    /// The id in the catalogue.
    public var id: String { "lists" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = ListsParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the shopper's lists or one of them.
public final class StandardListsRoutable: ListsRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardListsRoutable.self, id: "lists", tab: "account", screen: "lists",
        paths: ["lists", "lists/:listID"],
        optionalParameters: ["listID"],
        summary: "The shopper's lists, or one of them.")

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
    public func open(_ parameters: ListsParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["listID": parameters.listID])
        return true
    }
}
