import Foundation
import GlassContainer
import GlassContainerTesting
import GlassMarkets
import GlassPlatformMocks
import Testing

@testable import GlassPlatform

/// Where data is stored if the app names no folder. The place itself is used only by a child process with its own
/// variables, never by this one.
@Suite(.timeLimit(.minutes(1)))
struct StandardPlaceTests {
    private let home: StateFolder

    init() throws {
        home = try StateFolder()
    }

    private func environment(_ variables: [String: String] = [:]) -> [String: String] {
        ["HOME": home.url.path].merging(variables) { $1 }
    }

    private func values(_ lines: [String]) -> [String: String] {
        Dictionary(
            lines.map { line in
                let words = line.split(separator: " ", maxSplits: 1).map(String.init)
                return (words[0], words.count > 1 ? words[1] : "")
            }, uniquingKeysWith: { $1 })
    }

    private func keep(_ market: String, _ value: String, _ environment: [String: String]) throws -> [String: String] {
        values(try StorageWriter.lines(["keep", market, value], environment).printed)
    }

    private func kept(_ market: String, _ environment: [String: String]) throws -> [String: String] {
        values(try StorageWriter.lines(["kept", market], environment).printed)
    }

    @Test func eachValueIsThereAtTheSecondStartOfEachMarket() throws {
        let state = home.url.appending(path: "state")
        let environment = environment(["XDG_STATE_HOME": state.path])
        let us = try keep("us", "one", environment)
        let ca = try keep("ca", "two", environment)
        for (market, value, first) in [("us", "one", us), ("ca", "two", ca)] {
            var second = try kept(market, environment)
            #expect(second.removeValue(forKey: "install") == first["install"])
            // The event of the start, which says which market it is, and the tracked one.
            #expect(second.removeValue(forKey: "events").flatMap { Int($0) } ?? 0 >= 2)
            #expect(
                second == [
                    "finding": "none", "storage": value, "preference": value, "token": "token-\(value)",
                    "cart": "cart-\(value)", "market": "ca", "cookies": "lasting=\(value)", "cookieError": "none",
                ])
        }
        #expect(us["install"] != ca["install"])
        let program = state.appending(path: "storage-writer")
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: program.path).sorted()
                == ["_app", "com.example.ca", "com.example.us"])
        for name in ["", "_app", "com.example.us", "com.example.us/storage.sqlite", "com.example.us/cookies.json"] {
            let attributes = try FileManager.default.attributesOfItem(atPath: program.appending(path: name).path)
            let mode = attributes[.posixPermissions] as? Int
            #expect(mode == (name.contains("/") ? 0o600 : 0o700), "\(name)")
        }
    }

    /// The folder below the temporary home that the program creates with some variables.
    @Test(arguments: [
        ([:], ".local/state"), (["XDG_STATE_HOME": "relative/state"], ".local/state"),
        (["XDG_STATE_HOME": ""], ".local/state"),
    ])
    func withoutAnAbsoluteVariableTheHomeIsUsed(_ variables: [String: String], _ folder: String) throws {
        _ = try keep("us", "one", environment(variables))
        let path = home.url.appending(path: "\(folder)/storage-writer/com.example.us/storage.sqlite").path
        #expect(FileManager.default.fileExists(atPath: path))
    }

    @Test func fileInPlaceOfTheFolderIsErrorOfEachServiceAndAFinding() throws {
        let place = home.url.appending(path: "state")
        try Data("mine".utf8).write(to: place)
        let (printed, logged) = try StorageWriter.lines(["kept", "us"], environment(["XDG_STATE_HOME": place.path]))
        let found = values(printed)
        for name in ["finding", "storage", "preference", "token", "cart", "events", "cookieError", "install"] {
            #expect(found[name]?.contains(place.path) == true, "\(name): \(found[name] ?? "")")
        }
        #expect(found["finding"]?.contains("Not a directory") == true)
        // One for each file: the storage, the token, the startup preferences, the events, and the cookies.
        let errors = logged.filter { $0.contains(" error glass.") && $0.contains(place.path) }
        #expect(errors.count == 5, "\(logged)")
        #expect(try Data(contentsOf: place) == Data("mine".utf8))
    }

    @Test func hostsSayWhereTheyStore() throws {
        #expect(PlatformHost().stateFolder == nil && PlatformHost.inMemory.stateFolder == nil)
        let standard = PlatformHost.standard
        let folders = ["us", "com.example.us", "_app"].map { standard.placed(for: $0).stateFolder }
        #expect(Set(folders).count == 3 && !folders.contains(nil))
        // What is no name of an owner is not part of a path.
        for owner in ["", "..", "../us", "US", "a/b", "_app"] {
            #expect(standard.placed(for: owner).stateFolder == standard.stateFolder, "\(owner)")
        }
        #expect(standard.placed(for: "us").cacheFolder != standard.placed(for: "us").stateFolder)
        let chosen = PlatformHost(stateFolder: home.url)
        #expect(chosen.placed(for: "us").stateFolder == home.url && chosen.cacheFolder == home.url)
        var copy = standard
        copy.stateFolder = nil
        #expect(copy.placed(for: "us").stateFolder == nil)
    }

    @Test func containersWithoutAHostUseTheStandardPlace() throws {
        let container = Container()
        container.setupPlatformDependencies(with: sampleConfig())
        let own = PlatformHost.standard.placed(for: sampleConfig().appInfo.bundleIdentifier).stateFolder
        #expect(container.get(PlatformHost.self).stateFolder == own)
        let other = Container()
        other.setupPlatformDependencies(with: sampleConfig(), overriding: PlatformDependencies())
        #expect(other.get(PlatformHost.self).stateFolder == own)
        #expect(Container(module: .platform).get(PlatformHost.self).stateFolder == PlatformHost.standard.stateFolder)
        let module = MarketModule.platform.overriding(services: [.host { _ in .standard }])
        #expect(Container(module: module).get(PlatformHost.self).stateFolder == PlatformHost.standard.stateFolder)
    }

    @Test func mocksKeepNothing() {
        #expect(Container.mock.get(PlatformHost.self).stateFolder == nil)
        #expect(Container.mock(.platform, mocks: []).get(PlatformHost.self).stateFolder == nil)
        let module = MarketModule.platform.overriding(services: [.host(PlatformHost(stateFolder: home.url))])
        #expect(Container.mock(module, mocks: []).get(PlatformHost.self).stateFolder == home.url)
    }

    @Test(.container) func testsWithTheContainerTraitKeepNothing() throws {
        Container.shared.setupPlatformDependencies(with: sampleConfig())
        #expect(Container.shared.get(PlatformHost.self).stateFolder == nil)
        #expect(PlatformHost.standard.stateFolder == nil)
        #expect(Container(module: .platform).get(PlatformHost.self).stateFolder == nil)
        let key = StorageKey<Int>("n", "a")
        try StoragePlatformAPI().set(1, for: key)
        #expect(try StoragePlatformAPI().value(for: key) == nil)
    }

    @Test(.container) func previewsKeepNothing() {
        FactoryContext.$isOfTest.withValue(false) {
            #expect(PlatformHost.standard.stateFolder != nil)
            FactoryContext.current.isPreview = true
            #expect(PlatformHost.standard.stateFolder == nil)
        }
    }
}
