public import GlassContainer

/// What a link to the feature `pharmacy` asks for.
public struct PharmacyParameters: RoutableParameters {
    /// The part of the pharmacy; `nil` shows its start page.
    public let section: String?

    /// Creates parameters.
    ///
    /// - Parameter section: The part of the pharmacy; `nil` shows its start page.
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

/// The feature `pharmacy`: the pharmacy, or a part of it.
public protocol PharmacyRoutable: Routable {
    /// Opens the pharmacy or a part of it.
    ///
    /// - Parameters:
    ///   - parameters: What the link asks for.
    ///   - state: What to change.
    /// - Returns: False to decline the link.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func open(_ parameters: PharmacyParameters, state: DeepLinkNavigationState) throws -> Bool
}

extension PharmacyRoutable {
    /// The id in the catalogue.
    public var id: String { "pharmacy" }

    /// Reads the parameters and opens the feature.
    ///
    /// - Parameters:
    ///   - deepLink: The link.
    ///   - state: What to change.
    /// - Returns: False when the link lacks a parameter, or when `open` declines.
    /// - Throws: What `open` throws.
    public func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        guard let parameters = PharmacyParameters(deepLink) else { return false }
        return try open(parameters, state: state)
    }
}

/// Opens the pharmacy or a part of it.
public final class StandardPharmacyRoutable: PharmacyRoutable, StandardRoutable {
    /// The entry in the catalogue.
    public static let definition = StandardRoutableDefinition(
        StandardPharmacyRoutable.self, id: "pharmacy", tab: "services", screen: "pharmacy",
        paths: ["pharmacy", "pharmacy/:section(refill|transfer|immunizations)"],
        optionalParameters: ["section"],
        summary: "The pharmacy, or a part of it.")

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
    public func open(_ parameters: PharmacyParameters, state: DeepLinkNavigationState) -> Bool {
        show(state, ["section": parameters.section])
        return true
    }
}
