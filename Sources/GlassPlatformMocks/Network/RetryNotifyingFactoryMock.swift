package import GlassPlatform

/// Makes real notifiers with the policy that a test gives and pauses that are over at once.
package final class RetryNotifyingFactoryMock: RetryNotifyingFactory {
    private let policy: RetryPolicy

    /// Creates a mock.
    package init(policy: RetryPolicy = RetryPolicy()) {
        self.policy = policy
    }

    /// Makes a notifier.
    package func makeNotifier(named name: String) -> RetryNotifier {
        RetryNotifier(name: name, timing: RetryTiming(clock: ImmediateClock())) { [policy] in policy }
    }

    /// Nothing is remote here.
    package var remoteProblem: String? { nil }
}
