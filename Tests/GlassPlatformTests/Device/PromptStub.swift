import GlassBase
import GlassDeepLinking
@testable import GlassPlatform

/// A prompt that a test answers at any time.
final class PromptStub: Sendable {
    private struct State: Sendable {
        var asked: [Permission] = []
        var cancelled = 0
        var waiting: [CheckedContinuation<PermissionPrompt.Answer, any Error>] = []
    }

    struct Broken: Error, CustomStringConvertible {
        let description = "the window is gone"
    }

    private let state = Lock(State())
    private let endsWhenCancelled: Bool

    /// - Parameter endsWhenCancelled: Whether a cancelled prompt throws immediately; otherwise it stays until it is
    ///   answered.
    init(endsWhenCancelled: Bool = true) {
        self.endsWhenCancelled = endsWhenCancelled
    }

    var asked: [Permission] { state.withLock { $0.asked } }
    var cancelled: Int { state.withLock { $0.cancelled } }

    var prompt: PermissionPrompt {
        PermissionPrompt { permission in
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { continuation in
                    self.state.withLock { state in
                        state.asked.append(permission)
                        state.waiting.append(continuation)
                    }
                    if Task.isCancelled { self.end() }
                }
            } onCancel: {
                self.state.withLock { $0.cancelled += 1 }
                self.end()
            }
        }
    }

    private func end() {
        if endsWhenCancelled { resume(.failure(CancellationError())) }
    }

    func answer(_ answer: PermissionPrompt.Answer) { resume(.success(answer)) }
    func fail() { resume(.failure(Broken())) }

    /// Answers the oldest open prompt.
    private func resume(_ result: Result<PermissionPrompt.Answer, any Error>) {
        let waiting = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        waiting?.resume(with: result)
    }
}

/// Runs other tasks until the condition holds. If it never does, the test's time limit ends the wait.
func until(_ condition: () -> Bool) async {
    while !condition(), !Task.isCancelled { await Task.yield() }
}
