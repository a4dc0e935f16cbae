import Synchronization

extension Container {
    /// Resolves a property of this container. Takes the parts of a `Factory`, so that none needs to be copied.
    @usableFromInline
    func resolve<Service>(
        _ property: StaticString, _ file: StaticString, _ line: UInt, _ scope: Scope, _ factory: () -> Service
    ) -> Service {
        let lifetime = scope.lifetime
        // Only `Singleton` has this lifetime.
        let keeper = lifetime == .process ? unsafeDowncast(scope, to: Scope.Singleton.self).store : store
        if lifetime != .unique, !isRecording, let cell = keeper.cell(Probe(Service.self, property: property)) {
            let stripe = keeper.family.enter()
            if let value = cell.pointee.value.load(ordering: .sequentiallyConsistent) {
                let service = value.assumingMemoryBound(to: Service.self).pointee
                keeper.family.leave(stripe)
                return service
            }
            keeper.family.leave(stripe)
        }
        do {
            return try make(property, RegistrationSite(file, line), scope, keeper, factory)
        } catch {
            error.stop()
        }
    }

    private func make<Service>(
        _ property: StaticString, _ site: RegistrationSite, _ scope: Scope, _ keeper: Store, _ factory: () -> Service
    ) throws(ContainerError) -> Service {
        let own = entry(of: Service.self, property, Definition(site: site, scope: scope))
        let (holder, entry) = overriding(Service.self, property, own)
        func make() throws -> Service {
            guard let registration = holder.store.registration(entry.cell) else { return factory() }
            return try unsafeDowncast(registration, to: TypedRegistration<Service>.self).make(for: holder)
        }
        switch scope.lifetime {
        case .unique:
            return try holder.store.new(entry, site: site, make)
        case .container:
            return try holder.store.kept(entry, holder: entry, site: site, make)
        case .process:
            return try keeper.kept(
                keeper.entry(type: Service.self, property: property), holder: entry, site: site, make)
        }
    }

    /// The entry of a property in this container, with its definition noted on first use.
    func entry(of type: Any.Type, _ property: StaticString, _ definition: @autoclosure () -> Definition) -> Entry {
        if let cell = store.cell(Probe(type, property: property)) { return cell.pointee.entry }
        let entry = store.entry(type: type, property: property)
        store.define(entry, definition())
        return entry
    }

    /// The nearest container with an override, or this one, and the property's entry there.
    private func overriding(_ type: Any.Type, _ property: StaticString, _ own: Entry) -> (Container, Entry) {
        if own.isRegistered { return (self, own) }
        var next = parent
        while let ancestor = next {
            let entry = ancestor.store.entry(type: type, property: property)
            if entry.isRegistered { return (ancestor, entry) }
            next = ancestor.parent
        }
        return (self, own)
    }
}
