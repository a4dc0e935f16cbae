public import GlassContainer
import GlassDeepLinking
import GlassSchema

extension Container {
    /// Creates a container with the services of a module and without a market, for unit tests, demo apps and
    /// extensions.
    ///
    /// Each section of the module has its default values, and so does the configuration of links.
    ///
    /// ```swift
    /// let container = Container(module: .shop.overriding(services: Service.shopMocks))
    /// ```
    ///
    /// - Parameter module: The module.
    public convenience init(module: MarketModule) {
        self.init()
        func registerDefault<S: MarketSection>(_ type: S.Type) {
            register(type, requires: []) { _ in S() }
        }
        register(MarketDefinition.self, requires: []) { _ in MarketDefinition() }
        register(DeepLinkConfiguration.self, requires: []) { _ in DeepLinkConfiguration() }
        for section in module.sections { registerDefault(section) }
        MarketInstance(sections: module.sections).register(in: self)
        register(MarketFlags.self, requires: []) { MarketFlags(container: $0) }
        for service in module.allServices { service.register(in: self) }
    }
}
