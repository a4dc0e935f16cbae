public import GlassContainer

extension Container {
    /// The deep linker that is registered here. It stops with the resolution path when there is none.
    public var deepLinker: any DeepLinker { self.get((any DeepLinker).self) }
}
