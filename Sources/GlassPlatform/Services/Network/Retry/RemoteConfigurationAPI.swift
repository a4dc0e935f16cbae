public import GlassContainer
package import GlassSchema

/// The market's remote configuration: the current values, which are restored after a restart, and each change.
///
/// ```swift
/// let remote: any RemoteConfigurationAPI = container.get()
/// for await configuration in remote.changes() { apply(configuration.applied(to: loyalty)) }
/// ```
public protocol RemoteConfigurationAPI: AnyObject, Sendable {
    /// The effective values. They are empty until values are received, and for a market that was rolled back to.
    var current: RemoteConfiguration { get }

    /// The reason why the last received or stored values are not applied; `nil` if they are, or before anything was
    /// fetched.
    var problem: String? { get }

    /// The effective values, followed by each change, until the listener stops.
    ///
    /// - Returns: A separate stream. A slow listener loses the oldest changes, but never the last.
    func changes() -> AsyncStream<RemoteConfiguration>

    /// Fetches the values now. When this returns, they are in effect and stored for the next launch.
    ///
    /// - Returns: The effective values.
    /// - Throws: ``RemoteConfigurationError``, in which case nothing changes.
    @discardableResult func refresh() async throws(RemoteConfigurationError) -> RemoteConfiguration

    /// The effective values, fetched first if they are outdated. Never fails: without a response, it returns the last
    /// values.
    ///
    /// - Returns: The effective values.
    func latest() async -> RemoteConfiguration

    /// Fetches the values in the background if they are outdated. Returns immediately.
    func refreshIfOld()
}

extension RemoteConfigurationAPI {
    /// The script methods for the effective values, the problem, and refreshing.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("values", [], "The values that override the market's, by key path.") { _ in
                .map(self.current.leaves.mapValues { .string($0) })
            },
            ScriptMethod("problem", [], "The reason why remote configuration does not apply, or nil.") { _ in
                self.problem.map { .string($0) } ?? .nil
            },
            ScriptMethod(
                "refresh", [], "Fetches the configuration, and returns the same as values.",
                waiting: { _ in
                    .map(try await self.refresh().leaves.mapValues { .string($0) })
                }),
        ]
    }
}

extension Container {
    /// The container's remote configuration where an optional is expected: `nil` if none is registered, because every
    /// service that takes one works without it.
    ///
    /// ```swift
    /// container.register((any RetryNotifyingFactory).self) { RetryNotifierFactory(ccmSource: $0.get()) }
    /// ```
    ///
    /// - Returns: The service, or `nil`. Where no optional is expected, `get()` stops if none is registered.
    public func get() -> (any RemoteConfigurationAPI)? { getIfRegistered((any RemoteConfigurationAPI).self) }
}

extension RemoteConfiguration {
    /// Each value in the syntax of a market file, by key path.
    package var leaves: [String: String] {
        var leaves: [String: String] = [:]
        ConfigurationNode(configurationValue).visit([], inOrder: false) { visited in
            if case .map = visited.node.value { return true }
            leaves[visited.path.description] = visited.node.value.sourceText
            return false
        }
        return leaves
    }
}
