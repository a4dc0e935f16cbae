import Foundation
@testable import GlassBase
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Which folders are restricted to their owner, and which are left alone.
@Suite(.timeLimit(.minutes(1)))
final class StateFolderTests {
    private let outer: URL
    private let folder: String

    init() throws {
        outer = FileManager.default.temporaryDirectory.appending(path: "state-\(UUID().uuidString)")
        folder = outer.appending(path: "folder").path
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        #expect(chmod(folder, 0o755) == 0)
    }

    deinit {
        try? FileManager.default.removeItem(at: outer)  // the system cleans up if this fails
    }

    private func write(_ text: String, _ name: String) throws {
        let file = URL(filePath: "\(folder)/\(name)")
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    private func mode(_ path: String) -> mode_t? {
        var status = stat()
        return stat(path, &status) == 0 ? status.st_mode & 0o777 : nil
    }

    private static let mark = "Services of markets keep their state here. Only the owner can open this folder.\n"
    private static let database = "SQLite format 3\0and more"
    private static let configuration = #"{"configuration":{},"earlier":[],"schema":1}"#

    @Test(arguments: [
        [:],
        [".glass-state": mark, "anything": "else"],
        ["us/storage.sqlite": database, "us/storage.sqlite.lock": "", "caches/x": "", "defaults/y": ""],
        ["us/remote-configuration.json": configuration], ["us/startup.json": #"{"preferences":{},"schema":1}"#],
        ["us/sign-in.token": "t", "us/sign-in.token.lock": ""],
        ["us/media/a.media": "", "ca/storage.sqlite": database, "ca/responses/x": "", "mx/analytics/y.sqlite": ""],
        // An app's folder.
        ["storage.sqlite": database, "storage.sqlite.lock": "", "media/a.media": ""],
        // A store of delivered markets.
        ["state": #"{"install":"4"}"#, "lock": "", "objects/1": "", "root.json": "{}"],
    ])
    func stateFolderIsRestrictedToOwner(_ files: [String: String]) throws {
        for (name, text) in files { try write(text, name) }
        #expect(try PrivateFolder.makeMarked(folder))
        #expect(mode(folder) == 0o700)
        #expect(try !PrivateFolder.makeMarked(folder))
        // A service of a later version is unknown, but the mark is there.
        try write("", "of-a-later-version")
        #expect(chmod(folder, 0o755) == 0)
        #expect(try PrivateFolder.makeMarked(folder))
        #expect(mode(folder) == 0o700)
    }

    @Test(arguments: [
        (["notes.txt": "mine"], "notes.txt"), (["a/notes.txt": "mine"], "a"), (["a/b/c": ""], "a"),
        (["us/storage.sqlite": database, "notes.txt": ""], "notes.txt"),
        (["us/storage.sqlite": database, "other/x": ""], "other"), (["storage.sqlite": database, "app": ""], "app"),
        // Files of another program whose names this one also uses.
        ([".glass-state": "", "notes.txt": "mine"], "notes.txt"), ([".glass-state": "x", "a.txt": ""], "a.txt"),
        ([".glass-state": mark + "x", "a.txt": ""], "a.txt"),
        (["us/storage.sqlite": "text"], "us"), (["us/startup.json": "{}"], "us"),
        (["startup.json": ""], "startup.json"),
        (["sign-in.token": "t"], "sign-in.token"), (["state": "", "lock": ""], "lock"), (["caches/x": ""], "caches"),
    ])
    func unrelatedFolderIsLeftAlone(_ files: [String: String], _ example: String) throws {
        for (name, text) in files { try write(text, name) }
        let before = try FileManager.default.subpathsOfDirectory(atPath: folder).sorted()
        for path in [folder, folder + "/"] {
            let error = #expect(throws: PrivateFolderError.self) { try PrivateFolder.makeMarked(path) }
            #expect(error == .ofOthers(path, such: example))
        }
        #expect(
            PrivateFolderError.ofOthers("x", such: "notes.txt").description
                == "the folder x is open to others and contains other files, such as notes.txt; use a new or an empty folder, "
                + "such as x/glass-state")
        try PrivateFolder.makeOrShare(folder)
        #expect(mode(folder) == 0o755)
        #expect(try FileManager.default.subpathsOfDirectory(atPath: folder).sorted() == before)
        // Follows the advice in the message.
        #expect(try !PrivateFolder.makeMarked(folder + "/glass-state"))
        #expect(mode(folder + "/glass-state") == 0o700 && mode(folder) == 0o755)
    }

    @Test func linkIsJudgedByItsTarget() throws {
        let link = outer.appending(path: "link").path
        #expect(symlink("folder", link) == 0)
        try write("mine", "notes.txt")
        #expect(throws: PrivateFolderError.self) { try PrivateFolder.makeMarked(link) }
        #expect(throws: PrivateFolderError.self) { try PrivateFolder.make(link) }
        #expect(mode(folder) == 0o755)
        try write(Self.mark, ".glass-state")
        #expect(try PrivateFolder.makeMarked(link))
        #expect(mode(folder) == 0o700)
    }

    @Test func linkAsMarkIsIgnored() throws {
        try write("", "notes.txt")
        #expect(symlink("notes.txt", "\(folder)/.glass-state") == 0)
        #expect(throws: PrivateFolderError.self) { try PrivateFolder.makeMarked(folder) }
        #expect(mode(folder) == 0o755)
    }

    @Test func privateUnmarkedFolderIsUsedWithoutMark() throws {
        try write("mine", "notes.txt")
        #expect(chmod(folder, 0o700) == 0)
        #expect(try !PrivateFolder.makeMarked(folder))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["notes.txt"])
    }

    /// A folder that a service creates inside the state folder belongs to the state.
    @Test func subfolderOfStateIsRestrictedButLinkTargetIsNot() throws {
        try write(Self.mark, ".glass-state")
        try write("", "us/responses/of-foundation")
        let theirs = outer.appending(path: "theirs").path
        try FileManager.default.createDirectory(atPath: theirs + "/files", withIntermediateDirectories: true)
        #expect(symlink(theirs, "\(folder)/us/media") == 0)
        for path in ["us", "us/responses"] {
            #expect(chmod("\(folder)/\(path)", 0o755) == 0)
            #expect(try PrivateFolder.make("\(folder)/\(path)"))
            #expect(mode("\(folder)/\(path)") == 0o700)
        }
        #expect(chmod(theirs, 0o755) == 0)
        #expect(throws: PrivateFolderError.ofOthers("\(folder)/us/media", such: "files")) {
            try PrivateFolder.make("\(folder)/us/media")
        }
        #expect(mode(theirs) == 0o755)
    }
}
