import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import Synchronization
import TestSupport
import MarketTesting
import Testing
import GlassAuthoring

/// In its own process, because it measures the process.
@Suite(.timeLimit(.minutes(5)))
struct MarketStoreStressTests {
    @Test func swapsUnderEightReadersLeakNothing() async {
        let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
            let problems = try await MarketStoreStress.run(
                // With fewer swaps, a leak could not reach the threshold.
                swaps: rounds(all: 1000, few: 500, races: true), readers: 8)
            for problem in problems.prefix(10) { FileHandle.standardError.write(Data("\(problem)\n".utf8)) }
            exit(problems.isEmpty ? 0 : 1)
        }
        let errors = result.map { String(decoding: $0.standardErrorContent, as: UTF8.self) } ?? ""
        #expect(!errors.contains("ThreadSanitizer"), "\(errors)")
        if !errors.isEmpty { print(errors) }
    }
}

enum MarketStoreStress {
    /// Swaps a market repeatedly while threads read it.
    ///
    /// - Returns: The problems, one per line.
    static func run(swaps: Int, readers: Int) async throws -> [String] {
        let fixture = try SmallMarket.fixture(version: 0)
        let log = DisposalLog()
        let store = MarketStore(SmallMarket.loader(of: fixture, log: log))
        store.reload("t")
        let problems = Lines()
        let finished = DispatchSemaphore(value: 0)
        let shared = Shared()
        for _ in 0..<readers {
            Thread {
                while !shared.isDone.load(ordering: .acquiring) {
                    for _ in 0..<10 {
                        if let problem = check(store) { problems.append(problem) }
                        shared.reads.wrappingAdd(1, ordering: .relaxed)
                    }
                    if let problem = checkWhole(store) { problems.append(problem) }
                    // Eight threads that never pause would leave the writer a tenth of a small machine.
                    usleep(10_000)
                }
                finished.signal()
            }.start()
        }
        let markets = WeakMarkets()
        let start = ContinuousClock.now
        var memory = 0
        for version in 1...swaps {
            try fixture.write(SmallMarket.text(version: version), to: "t.lua")
            if case .applied? = store.reload("t") {} else { problems.append("version \(version) was not applied") }
            markets.add(store.market("t"))
            if version == swaps / 4 { memory = residentKilobytes() }
        }
        shared.isDone.store(true, ordering: .releasing)
        for _ in 0..<readers { finished.wait() }
        await store.waitForRetiredMarkets()
        let growth = residentKilobytes() - memory
        let left = markets.alive
        if left != 1 { problems.append("\(left) markets are alive instead of 1") }
        if store.retiredCount != 0 { problems.append("\(store.retiredCount) markets are not shut down") }
        if store.status(of: "t")?.applied?.serial != swaps + 1 { problems.append("a swap was lost") }
        let lines = log.all
        if lines.count != Set(lines).count { problems.append("a service was disposed of twice") }
        // A leaked market holds a Lua state, a container and its source: at least 100 KB.
        if growth > 30_000 { problems.append("the process grew by \(growth) KB") }
        if shared.reads.load(ordering: .relaxed) < readers { problems.append("too few reads") }
        let (count, time) = (shared.reads.load(ordering: .relaxed), start.duration(to: .now))
        FileHandle.standardError.write(
            Data(
                "\(count) reads, \(growth) KB, \(lines.count) disposals, \(time)\n"
                    .utf8))
        return problems.all
    }

    /// Checks that a reader sees a single version.
    private static func check(_ store: MarketStore) -> String? {
        guard let market = store.market("t") else { return "there was no market" }
        let name = market.definition.name
        let pattern = market.definition.routables["own"]
        guard case .on(let settings)? = pattern, settings.paths == ["p\(name.dropFirst())"] else {
            return "\(name) has the routes of another version"
        }
        return nil
    }

    /// Checks that everything in a market has the same version, and works: routes, Lua, services.
    private static func checkWhole(_ store: MarketStore) -> String? {
        guard let market = store.market("t") else { return "there was no market" }
        let name = market.definition.name
        let shown = market.open("t://p\(name.dropFirst())").navigation.screens.last?.name
        guard shown == name else { return "\(name) shows \(shown ?? "nothing")" }
        let probe = market.container.get(Probe.self)
        guard probe.version == name, probe.part.version == name else { return "\(name) has \(probe.version)" }
        return market.withShared { Container.shared === market.container } ? nil : "\(name) is not shared"
    }

    private final class Shared: Sendable {
        let isDone = Atomic(false)
        let reads = Atomic(0)
    }

    private final class WeakMarkets {
        private struct Box { weak var market: Market? }
        private var boxes: [Box] = []
        var alive: Int { boxes.count { $0.market != nil } }
        func add(_ market: Market?) { boxes.append(Box(market: market)) }
    }

    /// The resident memory of the process, where the system reports it (Linux).
    private static func residentKilobytes() -> Int {
        // Without the file, there is nothing to compare, and the growth is 0.
        let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
        let line = text.split(separator: "\n").first { $0.hasPrefix("VmRSS:") }
        return line?.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    }
}
