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

/// Files that only their owner can access, their lock, and files without a name.
@Suite(.timeLimit(.minutes(1)))
final class PrivateFileTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "private-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)  // the system cleans up if this fails
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func mode(_ name: String) -> mode_t {
        var status = stat()
        return lstat(path(name), &status) == 0 ? status.st_mode & 0o777 : 0
    }

    @Test func openFileIsRestrictedToOwner() throws {
        try Data("old".utf8).write(to: folder.appending(path: "known"))
        chmod(path("known"), 0o644)
        for name in ["known", "new"] {
            let file = try PrivateFile.open(path(name), O_WRONLY | O_TRUNC)
            #expect(FileCalls.write("text".utf8, to: file.number) && FileCalls.synchronize(file.number))
            #expect(mode(name) == 0o600)
            #expect(try String(contentsOfFile: path(name), encoding: .utf8) == "text")
        }
    }

    @Test func linkIsNotFollowed() throws {
        #expect(symlink("elsewhere", path("link")) == 0)
        let failure = #expect(throws: POSIXFailure.self) { _ = try PrivateFile.open(path("link"), O_WRONLY) }
        #expect(failure?.code == ELOOP)
        #expect(!FileManager.default.fileExists(atPath: path("elsewhere")))
    }

    @Test func companionsAreRestrictedAndOthersAreNot() throws {
        for name in ["data.sqlite", "data.sqlite-wal", "other"] {
            try Data("x".utf8).write(to: folder.appending(path: name))
            chmod(path(name), 0o644)
        }
        try PrivateFile.makeWithCompanions(path("data.sqlite"))
        #expect(mode("data.sqlite") == 0o600 && mode("data.sqlite-wal") == 0o600 && mode("other") == 0o644)
        try PrivateFile.makeWithCompanions(path("more.sqlite"))
        #expect(mode("more.sqlite") == 0o600)
    }

    @Test func lockIsHeldWhileBodyRuns() throws {
        let lock = path("lock")
        try FileLock.hold(lock, timeout: .zero) {
            let failure = #expect(throws: POSIXFailure.self) { try FileLock.hold(lock, timeout: .zero) {} }
            #expect(failure?.code == EWOULDBLOCK)
        }
        try FileLock.hold(lock, timeout: .zero) {}
    }

    @Test func failedCallKeepsItsReason() throws {
        #expect(FileManager.default.createFile(atPath: path("read"), contents: nil))
        let file = try Descriptor.regular(path("read"))
        #expect(!FileCalls.write([1], to: file.number) && errno == EBADF)
    }

    @Test func unnamedFileIsReadFromItsStart() throws {
        let file = try Descriptor.unnamed(Array("input".utf8), in: folder.path)
        #expect(try ConfinedDirectory(folder.path).names() == [])
        #expect(try file.contents(limit: 10) == Array("input".utf8))
        #expect(fcntl(file.number, F_GETFD) & FD_CLOEXEC != 0)
    }
}
