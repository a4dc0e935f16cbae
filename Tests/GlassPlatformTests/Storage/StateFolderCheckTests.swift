import Foundation
import GRDB
import GlassBase
import GlassContainer
import GlassSchema
import Testing

@testable import GlassPlatform

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif
#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// A state folder that cannot be used: each service's typed error has its path, `validate` has one finding, creating the
/// services does not trap, and the data stays.
struct StateFolderCheckTests {
    private func container(_ folder: URL) -> Container {
        ServiceKind.live.storageContainer(stateFolder: folder)
    }

    private func finding(_ container: Container) throws -> String {
        let findings = container.validate().findings
        #expect(findings.map(\.kind) == [.unusable])
        #expect(findings.first?.services.map(\.description) == ["PlatformHost"])
        return try #require(findings.first).message
    }

    /// The errors of each service that stores something.
    private func errors(_ container: Container) -> [any Error] {
        let writes: [() throws -> Void] = [
            { try container.get((any StorageAPI).self).set(1, for: StorageKey("n", "a")) },
            { try container.get((any PreferencesStorage).self).set(.integer(7), for: "storeID") },
            { try container.get((any StartupPreferenceAPI).self).setMarket("ca") },
            { try container.get((any QuimbyAuthProviding).self).setIdentity(QuimbyIdentity(accessToken: "t")) },
            { try container.get((any QuimbyCartProviding).self).setCartID("c") },
            { try container.get((any Analytics).self).track(AnalyticsEvent("e")) },
            {
                let cookies: any CookieStorageAPI = container.get()
                _ = cookies.storage
                cookies.storage.setCookie(.lasting)
                _ = cookies.storage
                if let error = (cookies as? CookieStoragePlatformAPI)?.storageError { throw error }
            },
        ]
        return writes.compactMap { write in
            do {
                try write()
                return nil
            } catch {
                return error
            }
        }
    }

    private func expectErrors(_ container: Container, naming path: String, count: Int = 7) {
        let errors = errors(container)
        #expect(errors.count == count, "\(errors)")
        for error in errors {
            #expect(error is StorageError || error is PreferencesError || error is AnalyticsError)
            #expect("\(error)".contains(path), "\(error)")
        }
    }

    @Test func fileInPlaceOfTheFolder() throws {
        let parent = try StateFolder()
        let place = parent.url.appending(path: "state")
        try Data("mine".utf8).write(to: place)
        for folder in [place, place.appending(path: "us")] {
            let container = container(folder)
            #expect(
                try finding(container)
                    == "services cannot store data in \(folder.path): cannot open \(folder.path): Not a directory (20)")
            expectErrors(container, naming: place.path)
        }
        #expect(try Data(contentsOf: place) == Data("mine".utf8))
    }

    @Test(.enabled(if: geteuid() == 0, "changing the owner requires root"))
    func folderOfAnotherUser() throws {
        let folder = try StateFolder()
        try #require(chown(folder.url.path, 12345, 12345) == 0)
        let container = container(folder.url)
        #expect(try finding(container).contains("the folder \(folder.url.path) belongs to another user (12345)"))
        expectErrors(container, naming: folder.url.path)
        #expect(try folder.names() == [])
    }

    @Test(.enabled(if: geteuid() != 0, "root may write everywhere"))
    func folderWithoutPermission() throws {
        let folder = try StateFolder()
        try #require(chmod(folder.url.path, 0o500) == 0)
        defer { chmod(folder.url.path, 0o700) }
        let container = container(folder.url)
        #expect(try finding(container).contains("cannot write to \(folder.url.path): Permission denied (13)"))
        expectErrors(container, naming: folder.url.path)
    }

    @Test(.enabled(if: SmallDisk.isPermitted, "mounting requires root"))
    func readOnlyFolder() throws {
        let disk = try SmallDisk(kilobytes: 512)
        let folder = disk.folder.url
        let first = StoragePlatformAPI(folder: folder)
        try first.set(1, for: StorageKey("n", "kept"))
        first.dispose()
        #expect(container(folder).validate().isValid)
        try disk.setReadOnly(true)
        let container = container(folder)
        #expect(try finding(container).contains("cannot write to \(folder.path): Read-only file system (30)"))
        expectErrors(container, naming: folder.path)
        try disk.setReadOnly(false)
        #expect(try container.get((any StorageAPI).self).value(for: StorageKey<Int>("n", "kept")) == 1)
        expectErrors(container, naming: folder.path, count: 0)
        #expect(container.validate().isValid)
    }

    @Test(.enabled(if: SmallDisk.isPermitted, "mounting requires root"))
    func fullFolder() throws {
        let disk = try SmallDisk(kilobytes: 1024)
        let folder = disk.folder.url
        let container = container(folder)
        try container.get((any StorageAPI).self).set(1, for: StorageKey("n", "kept"))
        try disk.fill()
        #expect(try finding(container).contains("cannot write to \(folder.path): No space left on device (28)"))
        expectErrors(container, naming: folder.path)
        #expect(try container.get((any StorageAPI).self).value(for: StorageKey<Int>("n", "kept")) == 1)
        try disk.free()
        expectErrors(container, naming: folder.path, count: 0)
    }

    @Test func filesOfANewerVersion() throws {
        let folder = try StateFolder()
        let first = StoragePlatformAPI(folder: folder.url)
        try first.set(1, for: StorageKey("n", "kept"))
        first.dispose()
        let database = StoragePlatformAPI.file(in: folder.url)
        let queue = try DatabaseQueue(path: database.path)
        try queue.inDatabase { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('9 sharding')") }
        try queue.close()
        let cookies = folder.url.appending(path: "cookies.json")
        try Data(#"{"schema":2,"jar":[]}"#.utf8).write(to: cookies)
        let files = [database, cookies]
        let before = try files.map { try Data(contentsOf: $0) }
        let container = container(folder.url)
        let finding = try finding(container)
        #expect(finding.contains("\(database.path) was written by a newer version (it has 9 sharding)"))
        // Neither the startup preferences nor the events have a newer version.
        expectErrors(container, naming: "was written by a newer version", count: 5)
        #expect(try files.map { try Data(contentsOf: $0) } == before)

        let startup = StartupPreferencePlatformAPI.file(in: folder.url)
        try Data(#"{"schema":2,"preferences":{"launches":7}}"#.utf8).write(to: startup)
        let other = self.container(folder.url)
        #expect(try self.finding(other).contains("\(startup.path) was written by a newer version (it has schema 2)"))
    }

    @Test func cookiesAndEventsOfANewerVersion() throws {
        let folder = try StateFolder()
        let first = container(folder.url)
        try first.get((any Analytics).self).track(AnalyticsEvent("e"))
        first.shutdownNow()
        let cookies = folder.url.appending(path: "cookies.json")
        try Data(#"{"schema":2,"jar":[]}"#.utf8).write(to: cookies)
        #expect(
            try finding(container(folder.url))
                .contains("\(cookies.path) was written by a newer version (it has schema 2)"))

        let analytics = folder.url.appending(path: "analytics")
        let name = try #require(
            try FileManager.default.contentsOfDirectory(atPath: analytics.path).first { $0.hasSuffix(".sqlite") })
        let outbox = analytics.appending(path: name)
        let queue = try DatabaseQueue(path: outbox.path)
        try queue.inDatabase { try $0.execute(sql: "INSERT INTO grdb_migrations VALUES ('2: priorities')") }
        try queue.close()
        #expect(
            try finding(container(folder.url))
                .contains("\(outbox.path) was written by a newer version (it has 2: priorities)"))
    }

    @Test func usableFoldersHaveNoFinding() throws {
        let folder = try StateFolder()
        for place in [folder.url, folder.url.appending(path: "new/folder")] {
            #expect(container(place).validate().isValid)
        }
        #expect(try folder.names() == [])
        #expect(ServiceKind.live.storageContainer().validate().isValid)
    }
}

extension HTTPCookie {
    /// A cookie that outlives the session.
    fileprivate static var lasting: HTTPCookie {
        HTTPCookie(properties: [
            .name: "n", .value: "v", .domain: "shop.example.org", .path: "/",
            .expires: Date(timeIntervalSinceNow: 3600),
        ])!
    }
}
