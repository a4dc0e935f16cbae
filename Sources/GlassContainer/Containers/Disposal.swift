/// A service that has something to put away when its container is shut down.
///
/// Classes only: an instance is put away once, under however many keys it is kept, and a copy cannot be told apart.
public protocol Disposable: AnyObject {
    /// Puts it away. What this service resolved when it was made is still there.
    func dispose()
}

/// A service that takes time to put something away when its container is shut down. Classes only, as ``Disposable``.
public protocol AsyncDisposable: AnyObject {
    /// Puts it away. What this service resolved when it was made is still there.
    func dispose() async
}

extension ManagedContainer {
    /// Disposes of every kept instance, those made last first, and resolves nothing more.
    ///
    /// An instance that others depend on was made before them, so it is put away after them. Instances of the scope
    /// `shared`, singletons and parents are not the container's to put away. Afterwards the container is shut: resolving
    /// is `ContainerError.expired`, until `reset()`. A second call does nothing.
    /// - Parameters:
    ///   - file: Where the container is shut down, for messages.
    ///   - line: The line of the call.
    public func shutdown(file: StaticString = #fileID, line: UInt = #line) async {
        await manager.store.dispose(at: RegistrationSite(file, line))
    }

    /// Disposes of every kept instance that needs no time for it, as the asynchronous `shutdown` does.
    ///
    /// - Parameters:
    ///   - file: Where the container is shut down, for messages.
    ///   - line: The line of the call.
    public func shutdownNow(file: StaticString = #fileID, line: UInt = #line) {
        for kept in manager.store.close(at: RegistrationSite(file, line)) {
            (kept.any as? any Disposable)?.dispose()
        }
    }
}

extension Store {
    /// Disposes of every kept instance, those made last first, and refuses to resolve from now on.
    func dispose(at site: RegistrationSite) async {
        for kept in close(at: site) {
            if let service = kept.any as? any AsyncDisposable {
                await service.dispose()
            } else {
                (kept.any as? any Disposable)?.dispose()
            }
        }
    }

    /// Unlinks what is kept strongly and refuses to resolve from now on.
    func close(at site: RegistrationSite) -> [CachedInstance] {
        let kept: [CachedInstance] = update { garbage in
            guard end == nil else { return [] }
            end = site
            let kept = entries.flatMap { $0.state.kept.values }.filter { $0 is any StrongInstance }
            for entry in entries { unlink(entry, &garbage) }
            refreshAll()
            return kept
        }
        var seen: Set<ObjectIdentifier> = []
        // An alias and what it stands for are one instance: it goes where it was made, which is first.
        return kept.sorted { $0.number < $1.number }.filter { kept in
            let service = kept.any
            let object: AnyObject? = (service as? any AsyncDisposable) ?? (service as? any Disposable)
            guard let object else { return true }
            return seen.insert(ObjectIdentifier(object)).inserted
        }.reversed()
    }
}

/// A kept instance that lives because it is kept.
protocol StrongInstance {}

extension StrongKept: StrongInstance {}
