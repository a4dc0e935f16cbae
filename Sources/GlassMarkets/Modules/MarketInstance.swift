package import GlassContainer

/// Which market a container is of, as far as its services need to know: the sections of its module, and the content that
/// it was made from.
package struct MarketInstance: Sendable {
    /// The sections that the container has as services.
    package let sections: [any MarketSection.Type]
    /// The digest of a compiled market, which is what is delivered; nil for Lua files and a container without a market.
    package let compiledDigest: String?

    /// Describes the market of a container.
    package init(sections: [any MarketSection.Type], compiledDigest: String? = nil) {
        self.sections = sections
        self.compiledDigest = compiledDigest
    }

    /// Registers the description and nothing else.
    package func register(in container: Container) {
        container.register(MarketInstance.self, requires: []) { [self] _ in self }
    }

    /// The values of the sections in a container.
    package func values(in container: Container) -> [any MarketSection] {
        func value<S: MarketSection>(_ type: S.Type) -> any MarketSection { container.get(type) }
        return sections.map { value($0) }
    }
}
