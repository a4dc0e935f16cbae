import GlassBase
import Foundation
import GlassDeepLinking
@testable import GlassPlatform
import Testing

/// Many concurrent listeners and requests: none is left waiting, and nothing runs without a listener.
@Suite(.timeLimit(.minutes(2)))
struct ChurnTests {
    /// Counts the open prompts.
    final class Counter: Sendable {
        private let state = Lock((open: 0, most: 0, total: 0))

        var open: Int { state.withLock { $0.open } }
        var most: Int { state.withLock { $0.most } }
        var total: Int { state.withLock { $0.total } }

        func enter() {
            state.withLock { state in
                state.open += 1
                state.total += 1
                state.most = max(state.most, state.open)
            }
        }

        func leave() { state.withLock { $0.open -= 1 } }
    }

    @Test(arguments: 0..<20)
    func everyRequestEndsAndPromptsDoNotAccumulate(round: Int) async {
        let counter = Counter()
        let permission = NotificationPermission(
            options: [.alert],
            prompt: PermissionPrompt { _ in
                counter.enter()
                defer { counter.leave() }
                for _ in 0..<50 { await Task.yield() }
                // Like a prompt that was dismissed; the others return an answer.
                try Task.checkCancellation()
                return .granted
            })
        let ends = await withTaskGroup(of: String.self) { group in
            for index in 0..<40 {
                group.addTask {
                    let request = Task { try await permission.request() }
                    for _ in 0..<(index * 7 + round) % 30 { await Task.yield() }
                    if !(index + round).isMultiple(of: 5) { request.cancel() }
                    do {
                        return try await request.value.name
                    } catch is CancellationError {
                        return "cancelled"
                    } catch {
                        return "\(error)"
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(ends.count == 40)
        #expect(Set(ends).isSubset(of: ["granted", "cancelled"]), "\(Set(ends))")
        #expect(ends.count { $0 == "granted" } >= 8)
        #expect(permission.status == .granted)
        await until { counter.open == 0 }
    }

    @Test func sourceRunsOnlyWithListeners() async throws {
        let receiver = ReceiverStub()
        let updates = LocationUpdates(allowsBackgroundLocationUpdates: false, source: receiver)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let listener = Task { [stream = updates.locations()] in
                        for try await _ in stream {}
                    }
                    for _ in 0..<index % 10 { await Task.yield() }
                    receiver.send(Location(latitude: 1, longitude: 2))
                    listener.cancel()
                    _ = await listener.result
                }
            }
        }
        await until { receiver.started == receiver.stopped }
        let last = Lock(false)
        let listener = Task { [stream = updates.locations()] in
            for try await _ in stream {}
            last.withLock { $0 = true }
        }
        // Repeated, because the output may still belong to an abandoned run.
        await until {
            receiver.finish()
            return last.withLock { $0 }
        }
        try await listener.value
        await until { receiver.started == receiver.stopped }
    }

    @Test func removedListenersAreForgotten() async {
        let environment = EnvironmentPlatformAPI(configurations: sampleConfig().environment)
        await withTaskGroup(of: Void.self) { group in
            for index in 0..<100 {
                group.addTask {
                    let listener = Task { [changes = environment.changes()] in
                        for await name in changes { #expect(["production", "staging"].contains(name)) }
                    }
                    do {
                        try environment.switchTo(index.isMultiple(of: 2) ? "staging" : "production")
                    } catch {
                        Issue.record(error)
                    }
                    listener.cancel()
                    await listener.value
                }
            }
        }
        #expect(environment.names.contains(environment.current))
    }
}
