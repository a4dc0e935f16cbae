public import GlassContainer

/// What a link to the feature `membership` asks for.
public struct MembershipParameters: RoutableParameters {
    /// The part of the membership; `nil` shows its start page.
    public let section: String?

    /// Creates parameters.
    ///
    /// - Parameter section: The part of the membership; `nil` shows its start page.
    public init(section: String? = nil) {
        self.section = section
    }

    /// Reads the parameters.
    ///
    /// - Parameter link: A matched link.
    public init?(_ link: DeepLink) {
        section = link.value("section")
    }
}

/// The feature `membership`: the membership, or a part of it.
public protocol MembershipRoutable: Routable {
    /// Opens the membership or a part of it.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: MembershipParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension MembershipRoutable {
    /// The id in the catalogue.
    public var id: String { "membership" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = MembershipParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the membership or a part of it.
public final class StandardMembershipRoutable: MembershipRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardMembershipRoutable.self, id: "membership", tab: "account", screen: "membership",
        paths: ["plus", "plus/:section(benefits|join|manage)"],
        optionalParameters: ["section"],
        summary: "The membership, or a part of it.")

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
    public func open(_ parameters: MembershipParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["section": parameters.section])
        return true
    }
}
