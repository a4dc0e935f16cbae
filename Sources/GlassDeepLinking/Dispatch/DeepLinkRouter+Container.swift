import GlassBase
package import GlassContainer

/// The container that a router takes its configuration from when it first needs it, so that the configuration may be
/// registered later.
final class LateConfiguration: Sendable {
    private let container: WeakContainer
    /// The configuration while none is registered.
    private let substitute: DeepLinkConfiguration

    init(_ container: Container, substitute: DeepLinkConfiguration) {
        self.container = WeakContainer(container)
        self.substitute = substitute
    }

    /// The configuration, and whether it is the registered one.
    var current: (configuration: DeepLinkConfiguration, isRegistered: Bool) {
        // It throws if none is registered, or if the container was shut down.
        let found = try? container.container?.require(DeepLinkConfiguration.self)  // see above
        return (found ?? substitute, found != nil)
    }
}

extension DeepLinkRouter {
    /// Creates a router without routes. In a factory of a container, its configuration is the container's
    /// ``DeepLinkConfiguration``, which may be registered later; elsewhere, it is empty until it is set.
    public convenience init() {
        self.init(configuration: DeepLinkConfiguration())
        if let container = Container.building { takeConfiguration(from: container) }
    }

    /// Uses the configuration of a container, once a link or the configuration is asked for, unless the router was given
    /// one.
    ///
    /// - Parameters:
    ///   - container: The container. It is not retained.
    ///   - substitute: The configuration as long as the container has none.
    package func takeConfiguration(
        from container: Container, orElse substitute: DeepLinkConfiguration = DeepLinkConfiguration()
    ) {
        let late = LateConfiguration(container, substitute: substitute)
        state.withLock { state in
            let isGiven = state.lateConfiguration == nil && state.snapshot.configuration != DeepLinkConfiguration()
            if !isGiven { state.lateConfiguration = late }
        }
    }

    /// Replaces the configuration by that of the container, if there is one.
    func takeLateConfiguration() {
        while let (late, old) = state.withLock({ state in state.lateConfiguration.map { ($0, state.snapshot) } }) {
            // Without the lock, because this may run a factory of the app.
            let (configuration, isRegistered) = late.current
            if !isRegistered, old.configuration == configuration { return }
            let new = old.with(configuration: configuration)
            let isReplaced = state.withLock { state in
                guard state.lateConfiguration === late, state.snapshot === old else { return false }
                state.snapshot = new
                if isRegistered { state.lateConfiguration = nil }
                return true
            }
            // The old objects are released here, outside the lock, because that may run app code.
            withExtendedLifetime((old, late)) {}
            if isReplaced { return }
        }
    }
}
