/// A registered value that can tell whether it works here.
package protocol SelfChecking: Sendable {
    /// The reason why it does not work here, and how to fix that; nil if it works. Changes nothing.
    func problem() -> (message: String, hint: String?)?
}

extension Container {
    /// Checks the declared requirements of all registrations, without creating any service.
    ///
    /// ```swift
    /// let report = container.validate(requiring: [(any Networking).self, (any Analytics).self])
    /// guard report.isValid else { throw SetupError(report.description) }
    /// ```
    ///
    /// Checks every registration of this container and its parents. A requirement is looked up from the container that
    /// holds the registration, as its factory would look it up. A service is captive if a service with a longer
    /// lifetime holds it, according to declared requirements or recorded dependencies, either directly or through
    /// unique services. A lifetime can end with a resolution, the reset of a custom scope, a child container, a time to
    /// live, the container, or, for `shared`, the last other reference. Complexity: O(*n* + *e*) lookups for *n*
    /// services with *e* requirements, and O(*n* · *e*) for chains of unique services.
    /// - Parameters:
    ///   - required: Types that must be registered, even if no registration requires them.
    ///   - file: The file of the check, for findings about `required`.
    ///   - line: The line of the check, for findings about `required`.
    /// - Returns: A report of all missing, duplicate, cyclic, and captive services, of registered values that do not work
    ///   here, and of the registrations that declare no requirements.
    public func validate(
        requiring required: [Any.Type] = [], file: StaticString = #fileID, line: UInt = #line
    ) -> ValidationReport {
        var graph = declaredGraph(requiring: required, RegistrationSite(file, line))
        graph.checkValues(in: self)
        return graph.report
    }

    /// Checks the declared requirements like `validate`, but no values, whose answers depend on the machine.
    package func validateDeclarations(
        requiring required: [Any.Type], file: StaticString = #fileID, line: UInt = #line
    ) -> ValidationReport {
        declaredGraph(requiring: required, RegistrationSite(file, line)).report
    }

    private func declaredGraph(requiring required: [Any.Type], _ site: RegistrationSite) -> DeclaredGraph {
        do throws(ContainerError) {
            try prepare()
        } catch {
            error.stop()
        }
        var graph = DeclaredGraph(self)
        graph.require(required.map { ServiceID($0) }, site)
        return graph
    }

    /// The position of each repeated registration in this container, with the position of the registration that it
    /// replaced.
    var duplicates: [(id: ServiceID, site: RegistrationSite, replaced: RegistrationSite)] {
        store.inspect { entry in entry.state.duplicates.map { (entry.id, $0.site, $0.replaced) } }.flatMap { $0 }
    }
}
