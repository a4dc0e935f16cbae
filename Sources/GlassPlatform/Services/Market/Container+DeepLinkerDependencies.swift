import GlassBase
public import GlassContainer
public import GlassDeepLinking
import GlassSchema

extension Container {
    /// Connects a deep linker to the platform: a `DeepLinkRouter` without a configuration gets the container's
    /// `DeepLinkConfiguration`, and the market's tracked query items go to its analytics.
    ///
    /// The router looks for the configuration when it first needs it. While the container has none, the router accepts
    /// the schemes that the app's Info.plist declares; a program without a bundle accepts all schemes but those of other
    /// programs and systems.
    ///
    /// When a routed link carries a query item with one of the values in `deepLinking.queryParameters`, and the value
    /// qualifies, the link's items are tracked as that event. This happens once per routed link and event, including
    /// for links that had to wait. If an event cannot be stored, this is logged, and the link is still routed.
    ///
    /// The first such link creates the analytics, so that a market loads without an outbox. In a child container, they
    /// are created immediately.
    ///
    /// - Parameter deepLinker: The deep linker. It does not retain this container, and tracks nothing once the
    ///   container is released. If the container has no analytics, links are not tracked.
    public func setupDeepLinkerDependencies(deepLinker: any DeepLinker) {
        (deepLinker as? DeepLinkRouter)?.takeConfiguration(from: self, orElse: .ofProgram)
        guard isRegistered((any AnalyticsTracking).self) || isRegistered((any Analytics).self) else { return }
        let container = LateContainer(self)
        // A child container, such as the one that is passed to a factory, may be released before the deep linker.
        let analyticsOfChild = parent == nil ? nil : container.tracking
        deepLinker.trackingHandler = { name, items in
            let logger = SafeLogger(label: "glass.deepLinker")
            guard let analytics = analyticsOfChild ?? container.tracking else {
                logger.warning("the event \"\(name)\" of a link was lost: the container of its analytics was released")
                return
            }
            do throws(AnalyticsError) {
                try analytics.track(AnalyticsEvent(name, linkItems: items))
            } catch {
                logger.warning("the event \"\(name)\" of a link was lost: \(error)")
            }
        }
    }
}

extension DeepLinkConfiguration {
    /// The links of a program without a market.
    static var ofProgram: DeepLinkConfiguration {
        let bundle = AppBundle.main
        var configuration = DeepLinkConfiguration(schemes: bundle.urlSchemes)
        // Without a bundle, the system passes no links to the program; those that it opens are its own.
        configuration.acceptsEveryScheme = bundle.identifier == nil
        return configuration
    }
}

extension AnalyticsEvent {
    /// Creates an event whose attributes are a link's query items.
    init(_ name: String, linkItems items: [QueryItem]) {
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { "\($0),\($1)" }
        self.init(name, attributes: values.mapValues { .string($0) })
    }
}
