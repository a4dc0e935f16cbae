import GlassBase

extension Container {
    /// Every service that is registered for a type, whatever its name.
    ///
    /// ```swift
    /// container.register((any Plugin).self, name: "search") { SearchPlugin() }
    /// container.register((any Plugin).self, name: "cart") { CartPlugin() }
    /// for plugin in container.all(of: (any Plugin).self) { plugin.start() }
    /// ```
    ///
    /// What cannot be made stops the program, as with `get`; what another thread takes away meanwhile is left out. Complexity: O(*n*) for *n* services of any type.
    /// - Parameter type: The type.
    /// - Returns: The services, the parents' first, each container's in the order of registration. A registration here
    ///   takes the place of its parent's with the same name.
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

    /// The service whose type has a name, for those who have the name only as text.
    ///
    /// - Parameters:
    ///   - displayName: The type's name without `any` and module, as in `RegistrationInfo.displayName`.
    ///   - type: What the service is expected to be.
    /// - Returns: The service.
    /// - Throws: `ContainerError`: `misuse` when no registered type has the name, `wrongType` when the service is not
    ///   what was expected, and what `require` throws.
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
                "no service is registered whose type is named \"\(displayName)\""
                    + (near.isEmpty ? "" : "\n  nearest: \(near.sorted().joined(separator: ", "))"))
        }
        // A container that is followed may go meanwhile, and its entries with it.
        defer { extendLifetime(holder) }
        let service = try registration.resolve(from: self, name: nil)
        guard let service = service as? Service else {
            throw .wrongType(
                path: ThreadSlot.path + [ResolutionStep(entry)], expected: ServiceID(type).displayName)
        }
        return service
    }
}
