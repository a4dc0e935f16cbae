import GlassBase

extension Container {
    /// Returns every service that's registered for a type, under any name.
    ///
    /// ```swift
    /// container.register((any Plugin).self, name: "search") { SearchPlugin() }
    /// container.register((any Plugin).self, name: "cart") { CartPlugin() }
    /// for plugin in container.all(of: (any Plugin).self) { plugin.start() }
    /// ```
    ///
    /// Traps if a service can't be created, as `get` does. Omits a service whose registration another thread removes in
    /// the meantime. Complexity: O(*n*) for *n* services of any type.
    /// - Parameter type: The type.
    /// - Returns: The services, the parents' first, and each container's in order of registration. A registration in
    ///   this container takes the position of its parent's registration with the same name.
    public func all<Service>(of type: Service.Type = Service.self) -> [Service] {
        do throws(ContainerError) {
            try prepare()
        } catch {
            error.stop()
        }
        return names(of: type).compactMap { getIfRegistered(type, name: $0) }
    }

    private func names(of type: Any.Type) -> [String?] {
        let own = store.inspect { entry -> (order: Int, name: String?)? in
            guard entry.id.type == type, entry.id.property == nil, entry.state.registration != nil else { return nil }
            return (entry.state.order, entry.id.name)
        }
        let inherited = parent?.names(of: type) ?? []
        return inherited + own.sorted { $0.order < $1.order }.map(\.name).filter { !inherited.contains($0) }
    }

    /// Returns the service whose type has a name, for callers that have the name only as a string.
    ///
    /// - Parameters:
    ///   - displayName: The type's name, without `any` and without its module, as in `RegistrationInfo.displayName`.
    ///   - type: The expected type of the service.
    /// - Returns: The service.
    /// - Throws: `ContainerError`: `misuse` if no registered type has the name, `wrongType` if the service isn't of the
    ///   expected type, and the errors that `require` throws.
    public func require<Service>(
        named displayName: String, as type: Service.Type = Service.self
    ) throws(ContainerError) -> Service {
        try prepare()
        let ids = registrations.map(\.id).filter { $0.property == nil && $0.name == nil }
        guard let id = ids.first(where: { $0.displayName == displayName }),
            let (holder, entry) = find(id.type, name: nil), let registration = entry.current
        else {
            let letters = Array(displayName.lowercased())
            let near = ids.prefix(Suggestion.maximumCandidates).map(\.displayName).filter { other in
                Suggestion.distance(letters, Array(other.lowercased()), limit: max(1, letters.count / 3)) != nil
            }
            throw .misuse(
                "no registered service has a type named \"\(displayName)\""
                    + (near.isEmpty ? "" : "\n  nearest: \(near.sorted().joined(separator: ", "))"))
        }
        // A followed container may be released in the meantime, and its entries with it.
        defer { extendLifetime(holder) }
        let service = try registration.resolve(from: self, name: nil)
        guard let service = service as? Service else {
            throw .wrongType(
                path: ThreadSlot.path + [ResolutionStep(entry)], expected: ServiceID(type).displayName)
        }
        return service
    }
}
