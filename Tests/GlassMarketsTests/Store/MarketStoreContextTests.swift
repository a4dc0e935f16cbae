import Foundation
import GlassBase
import GlassSchema
import TestSupport
import Testing

@testable import GlassMarkets

/// A store whose markets follow the situation of the app.
@Suite(.timeLimit(.minutes(5)))
struct MarketStoreContextTests {
    /// Compiled markets that a test replaces.
    private final class Texts: Sendable {
        let texts: Lock<[String: String]>

        init(_ texts: [String: String]) { self.texts = Lock(texts) }

        var source: CompiledMarkets {
            CompiledMarkets(
                .base, secrets: { _ in nil }, reading: { [self] id in texts.withLock { $0[id] }.map { Array($0.utf8) } }
            )
        }
    }

    /// A clock that only moves when a test moves it.
    private final class Clock: Sendable {
        private struct Waiting {
            let until: Date
            let continuation: CheckedContinuation<Void, any Error>
        }
        private struct State {
            var now: Date
            var waiting: [Int: Waiting] = [:]
            var next = 0
        }
        private let state: Lock<State>

        init(_ now: String) throws {
            let date = try #require(ContextDate(now))
            state = Lock(State(now: Date(timeIntervalSince1970: TimeInterval(date.secondsSince1970))))
        }

        var now: Date { state.withLock { $0.now } }

        /// The times until which timers wait.
        var alarms: [Date] { state.withLock { $0.waiting.values.map(\.until) }.sorted() }

        func pause(_ duration: Duration) async throws {
            let id = state.withLock { state in
                state.next += 1
                return state.next
            }
            try await withTaskCancellationHandler {
                try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                    state.withLock { state in
                        state.waiting[id] = Waiting(
                            until: state.now + TimeInterval(duration.components.seconds), continuation: continuation)
                    }
                    // The cancellation may have come before.
                    if Task.isCancelled { cancel(id) }
                }
            } onCancel: {
                cancel(id)
            }
        }

        private func cancel(_ id: Int) {
            let waiting = state.withLock { $0.waiting.removeValue(forKey: id) }
            waiting?.continuation.resume(throwing: CancellationError())
        }

        func move(to text: String) throws {
            let date = try #require(ContextDate(text))
            let due = state.withLock { state in
                state.now = Date(timeIntervalSince1970: TimeInterval(date.secondsSince1970))
                let now = state.now
                let due = state.waiting.filter { $0.value.until <= now }
                for id in due.keys { state.waiting[id] = nil }
                return due.values.map(\.continuation)
            }
            for continuation in due { continuation.resume() }
        }
    }

    private func points(_ store: MarketStore, _ id: String = "t") -> Int? {
        store.market(id).map { $0[Points.self].perDollar }
    }

    private func text(_ id: String, _ text: String) -> String {
        text.replacing("\"id\":\"t\"", with: "\"id\":\"\(id)\"")
    }

    /// Waits for what other tasks do. The suite has a time limit.
    private func eventually(_ condition: () -> Bool) async {
        while !condition() { await Task.yield() }
    }

    private func makeStore(_ texts: [String: String], context: MarketContext = MarketContext()) -> MarketStore {
        let store = MarketStore(Texts(texts).source, context: context)
        for id in texts.keys.sorted() { store.reload(id) }
        return store
    }

    // MARK: Contexts

    private var signedIn: String {
        CompiledSituationsTests.text(
            attributes: #""signedIn":{"pace":"live","personal":true,"type":"boolean"}"#,
            conditions: #"{"signedIn":true}"#)
    }

    @Test func onlyMarketsThatChangeAreReplaced() async throws {
        let store = makeStore([
            "t": signedIn, "u": text("u", CompiledSituationsTests.text()), "v": CompiledMarketTests.text(id: "v"),
        ])
        let before = store.markets
        let events = store.events()
        let changes = try store.update(context: MarketContext(["signedIn": .boolean(true)]))
        #expect(changes.map(\.id) == ["t"] && points(store) == 7)
        #expect(store.market("t") !== before["t"])
        #expect(store.market("u") === before["u"] && store.market("v") === before["v"])
        guard case .applied(let change)? = changes.first else {
            Issue.record("\(changes)")
            return
        }
        #expect(change.before == change.after && change.difference?.isEmpty == false)
        #expect(try store.update(context: MarketContext(["signedIn": .boolean(true)])).isEmpty)
        var iterator = events.makeAsyncIterator()
        #expect(await iterator.next()?.id == "t")
        // The files are those in use, so a reload does nothing.
        #expect(store.status(of: "t")?.isCurrent == true && store.reload("t") == nil)
    }

    @Test func attributeOfWrongTypeChangesNothing() throws {
        let store = makeStore(["t": signedIn])
        let good = MarketContext(["signedIn": .boolean(true)])
        try store.update(context: good)
        let market = store.market("t")
        let wrong = [
            MarketContext(["signedIn": .text("yes")]),
            MarketContext(["signedIn": .boolean(false), "shoeSize": .number(42)]),
            MarketContext(["signedIn": .boolean(false), "appVersion": .text("24")]),
        ]
        for context in wrong {
            #expect(throws: MarketContextError.self) { try store.update(context: context) }
            #expect(store.context == good && store.market("t") === market)
        }
    }

    @Test func newVersionIsReadInSituationOfApp() throws {
        let texts = Texts(["t": signedIn])
        let store = MarketStore(texts.source, context: MarketContext(["signedIn": .boolean(true)]))
        store.reload("t")
        #expect(points(store) == 7)
        texts.texts.withLock { $0["t"] = signedIn.replacing("[[0,7]]", with: "[[0,9]]") }
        store.reload("t")
        #expect(points(store) == 9)
    }

    @Test func rejectedVersionStaysRejectedWhenSituationChanges() throws {
        let texts = Texts(["t": signedIn])
        let store = MarketStore(texts.source)
        store.reload("t")
        texts.texts.withLock { $0["t"] = "{" }
        store.reload("t")
        try store.update(context: MarketContext(["signedIn": .boolean(true)]))
        #expect(points(store) == 7 && store.status(of: "t")?.isCurrent == false)
    }

    /// A market that was not checked, such as one of a newer compiler.
    @Test func marketWithErrorInSituationStaysAndIsReportedOnce() throws {
        let store = makeStore(["t": signedIn.replacing("[[0,7]]", with: "[[0,70]]")])
        let market = store.market("t")
        let events = try store.update(context: MarketContext(["signedIn": .boolean(true)]))
        guard case .rejected(let rejection)? = events.first else {
            Issue.record("\(events)")
            return
        }
        #expect(rejection.findings.map(\.code) == [.outOfRange] && rejection.kept == market?.revision)
        #expect(store.market("t") === market && points(store) == 3)
        #expect(try store.update(context: MarketContext(["signedIn": .boolean(true)])).isEmpty)
    }

    // MARK: Dates

    private func dated(_ id: String, from: String, to: String, _ inside: Int) -> String {
        text(
            id,
            CompiledSituationsTests.text(
                attributes: #""date":{"pace":"live","type":"date"}"#,
                conditions: #"{"date":">= \#(from) < \#(to)"}"#,
                points: #"{"$vary":{"else":3,"first":[[0,\#(inside)]]}}"#))
    }

    /// One timer, until the first of all dates.
    @Test func valuesChangeWhenTheirDateComes() async throws {
        let texts = Texts([
            "t": dated("t", from: "2026-11-27T00:00:00Z", to: "2026-12-01T00:00:00Z", 7),
            "u": dated("u", from: "2026-11-28T00:00:00Z", to: "2026-11-29T00:00:00Z", 9),
        ])
        let clock = try Clock("2026-11-20T00:00:00Z")
        let store = MarketStore(
            texts.source, context: MarketContext(), now: { clock.now }, pause: { try await clock.pause($0) })
        func values() -> [Int?] { ["t", "u"].map { points(store, $0) } }
        func waits(until date: String?) async throws {
            let date = date.flatMap { ContextDate($0) }.map {
                Date(timeIntervalSince1970: TimeInterval($0.secondsSince1970))
            }
            await eventually { clock.alarms == (date.map { [$0] } ?? []) }
        }
        store.reload("t")
        store.reload("u")
        #expect(values() == [3, 3])
        try await waits(until: "2026-11-27T00:00:00Z")
        try clock.move(to: "2026-11-27T00:00:00Z")
        await eventually { values() == [7, 3] }
        try await waits(until: "2026-11-28T00:00:00Z")
        // Somebody sets the clock of the device: what it shows now counts.
        try clock.move(to: "2026-11-30T12:00:00Z")
        await eventually { values() == [7, 3] && store.market("u") != nil }
        try await waits(until: "2026-12-01T00:00:00Z")
        try clock.move(to: "2026-12-24T00:00:00Z")
        await eventually { values() == [3, 3] }
        try await waits(until: nil)
    }

    @Test func timerDoesNotKeepStoreAlive() async throws {
        let clock = try Clock("2026-11-20T00:00:00Z")
        let texts = Texts(["t": dated("t", from: "2026-11-27T00:00:00Z", to: "2026-12-01T00:00:00Z", 7)])
        var store: MarketStore? = MarketStore(
            texts.source, context: MarketContext(), now: { clock.now }, pause: { try await clock.pause($0) })
        store?.reload("t")
        await eventually { clock.alarms.count == 1 }
        weak let released = store
        store = nil
        #expect(released == nil)
        await eventually { clock.alarms.isEmpty }
    }

    // MARK: Threads

    /// Changes of the situation, reloads and reads at once: no market is of two situations or of two versions, and at
    /// the end, the market is the last version in the last situation.
    @Test func nobodySeesMixedMarket() async throws {
        let count = rounds(all: 300, few: 60)
        @Sendable func text(_ version: Int) -> String {
            // Both values vary with the same condition, and the name says the version.
            CompiledSituationsTests.text(
                attributes: #""signedIn":{"pace":"live","personal":true,"type":"boolean"}"#,
                conditions: #"{"signedIn":true}"#,
                points: #"{"$vary":{"else":\#(version % 5),"first":[[0,\#(5 + version % 5)]]}}"#,
                routables:
                    #"{"flyers":{"$vary":{"else":{"paths":["out\#(version % 5)"]},"first":[[0,{"paths":["in\#(version % 5)"]}]]}}}"#
            )
        }
        let texts = Texts(["t": text(0)])
        let store = MarketStore(texts.source)
        store.reload("t")
        let isDone = Lock(false)
        await withTaskGroup(of: Void.self) { group in
            for reader in 0..<2 {
                group.addTask {
                    var reads = 0
                    while !isDone.withLock({ $0 }) || reads == 0 {
                        reads += 1
                        guard let market = store.market("t") else { continue }
                        let (value, path) = (market[Points.self].perDollar, "\(market.routes[0].pattern)")
                        let expected = value >= 5 ? "in\(value - 5)" : "out\(value)"
                        #expect(path == expected, "reader \(reader)")
                        if reads % 64 == 0 { await Task.yield() }
                    }
                }
            }
            await withTaskGroup(of: Void.self) { writers in
                for writer in 0..<2 {
                    writers.addTask {
                        for round in 0..<count {
                            let isIn = (round + writer) % 2 == 0
                            do {
                                try store.update(context: MarketContext(["signedIn": .boolean(isIn)]))
                            } catch {
                                Issue.record("\(error)")
                            }
                        }
                    }
                }
                writers.addTask {
                    for round in 1...count {
                        texts.texts.withLock { $0["t"] = text(round) }
                        store.reload("t")
                    }
                }
                await writers.waitForAll()
            }
            // All is quiet, and nothing was lost.
            let market = store.market("t")
            let isIn = store.context["signedIn"] == .boolean(true)
            #expect(market?[Points.self].perDollar == count % 5 + (isIn ? 5 : 0))
            #expect(store.reload("t") == nil)
            isDone.withLock { $0 = true }
        }
    }
}
