public import GlassContainer

extension Container {
    /// The deep linker registered in the container. Traps with the resolution path if there is none.
    public var deepLinker: any DeepLinker { self.get((any DeepLinker).self) }
}
