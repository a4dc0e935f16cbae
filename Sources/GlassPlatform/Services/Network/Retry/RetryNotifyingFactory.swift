package import GlassSchema

/// Creates notifiers that run operations, retry them, and report each retry.
public protocol RetryNotifyingFactory: AnyObject, Sendable {
    /// Creates a notifier.
    ///
    /// - Parameter name: Its name, with which remote configuration can set its own policy.
    /// - Returns: A new notifier.
    func makeNotifier(named name: String) -> RetryNotifier

    /// The reason why remote configuration does not currently apply; `nil` if it does, or before it was fetched.
    var remoteProblem: String? { get }
}

extension RetryNotifyingFactory {
    /// The script methods for the policy of a notifier and the problem of remote configuration.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("policy", ["name"], "The current retry policy of a notifier with the name.") { arguments in
                let policy = await self.makeNotifier(named: try arguments.string(0, "name")).policy
                return [
                    "maxRetries": .integer(policy.maxRetries),
                    "initialDelaySeconds": .number(policy.initialDelaySeconds),
                    "maximumDelaySeconds": .number(policy.maximumDelaySeconds),
                    "multiplier": .number(policy.multiplier), "jitter": .number(policy.jitter),
                    "statuses": .list(policy.statuses.sorted().map { .integer($0) }),
                    "retriesNonIdempotent": .boolean(policy.retriesNonIdempotent),
                ]
            },
            ScriptMethod("remoteProblem", [], "The reason why remote configuration does not apply, or nil.") { _ in
                self.remoteProblem.map { .string($0) } ?? .nil
            },
        ]
    }
}
