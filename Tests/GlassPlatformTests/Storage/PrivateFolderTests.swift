import Foundation
import GlassBase
@testable import GlassPlatform
import GlassSchema
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

@Suite(.timeLimit(.minutes(1)))
struct PrivateFolderTests {
    private static func temporary() -> URL {
        FileManager.default.temporaryDirectory.appending(path: "private-\(UUID().uuidString)")
    }

    private static func mode(_ path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? Int(status.st_mode & 0o777) : -1
    }

    /// In its own process, because the umask is a property of the process.
    @Test(arguments: [0o000, 0o022, 0o077])
    func storedFilesArePrivateRegardlessOfUmask(_ mask: Int) async {
        await #expect(processExitsWith: .success) { [mask] in
            umask(mode_t(mask))
            let folder = Self.temporary()
            defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
            let state = folder.appending(path: "a/b")
            let storage = StoragePlatformAPI(folder: state)
            try storage.set("v", for: StorageKey<String>("n", "k"))
            // A reader, so that the log is not checkpointed and removed.
            let second = StoragePlatformAPI(folder: state)
            try second.set("w", for: StorageKey<String>("n", "k"))
            try SignInTokensInFile(folder: state, timeout: .seconds(1)).keep("token")
            try StartupPreferencePlatformAPI(folder: state).recordLaunch(version: "1")
            storage.dispose()
            second.dispose()
            try Data("damaged".utf8).write(to: StoragePlatformAPI.file(in: state))
            chmod(StoragePlatformAPI.file(in: state).path, 0o666)
            let third = StoragePlatformAPI(folder: state)
            try third.set("x", for: StorageKey<String>("n", "k"))
            let found = FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []
            precondition(found.contains { $0.contains(".corrupt-") } && found.contains { $0.hasSuffix("-wal") })
            for name in [""] + found {
                let path = folder.path + "/" + name
                precondition(Self.mode(path) & 0o077 == 0, "\(name) \(String(Self.mode(path), radix: 8))")
            }
            third.dispose()
        }
    }

    @Test func openFolderOfOwnerIsRestricted() throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        chmod(folder.path, 0o755)
        #expect(try PrivateFolder.make(folder))
        #expect(Self.mode(folder.path) == 0o700)
        #expect(try !PrivateFolder.make(folder))
        // A folder that is read-only for its owner stays read-only.
        chmod(folder.path, 0o555)
        #expect(try PrivateFolder.make(folder))
        #expect(Self.mode(folder.path) == 0o500)
    }

    /// An app may use a folder that contains other files. The folder's permissions stay, and files stored there are
    /// private.
    @Test func filesInSharedFolderArePrivate() throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data("mine".utf8).write(to: folder.appending(path: "notes.txt"))
        chmod(folder.path, 0o755)
        let storage = StoragePlatformAPI(folder: folder)
        try storage.set("v", for: StorageKey<String>("n", "k"))
        try StartupPreferencePlatformAPI(folder: folder).recordLaunch(version: "1")
        #expect(Self.mode(folder.path) == 0o755)
        for name in try FileManager.default.contentsOfDirectory(atPath: folder.path) where name != "notes.txt" {
            #expect(Self.mode("\(folder.path)/\(name)") == 0o600, "\(name)")
        }
        storage.dispose()
    }

    /// Reading neither waits for a pipe nor follows a link in place of the file.
    @Test func specialFilesAreNotRead() throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = RemoteConfigurationFile(folder: folder, timeout: .seconds(1))
        #expect(mkfifo(file.path, 0o600) == 0)
        let error = #expect(throws: RemoteConfigurationError.self) { try file.read() }
        #expect(error.map { "\($0)".contains("it is not a regular file") } == true)
        let startup = folder.appending(path: "startup.json")
        try Data("theirs".utf8).write(to: folder.appending(path: "theirs"))
        #expect(symlink("theirs", startup.path + ".new") == 0)
        #expect(throws: (any Error).self) {
            try StartupPreferencePlatformAPI(folder: folder).recordLaunch(version: "1")
        }
        #expect(try String(contentsOf: folder.appending(path: "theirs"), encoding: .utf8) == "theirs")
    }

    @Test func folderOfAnotherUserIsRejected() throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        // A user who may not change a folder's owner does not own `/`.
        let given = chown(folder.path, 12345, gid_t.max) == 0 ? folder : URL(filePath: "/")
        guard given == folder || geteuid() != 0 else { return }
        let error = #expect(throws: PrivateFolderError.self) { try PrivateFolder.make(given) }
        #expect(error?.description.contains("belongs to another user") == true)
        #expect(error?.description.hasSuffix("use a folder of your own") == true)
    }

    @Test(arguments: ["/tmp", "/var/tmp/"])
    func folderSharedByAllUsersIsRejected(_ path: String) throws {
        let before = Self.mode(path)
        // To everyone except its owner, the folder belongs to another user.
        let error = #expect(throws: PrivateFolderError.self) { try PrivateFolder.make(URL(filePath: path)) }
        #expect(error?.description.contains(geteuid() == 0 ? "is shared by all users" : "belongs to another") == true)
        #expect(Self.mode(path) == before)
    }

    @Test func tokenIsStoredInItsOwnFile() throws {
        let folder = Self.temporary()
        defer { try? FileManager.default.removeItem(at: folder) }  // the system cleans up if this fails
        let storage = StoragePlatformAPI(folder: folder)
        let old = StorageKey<String>("quimby", "accessToken")
        // As stored by an earlier version.
        try storage.set("early-token", for: old)
        let host = PlatformHost(stateFolder: folder)
        let auth = QuimbyAuthProvider(storage: storage, host: host)
        #expect(try auth.identity().accessToken == "early-token")
        #expect(try storage.value(for: old) == nil)
        try auth.setIdentity(QuimbyIdentity(accessToken: "token", customerID: "7"))
        #expect(try QuimbyAuthProvider(storage: storage, host: host).identity().accessToken == "token")
        try auth.setIdentity(QuimbyIdentity())
        #expect(try QuimbyAuthProvider(storage: storage, host: host).identity() == QuimbyIdentity())
        storage.dispose()
    }
}
