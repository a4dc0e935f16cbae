public import GlassContainer

/// What a link to the feature `help` asks for.
public struct HelpParameters: RoutableParameters {
    /// The path of the topic; `nil` shows the start page.
    public let topic: String?

    /// Creates parameters.
    ///
    /// - Parameter topic: The path of the topic; `nil` shows the start page.
    public init(topic: String? = nil) {
        self.topic = topic
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
        topic = link.value("topic")
    }
}

/// The feature `help`: help, or one topic.
public protocol HelpRoutable: Routable {
    /// Opens the help or one topic.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: HelpParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension HelpRoutable {
    /// The id in the catalogue.
    public var id: String { "help" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = HelpParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the help or one topic.
public final class StandardHelpRoutable: HelpRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardHelpRoutable.self, id: "help", tab: "account", screen: "help",
        paths: ["help", "help/*topic"],
        optionalParameters: ["topic"],
        summary: "Help, or one topic.")

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
    public func open(_ parameters: HelpParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["topic": parameters.topic])
        return true
    }
}
