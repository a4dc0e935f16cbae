import GlassBase
import Foundation
import GRDB
import GlassContainer
import GlassDeepLinking
import GlassPlatformMocks
import GlassSchema
import Testing

@testable import GlassPlatform

/// The live analytics' handling of events between `track` and a sink.
@Suite(.timeLimit(.minutes(2)))
struct AsyncAnalyticsManagerTests {
    @Test func eventHasMarketSessionStoreMembershipCustomerAndLocation() async throws {
        let clock = TestClock()
        let info = AnalyticsFeatureInfoProvider(storage: StorageAPIMock())
        try info.setAnalyticsStoreID("3520")
        try info.setAnalyticsMembership(AnalyticsMembership(tier: "plus", isActive: true))
        try info.setAnalyticsCustomerInfo(AnalyticsCustomerInfo(customerID: "c-1", isSignedIn: true))
        try info.setAnalyticsLocationInfo(AnalyticsLocationInfo(country: "CA", region: "ON", postalCode: "M5V 2T6"))
        let session = AnalyticsSession(clock: clock.clock)
        let sink = TestSink()
        var host = patientHost()
        host.clock.now = clock.clock.now
        let analytics = AsyncAnalyticsManager(
            sessionProvider: session,
            info: AnalyticsInfoProviders(storeID: info, membership: info, customer: info, location: info),
            sinks: [sink], host: host)
        var configuration = AniviaSuperAttributesConfiguration()
        configuration.tenant = "walmart-ca"
        configuration.attributes = ["country": .string("CA"), "schemaVersion": .integer(7)]
        analytics.addAniviaIntent(configuration: configuration)
        analytics.setSuperAttribute("experiment", to: .string("b"))
        analytics.setSuperAttribute("tenant", to: .string("somebody else"))
        try analytics.track(AnalyticsEvent("pageView", attributes: ["page": .string("home"), "tenant": .integer(1)]))
        analytics.setSuperAttribute("experiment", to: nil)
        try analytics.track(AnalyticsEvent("nothing", attributes: ["ratio": .number(.nan)]))
        try await analytics.flush()
        let events = sink.events
        #expect(events.map(\.name) == ["pageView", "nothing"])
        #expect(events[0].attributes == ["page": .string("home"), "tenant": .integer(1)])
        #expect(events[1].attributes == ["ratio": .string("NaN")])
        #expect(events[0].timestamp == "1970-01-12T13:46:40.000Z")
        #expect(
            events[0].context == [
                "tenant": .string("walmart-ca"), "channel": .string("app"), "country": .string("CA"),
                "schemaVersion": .integer(7), "experiment": .string("b"),
                "sessionID": .string(session.session.id), "sessionStart": .string("1970-01-12T13:46:40.000Z"),
                "sessionNumber": .integer(1), "storeID": .string("3520"), "membershipTier": .string("plus"),
                "membershipActive": .boolean(true), "customerID": .string("c-1"), "signedIn": .boolean(true),
                "locationCountry": .string("CA"), "locationRegion": .string("ON"),
                "locationPostalCode": .string("M5V 2T6"),
            ])
        #expect(events[1].context["experiment"] == nil)
        #expect(events.map(\.sequence) == [1, 2])
        await analytics.dispose()
    }

    @Test func onlyFlushWaitsForSink() async throws {
        let gate = Gate()
        let sink = TestSink { _, _ in await gate.wait() }
        let analytics = AsyncAnalyticsManager(sinks: [sink], host: eagerHost())
        for number in 0..<30 { try analytics.track(AnalyticsEvent("e\(number)")) }
        try await pollUntil { sink.calls == 1 }
        #expect(sink.taken.isEmpty)
        #expect(try analytics.counts().kept == 30)
        gate.open()
        try await analytics.flush()
        #expect(sink.events.map(\.name) == (0..<30).map { "e\($0)" })
        #expect(try analytics.counts().sent == 30)
        await analytics.dispose()
    }

    @Test func fullBatchIsSentAndFewEventsWait() async throws {
        let sink = TestSink()
        var host = patientHost()
        host.batching.maximumEvents = 5
        let analytics = AsyncAnalyticsManager(sinks: [sink], host: host)
        for number in 0..<4 { try analytics.track(AnalyticsEvent("e\(number)")) }
        #expect(sink.calls == 0)
        try analytics.track(AnalyticsEvent("e4"))
        try await pollUntil { sink.taken.count == 1 }
        #expect(sink.events.count == 5)
        await analytics.dispose()
    }

    @Test func batchDelaySendsPendingEvents() async throws {
        let sink = TestSink()
        let analytics = AsyncAnalyticsManager(sinks: [sink], host: eagerHost())
        try analytics.track(AnalyticsEvent("alone"))
        try await pollUntil { sink.events.map(\.name) == ["alone"] }
        await analytics.dispose()
    }

    @Test func failedBatchIsResentWithSameKeyInOrder() async throws {
        let keys = Lock<[String]>([])
        let sink = TestSink { call, batch in
            keys.withLock { $0.append(batch.key) }
            if call <= 3 { throw TestFailure() }
        }
        let analytics = AsyncAnalyticsManager(sinks: [sink], host: eagerHost())
        for number in 0..<12 { try analytics.track(AnalyticsEvent("e\(number)")) }
        try await pollUntil { sink.events.count == 12 }
        #expect(Set(keys.withLock { $0.prefix(4) }).count == 1)
        #expect(sink.events.map(\.name) == (0..<12).map { "e\($0)" })
        #expect(Set(sink.taken.map(\.key)).count == sink.taken.count)
        await analytics.dispose()
    }

    @Test func failedBatchIsResentAfterPauseWithoutMoreEvents() async throws {
        let sink = TestSink { call, _ in if call < 4 { throw TestFailure() } }
        var host = patientHost()
        host.retry.initialDelay = .milliseconds(1)
        let analytics = AsyncAnalyticsManager(sinks: [sink], host: host)
        try analytics.track(AnalyticsEvent("e"))
        await #expect(throws: AnalyticsError.self) { try await analytics.flush() }
        try await pollUntil { sink.events.map(\.name) == ["e"] }
        #expect(sink.calls == 4)
        await analytics.dispose()
    }

    @Test func invalidBatchSizeSendsOneByOne() async throws {
        let sink = TestSink()
        var host = eagerHost()
        host.batching.maximumEvents = 0
        host.batching.maximumBytes = -1
        host.batching.pollInterval = .zero
        let analytics = AsyncAnalyticsManager(sinks: [sink], host: host)
        for number in 0..<3 { try analytics.track(AnalyticsEvent("e\(number)")) }
        try await analytics.flush()
        #expect(sink.taken.map(\.events.count) == [1, 1, 1])
        await analytics.dispose()
    }

    @Test func flushReportsFailureOfSinkAndKeepsEvents() async throws {
        let sink = TestSink { _, _ in throw TestFailure() }
        let good = TestSink("good")
        var host = patientHost()
        host.retry.initialDelay = .seconds(3600)
        host.retry.maximumDelay = .seconds(3600)
        let analytics = AsyncAnalyticsManager(sinks: [sink, good], host: host)
        try analytics.track(AnalyticsEvent("e"))
        for _ in 0..<2 {
            let error = await #expect(throws: AnalyticsError.self) { try await analytics.flush() }
            #expect(
                error?.description
                    == "the analytics sink \"test\" did not accept the waiting events: test failure; they are kept and sent later"
            )
        }
        // A flush skips the pause. The sender may also have tried once by itself.
        #expect(sink.calls == 2 || sink.calls == 3)
        #expect(good.events.map(\.name) == ["e"])
        #expect(try analytics.counts().kept == 1)
        #expect(try analytics.counts().sentBySink == ["test": 0, "good": 1])
        await analytics.dispose()
    }

    @Test func cancelledFlushEnds() async throws {
        let gate = Gate()
        let sink = TestSink { _, _ in await gate.wait() }
        let analytics = AsyncAnalyticsManager(sinks: [sink], host: patientHost())
        try analytics.track(AnalyticsEvent("e"))
        let flush = Task { try await analytics.flush() }
        try await pollUntil { sink.calls == 1 }
        flush.cancel()
        let result = await flush.result
        guard case .failure(AnalyticsError.notDelivered("test", let cause)) = result else {
            Issue.record("\(result)")
            return
        }
        #expect(cause is CancellationError)
        gate.open()
        await analytics.dispose()
    }

    @Test func batchWithUnrecordedAcknowledgmentIsNotResent() async throws {
        let folder = try TestFolder()
        var limits = AnalyticsOutboxLimits()
        limits.busyTimeout = .milliseconds(1)
        var configuration = Configuration()
        configuration.allowsUnsafeTransactions = true
        let other = try DatabaseQueue(
            path: folder.url.appending(path: "t.sqlite").path, configuration: configuration)
        let isHeld = Lock(false)
        let sink = TestSink { _, _ in
            // Another process locks the file while the batch is being sent.
            try hold(other, "BEGIN IMMEDIATE")
            isHeld.withLock { $0 = true }
        }
        let outbox = AnalyticsOutbox(
            file: folder.url.appending(path: "t.sqlite"), sinks: ["test"], limits: limits)
        let analytics = AsyncAnalyticsManager(AnalyticsSetup(sinks: [sink], host: eagerHost()), outbox: outbox)
        try analytics.track(AnalyticsEvent("e"))
        let error = await #expect(throws: AnalyticsError.self) { try await analytics.flush() }
        #expect("\(try #require(error))".contains("locked"))
        try await pollUntil { isHeld.withLock { $0 } }
        try hold(other, "ROLLBACK")
        try await flushAtLast(analytics)
        #expect(sink.calls == 1)
        #expect(try analytics.counts().sent == 1)
        await analytics.dispose()
    }

    @Test func oversizedEventIsRejectedImmediately() throws {
        var host = patientHost()
        host.outbox.maximumEventBytes = 500
        let analytics = AsyncAnalyticsManager(host: host)
        let error = #expect(throws: AnalyticsError.self) {
            try analytics.track(
                AnalyticsEvent("big", attributes: ["text": .string(String(repeating: "x", count: 400))]))
        }
        guard case .tooLarge("big", let bytes, 500)? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        #expect(bytes > 500)
        #expect(try analytics.counts().tracked == 0)
    }

    @Test func shutdownSendsTrackedEventsAndRejectsNewOnes() async throws {
        let sink = TestSink()
        let container = Container()
        container.register((any Analytics).self) { _ in AsyncAnalyticsManager(sinks: [sink], host: patientHost()) }
        let analytics: any Analytics = container.get()
        try analytics.track(AnalyticsEvent("last"))
        await container.shutdown()
        #expect(sink.events.map(\.name) == ["last"])
        let error = #expect(throws: AnalyticsError.self) { try analytics.track(AnalyticsEvent("too late")) }
        guard case .shutDown? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
        let second = await #expect(throws: AnalyticsError.self) { try await analytics.flush() }
        guard case .shutDown? = second else {
            Issue.record("\(String(describing: second))")
            return
        }
    }

    @Test func shutdownAbandonsHangingSink() async throws {
        let folder = try TestFolder()
        let sink = TestSink { _, _ in try await Task.sleep(for: .seconds(3600)) }
        var host = patientHost()
        host.shutdownGrace = .milliseconds(10)
        let first = AsyncAnalyticsManager(outboxFile: folder.outbox, sinks: [sink], host: host)
        try first.track(AnalyticsEvent("e"))
        await first.dispose()
        let good = TestSink()
        let second = AsyncAnalyticsManager(outboxFile: folder.outbox, sinks: [good], host: host)
        try await second.flush()
        #expect(good.events.map(\.name) == ["e"])
        await second.dispose()
    }

    @Test func unreferencedManagerIsFreedWithItsSinks() async throws {
        weak var manager: AsyncAnalyticsManager?
        weak var sink: TestSink?
        do {
            let held = TestSink()
            let analytics = AsyncAnalyticsManager(sinks: [held], host: eagerHost())
            try analytics.track(AnalyticsEvent("e"))
            manager = analytics
            sink = held
        }
        #expect(manager == nil)
        try await pollUntil { sink == nil }
    }

    @Test func extensionWithoutSinksLeavesEventsToApp() async throws {
        let folder = try TestFolder()
        let sink = TestSink()
        let app = AsyncAnalyticsManager(outboxFile: folder.outbox, sinks: [sink], host: eagerHost())
        let appExtension = AsyncAnalyticsManager(outboxFile: folder.outbox, host: eagerHost())
        try appExtension.track(AnalyticsEvent("from the extension"))
        try await appExtension.flush()
        try await pollUntil { sink.events.map(\.name) == ["from the extension"] }
        await app.dispose()
        await appExtension.dispose()
    }

    @Test func twoSendersOfOneOutboxSendEverythingOnceInOrder() async throws {
        let folder = try TestFolder()
        let received = Lock<[SentEvent]>([])
        let keys = Lock<[String]>([])
        func sink() -> TestSink {
            TestSink { _, batch in
                keys.withLock { $0.append(batch.key) }
                received.withLock { $0 += batch.events.map { SentEvent($0) } }
            }
        }
        let managers = (0..<2).map { _ in
            AsyncAnalyticsManager(outboxFile: folder.outbox, sinks: [sink()], host: eagerHost())
        }
        await withTaskGroup(of: Void.self) { group in
            for (index, manager) in managers.enumerated() {
                group.addTask {
                    for number in 0..<60 {
                        #expect(throws: Never.self) { try manager.track(AnalyticsEvent("\(index)-\(number)")) }
                        if number % 20 == 19 { try? await manager.flush() }  // The other sender may be active.
                    }
                }
            }
        }
        for manager in managers { try await flushAtLast(manager) }
        let events = received.withLock { $0 }
        #expect(events.count == 120)
        #expect(Set(events.map(\.id)).count == 120)
        for index in 0..<2 {
            #expect(events.map(\.name).filter { $0.hasPrefix("\(index)-") } == (0..<60).map { "\(index)-\($0)" })
        }
        let sent = keys.withLock { $0 }
        #expect(Set(sent).count == sent.count)
        for manager in managers { await manager.dispose() }
    }

    @Test func everyEventIsDeliveredDroppedOrRejected() async throws {
        let folder = try TestFolder()
        var host = eagerHost()
        host.outbox.maximumEvents = 60
        let refused = Lock<Set<String>>([])
        let flaky = TestSink { call, batch in
            if call % 3 == 0 { throw TestFailure() }
            let bad = batch.events.map { SentEvent($0) }.filter { $0.name.hasSuffix("13") }
            if !bad.isEmpty {
                if batch.events.count == 1 { refused.withLock { _ = $0.insert(bad[0].name) } }
                throw AnalyticsSinkError.refused(reason: "unlucky")
            }
        }
        let analytics = AsyncAnalyticsManager(outboxFile: folder.outbox, sinks: [flaky], host: host)
        for number in 0..<400 { try analytics.track(AnalyticsEvent("e\(number)")) }
        try await flushAtLast(analytics)
        let counts = try analytics.counts()
        #expect(counts.isBalanced && counts.kept == 0 && counts.tracked == 400, "\(counts)")
        #expect(counts.sent == flaky.events.count)
        #expect(counts.rejected == refused.withLock { $0.count })
        #expect(counts.dropped == 400 - counts.sent - counts.rejected)
        // Each batch reports the events dropped before it.
        try analytics.track(AnalyticsEvent("last"))
        try await flushAtLast(analytics)
        #expect(flaky.taken.map(\.dropped).reduce(0, +) == counts.dropped)
        let sequences = flaky.events.map(\.sequence)
        #expect(sequences == sequences.sorted() && Set(sequences).count == sequences.count)
        await analytics.dispose()
    }

    @Test func outboxesOfTenantsAreSeparate() {
        let folder = URL(filePath: "/state")
        func path(_ tenant: String) -> String { AnalyticsSetup.outboxFile(in: folder, tenant: tenant).path }
        #expect(path("walmart-ca") == "/state/analytics/walmart-ca.sqlite")
        #expect(path("../É") == "/state/analytics/_2e_2e_2f_c3_89.sqlite")
        #expect(path(String(repeating: "x", count: 500)).utf8.count < 200)
    }

    @Test(
        arguments: [
            (1, nil, 0.0, 0.8), (1, nil, 1.0, 1.0), (2, nil, 1.0, 2.0), (5, nil, 1.0, 16.0), (9, nil, 1.0, 60.0),
            (4_000, nil, 1.0, 60.0), (1, 30.0, 0.0, 30.0), (1, 900.0, 0.0, 60.0), (3, 1.0, 1.0, 4.0),
        ] as [(Int, Double?, Double, Double)])
    func pausesGrowUpToLimit(attempt: Int, requested: Double?, random: Double, expected: Double) {
        var retry = TelemetryHost().retry
        retry.maximumDelay = .seconds(60)
        let pause = retry.pause(after: attempt, requested: requested.map { .seconds($0) }, random: random)
        #expect(abs(pause.inSeconds - expected) < 1e-9)
    }

    @Test(arguments: [
        (
            AnalyticsError.notKept(cause: TestFailure()),
            "the analytics event was not stored: test failure; track it again once the cause is resolved"
        ),
        (
            .tooLarge(event: "e", bytes: 9, limit: 8),
            "the analytics event \"e\" has 9 bytes, but the limit is 8; send fewer or shorter attributes"
        ),
        (.unavailable(cause: TestFailure()), "the analytics outbox cannot be read: test failure"),
        (.shutDown, "analytics was shut down with its container; track events earlier"),
    ])
    func errorsHaveAdvice(error: AnalyticsError, text: String) {
        #expect("\(error)" == text)
    }
}

/// Runs a statement outside GRDB's own transactions; not async, so that it blocks like another process would.
private func hold(_ database: DatabaseQueue, _ sql: String) throws {
    try database.inDatabase { try $0.execute(sql: sql) }
}

/// A gate that is closed until it is opened.
final class Gate: Sendable {
    private let state = Lock((isOpen: false, waiting: [CheckedContinuation<Void, Never>]()))

    func wait() async {
        await withCheckedContinuation { continuation in
            let isOpen = state.withLock { state in
                if !state.isOpen { state.waiting.append(continuation) }
                return state.isOpen
            }
            if isOpen { continuation.resume() }
        }
    }

    func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for continuation in waiting { continuation.resume() }
    }
}
