import DeliverySupport
import Foundation
import GlassBase
@testable import GlassDelivery
import GlassMarkets
import Testing

/// The ten seconds after which a market counts as healthy, on a clock that a test advances.
private final class Seconds: Sendable {
    private struct Waiting {
        var begun = 0
        var cancelled = 0
        var continuations: [Int: CheckedContinuation<Void, any Error>] = [:]
    }
    private let waiting = Lock(Waiting())
    private let changes = AsyncStream.makeStream(of: Void.self)

    var begun: Int { waiting.withLock { $0.begun } }

    @Sendable func pause(_ duration: Duration) async throws {
        #expect(duration == .seconds(10))
        let number = waiting.withLock { waiting in
            waiting.begun += 1
            return waiting.begun
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                waiting.withLock { $0.continuations[number] = continuation }
                if Task.isCancelled { end(number, CancellationError()) }
                changes.continuation.yield()
            }
        } onCancel: {
            end(number, CancellationError())
        }
    }

    private func end(_ number: Int, _ error: (any Error)?) {
        let continuation = waiting.withLock { $0.continuations.removeValue(forKey: number) }
        if let error { continuation?.resume(throwing: error) } else { continuation?.resume() }
    }

    /// Waits until a pause has begun.
    func begins() async {
        for await _ in changes.stream { return }
    }

    /// Ends a pause as if its ten seconds had passed.
    func pass(_ number: Int) { end(number, nil) }
}

@Suite(.timeLimit(.minutes(1))) struct FirstScreenTests {
    private func phone() async throws -> Phone {
        let phone = try Phone()
        try phone.publish("one")
        try await phone.refresh()
        return phone
    }

    /// Waits until the market is reported as healthy.
    private func health(_ events: AsyncStream<DeliveryEvent>) async {
        for await event in events { if case .healthy = event.kind { return } }
    }

    @Test func marketsAreHealthyTenSecondsAfterFirstScreen() async throws {
        let phone = try await phone()
        let seconds = Seconds()
        let markets = try phone.launch(pause: seconds.pause)
        let events = markets.events()
        _ = try markets.check("ca")
        markets.firstScreenAppeared()
        markets.firstScreenAppeared()
        await seconds.begins()
        #expect(seconds.begun == 1)
        #expect(markets.deliveryStatus(of: "ca")?.health == .trial(starts: 1))
        seconds.pass(1)
        await health(events)
        #expect(markets.deliveryStatus(of: "ca")?.health == .healthy)
    }

    @Test func secondsDoNotPassInBackground() async throws {
        let phone = try await phone()
        let seconds = Seconds()
        let markets = try phone.launch(pause: seconds.pause)
        let events = markets.events()
        _ = try markets.check("ca")
        markets.firstScreenAppeared()
        await seconds.begins()
        markets.enterBackground()
        #expect(markets.deliveryStatus(of: "ca")?.health == .trial(starts: 0))
        markets.enterForeground()
        await seconds.begins()
        #expect(markets.deliveryStatus(of: "ca")?.health == .trial(starts: 1))
        seconds.pass(2)
        await health(events)
        #expect(markets.deliveryStatus(of: "ca")?.health == .healthy)
    }

    @Test func marketIsNotHealthyWithoutScreen() async throws {
        let phone = try await phone()
        let seconds = Seconds()
        let markets = try phone.launch(pause: seconds.pause)
        _ = try markets.check("ca")
        markets.enterBackground()
        markets.enterForeground()
        #expect(seconds.begun == 0)
        #expect(markets.deliveryStatus(of: "ca")?.health == .trial(starts: 1))
    }
}
