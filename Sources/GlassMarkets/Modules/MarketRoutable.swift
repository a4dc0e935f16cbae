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
/// The routable registers no paths: those of the feature, or of the market instead, are registered when the market is
/// loaded. In a market file the routable's own keys stand beside `paths` and the other keys of every routable.
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
    ///   - container: The market's container. Take from it what the routable needs and do not keep the container: its deep
    ///     linker keeps the routable, so the two would keep each other.
    ///   - configuration: The market's values for the routable's own keys.
    init(container: Container, configuration: Configuration)

    /// Opens a link.
    ///
    /// - Parameters:
    ///   - link: The link with the parameters of the pattern that matched.
    ///   - state: What to change. Changes become visible when the function returns true.
    /// - Returns: False to decline the link; then the next candidate is asked.
    /// - Throws: Any error; the link's outcome is then `failed`.
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) throws -> Bool
}

/// A feature that links open asynchronously and markets configure; in all else like a ``MarketRoutable``.
///
/// Opening its link gives the outcome `running`; the final one comes through the deep linker's outcome hook.
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
    ///   - container: The market's container. Take from it what the routable needs and do not keep the container.
    ///   - configuration: The market's values for the routable's own keys.
    init(container: Container, configuration: Configuration)

    /// Opens a link.
    ///
    /// - Parameters:
    ///   - link: The link with the parameters of the pattern that matched.
    ///   - state: What to change. Changes become visible when the function returns true.
    /// - Returns: False to decline the link; then the next candidate is asked.
    /// - Throws: Any error; the link's outcome is then `failed`, or `unroutable` when the handler was cancelled.
    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) async throws -> Bool
}

extension MarketRoutable {
    /// None.
    public static var requires: [Any.Type] { [] }
}

extension AsyncMarketRoutable {
    /// None.
    public static var requires: [Any.Type] { [] }
}

/// A standard feature as a routable that markets configure.
package struct StandardMarketRoutable<Parameters: FeatureParameters>: MarketRoutable {
    package static var feature: Feature { Parameters.feature }
    private let routable: StandardRoutable<Parameters>

    package init(container: Container, configuration: NoConfiguration) {
        routable = StandardRoutable(container: container)
    }

    package func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) throws -> Bool {
        try routable.handleDeepLink(link, state: state)
    }
}

extension MarketModule {
    /// The standard features, for a module that has them.
    package static let standardRoutables: [any MarketRoutable.Type] = {
        func routable<P: FeatureParameters>(_: P.Type) -> any MarketRoutable.Type { StandardMarketRoutable<P>.self }
        return StandardRoutables.parameters.map { routable($0) }
    }()
}
