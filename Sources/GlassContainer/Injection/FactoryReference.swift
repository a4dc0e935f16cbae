/// The factory of a property wrapper, found in a shared container by its key path on each access.
struct FactoryReference<T>: @unchecked Sendable {  // a constant, by Factory's contract
    // The key path need not be Sendable, because one to a property of an actor isn't, such as every one in a module
    // with default main-actor isolation. If it leads to such a property, the factory itself stores its actor.

    private let find: () -> Factory<T>

    init(_ keyPath: KeyPath<Container, Factory<T>>) {
        find = { Container.shared[keyPath: keyPath] }
    }

    init<C: SharedContainer>(_ keyPath: KeyPath<C, Factory<T>>) {
        find = { C.shared[keyPath: keyPath] }
    }

    /// The factory, from the current shared container.
    var factory: Factory<T> { find() }
}
