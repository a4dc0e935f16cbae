package import GlassSchema

/// Makes what runs operations, repeats them by policy and says so.
public protocol RetryNotifyingFactory: AnyObject, Sendable {
    /// Makes a notifier.
    ///
    /// - Parameter name: Its name, by which remote configuration can give it a policy of its own.
    /// - Returns: A new notifier.
    func makeNotifier(named name: String) -> RetryNotifier

    /// Why remote configuration does not apply at the moment; nil while it does, or before it was asked for.
    var remoteProblem: String? { get }
}

extension RetryNotifyingFactory {
    /// The policy of a notifier and what keeps remote configuration from applying.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("policy", ["name"], "The retry policy that a notifier of the name has now.") { arguments in
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
            ScriptMethod("remoteProblem", [], "Why remote configuration does not apply, or nil.") { _ in
                self.remoteProblem.map { .string($0) } ?? .nil
            },
        ]
    }
}
