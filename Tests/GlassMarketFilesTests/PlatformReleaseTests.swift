import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import Synchronization
import Testing

/// What is left when containers and markets are dropped, counted in a process of its own, where nothing else runs.
@Suite(.serialized)
struct PlatformReleaseTests {
    #if DEBUG
        private static let stepOfAll = 20
    #else
        private static let stepOfAll = 1
    #endif
    private static let quick: Set = ["AddressConfigurationAPI", "CookieStorageAPI", "LocationUpdatesProvider"]

    @Test(.timeLimit(.minutes(5)))
    func aThousandContainersLeaveNothingBehind() async {
        await #expect(processExitsWith: .success) {
            let config = try MarketKind.market("us").config
            try await Leftovers.expectNone(after: 1000, warmUp: 20) { round, watch in
                // Some keep files. In debug most make only what is quick to make.
                let makesAll = round % Self.stepOfAll == 0
                let state = makesAll && round % 100 == 0 ? try StateFixture() : nil
                defer { extendLifetime(state) }
                let container = Container()
                container.register(Canary.self, requires: []) { _ in Canary() }
                container.setupPlatformDependencies(with: config, host: PlatformHost(stateFolder: state?.url))
                watch.note(container)
                watch.note(container.get(Canary.self))
                for service in MarketModule.platform.services where makesAll || Self.quick.contains(service.name) {
                    // Foundation's own lives as long as the process.
                    guard service.name != "AppProcessInfo" else { continue }
                    watch.note(try #require(service.resolve(in: container) as AnyObject?))
                }
            }
            #expect(Canary.made.load(ordering: .relaxed) == 1020)
            #expect(Canary.freed.load(ordering: .relaxed) == 1020)
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func droppedMarketsLeaveNeitherServicesNorLuaStatesBehind() async {
        await #expect(processExitsWith: .success) {
            try await Leftovers.expectNone(after: 30, warmUp: 6) { round, watch in
                let market = try MarketKind.market(["us", "ca", "mx"][round % 3])
                watch.note(market)
                watch.note(market.container)
                for routable in market.deepLinker.routables { watch.note(routable as AnyObject) }
                // A routable in Lua, which keeps the market's state, has run before the market goes.
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

/// Counts its own making and freeing.
private final class Canary: Sendable {
    static let made = Atomic(0)
    static let freed = Atomic(0)

    init() { Self.made.add(1, ordering: .relaxed) }
    deinit { Self.freed.add(1, ordering: .relaxed) }
}

/// Objects that must be gone, and what the process holds besides objects.
private struct Leftovers {
    private struct Watched {
        let name: String
        weak var object: AnyObject?
    }

    private var watched: [Watched] = []

    mutating func note(_ object: AnyObject) { watched.append(Watched(name: "\(type(of: object))", object: object)) }

    private var names: Set<String> { Set(watched.filter { $0.object != nil }.map(\.name)) }

    /// Runs something again and again and expects that its objects, files, sockets and threads are gone in the end.
    ///
    /// - Parameters:
    ///   - rounds: How often.
    ///   - warmUp: How often before that, so that what the process keeps once is not counted.
    ///   - body: What to run, with what to tell about its objects.
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

    /// URL sessions let go of their delegates on their own queues.
    private func waitUntilGone() async {
        for _ in 0..<3000 where !names.isEmpty { await pause() }
    }
}

/// The files and threads of this process; where the system does not tell, none.
private struct Holdings: CustomStringConvertible {
    let files = Self.count("/proc/self/fd")
    let threads = Self.count("/proc/self/task")

    var description: String { "\(files) files and \(threads) threads" }

    /// Thread pools grow and shrink by a few as they please.
    func isAtMost(_ other: Holdings) -> Bool { files <= other.files + 4 && threads <= other.threads + 8 }

    private static func count(_ path: String) -> Int {
        (try? FileManager.default.contentsOfDirectory(atPath: path).count) ?? 0  // there is none but on Linux
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
    try? await Task.sleep(for: .milliseconds(10))  // cancelled, the caller looks again at once
}
