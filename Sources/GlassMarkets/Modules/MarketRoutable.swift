public import GlassContainer
public import GlassDeepLinking
public import GlassSchema

/// A feature that links open and markets configure.
///
/// ```swift
/// struct FlyersRoutable: MarketRoutable {
///     struct Configuration: ConfigurationSection {
///         var weeksBack = 4
///         static let keys: [ConfigurationKey<Self>] = [
///             .init("weeksBack", \.weeksBack, .integer(0...52), "How many past weeks may be opened.")
///         ]
///     }
///
///     static let feature = Feature(
///         id: "flyers", paths: ["flyers/:week(int)"], requires: ["week"], "One week's flyer.")
///     let configuration: Configuration
///
///     init(container: Container, configuration: Configuration) { self.configuration = configuration }
///
///     func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) -> Bool {
///         state.show("flyers", parameters: link.parameters.dictionary)
///         return true
///     }
/// }
/// ```
///
/// The routable does not register any paths. The paths of the feature, or those that replace them in the market, are
/// registered when the market is loaded. In a market file, the routable's own keys are next to `paths` and the other
/// keys of every routable.
public protocol MarketRoutable: Sendable, SendableMetatype {
    /// Its own keys; none by default.
    associatedtype Configuration: ConfigurationSection = NoConfiguration

    /// The feature that it opens.
    static var feature: Feature { get }

    /// The services and sections that it takes from the container, as with a ``Service``; none by default.
    static var requires: [Any.Type] { get }

    /// Creates the routable of a market.
    ///
    /// - Parameters:
    ///   - container: The market's container. Take from it what the routable needs, but do not keep the container: its
    ///     deep linker keeps the routable, so they would form a reference cycle.
    ///   - configuration: The market's values for the routable's own keys.
    init(container: Container, configuration: Configuration)

    /// Opens a link.
    ///
    /// - Parameters:
    ///   - link: The link with the parameters of the pattern that matched.
    ///   - state: The state to change. Changes become visible when the function returns true.
    /// - Returns: False to decline the link; then the next candidate is tried.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) throws -> Bool
}

/// A feature that links open asynchronously and markets configure; otherwise like a ``MarketRoutable``.
///
/// Opening its link has the outcome `running`. The final outcome is reported by the deep linker's outcome hook.
public protocol AsyncMarketRoutable: Sendable, SendableMetatype {
    /// Its own keys; none by default.
    associatedtype Configuration: ConfigurationSection = NoConfiguration

    /// The feature that it opens.
    static var feature: Feature { get }

    /// The services and sections that it takes from the container, as with a ``Service``; none by default.
    static var requires: [Any.Type] { get }

    /// Creates the routable of a market.
    ///
    /// - Parameters:
    ///   - container: The market's container. Take from it what the routable needs, but do not keep the container.
    ///   - configuration: The market's values for the routable's own keys.
    init(container: Container, configuration: Configuration)

    /// Opens a link.
    ///
    /// - Parameters:
    ///   - link: The link with the parameters of the pattern that matched.
    ///   - state: The state to change. Changes become visible when the function returns true.
    /// - Returns: False to decline the link; then the next candidate is tried.
    /// - Throws: Any error; the link's outcome is then `failed`, or `unroutable` if the handler was canceled.
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) async throws -> Bool
}

extension MarketRoutable {
    /// No requirements.
    public static var requires: [Any.Type] { [] }
}

extension AsyncMarketRoutable {
    /// No requirements.
    public static var requires: [Any.Type] { [] }
}

/// A routable that can tell without opening a link whether it declines it.
package protocol DecliningRoutable {
    /// Whether the routable opens a link that one of its patterns matched.
    static func accepts(_ link: DeepLink) -> Bool
}

/// A standard feature as a routable that markets configure.
package struct StandardMarketRoutable<Parameters: FeatureParameters>: MarketRoutable, DecliningRoutable {
    package static var feature: Feature { Parameters.feature }
    private let routable: StandardRoutable<Parameters>

    package init(container: Container, configuration: NoConfiguration) {
        routable = StandardRoutable(container: container)
    }

    package static func accepts(_ link: DeepLink) -> Bool { Parameters(link) != nil }

    package func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        try routable.handleDeepLink(link, state: state)
    }
}

extension MarketModule {
    /// The standard features, for modules that include them.
    package static let standardRoutables: [any MarketRoutable.Type] = {
        func routable<P: FeatureParameters>(_: P.Type) -> any MarketRoutable.Type { StandardMarketRoutable<P>.self }
        return StandardRoutables.parameters.map { routable($0) }
    }()
}
