import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import Synchronization
import TestSupport
import Testing

/// Leftovers after releasing containers and markets, counted in a separate process, where nothing else runs.
@Suite(.serialized)
struct PlatformReleaseTests {
    #if DEBUG
        private static let stepOfAll = 20
    #else
        private static let stepOfAll = 1
    #endif
    private static let quick: Set = ["AddressConfigurationAPI", "CookieStorageAPI", "LocationUpdatesProvider"]

    @Test(.timeLimit(.minutes(5)))
    func releasedContainersLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let config = try MarketKind.market("us").config
            // With fewer rounds, a leak of files could not reach the threshold.
            let count = rounds(all: 1000, few: 500)
            try await Leftovers.expectNone(after: count, warmUp: 20) { round, watch in
                // Some store files. In debug builds, most create only the services that are quick to create.
                let makesAll = round % Self.stepOfAll == 0
                let state = makesAll && round % 100 == 0 ? try StateFixture() : nil
                defer { extendLifetime(state) }
                let container = Container()
                container.register(Canary.self, requires: []) { _ in Canary() }
                container.setupPlatformDependencies(with: config, host: PlatformHost(stateFolder: state?.url))
                watch.note(container)
                watch.note(container.get(Canary.self))
                for service in MarketModule.platform.services where makesAll || Self.quick.contains(service.name) {
                    // Foundation's own instance lives as long as the process.
                    guard service.name != "AppProcessInfo" else { continue }
                    watch.note(try #require(service.resolve(in: container) as AnyObject?))
                }
            }
            #expect(Canary.made.load(ordering: .relaxed) == count + 20)
            #expect(Canary.freed.load(ordering: .relaxed) == count + 20)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func releasedMarketsLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            try await Leftovers.expectNone(after: rounds(all: 30, few: 12), warmUp: 6) { round, watch in
                let market = try MarketKind.market(["us", "ca", "mx"][round % 3])
                watch.note(market)
                watch.note(market.container)
                for routable in market.deepLinker.routables { watch.note(routable as AnyObject) }
                // A Lua routable, which retains the market's state, has run before the market is released.
                if market.id == "ca" {
                    market.preconditions.satisfyAll()
                    #expect(market.open("walmart.ca://flyers/34").outcome == .routed)
                }
                for service in MarketModule.platform.services where service.name != "AppProcessInfo" {
                    watch.note(try #require(service.resolve(in: market.container) as AnyObject?))
                }
            }
        }
    }
}

/// Counts its initializations and deinitializations.
private final class Canary: Sendable {
    static let made = Atomic(0)
    static let freed = Atomic(0)

    init() { Self.made.add(1, ordering: .relaxed) }
    deinit { Self.freed.add(1, ordering: .relaxed) }
}

/// Objects that must be released, and other resources of the process.
private struct Leftovers {
    private struct Watched {
        let name: String
        weak var object: AnyObject?
    }

    private var watched: [Watched] = []

    mutating func note(_ object: AnyObject) { watched.append(Watched(name: "\(type(of: object))", object: object)) }

    private var names: Set<String> { Set(watched.filter { $0.object != nil }.map(\.name)) }

    /// Runs a body repeatedly and expects that its objects, files, sockets and threads are released in the end.
    ///
    /// - Parameters:
    ///   - rounds: The number of rounds.
    ///   - warmUp: The number of rounds before that, so that resources which the process retains once are not counted.
    ///   - body: Runs a round and registers its objects.
    static func expectNone(
        after rounds: Int, warmUp: Int, _ body: (_ round: Int, _ watch: inout Leftovers) throws -> Void
    ) async throws {
        var leftovers = Leftovers()
        for round in 0..<warmUp { try body(round, &leftovers) }
        await leftovers.waitUntilGone()
        let before = await Holdings.settled()
        for round in 0..<rounds { try body(round, &leftovers) }
        await leftovers.waitUntilGone()
        #expect(leftovers.names == [])
        let after = await Holdings.settled { $0.isAtMost(before) }
        #expect(after.isAtMost(before), "\(before) became \(after)")
        print("\(leftovers.watched.count) objects watched; \(before) became \(after)")
    }

    /// URL sessions release their delegates on their own queues.
    private func waitUntilGone() async {
        for _ in 0..<3000 where !names.isEmpty { await pause() }
    }
}

/// The files and threads of this process; empty if the system does not list them.
private struct Holdings: CustomStringConvertible {
    let files = Self.count("/proc/self/fd")
    let threads = Self.count("/proc/self/task")

    var description: String { "\(files) files and \(threads) threads" }

    /// Thread pools grow and shrink by a few threads at any time.
    func isAtMost(_ other: Holdings) -> Bool { files <= other.files + 4 && threads <= other.threads + 8 }

    private static func count(_ path: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0  // it only exists on Linux
    }

    static func settled(_ isGood: (Holdings) -> Bool = { _ in false }) async -> Holdings {
        for _ in 0..<50 {
            let now = Holdings()
            if isGood(now) { return now }
            await pause()
        }
        return Holdings()
    }
}

private func pause() async {
    try? await Task.sleep(for: .milliseconds(10))  // if cancelled, the caller checks again immediately
}
