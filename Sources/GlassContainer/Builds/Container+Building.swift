extension Container {
    /// The container whose factory the calling thread is running, so that a service whose initializer takes no container
    /// finds the one that it's created for; nil outside any factory.
    ///
    /// For a factory with a child container of its own, it's the container that holds the registration. The factories of
    /// other container types are skipped. Complexity: O(*n*) for *n* nested factories, and O(1) if the innermost one is
    /// of a `Container`.
    package static var building: Container? {
        var next = ThreadSlot.existing?.pointee.top
        while let frame = next {
            // A frame ends before its caller releases the container.
            if let container = frame.pointee.cell.pointee.entry.store.container { return container }
            next = frame.pointee.previous
        }
        return nil
    }
}
