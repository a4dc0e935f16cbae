import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import Testing
import MarketTesting

@Suite(.timeLimit(.minutes(5)))
struct MarketWatchTests {
    /// Changes that an editor, a user or a deployment makes to a folder, each of which activates version 2.
    enum Edit: String, CaseIterable {
        case writeInPlace, renameOver, deleteAndWrite, writeInSteps, editInclude, renameOverInclude, replaceFolder
        case deleteFolder, symbolicLink, otherFileBefore

        /// Changes the folder to version 2.
        func perform(in folder: URL) throws {
            let files = FileManager.default
            let market = folder.appending(path: "t.lua")
            let text = SmallMarket.text(version: 2)
            func renameOver(_ text: String, _ target: URL) throws {
                let new = folder.appending(path: ".new~")
                try Data(text.utf8).write(to: new)
                guard rename(new.path, target.path) == 0 else { throw CocoaError(.fileWriteUnknown) }
            }
            func included() throws -> URL {
                // From now on, the name comes from the include.
                let file = folder.appending(path: "shared/name.lua")
                try Data("return \"v1\"".utf8).write(to: file)
                try renameOver(
                    text.replacing("\"v2\"", with: "include \"shared/name.lua\""), market)
                return file
            }
            switch self {
            case .writeInPlace: try Data(text.utf8).write(to: market)
            case .renameOver: try renameOver(text, market)
            case .deleteAndWrite:
                try files.removeItem(at: market)
                try Data(text.utf8).write(to: market)
            case .writeInSteps:
                let handle = try FileHandle(forWritingTo: market)
                try handle.truncate(atOffset: 0)
                for byte in text.utf8 { try handle.write(contentsOf: Data([byte])) }
                try handle.close()
            case .editInclude: try Data("return \"v2\"".utf8).write(to: try included())
            case .renameOverInclude: try renameOver("return \"v2\"", try included())
            case .replaceFolder:
                let (old, new) = (folder.appendingPathExtension("old"), folder.appendingPathExtension("new"))
                try files.copyItem(at: folder, to: new)
                try Data(text.utf8).write(to: new.appending(path: "t.lua"))
                try files.moveItem(at: folder, to: old)
                try files.moveItem(at: new, to: folder)
                try files.removeItem(at: old)
            case .deleteFolder:
                let copy = folder.appendingPathExtension("copy")
                try files.copyItem(at: folder, to: copy)
                try files.removeItem(at: folder)
                try files.copyItem(at: copy, to: folder)
                try files.removeItem(at: copy)
                try Data(text.utf8).write(to: market)
            case .symbolicLink:
                // Like a Kubernetes volume mount: the file is in a hidden folder.
                let target = folder.appending(path: ".target")
                try files.createDirectory(at: target, withIntermediateDirectories: true)
                let file = target.appending(path: "market.lua")
                try Data(SmallMarket.text(version: 1).utf8).write(to: file)
                try files.removeItem(at: market)
                try files.createSymbolicLink(atPath: market.path, withDestinationPath: ".target/market.lua")
                try Data(text.utf8).write(to: file)
            case .otherFileBefore:
                try Data("x".utf8).write(to: folder.appending(path: ".t.lua.swp"))
                try files.createDirectory(at: folder.appending(path: "deep/er"), withIntermediateDirectories: true)
                try Data("return 1".utf8).write(to: folder.appending(path: "deep/er/x.lua"))
                try renameOver(text, market)
            }
        }
    }

    private static let methods: [WatchMethod] = {
        #if os(Linux)
            [.inotify, .polling(every: .milliseconds(20))]
        #else
            [.polling(every: .milliseconds(20))]
        #endif
    }()

    @Test(arguments: Edit.allCases, methods)
    func saveIsNoticedHoweverItIsMade(edit: Edit, method: WatchMethod) async throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let store = MarketStore(SmallMarket.loader(of: fixture))
        let events = store.events()
        let watch = try store.watch(
            MarketFolder(path: fixture.folder.path), ["t"], method: method, settle: .milliseconds(20))
        #expect(watch.method == method)
        #expect(store.market("t")?.definition.name == "v1")
        try edit.perform(in: fixture.folder)
        for await event in events where event.isApplied && store.market("t")?.definition.name == "v2" { break }
        #expect(store.market("t")?.definition.name == "v2")
        for suffix in ["target"] {
            // Only one of the edits creates it.
            try? FileManager.default.removeItem(at: fixture.folder.appendingPathExtension(suffix))
        }
    }

    @Test(arguments: methods)
    func missingFolderIsNoticedWhenItReturns(method: WatchMethod) async throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let store = MarketStore(SmallMarket.loader(of: fixture))
        var events = store.events().makeAsyncIterator()
        let watch = try store.watch(MarketFolder(path: fixture.folder.path), method: method, settle: .milliseconds(20))
        let away = fixture.folder.appendingPathExtension("away")
        try FileManager.default.moveItem(at: fixture.folder, to: away)
        while let event = await events.next(), !event.isRejected {}
        #expect(store.market("t")?.definition.name == "v1")
        #expect(store.status(of: "t")?.lastRejected?.revision == nil)
        try Data(SmallMarket.text(version: 2).utf8).write(to: away.appending(path: "t.lua"))
        try FileManager.default.moveItem(at: away, to: fixture.folder)
        while let event = await events.next(), !(event.isApplied && event.id == "t") {}
        #expect(store.market("t")?.definition.name == "v2")
        // Later changes are still noticed.
        try fixture.write(SmallMarket.text(version: 3), to: "t.lua")
        while let event = await events.next(), !(event.isApplied && event.id == "t") {}
        #expect(store.market("t")?.definition.name == "v3")
        withExtendedLifetime(watch) {}
    }

    @Test(arguments: methods)
    func newMarketIsLoadedAndInvalidSaveKeepsOld(method: WatchMethod) async throws {
        let fixture = try SmallMarket.fixture(version: 1)
        for name in ["us", "ca", "mx"] {
            try FileManager.default.removeItem(at: fixture.folder.appending(path: "\(name).lua"))
        }
        let store = MarketStore(SmallMarket.loader(of: fixture))
        var events = store.events().makeAsyncIterator()
        let watch = try store.watch(MarketFolder(path: fixture.folder.path), method: method, settle: .milliseconds(20))
        #expect(Array(store.markets.keys) == ["t"])
        try fixture.write(SmallMarket.text(version: 1).replacing("id = \"t\"", with: "id = \"new\""), to: "new.lua")
        while let event = await events.next(), !(event.id == "new" && event.isApplied) {}
        #expect(store.market("new")?.id == "new")
        try fixture.write("return { id = ", to: "t.lua")
        while let event = await events.next(), !event.isRejected {}
        #expect(store.market("t")?.definition.name == "v1")
        try FileManager.default.removeItem(at: fixture.folder.appending(path: "new.lua"))
        while let event = await events.next(), !(event.id == "new" && event.isRejected) {}
        #expect(store.market("new")?.id == "new")
        #expect(store.status(of: "new")?.isCurrent == false)
        watch.stop()
    }

    @Test func missingFolderOrMarketIsReportedImmediately() throws {
        let missing = MarketStore(MarketLoader(.platformInMemory, folder: MarketFolder(path: "/nowhere/markets")))
        #expect(
            throws: MarketFolderError.unreadableFolder("/nowhere/markets", reason: "no such file or directory")
        ) { try missing.watch(MarketFolder(path: "/nowhere/markets")) }
        let fixture = try SmallMarket.fixture(version: 1)
        let store = MarketStore(SmallMarket.loader(of: fixture))
        #expect { try store.watch(MarketFolder(path: fixture.folder.path), ["tt"]) } throws: {
            "\($0)".contains("did you mean \"t\"?")
        }
    }

    @Test func watchingEndsWhenWatchIsReleased() throws {
        let fixture = try SmallMarket.fixture(version: 1)
        let store = MarketStore(SmallMarket.loader(of: fixture))
        weak var watch: MarketWatch?
        do {
            let held = try store.watch(MarketFolder(path: fixture.folder.path), ["t"])
            watch = held
            #expect(held.method != .automatic)
        }
        #expect(watch == nil)
    }

    @Test func errorHasAdvice() {
        #expect(
            "\(WatchError.unavailable("markets", reason: "all inotify watches are in use"))"
                == "cannot watch markets: all inotify watches are in use; poll instead")
        #expect("\(WatchMethod.polling(every: .seconds(1)))" == "polling every 1000 ms")
    }
}

extension MarketEvent {
    fileprivate var isApplied: Bool {
        if case .applied = self { true } else { false }
    }

    fileprivate var isRejected: Bool {
        if case .rejected = self { true } else { false }
    }
}
