import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarkets
import GlassPlatform

extension Container {
    var keptService: Factory<any Service> { self { LiveService() }.cached }
    var onlyService: Factory<any Service> { self { LiveService() }.singleton }
    var newService: Factory<any Service> { self { LiveService() } }
    /// Its closure needs the container, which must not cost a box each time the property is read.
    var dependentService: Factory<any Service> { self { LiveService(self.keptService().number) }.cached }
}

/// Measures what the benchmark package cannot: how often a read allocates, and what two threads cost each other.
///
/// The one argument is the beginning of the ids that are wanted. Writes a line for each to standard output, for `report`: the id, what it is, and the value, with tabs between.
@main
enum Probe {
    static func main() {
        let filter = CommandLine.arguments.dropFirst().first ?? ""
        if "container".hasPrefix(filter) || filter.hasPrefix("container") {
            countAllocations()
            measureTwoThreads()
        }
        if "link".hasPrefix(filter) || filter.hasPrefix("link") { countAllocationsOfLinks() }
        if "flags".hasPrefix(filter) || filter.hasPrefix("flags") { countAllocationsOfFlags() }
    }

    private static func write(_ id: String, _ kind: String, _ value: Double? = nil) {
        print("\(id)\t\(kind)\t\(value.map { "\($0)" } ?? "")")
    }

    private static func countAllocations() {
        let container = Container()
        container.register((any Service).self) { LiveService() }
        Container.shared.register((any Service).self) { LiveService() }
        let child = Container(parent: container)
        // A counter that does not see the one allocation of this would see no other.
        let isCounting = allocations { container.newService().number } == 1
        let rows: [(id: String, work: () -> Int)] = [
            ("container-get", { container.get((any Service).self).number }),
            ("container-property", { container.keptService().number }),
            ("container-capture", { container.dependentService().number }),
            ("container-singleton", { container.onlyService().number }),
            ("container-child", { child.get((any Service).self).number }),
            ("container-shared", { Container.shared.get((any Service).self).number }),
            (
                "container-define",
                {
                    _ = container.newService
                    return 1
                }
            ),
        ]
        write(rows, isCounting: isCounting)
    }

    private static func write(_ rows: [(id: String, work: () -> Int)], isCounting: Bool) {
        for (id, work) in rows {
            guard isCounting, let count = allocations(work) else {
                write("\(id)-allocations", "busy")
                continue
            }
            write("\(id)-allocations", "ours", count)
        }
    }

    private static func countAllocationsOfLinks() {
        guard
            let table = try? RouteTable([
                RouteDeclaration(pattern: "repos/:owner/:repo/issues", routableID: "issues"),
                RouteDeclaration(pattern: "repos/:owner/:repo/:kind?page", routableID: "kind"),
                RouteDeclaration(pattern: "user/keys/:id(int)", routableID: "key"),
            ])  // reported below as what could not be counted
        else {
            write("link-hit-allocations", "busy")
            return
        }
        func work(_ text: String, isHit: Bool) -> () -> Int {
            {
                guard let link = try? DeepLink(text) else { return 0 }  // ends the probe with a sentence
                return (table.bestMatch(for: link) != nil) == isHit ? 1 : 0
            }
        }
        let holder = Container()
        let isCounting = allocations { holder.newService().number } == 1
        write(
            [
                ("link-hit", work("https://www.walmart.com/repos/apple/swift/issues", isHit: true)),
                ("link-query", work("https://www.walmart.com/repos/a/b/c?page=2&q=x", isHit: true)),
                ("link-miss", work("https://www.walmart.com/repos/apple/swift/pulls", isHit: false)),
            ], isCounting: isCounting)
    }

    /// Flags of a compiled market, as an app has it.
    private static func countAllocationsOfFlags() {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Tests/Upgrade/compiled/4/us.json")
        let markets = CompiledMarkets(.platform, reading: { _ in try Array(Data(contentsOf: file)) })
        guard let market = try? markets.load("us") else {  // reported below as what could not be counted
            write("flags-read-allocations", "busy")
            return
        }
        let flags: any FeatureFlags = market.container.get()
        let (checkout, ranker) = (FlagKey("newCheckout", default: true), FlagKey("searchRanker", default: ""))
        let holder = Container()
        let isCounting = allocations { holder.newService().number } == 1
        write(
            [
                ("flags-read", { flags[checkout] ? 0 : 1 }), ("flags-text", { flags[ranker].utf8.count }),
            ], isCounting: isCounting)
    }

    private static let calls = 300_000

    /// Calls `work` on some threads at once, and makes sure that what it returns is used.
    private static func on(_ threads: Int, _ work: @escaping @Sendable (Int) -> Int) -> () -> Void {
        {
            onThreads(threads) { index in
                var sum = 0
                for _ in 0..<calls { sum &+= work(index) }
                precondition(sum != 0, "The work returned nothing.")
            }
        }
    }

    private static func measureTwoThreads() {
        let container = Container()
        container.register((any Service).self) { LiveService() }
        let instance: any Service = LiveService()
        let existing = Opaque { instance }
        let outer = Opaque { existing }
        Container.shared.register((any Service).self) { LiveService() }

        report(
            "container-threads",
            measure(
                on(2) { _ in existing().number }, on(2) { _ in container.get((any Service).self).number }, calls: calls)
        )
        report(
            "container-threads-shared",
            measure(
                on(2) { _ in outer()().number }, on(2) { _ in Container.shared.get((any Service).self).number },
                calls: calls))

        let first = Container()
        first.register((any Service).self) { LiveService() }
        _ = first.get((any Service).self)
        // Far from the first, so that the two share no cache line by chance.
        let padding = (0..<64).map { LiveService($0) }
        let second = withExtendedLifetime(padding) { Container() }
        second.register((any Service).self) { LiveService() }
        _ = second.get((any Service).self)
        report(
            "container-threads-each",
            measure(
                on(1) { _ in first.get((any Service).self).number },
                on(2) { index in
                    index == 0 ? first.get((any Service).self).number : second.get((any Service).self).number
                }, calls: calls))
    }

    private static func report(_ id: String, _ pair: Pair?) {
        guard let pair else {
            write(id, "busy")
            return
        }
        write(id, "floor", pair.floor)
        write(id, "ours", pair.ours)
    }
}
