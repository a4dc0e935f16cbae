package import GlassPlatform

/// Creates real notifiers with a policy that a test provides and delays that end immediately.
package final class RetryNotifyingFactoryMock: RetryNotifyingFactory {
    private let policy: RetryPolicy

    /// Creates a mock.
    package init(policy: RetryPolicy = RetryPolicy()) {
        self.policy = policy
    }

    /// Creates a notifier.
    package func makeNotifier(named name: String) -> RetryNotifier {
        RetryNotifier(name: name, timing: RetryTiming(clock: ImmediateClock())) { [policy] in policy }
    }

    /// Always `nil`: the mock uses no remote configuration.
    package var remoteProblem: String? { nil }
}
