import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Synchronization
import Testing
import MarketTesting

@Suite(.timeLimit(.minutes(5)))
struct MarketStoreTests {
    @Test func validVersionReplacesMarketAndInvalidOneDoesNot() throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let store = MarketStore(SmallMarket.loader(of: fixture))
        #expect(store.market("t") == nil)
        guard case .applied(let first) = store.reload("t") else {
            Issue.record("the first version was not applied")
            return
        }
        #expect(first.before == nil && first.difference == nil)
        let market = try #require(store.market("t"))
        #expect(store.reload("t") == nil)

        try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
        guard case .applied(let second) = store.reload("t") else {
            Issue.record("the second version was not applied")
            return
        }
        #expect(second.before == first.after)
        #expect(
            second.difference?.lines.map { $0.prefix { $0 != "(" } } == [
                "~ name: \"v1\" → \"v2\"", "~ routables.later.handle: a function ",
                "~ routables.own.handle: a function ", "~ own: t://p1 → t://p2",
            ])
        #expect(store.market("t") !== market)
        #expect(store.market("t")?.revision == second.after)

        try fixture.write("return {", to: "t.lua")
        guard case .rejected(let rejection) = store.reload("t") else {
            Issue.record("a broken file was not rejected")
            return
        }
        #expect(rejection.kept == second.after)
        #expect(rejection.findings.first?.code == .syntax)
        #expect(store.reload("t") == nil, "the same rejection is reported once")
        #expect(store.market("t")?.definition.name == "v2")
        let status = try #require(store.status(of: "t"))
        #expect(status.applied?.revision == second.after && status.applied?.serial == 2)
        #expect(status.onDisk == rejection.revision && status.lastRejected?.revision == rejection.revision)
        #expect(!status.isCurrent)

        try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
        guard case .restored(_, second.after, _) = store.reload("t") else {
            Issue.record("the good files were not recognized")
            return
        }
        #expect(store.status(of: "t")?.isCurrent == true)
        #expect(store.status(of: "t")?.lastRejected?.revision == rejection.revision, "the last rejection is kept")
    }

    /// Files that a save can leave behind: none of them is a market.
    @Test(
        arguments: [
            ("empty", Data(), "error: the file must return a table, got nothing [noTable]"),
            ("only a comment", Data("-- soon".utf8), "error: the file must return a table, got nothing [noTable]"),
            ("half", Data("return { id = \"t\",".utf8), "{ is opened here but not closed"),
            (
                "Latin-1 in a comment",
                Data("-- caf".utf8) + Data([0xE9, 0x0A]) + Data(SmallMarket.text(version: 2).utf8),
                "t.lua:1:7: error: the file is not valid UTF-8 [unrepresentable]"
            ), ("binary", Data([0x1B, 0x4C, 0x75, 0x61, 0, 0xFF]), "error"),
            ("deleted", nil, "there is no market \"t\""),
        ] as [(String, Data?, String)])
    func invalidFileNeverReplacesMarket(case: String, content: Data?, message: String) throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let store = MarketStore(SmallMarket.loader(of: fixture))
        store.reload("t")
        let market = try #require(store.market("t"))
        let file = fixture.folder.appending(path: "t.lua")
        if let content {
            try content.write(to: file)
        } else {
            try FileManager.default.removeItem(at: file)
        }
        guard case .rejected(let rejection) = store.reload("t") else {
            Issue.record("it was not rejected")
            return
        }
        let texts = rejection.findings.map(\.description)
        #expect(texts.contains { $0.contains(message) }, "\(texts)")
        #expect(store.market("t") === market)
        #expect((rejection.revision == nil) == (content == nil))
    }

    @Test(arguments: ["ca.lua", "shared/ca_regions.lua"])
    func truncatedFileNeverReplacesMarket(file: String) throws {
        let fixture = try MarketFixture()
        let loader = fixture.loader()
        let whole = try Data(contentsOf: fixture.folder.appending(path: file))
        let market = try loader.load("ca")
        for step in 0..<24 {
            try fixture.write(whole.prefix(whole.count * step / 24), to: file)
            let check = try loader.check("ca")
            if let market = check.market { Issue.record("\(whole.count * step / 24) bytes were taken: \(market.id)") }
        }
        try fixture.write(whole, to: file)
        #expect(try loader.load("ca").revision == market.revision)
    }

    @Test func revisionCoversFilesButNotFolder() throws {
        let (one, two) = (try MarketFixture(), try MarketFixture())
        let revision = try one.loader().load("ca").revision
        #expect(try two.loader().load("ca").revision == revision)
        #expect(revision.digest.count == 64 && revision.description == String(revision.digest.prefix(12)))
        for file in ["us.lua", "shared/ca_regions.lua", "ca.lua"] {
            let text = try String(contentsOf: two.folder.appending(path: file), encoding: .utf8)
            try two.write(text + "\n", to: file)
            #expect(try two.loader().load("ca").revision != revision, "\(file)")
            try two.write(text, to: file)
        }
        #expect(try one.loader().load("us").revision != revision)
    }

    @Test func changedSecretIsReadByForcedReload() throws {
        let fixture = try MarketFixture()
        let value = Atomic(1)
        let store = MarketStore(
            MarketLoader(
                .platformInMemory, folder: MarketFolder(path: fixture.folder.path),
                secrets: { _ in withExtendedLifetime(fixture) { "\(value.load(ordering: .relaxed))" } }))
        store.reload("us")
        value.store(2, ordering: .relaxed)
        #expect(store.reload("us") == nil)
        guard case .applied(let change) = store.reload("us", force: true) else {
            Issue.record("it was not applied")
            return
        }
        #expect(change.difference?.keys.allSatisfy(\.isSecret) == true)
        #expect(change.difference?.keys.count == 2)
        #expect(try store.market("us")?.config.networking.consumerKey?.reveal() == "2")
    }

    @Test func subscribersReceiveChangesInOrder() async throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let store = MarketStore(SmallMarket.loader(of: fixture))
        let (first, second) = (store.events(), store.events())
        store.reload("t")
        try fixture.write("return 1", to: "t.lua")
        store.reload("t")
        try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
        store.reload("t")
        store.retire("t")
        for stream in [first, second] {
            var kinds: [String] = []
            for await event in stream {
                switch event {
                case .applied(let change): kinds.append("applied \(change.difference?.links.count ?? 0)")
                case .rejected: kinds.append("rejected")
                case .restored: kinds.append("restored")
                case .retired: kinds.append("retired")
                }
                if case .retired = event { break }
            }
            #expect(kinds == ["applied 0", "rejected", "applied 1", "retired"])
        }
        #expect(store.market("t") == nil && store.status(of: "t") == nil)
        #expect(store.retire("t") == nil)
    }

    @Test func retiredMarketIsShutDownAfterLastReader() async throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let log = DisposalLog()
        let store = MarketStore(SmallMarket.loader(of: fixture, log: log))
        store.reload("t")
        weak var market: Market?
        weak var container: Container?
        do {
            let held = try #require(store.market("t"))
            market = held
            container = held.container
            _ = held.container.get(Probe.self)
            try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
            store.reload("t")
            #expect(store.retiredCount == 1)
            // Still intact: its services, its routes, its Lua.
            #expect(held.open("t://p1").navigation.screens.map(\.name) == ["v1"])
            #expect(held.container.get(Probe.self).version == "v1")
            #expect(log.names == [])
        }
        await store.waitForRetiredMarkets()
        #expect(log.names == ["probe v1", "part v1"], "in the reverse order of their creation")
        // The task that shut down the container releases it shortly after reporting it.
        for _ in 0..<5_000 where container != nil { try await Task.sleep(for: .milliseconds(1)) }
        #expect(market == nil && container == nil)
        #expect(store.retiredCount == 0)
        #expect(store.market("t")?.open("t://p2").navigation.screens.map(\.name) == ["v2"])
    }

    @Test func runningLinkKeepsItsMarket() async throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let log = DisposalLog()
        let store = MarketStore(SmallMarket.loader(of: fixture, log: log))
        store.reload("t")
        let (gate, opener) = AsyncStream.makeStream(of: Void.self)
        let task = store.market("t")?.withShared {
            Task {
                for await _ in gate {}
                return Container.shared.get(Probe.self).version
            }
        }
        try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
        store.reload("t")
        #expect(store.retiredCount == 1)
        opener.finish()
        #expect(await task?.value == "v1", "the container of a running task was shut down")
        await store.waitForRetiredMarkets()
        #expect(log.names == ["probe v1", "part v1"])
    }

    @Test(arguments: [false, true]) func preconditionsAndWaitingLinksAreHandedOver(isOwnDeepLinker: Bool) throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let outcomes = Lines()
        let store = MarketStore(
            SmallMarket.loader(of: fixture, isOwnDeepLinker: isOwnDeepLinker),
            prepare: { market, previous in
                outcomes.append("prepare \(market.definition.name) after \(previous?.definition.name ?? "nothing")")
                market.deepLinker.outcomeHandler = {
                    outcomes.append("\(market.id) \($0.outcome.name) \($0.navigation.screens.last?.name ?? "")")
                }
            })
        store.reload("t")
        let first = try #require(store.market("t"))
        #expect(first.deepLinker is DeepLinkRouter != isOwnDeepLinker)
        try first.preconditions.satisfy("appStarted")
        #expect(first.open("t://late").outcome == .waiting(unmet: ["signedIn"]))
        try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
        store.reload("t")
        let second = try #require(store.market("t"))
        #expect(second.preconditions.unmet.contains("signedIn") && !second.preconditions.unmet.contains("appStarted"))
        #expect(outcomes.all == ["prepare v1 after nothing", "prepare v2 after v1"], "the link is still waiting")
        try second.preconditions.satisfy("signedIn")
        #expect(outcomes.all.dropFirst(2) == ["t routed late v2"], "once, by the new market")
    }

    @Test func marketThatAppCannotPrepareIsRejected() throws {
        struct Refusal: Error, CustomStringConvertible { let description = "no room" }
        let fixture = try SmallMarket.fixture(version: 1)
        let store = MarketStore(
            SmallMarket.loader(of: fixture),
            prepare: { market, _ in if market.definition.name == "v2" { throw Refusal() } })
        store.reload("t")
        let first = try #require(store.market("t"))
        try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
        guard case .rejected(let rejection) = store.reload("t") else {
            Issue.record("the market was not rejected")
            return
        }
        #expect(
            rejection.findings.map(\.description) == ["error: the app could not prepare this market: no room [runtime]"]
        )
        #expect(rejection.kept == first.revision && rejection.revision != nil)
        #expect(store.market("t") === first)
        #expect(store.reload("t") == nil, "the same rejection is reported once")
        try fixture.write(SmallMarket.text(version: 3), to: "t.lua")
        guard case .applied = store.reload("t") else {
            Issue.record("a market that can be prepared was not applied")
            return
        }
        #expect(store.market("t")?.definition.name == "v3")
    }

    @Test func laterOfTwoLoadsWins() throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let entered = DispatchSemaphore(value: 0)
        let resume = DispatchSemaphore(value: 0)
        let isFirst = Atomic(true)
        let store = MarketStore(
            SmallMarket.loader(of: fixture),
            prepare: { _, _ in
                guard isFirst.exchange(false, ordering: .relaxed) else { return }
                entered.signal()
                resume.wait()
            })
        let slow = Thread {
            store.reload("t")
            entered.signal()
        }
        slow.start()
        entered.wait()
        try fixture.write(SmallMarket.text(version: 2), to: "t.lua")
        store.reload("t")
        #expect(store.market("t")?.definition.name == "v2")
        resume.signal()
        entered.wait()
        #expect(store.market("t")?.definition.name == "v2", "an older load replaced a newer one")
        #expect(store.status(of: "t")?.applied?.serial == 1)
    }
}
