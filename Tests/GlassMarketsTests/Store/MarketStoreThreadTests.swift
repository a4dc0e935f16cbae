import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassSchema
import Observation
import Synchronization
import TestSupport
import Testing

@testable import GlassMarkets

/// Preconditions and links that arrive while a market is replaced are neither lost nor undone.
@Suite(.timeLimit(.minutes(5))) struct MarketStoreThreadTests {
    private let text = VersionedText()

    /// The first market, and a store that reloads another version of it.
    private func makeStore(
        prepare: @escaping @Sendable (Market, Market?) throws -> Void = { _, _ in }
    ) throws -> (store: MarketStore, first: Market) {
        let store = MarketStore(text.source, prepare: prepare)
        store.reload("t")
        return (store, try #require(store.market("t")))
    }

    private func reload(_ store: MarketStore) throws -> Market {
        text.version.add(1, ordering: .relaxed)
        store.reload("t")
        return try #require(store.market("t"))
    }

    // MARK: Preconditions

    @Test func signOutBeforeNewMarketIsPublishedPersists() throws {
        let (store, first) = try makeStore { _, previous in
            // The new market has taken over the satisfied preconditions, but is not published yet.
            try previous?.preconditions.reset("signedIn")
        }
        try first.preconditions.satisfy("signedIn")
        let second = try reload(store)
        #expect(second !== first && second.preconditions.unmet.contains("signedIn"))
    }

    /// An observer sees the new market as soon as it is published, before the reload ends.
    @Test func signOutAsSoonAsNewMarketIsPublishedPersists() async {
        await #expect(processExitsWith: .success) {
            let text = VersionedText()
            let store = MarketStore(text.source)
            try store.activate("t")
            try store.market("t")?.preconditions.satisfy("signedIn")
            withObservationTracking {
                _ = store.active
            } onChange: {
                // Throws if the market does not have the precondition.
                try? store.market("t")?.preconditions.reset("signedIn")
            }
            text.version.add(1, ordering: .relaxed)
            store.reload("t")
            let unmet = try #require(store.market("t")).preconditions.unmet
            #expect(unmet.contains("signedIn"))
        }
    }

    @Test(arguments: [true, false]) func changeInOldMarketAppliesToNewOne(isDirect: Bool) throws {
        let (store, first) = try makeStore()
        let second = try reload(store)
        if isDirect {
            first.deepLinker.satisfyPrecondition("signedIn")
        } else {
            try first.preconditions.satisfy("signedIn")
        }
        #expect(!second.preconditions.unmet.contains("signedIn"))
        if isDirect {
            first.deepLinker.resetPrecondition("signedIn")
        } else {
            try first.preconditions.reset("signedIn")
        }
        #expect(second.preconditions.unmet.contains("signedIn"))
    }

    /// Two concurrent first loads: a change in either market applies to the other.
    @Test func concurrentFirstLoadsShareOneBoard() throws {
        let markets = Kept()
        let store = MarketStore(text.source, prepare: { market, _ in markets.append(market) })
        store.reload("t")
        store.reload("t", force: true)
        let registries = markets.all.map { $0.deepLinker.preconditionRegistry.map { ObjectIdentifier($0) } }
        #expect(registries.count == 2 && registries[0] != nil && registries[0] == registries[1])
    }

    @Test func retiredMarketLeavesNoPreconditions() throws {
        let (store, first) = try makeStore()
        try first.preconditions.satisfy("signedIn")
        store.retire("t")
        store.reload("t")
        #expect(try #require(store.market("t")).preconditions.unmet.contains("signedIn"))
    }

    // MARK: Links

    @Test func linkWaitingInOldMarketMovesToNewOne() throws {
        let outcomes = Texts()
        let (store, first) = try makeStore { market, _ in
            market.deepLinker.outcomeHandler = { [version = market[Points.self].perDollar] in
                outcomes.append("\(version) \($0.text) \($0.outcome.name)")
            }
        }
        let second = try reload(store)
        // A caller that still has the old market opens a link after its waiting links were taken.
        #expect(first.open("t://late/1").outcome == .waiting(unmet: ["signedIn"]))
        let third = try reload(store)
        #expect(first.open("t://late/2").outcome == .waiting(unmet: ["signedIn"]))
        #expect(second.open("t://late/3").outcome == .waiting(unmet: ["signedIn"]))
        try third.preconditions.satisfy("signedIn")
        #expect(outcomes.all == ["2 t://late/1 routed", "2 t://late/2 routed", "2 t://late/3 routed"])
    }

    @Test func waitingLinkOfRetiredMarketGetsOutcomeOnRelease() async throws {
        let outcomes = Texts()
        do {
            let (store, first) = try makeStore { market, _ in
                market.deepLinker.outcomeHandler = { outcomes.append("\($0.text) \($0.reason ?? $0.outcome.name)") }
            }
            _ = try reload(store)
            store.retire("t")
            #expect(first.open("t://late/1").outcome == .waiting(unmet: ["signedIn"]))
        }
        // The task that disposes of the container retains it a moment longer.
        for _ in 0..<5_000 where outcomes.all.isEmpty { try await Task.sleep(for: .milliseconds(1)) }
        #expect(outcomes.all == ["t://late/1 cancelled"])
    }

    // MARK: The lock

    /// A subscriber on an app's own executor runs where the event is sent. If the store held its lock, the subscriber
    /// would deadlock when it queries the store.
    @Test func subscriberMayQueryStoreWhereEventIsSent() async throws {
        let (store, _) = try makeStore()
        let (events, answers) = (store.events(), Texts())
        // Runs here until it waits for the first event, because its executor runs everything immediately.
        let subscriber = Task(executorPreference: Inline()) {
            for await event in events {
                answers.append(store.market("t") == nil && store.status(of: "t") == nil ? "nothing" : "something")
                if case .retired = event { break }
            }
        }
        _ = try reload(store)
        #expect(answers.all == ["something"])
        store.retire("t")
        #expect(answers.all == ["something", "nothing"])
        await subscriber.value
    }

    @Test func eventsAreOrderedByEffect() async throws {
        let (store, _) = try makeStore()
        let events = store.events()
        await awaitThreads(4) { [text] _ in
            for _ in 0..<20 {
                text.version.add(1, ordering: .relaxed)
                store.reload("t")
            }
        }
        store.retire("t")
        var former: MarketRevision?
        for await event in events {
            if case .applied(let change) = event {
                if let former, change.before != former { Issue.record("\(change.before as Any) after \(former)") }
                former = change.after
            }
            if case .retired(_, let revision, _) = event {
                #expect(former == nil || revision == former)
                break
            }
        }
    }

    // MARK: History

    private enum Operation: Sendable {
        case reload(Int)
        case market(Int)
        case set(Bool)
        case ask(Bool)
        case other
    }

    @Test func concurrentHistoryIsLinearizable() throws {
        for _ in 0..<rounds(all: 20, few: 1, races: true) {
            let seed = UInt64.random(in: .min ... .max)
            print("the history of a store: seed \(seed)")
            let (text, outcomes) = (VersionedText(), Texts())
            let store = MarketStore(
                text.source,
                prepare: { market, _ in market.deepLinker.outcomeHandler = { outcomes.append($0.text) } })
            store.reload("t")
            let held = (0..<8).map { _ in Kept() }
            let links = Atomic(0)
            let history = recordHistory(operations: 10_000, seed: seed) { thread, random -> Operation in
                // A thread retains a market for a while, so that most markets are replaced while in use.
                if held[thread].last == nil || Int.random(in: 0..<20, using: &random) == 0 {
                    guard let market = store.market("t") else { return .other }
                    held[thread].keepOnly(market)
                }
                guard let market = held[thread].last else { return .other }
                let preconditions = market.preconditions
                switch Int.random(in: 0..<100, using: &random) {
                case 0:
                    let version = text.version.add(1, ordering: .sequentiallyConsistent).newValue
                    store.reload("t")
                    return .reload(version)
                case 1..<10:
                    return .market(store.market("t").map { VersionedText.version(of: $0) } ?? -1)
                case 10..<20:
                    do { try preconditions.satisfy("ready") } catch { Issue.record("\(error)") }
                    return .set(true)
                case 20..<30:
                    market.deepLinker.resetPrecondition("ready")
                    return .set(false)
                case 30..<50:
                    return .ask(!preconditions.unmet.contains("ready"))
                default:
                    market.open("t://soon/\(links.add(1, ordering: .relaxed).newValue)")
                    return .other
                }
            }
            let preconditions = history.filter {
                switch $0.operation {
                case .set, .ask: true
                default: false
                }
            }
            let wrong = firstInexplicable(in: preconditions, from: false) { holds, recorded in
                switch recorded.operation {
                case .set(let value): value
                case .ask(let answer): answer == holds ? holds : nil
                default: holds
                }
            }
            #expect(wrong.map { "\($0)" } == nil, "seed \(seed): no order explains it")
            // A reload reads the text as of its start, or later: once it has ended, no caller gets an older market.
            let seen: [(end: Int, version: Int)] = history.compactMap { recorded in
                guard case .reload(let version) = recorded.operation else { return nil }
                return (recorded.end, version)
            }.sorted { $0.end < $1.end }
            var (ended, newest) = (0, 0)
            for read in history {
                guard case .market(let version) = read.operation else { continue }
                while ended < seen.count, seen[ended].end < read.start {
                    newest = max(newest, seen[ended].version)
                    ended += 1
                }
                if newest > version { Issue.record("seed \(seed): \(version) after \(newest)") }
            }
            for kept in held { kept.keepOnly(nil) }
            try #require(store.market("t")).preconditions.satisfy("ready")
            let all = outcomes.all
            #expect(all.count == links.load(ordering: .relaxed), "seed \(seed): a link has no outcome, or two")
            #expect(Set(all).count == all.count, "seed \(seed): a link has two outcomes")
        }
    }
}

// MARK: - Fixtures

/// The text of a compiled market in which `points.perDollar` is the version modulo 11.
private final class VersionedText: Sendable {
    let version = Atomic(0)

    private static let module = MarketModule.base.including(
        MarketModule("sessions", preconditions: [Precondition("signedIn", "Somebody is signed in.")]))

    var source: CompiledMarkets {
        CompiledMarkets(
            Self.module, secrets: { _ in nil },
            reading: { [self] id in
                let version = version.load(ordering: .sequentiallyConsistent)
                let text = CompiledMarketTests.text(
                    #""points":{"perDollar":\#(version % 11)},"#, digest: "d\(version)",
                    routables: #"""
                        {"late":{"paths":["late/:n"],"show":{"screen":"late"},"waitForPreconditions":["signedIn"]},\#
                        "soon":{"paths":["soon/:n"],"show":{"screen":"v\#(version)"},"waitForPreconditions":["ready"]}}
                        """#)
                return id == "t" ? Array(text.utf8) : nil
            })
    }

    static func version(of market: Market) -> Int {
        guard case .on(let settings)? = market.definition.routables["soon"], let screen = settings.show?.screen
        else { return -1 }
        return Int(screen.dropFirst()) ?? -1
    }
}

/// Texts that several threads append.
private final class Texts: Sendable {
    private let texts = Lock<[String]>([])
    var all: [String] { texts.withLock { $0 } }
    func append(_ text: String) { texts.withLock { $0.append(text) } }
}

/// Retained markets.
private final class Kept: Sendable {
    private let markets = Lock<[Market]>([])
    var all: [Market] { markets.withLock { $0 } }
    var last: Market? { markets.withLock { $0.last } }
    func append(_ market: Market) { markets.withLock { $0.append(market) } }

    func keepOnly(_ market: Market?) {
        // The old markets are released outside the lock.
        _ = markets.withLock { markets in
            defer { markets = market.map { [$0] } ?? [] }
            return markets
        }
    }
}

/// Runs each job immediately, where it is enqueued.
private final class Inline: TaskExecutor {
    func enqueue(_ job: consuming ExecutorJob) { job.runSynchronously(on: asUnownedTaskExecutor()) }
}
