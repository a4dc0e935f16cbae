package import GlassContainer

/// The market of a container, as far as services need to know it: the sections of its module, and the content from
/// which it was built.
package struct MarketInstance: Sendable {
    /// The sections that the container provides as services.
    package let sections: [any MarketSection.Type]
    /// The digest of a compiled market, which identifies a delivered market; nil for Lua files and for a container
    /// without a market.
    package let compiledDigest: String?

    package init(sections: [any MarketSection.Type], compiledDigest: String? = nil) {
        self.sections = sections
        self.compiledDigest = compiledDigest
    }

    /// Registers this value and nothing else.
    package func register(in container: Container) {
        container.register(MarketInstance.self, requires: []) { [self] _ in self }
    }

    /// The values of the sections in a container.
    package func values(in container: Container) -> [any MarketSection] {
        func value<S: MarketSection>(_ type: S.Type) -> any MarketSection { container.get(type) }
        return sections.map { value($0) }
    }
}
