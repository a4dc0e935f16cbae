import GlassBase
import Foundation
import GlassSchema
import Testing

@testable import GlassPlatform

/// A temporary folder, removed with the object.
final class TestFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "glass-telemetry-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

    deinit { try? FileManager.default.removeItem(at: url) }  // The system cleans up if this fails.

    var outbox: URL { url.appending(path: "analytics/t.sqlite") }

    var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: outbox.deletingLastPathComponent().path) }
    }
}

/// Clocks that only advance when a test moves them; pauses end immediately.
final class TestClock: Sendable {
    private let state = Lock((now: Date(timeIntervalSince1970: 1_000_000), uptime: Duration.seconds(5_000)))

    var clock: TelemetryClock {
        TelemetryClock(
            now: { self.state.withLock { $0.now } }, uptime: { self.state.withLock { $0.uptime } },
            sleep: { _ in try Task.checkCancellation() })
    }

    func advance(_ duration: Duration) { state.withLock { $0.uptime += duration } }

    func setDate(_ date: Date) { state.withLock { $0.now = date } }
}

/// A sink that behaves as instructed and records what it received.
final class TestSink: AnalyticsSink {
    let name: String
    private let answer: @Sendable (Int, AnalyticsBatch) async throws -> Void
    private let state = Lock((calls: 0, taken: [AnalyticsBatch]()))

    init(_ name: String = "test", answer: @escaping @Sendable (Int, AnalyticsBatch) async throws -> Void = { _, _ in })
    {
        self.name = name
        self.answer = answer
    }

    var calls: Int { state.withLock { $0.calls } }
    var taken: [AnalyticsBatch] { state.withLock { $0.taken } }
    var events: [SentEvent] { taken.flatMap(\.events).map { SentEvent($0) } }

    func send(_ batch: AnalyticsBatch) async throws {
        let call = state.withLock { state in
            state.calls += 1
            return state.calls
        }
        try await answer(call, batch)
        state.withLock { $0.taken.append(batch) }
    }
}

/// The receiver's view of an event.
struct SentEvent: Decodable, Equatable {
    var id: String
    var name: String
    var timestamp: String
    var process: String
    var sequence: Int
    var attributes: [String: ConfigurationScalar]
    var context: [String: ConfigurationScalar]

    init(_ data: Data) {
        do {
            self = try JSONDecoder().decode(Self.self, from: data)
        } catch {
            preconditionFailure("no event: \(String(decoding: data, as: UTF8.self)): \(error)")
        }
    }
}

struct TestFailure: Error, Equatable, CustomStringConvertible {
    var description: String { "test failure" }
}

/// A host that sends and retries immediately.
func eagerHost() -> TelemetryHost {
    var host = TelemetryHost()
    host.batching.maximumEvents = 10
    host.batching.delay = .milliseconds(1)
    host.batching.pollInterval = .milliseconds(20)
    host.retry.initialDelay = .milliseconds(1)
    host.retry.maximumDelay = .milliseconds(5)
    return host
}

/// A host that only sends when flushed.
func patientHost() -> TelemetryHost {
    var host = eagerHost()
    host.batching.delay = .seconds(3600)
    host.batching.pollInterval = .seconds(3600)
    host.batching.maximumEvents = 100
    return host
}

/// Waits until a condition holds; otherwise the test's time limit ends the wait.
func pollUntil(_ condition: () throws -> Bool) async throws {
    while try !condition() { try await Task.sleep(for: .milliseconds(5)) }
}

/// Flushes until it succeeds: pending events survive failures on the way.
func flushAtLast(_ analytics: any Analytics) async throws {
    while true {
        do {
            return try await analytics.flush()
        } catch AnalyticsError.notDelivered {
            try await Task.sleep(for: .milliseconds(2))
        }
    }
}
