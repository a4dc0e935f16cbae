/// A container that isn't retained. Once it's released, the nearest of its parents that still exists takes its place,
/// because the child container of a factory is released when the factory ends.
///
/// A service that the container caches holds it this way, to look up other services later.
package struct WeakContainer: Sendable {
    private struct Reference: Sendable {
        weak let container: Container?
    }

    private let references: [Reference]

    /// Creates a reference to a container and its parents; nil makes an empty reference.
    package init(_ container: Container?) {
        var references: [Reference] = []
        var next = container
        while let container = next {
            references.append(Reference(container: container))
            next = container.parent
        }
        self.references = references
    }

    /// The container, or a parent of it.
    package var container: Container? {
        for reference in references { if let container = reference.container { return container } }
        return nil
    }
}
