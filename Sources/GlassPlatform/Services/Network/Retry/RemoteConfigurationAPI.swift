package import GlassSchema

/// The market's remote configuration: what it says now, what it said last before a restart, and each change.
///
/// ```swift
/// let remote: any RemoteConfigurationAPI = container.get()
/// for await configuration in remote.changes() { apply(configuration.applied(to: loyalty)) }
/// ```
public protocol RemoteConfigurationAPI: AnyObject, Sendable {
    /// What holds now; empty until something was received, and for a market that was gone back to.
    var current: RemoteConfiguration { get }

    /// Why what was last received or kept does not hold; nil when all is well, or before anything was asked for.
    var problem: String? { get }

    /// What holds now, and then each change, until the listener stops.
    ///
    /// - Returns: A stream of the caller's own. A listener that does not keep up loses the oldest changes, never the last.
    func changes() -> AsyncStream<RemoteConfiguration>

    /// Asks now. What was received holds when this returns, and is kept for the next start.
    ///
    /// - Returns: What holds.
    /// - Throws: ``RemoteConfigurationError``; then nothing has changed.
    @discardableResult func refresh() async throws(RemoteConfigurationError) -> RemoteConfiguration

    /// What holds, asked for first when it is old. Never fails: without an answer it is the last.
    ///
    /// - Returns: What holds.
    func latest() async -> RemoteConfiguration

    /// Asks in the background when what holds is old; returns at once.
    func refreshIfOld()
}

extension RemoteConfigurationAPI {
    /// What holds, why not, and asking.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("values", [], "The values that stand over the market's, by key path.") { _ in
                .map(self.current.leaves.mapValues { .string($0) })
            },
            ScriptMethod("problem", [], "Why remote configuration does not apply, or nil.") { _ in
                self.problem.map { .string($0) } ?? .nil
            },
            ScriptMethod(
                "refresh", [], "Asks now, and returns the values as values does.",
                waiting: { _ in
                    .map(try await self.refresh().leaves.mapValues { .string($0) })
                }),
        ]
    }
}

extension RemoteConfiguration {
    /// Each value as a market file would write it, by its key path.
    package var leaves: [String: String] {
        var leaves: [String: String] = [:]
        func visit(_ value: ConfigurationValue, _ path: ConfigurationPath) {
            if case .map(let entries) = value {
                for (key, node) in entries { visit(node.value, path.appending(key)) }
            } else {
                leaves[path.description] = value.sourceText
            }
        }
        visit(configurationValue, ConfigurationPath())
        return leaves
    }
}
