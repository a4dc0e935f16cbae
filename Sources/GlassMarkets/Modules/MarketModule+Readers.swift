package import GlassSchema

extension MarketModule {
    /// The services that a key configures.
    package func readers(of path: ConfigurationPath) -> [Service] {
        services.filter { service in
            service.reads(of: self).contains { $0.isPrefix(of: path) || path.isPrefix(of: $0) }
        }
    }
}

extension Service {
    /// The keys that configure the service: those that it declares, or otherwise the sections that it requires.
    fileprivate func reads(of module: MarketModule) -> [ConfigurationPath] {
        guard configuredBy.isEmpty else { return configuredBy }
        return module.sections.filter { section in requires.contains { $0 == section } }
            .map { ConfigurationPath([.key($0.key)]) }
    }
}

extension ConfigurationPath {
    /// Whether another path leads to this path's value or to one inside it.
    fileprivate func isPrefix(of other: ConfigurationPath) -> Bool {
        other.elements.starts(with: elements)
    }
}
