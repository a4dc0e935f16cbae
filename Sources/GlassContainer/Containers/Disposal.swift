/// A service that cleans up when its container is shut down.
///
/// Only classes can conform: an instance is disposed of once, no matter how many keys it's cached under, and copies of
/// a value can't be recognized as one instance.
public protocol Disposable: AnyObject {
    /// Cleans up. The services that this service resolved when it was created are still usable.
    func dispose()
}

/// A service that cleans up asynchronously when its container is shut down. Like ``Disposable``, only classes can
/// conform.
public protocol AsyncDisposable: AnyObject {
    /// Cleans up. The services that this service resolved when it was created are still usable.
    func dispose() async
}

extension ManagedContainer {
    /// Disposes of every cached instance, in reverse order of creation, and shuts the container down.
    ///
    /// An instance was created before those that depend on it, so it's disposed of after them. Instances of the scope
    /// `shared`, singletons, and parents don't belong to the container and aren't disposed of. Afterward, resolving
    /// throws `ContainerError.expired` until you call `reset()`. A second call does nothing.
    /// - Parameters:
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func shutdown(file: StaticString = #fileID, line: UInt = #line) async {
        await manager.store.dispose(at: RegistrationSite(file, line))
    }

    /// Disposes of every cached instance that's `Disposable`, and shuts the container down, as the asynchronous
    /// `shutdown` does.
    ///
    /// - Parameters:
    ///   - file: The file of the call, for messages.
    ///   - line: The line of the call, for messages.
    public func shutdownNow(file: StaticString = #fileID, line: UInt = #line) {
        for kept in manager.store.close(at: RegistrationSite(file, line)) {
            (kept.any as? any Disposable)?.dispose()
        }
    }
}

extension Store {
    /// Disposes of every cached instance, in reverse order of creation, and rejects all further resolutions.
    func dispose(at site: RegistrationSite) async {
        for kept in close(at: site) {
            if let service = kept.any as? any AsyncDisposable {
                await service.dispose()
            } else {
                (kept.any as? any Disposable)?.dispose()
            }
        }
    }

    /// Unlinks the strongly cached instances and rejects all further resolutions. Returns the instances in order of
    /// disposal.
    func close(at site: RegistrationSite) -> [CachedInstance] {
        let kept: [CachedInstance] = update { garbage in
            guard end == nil else { return [] }
            end = site
            let kept = entries.flatMap { $0.state.kept.values }.filter { $0.weakMemory == nil }
            for entry in entries { unlink(entry, &garbage) }
            refreshAll()
            return kept
        }
        var seen: Set<ObjectIdentifier> = []
        // An alias and its target are a single instance. Its first position counts, at which it was created, so that
        // it's disposed of after the instances that depend on it.
        return kept.sorted { $0.number < $1.number }.filter { kept in
            let service = kept.any
            let object: AnyObject? = (service as? any AsyncDisposable) ?? (service as? any Disposable)
            guard let object else { return true }
            return seen.insert(ObjectIdentifier(object)).inserted
        }.reversed()
    }
}
