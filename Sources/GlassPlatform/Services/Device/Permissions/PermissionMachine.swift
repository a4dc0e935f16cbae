import GlassBase
import GlassDeepLinking

/// The state machine of every permission.
///
/// The status changes from not determined to requesting with the first request, and to granted, denied, or restricted
/// with the answer. Requests in the meantime wait for the same prompt. The prompt is canceled when every waiting
/// request has been canceled.
package final class PermissionMachine: Sendable {
    private typealias Waiter = CheckedContinuation<PermissionStatus, any Error>

    private struct State: Sendable {
        var status: PermissionStatus
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
        /// The number of prompts, so that a late answer to an abandoned prompt cannot decide for its successor.
        var run = 0
        var prompt: Task<Void, Never>?
    }

    /// The requested permission.
    package let permission: Permission
    private let prompt: PermissionPrompt?
    private let state: Lock<State>
    private let observed: ObservedValue<PermissionStatus>

    /// Creates a machine.
    package init(_ permission: Permission, prompt: PermissionPrompt?, restriction: String? = nil) {
        let status = restriction.map { PermissionStatus.restricted(reason: $0) } ?? .notDetermined
        self.permission = permission
        self.prompt = prompt
        state = Lock(State(status: status))
        observed = ObservedValue(status)
    }

    deinit { stop() }

    /// The status of the permission.
    package var status: PermissionStatus { state.withLock { $0.status } }

    /// The current status, followed by each change.
    package func changes() -> AsyncStream<PermissionStatus> { observed.changes() }

    /// Asks the user, unless the permission is decided, and waits for the answer.
    package func request() async throws -> PermissionStatus {
        let number = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in join(waiter, number) }
        } onCancel: {
            leave(number)
        }
    }

    /// Sets the status without asking, as the user can in the system settings. Waiting requests return this status.
    package func set(_ status: PermissionStatus) {
        guard status != .requesting else { return }
        let (waiters, abandoned): ([Waiter], Task<Void, Never>?) = state.withLock { state in
            // Waiting requests need an answer, and this is not one.
            if status == .notDetermined, !state.waiters.isEmpty { return ([], nil) }
            defer {
                state.waiters = [:]
                state.prompt = nil
            }
            state.run += 1
            change(&state, to: status)
            return (Array(state.waiters.values), state.prompt)
        }
        abandoned?.cancel()
        for waiter in waiters { waiter.resume(returning: status) }
    }

    /// Gets an earlier answer from the prompt. Changes nothing while the user is being asked.
    package func refresh() async -> PermissionStatus {
        guard let recall = prompt?.recall else { return status }
        let run = state.withLock { $0.run }
        let answer = await recall(permission)
        return state.withLock { state in
            if state.run == run, state.status != .requesting {
                change(&state, to: answer.map { PermissionStatus($0) } ?? .notDetermined)
            }
            return state.status
        }
    }

    /// Ends the prompt, the requests that are waiting for it, and the sequences.
    package func stop() {
        let (waiters, abandoned) = state.withLock { state in
            defer {
                state.waiters = [:]
                state.prompt = nil
            }
            state.run += 1
            if state.status == .requesting { change(&state, to: .notDetermined) }
            return (state.waiters, state.prompt)
        }
        abandoned?.cancel()
        for waiter in waiters.values { waiter.resume(throwing: CancellationError()) }
        observed.finish()
    }

    // MARK: Steps

    /// Called under the lock, so that listeners get the changes in order.
    private func change(_ state: inout State, to status: PermissionStatus) {
        state.status = status
        observed.set(status)
    }

    private func join(_ waiter: Waiter, _ number: Int) {
        let result: Result<PermissionStatus, any Error>? = state.withLock { state in
            if state.status == .notDetermined, prompt == nil {
                change(
                    &state,
                    to: .denied(reason: "this program has no prompt; set the permissionPrompt of PlatformHost.device"))
            }
            if state.status.isDecided { return .success(state.status) }
            // Canceled before it joined: `leave` did not find it then, and is not called again.
            if Task.isCancelled { return .failure(CancellationError()) }
            state.waiters[number] = waiter
            if state.status == .notDetermined { ask(&state) }
            return nil
        }
        if let result { waiter.resume(with: result) }
    }

    private func ask(_ state: inout State) {
        guard let prompt else { return }
        state.run += 1
        change(&state, to: .requesting)
        state.prompt = Task { [weak self, permission, run = state.run] in
            let result: Result<PermissionPrompt.Answer, any Error>
            do {
                result = .success(try await prompt.ask(permission))
            } catch {
                result = .failure(error)
            }
            self?.conclude(run, result)
        }
    }

    private func leave(_ number: Int) {
        let (waiter, abandoned): (Waiter?, Task<Void, Never>?) = state.withLock { state in
            guard let waiter = state.waiters.removeValue(forKey: number) else { return (nil, nil) }
            guard state.waiters.isEmpty, let prompt = state.prompt else { return (waiter, nil) }
            state.prompt = nil
            change(&state, to: .notDetermined)
            return (waiter, prompt)
        }
        abandoned?.cancel()
        waiter?.resume(throwing: CancellationError())
    }

    private func conclude(_ run: Int, _ answer: Result<PermissionPrompt.Answer, any Error>) {
        let (waiters, result): ([Waiter], Result<PermissionStatus, any Error>) = state.withLock { state in
            let result =
                answer
                .map { PermissionStatus($0) }
                .mapError { PermissionError.promptFailed(permission, cause: $0) as any Error }
            guard state.run == run else { return ([], result) }
            switch result {
            case .success(let status): change(&state, to: status)
            case .failure: if state.status == .requesting { change(&state, to: .notDetermined) }
            }
            defer {
                state.waiters = [:]
                state.prompt = nil
            }
            return (Array(state.waiters.values), result)
        }
        for waiter in waiters { waiter.resume(with: result) }
    }
}
