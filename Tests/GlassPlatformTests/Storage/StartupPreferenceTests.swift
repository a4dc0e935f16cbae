import GlassBase
import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// The state that an app finds at its next launch.
struct StartupPreferenceTests {
    @Test(arguments: ServiceKind.allCases)
    func firstLaunchLastsUntilProcessEnds(kind: ServiceKind) throws {
        let startup: any StartupPreferenceAPI = kind.storageContainer().get()
        #expect(startup.isFirstLaunch)
        #expect(startup.lastVersion == nil && startup.market == nil && startup.environment == nil)
        try startup.recordLaunch(version: "1.0")
        try startup.setMarket("ca")
        try startup.setEnvironment("staging")
        #expect(startup.isFirstLaunch && startup.lastVersion == nil)
        #expect(startup.market == "ca" && startup.environment == "staging")
        try startup.setMarket(nil)
        #expect(startup.market == nil)
    }

    @Test(arguments: ServiceKind.allCases)
    func scriptChoosesNextMarket(kind: ServiceKind) async throws {
        let startup: any StartupPreferenceAPI = kind.storageContainer().get()
        func call(_ name: String, _ arguments: ScriptValue...) async throws -> ScriptValue {
            let method = try #require(startup.scriptMethods.first { $0.name == name })
            return try await method(arguments)
        }
        #expect(try await call("market") == nil)
        #expect(try await call("setMarket", "mx") == nil)
        #expect(try await call("market") == "mx")
        #expect(try await call("setEnvironment", "staging") == nil)
        #expect(try await call("environment") == "staging")
        #expect(try await call("setEnvironment") == nil)
        #expect(try await call("environment") == nil)
        #expect(try await call("recordLaunch", "2.0") == nil)
        #expect(try await call("isFirstLaunch") == true)
        #expect(try await call("lastVersion") == nil)
        await #expect(throws: ScriptArgumentError.self) { try await call("setMarket", 1) }
    }

    @Test func nextLaunchReadsWithoutContainer() throws {
        let folder = try StateFolder()
        #expect(try StartupPreferencePlatformAPI.read(in: folder.url) == StartupPreferences())
        #expect(try StartupPreferencePlatformAPI.read(in: folder.url.appending(path: "none")) == StartupPreferences())
        #expect(try folder.names() == [])
        let first: any StartupPreferenceAPI = ServiceKind.live.storageContainer(stateFolder: folder.url).get()
        try first.setMarket("ca")
        try first.setEnvironment("staging")
        try first.recordLaunch(version: "1.0")
        let read = try StartupPreferencePlatformAPI.read(in: folder.url)
        #expect(read.market == "ca" && read.environment == "staging")
        #expect(read.lastVersion == "1.0" && read.launches == 1)
        let second: any StartupPreferenceAPI = ServiceKind.live.storageContainer(stateFolder: folder.url).get()
        #expect(!second.isFirstLaunch)
        #expect(second.lastVersion == "1.0")
        try second.recordLaunch(version: "1.1")
        #expect(second.lastVersion == "1.0")
        #expect(try StartupPreferencePlatformAPI.read(in: folder.url).launches == 2)
        #expect(
            try String(contentsOf: StartupPreferencePlatformAPI.file(in: folder.url), encoding: .utf8)
                == #"{"preferences":{"environment":"staging","lastVersion":"1.1","launches":2,"market":"ca"},"schema":1}"#
        )
    }

    @Test(.timeLimit(.minutes(1))) func concurrentWritersLoseNoChanges() async throws {
        let folder = try StateFolder()
        try await withThrowingTaskGroup { group in
            for writer in 0..<4 {
                group.addTask {
                    let startup = StartupPreferencePlatformAPI(folder: folder.url)
                    for _ in 0..<5 { try startup.recordLaunch(version: "\(writer)") }
                }
            }
            try await group.waitForAll()
        }
        #expect(try StartupPreferencePlatformAPI.read(in: folder.url).launches == 20)
    }

    @Test(arguments: ["", "{", "[]", #"{"schema":1}"#, #"{"schema":1,"preferences":{"launches":"x"}}"#])
    func corruptFileIsSetAsideAndReported(content: String) throws {
        let folder = try StateFolder()
        let file = StartupPreferencePlatformAPI.file(in: folder.url)
        try Data(content.utf8).write(to: file)
        let error = #expect(throws: StorageError.self) { try StartupPreferencePlatformAPI.read(in: folder.url) }
        #expect(
            error?.description == "storage: cannot read the startup preferences: it is not JSON in the app's format"
        )
        #expect(try Data(contentsOf: file) == Data(content.utf8))
        let told = Lock<[StorageIssue]>([])
        var host = StorageHost()
        host.onIssue = { issue in told.withLock { $0.append(issue) } }
        let startup = StartupPreferencePlatformAPI(folder: folder.url, host: host)
        #expect(startup.isFirstLaunch && startup.market == nil)
        #expect(told.withLock { $0.map(\.kind) } == [.corrupt])
        let aside = try #require(told.withLock { $0.first?.setAside })
        #expect(try folder.setAside() == [aside.lastPathComponent])
        #expect(try Data(contentsOf: aside) == Data(content.utf8))
        try startup.setMarket("ca")
        #expect(try StartupPreferencePlatformAPI.read(in: folder.url).market == "ca")
    }

    @Test func fileOfNewerVersionIsRejectedAndKept() throws {
        let folder = try StateFolder()
        let file = StartupPreferencePlatformAPI.file(in: folder.url)
        let content = #"{"schema":2,"preferences":{"launches":7,"market":"ca"}}"#
        try Data(content.utf8).write(to: file)
        let text =
            "storage: \(file.path) was written by a newer version (it has schema 2) and was not changed; update "
            + "the app, or give it another state folder"
        let error = #expect(throws: StorageError.self) { try StartupPreferencePlatformAPI.read(in: folder.url) }
        #expect(error?.description == text)
        let told = Lock<[StorageIssue]>([])
        var host = StorageHost()
        host.onIssue = { issue in told.withLock { $0.append(issue) } }
        let startup = StartupPreferencePlatformAPI(folder: folder.url, host: host)
        #expect(startup.market == nil)
        #expect(told.withLock { $0.map(\.description) } == ["\(file.path) cannot be read: \(text)"])
        let refused = #expect(throws: StorageError.self) { try startup.setMarket("mx") }
        #expect(refused?.description == text)
        #expect(try String(contentsOf: file, encoding: .utf8) == content)
    }
}
