import GlassBase
public import GlassContainer
public import GlassDeepLinking
import GlassSchema

extension Container {
    /// Gives a deep linker what it takes from the platform: where the market's tracked query items go.
    ///
    /// When a routed link carries a query item with one of the values in `deepLinking.queryParameters`, and the value
    /// qualifies, the link's items are tracked as that event: once for each routed link and event, also for a link that
    /// waited. An event that cannot be kept is logged; the link is routed all the same.
    ///
    /// The first such link makes the analytics, so that a market loads without an outbox; those of a child container are
    /// made at once.
    ///
    /// - Parameter deepLinker: The deep linker. It does not keep this container, and tracks nothing once the container is
    ///   gone. Where the container has no analytics, it stays as it is.
    public func setupDeepLinkerDependencies(deepLinker: any DeepLinker) {
        guard isRegistered((any AnalyticsTracking).self) else { return }
        // A child may go before the deep linker does, such as the one that a factory is given.
        let analyticsOfChild = parent == nil ? nil : getIfRegistered((any AnalyticsTracking).self)
        deepLinker.trackingHandler = { [weak self] name, items in
            let logger = SafeLogger(label: "glass.deepLinker")
            guard let analytics = analyticsOfChild ?? self?.getIfRegistered((any AnalyticsTracking).self) else {
                logger.warning("the event \"\(name)\" of a link is lost: the container of its analytics is gone")
                return
            }
            do throws(AnalyticsError) {
                try analytics.track(AnalyticsEvent(name, linkItems: items))
            } catch {
                logger.warning("the event \"\(name)\" of a link is lost: \(error)")
            }
        }
    }
}

extension AnalyticsEvent {
    /// An event whose attributes are a link's query items.
    init(_ name: String, linkItems items: [QueryItem]) {
        let values = Dictionary(items.map { ($0.name, $0.value ?? "") }) { "\($0),\($1)" }
        self.init(name, attributes: values.mapValues { .string($0) })
    }
}
