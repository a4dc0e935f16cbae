import Foundation
import GlassBase
@testable import GlassDelivery
import Testing

@Suite struct UpdateClientTests {
    private let key: SampleKey

    init() throws { key = try SampleKey("root") }

    /// A transport that fails with given errors, and then has no file.
    private final class FailingTransport: UpdateTransport {
        let failures: Lock<[TransportFailure]>
        let requests = Lock<[UpdateRequest]>([])

        init(_ failures: [TransportFailure]) { self.failures = Lock(failures) }

        func get(_ request: UpdateRequest) async throws(TransportFailure) -> UpdateResponse {
            requests.withLock { $0.append(request) }
            let failure: TransportFailure? = failures.withLock { $0.isEmpty ? nil : $0.removeFirst() }
            if let failure { throw failure }
            return .missing(status: 404)
        }
    }

    /// A clock that only advances by the pauses, which it records.
    private struct Pauses {
        let all = Lock<[Duration]>([])

        var clock: UpdateClock {
            UpdateClock(
                elapsed: { [all] in all.withLock { $0.reduce(.zero, +) } },
                sleep: { [all] pause in all.withLock { $0.append(pause) } })
        }
    }

    // With two inlined copies of the client's loop in one test, the optimizer of Swift 6.3.1 crashes (LLVM's CoroSplit).
    @inline(never)
    private func refresh(
        _ transport: some UpdateTransport, _ pauses: Pauses, random: Double = 0,
        _ change: (inout UpdateLimits) -> Void = { _ in }
    ) async throws -> RefreshOutcome {
        var limits = UpdateLimits()
        change(&limits)
        let client = UpdateClient(metadata: transport, files: transport, clock: pauses.clock, random: { random })
        return await client.refresh(
            from: try TrustedSet(root: SampleRepository.root(key: key), limits: limits), now: SampleRepository.now)
    }

    @Test func retryableFailureIsTriedThreeTimes() async throws {
        let failure = TransportFailure(.network, "the server answers 503", mayPass: true)
        let transport = FailingTransport([failure, failure, failure])
        let pauses = Pauses()
        let outcome = try await refresh(transport, pauses)
        #expect(outcome.error?.description == "root: network: the server answers 503")
        #expect(outcome.requests == 3)
        #expect(pauses.all.withLock { $0 } == [.seconds(1), .seconds(2)])
        let random = Pauses()
        _ = try await refresh(FailingTransport([failure, failure]), random, random: 0.75)
        #expect(random.all.withLock { $0 } == [.milliseconds(250), .milliseconds(500)])
    }

    @Test func permanentFailureIsNotRetried() async throws {
        let outcome = try await refresh(FailingTransport([TransportFailure(.network, "no")]), Pauses())
        #expect(outcome.requests == 1)
    }

    @Test func serverRequestingTooLongPauseIsNotRetried() async throws {
        var failure = TransportFailure(.network, "the server answers 429", mayPass: true)
        failure.retryAfter = .seconds(3600)
        let pauses = Pauses()
        let outcome = try await refresh(FailingTransport([failure]), pauses)
        #expect(outcome.requests == 1)
        #expect(outcome.retryAfter == .seconds(3600))
        #expect(pauses.all.withLock { $0 } == [])
        failure.retryAfter = .seconds(5)
        let short = Pauses()
        _ = try await refresh(FailingTransport([failure]), short)
        #expect(short.all.withLock { $0 } == [.seconds(5)])
    }

    @Test func timeOfRefreshIsLimited() async throws {
        let failure = TransportFailure(.network, "the server answers 503", mayPass: true)
        let pauses = Pauses()
        let transport = FailingTransport(Array(repeating: failure, count: 20))
        let outcome = try await refresh(transport, pauses) { $0.tries = 20 }
        #expect(outcome.error?.rule == .network)
        // 1 + 2 + 4 + 8 seconds; another 16 would exceed the limit.
        #expect(outcome.requests == 5)
        #expect(transport.requests.withLock { $0.last?.timeLimit } == .seconds(15))
    }

    @Test func bytesOfRefreshAreLimited() async throws {
        let server = MemoryServer()
        let timestamp = try SampleRepository.timestamp(by: [key])
        server.contents.withLock { $0.files["timestamp.json"] = timestamp }
        let outcome = try await refresh(server.folder(""), Pauses()) { $0.refreshLength = timestamp.count - 1 }
        #expect(
            outcome.error?.description
                == "timestamp: too large: the refresh received more than \((timestamp.count - 1).grouped) bytes")
    }

    @Test func downloadResumesAfterInterruption() async throws {
        let partial = PartialFile(bytes: [1, 2], entityTag: "\"1\"")
        var failure = TransportFailure(.network, "broken", mayPass: true, received: 2)
        failure.partial = partial
        let transport = FailingTransport([failure, failure])
        let pauses = Pauses()
        var trusted = try TrustedSet(root: SampleRepository.root(key: key))
        try trusted.update(timestamp: SampleRepository.timestamp(by: [key]), now: SampleRepository.now)
        try trusted.update(snapshot: SampleRepository.snapshot(roles: ["targets"], by: key), now: SampleRepository.now)
        try trusted.update(targets: SampleRepository.targets(["a/b": "content"], by: key), now: SampleRepository.now)
        let file = try #require(trusted.target("a/b"))
        let client = UpdateClient(metadata: transport, files: transport, clock: pauses.clock)
        let outcome = await client.download(file, of: trusted)
        #expect(outcome.error?.description == "a/b: network: the server does not have it")
        #expect(transport.requests.withLock { $0.map(\.resuming) } == [nil, partial, partial])
        #expect(transport.requests.withLock { $0.first?.path } == "a/\(file.hashes["sha256"] ?? "").b")
        #expect(transport.requests.withLock { $0.first?.limit } == 7)
    }

    @Test func entityTagOfDiscardedTimestampIsNotSent() async throws {
        let transport = FailingTransport([])
        let client = UpdateClient(metadata: transport, files: transport)
        let trusted = try TrustedSet(root: SampleRepository.root(key: key))
        _ = await client.refresh(from: trusted, now: SampleRepository.now, entityTag: "\"1\"")
        #expect(transport.requests.withLock { $0.map(\.ifNoneMatch) } == [nil, nil])
    }
}
