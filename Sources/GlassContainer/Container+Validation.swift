extension Container {
    /// Checks what the registrations declare, without making anything.
    ///
    /// ```swift
    /// let report = container.validate(requiring: [(any Networking).self, (any Analytics).self])
    /// guard report.isValid else { throw SetupError(report.description) }
    /// ```
    ///
    /// Looks at every registration of this container and its parents. A requirement is looked up from the container that
    /// holds the registration, as its factory would. A service is captive when one that is kept longer holds it, declared
    /// or recorded, directly or by way of unique ones: what a resolution, a custom scope, a child container or a time to live
    /// ends, and what the container or nobody keeps, in something that outlasts it. Complexity: O(*n* + *e*) look-ups for
    /// *n* services with *e* requirements, and O(*n* · *e*) for chains of unique services.
    /// - Parameters:
    ///   - required: Types that must be registered whoever requires them.
    ///   - file: Where the check stands, for what is missing from `required`.
    ///   - line: The line of the check.
    /// - Returns: Everything that is missing, duplicate, cyclic or captive, and what declares nothing.
    public func validate(
        requiring required: [Any.Type] = [], file: StaticString = #fileID, line: UInt = #line
    ) -> ValidationReport {
        do throws(ContainerError) {
            try prepare()
        } catch {
            error.stop()
        }
        var graph = DeclaredGraph(self)
        graph.require(required.map { ServiceID($0) }, RegistrationSite(file, line))
        return graph.report
    }

    /// Each place that registers again what this container has, with the place it replaces.
    var duplicates: [(id: ServiceID, site: RegistrationSite, replaced: RegistrationSite)] {
        store.inspect { entry in entry.state.duplicates.map { (entry.id, $0.site, $0.replaced) } }.flatMap { $0 }
    }
}
