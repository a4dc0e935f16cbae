/// What a property wrapper stands for: a factory of a shared container, found by its key path each time.
struct FactoryReference<T>: @unchecked Sendable {  // a constant, by Factory's contract
    // The key path is not required to be Sendable, because one to a property of an actor is not, such as each one in a module
    // that belongs to the main actor by default. Where it leads to such a property, the factory itself knows its actor.

    private let find: () -> Factory<T>

    init(_ keyPath: KeyPath<Container, Factory<T>>) {
        find = { Container.shared[keyPath: keyPath] }
    }

    init<C: SharedContainer>(_ keyPath: KeyPath<C, Factory<T>>) {
        find = { C.shared[keyPath: keyPath] }
    }

    /// The factory, of the container that is shared now.
    var factory: Factory<T> { find() }
}
