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

/// Files that are written completely, next to their target, before they replace it.
@Suite(.timeLimit(.minutes(1)))
final class FileWritingTests {
    private let outer: URL
    private let folder: URL

    init() throws {
        outer = FileManager.default.temporaryDirectory.appending(path: "writing-\(UUID().uuidString)")
        folder = outer.appending(path: "project")
        try FileManager.default.createDirectory(at: folder.appending(path: "sub"), withIntermediateDirectories: true)
        try Data("theirs".utf8).write(to: outer.appending(path: "theirs"))
    }

    deinit {
        try? FileManager.default.removeItem(at: outer)  // the system cleans up if this fails
    }

    private func path(_ name: String) -> String { folder.appending(path: name).path }

    private func write(_ name: String, _ text: String = "new") throws(FileFailure) {
        try ConfinedDirectory(folder.path).write(
            Array(text.utf8), to: name, as: ConfinedDirectory.Writing(mode: 0o640, folderMode: 0o750))
    }

    private func writeNamed(_ path: String, _ text: String = "new") throws(FileFailure) {
        let (folder, name) = try ConfinedDirectory.target(named: path)
        try folder.write(Array(text.utf8), to: name, as: ConfinedDirectory.Writing(mode: 0o640))
    }

    private func text(_ path: String) throws -> String { try String(contentsOf: URL(filePath: path), encoding: .utf8) }

    private func mode(_ name: String) -> mode_t? {
        var status = stat()
        return lstat(path(name), &status) == 0 ? status.st_mode : nil
    }

    private func everything() throws -> [String] {
        try FileManager.default.subpathsOfDirectory(atPath: outer.path).sorted()
    }

    @Test func newFileHasFoldersAndPermissionsRegardlessOfUmask() throws {
        try write("a/b/new.txt")
        #expect(try text(path("a/b/new.txt")) == "new")
        #expect(mode("a/b/new.txt") == S_IFREG | 0o640 && mode("a/b") == S_IFDIR | 0o750)
        #expect(chmod(path("a/b/new.txt"), 0o604) == 0)
        try write("a/b/new.txt", "other")
        #expect(try text(path("a/b/new.txt")) == "other")
        #expect(mode("a/b/new.txt") == S_IFREG | 0o604)
        #expect(
            try everything() == ["project", "project/a", "project/a/b", "project/a/b/new.txt", "project/sub", "theirs"])
    }

    @Test func missingFolderIsCreated() throws {
        let new = ConfinedDirectory(path("x/y"))
        try new.write([1], to: "z", as: ConfinedDirectory.Writing(mode: 0o600, folderMode: 0o700))
        #expect(mode("x/y/z") == S_IFREG | 0o600)
        #expect(throws: FileFailure(reason: "no such file or directory", kind: .missing)) {
            try ConfinedDirectory(path("none")).write([1], to: "z", as: ConfinedDirectory.Writing(mode: 0o600))
        }
    }

    /// An obstacle at the target of a write, and the error for it.
    enum Obstacle: String, CaseIterable {
        case pipe, folder, socket, link, dangling

        func make(_ path: String) throws {
            switch self {
            case .pipe: #expect(mkfifo(path, 0o644) == 0)
            case .folder: #expect(mkdir(path, 0o755) == 0)
            case .socket: #expect(mknod(path, S_IFSOCK | 0o644, 0) == 0)
            case .link: #expect(symlink("../../theirs", path) == 0)
            case .dangling: #expect(symlink("../../nowhere", path) == 0)
            }
        }

        var word: String { self == .dangling ? "link" : rawValue }
    }

    @Test(arguments: Obstacle.allCases)
    func onlyARegularFileIsReplaced(_ obstacle: Obstacle) throws {
        try obstacle.make(path("sub/target"))
        let before = try everything()
        let refusal = FileFailure(
            reason: "it is a \(obstacle.word), but only regular files can be replaced; choose another path")
        #expect(throws: refusal) { try write("sub/target") }
        #expect(throws: refusal) { try ConfinedDirectory(folder.path).checkTarget("sub/target") }
        #expect(try everything() == before)
        #expect(try text(outer.appending(path: "theirs").path) == "theirs")
    }

    @Test func linkOnThePathCannotLeadOutside() throws {
        #expect(symlink("..", path("out")) == 0 && symlink("sub", path("in")) == 0)
        #expect(
            throws: FileFailure(reason: "it is a symbolic link that leads outside its folder", kind: .escapesFolder)
        ) {
            try write("out/new")
        }
        #expect(throws: FileFailure.self) { try write("out/made/new") }
        #expect(throws: FileFailure.self) { try write("../new") }
        try write("in/new")
        #expect(try text(path("sub/new")) == "new")
        #expect(
            try everything() == ["project", "project/in", "project/out", "project/sub", "project/sub/new", "theirs"])
    }

    @Test func onlyRegularFileInsideFolderIsRemoved() throws {
        let folder = ConfinedDirectory(folder.path)
        try write("sub/old")
        try folder.remove("sub/old")
        try folder.remove("sub/old")
        #expect(symlink("../theirs", path("link")) == 0 && symlink("..", path("out")) == 0)
        for name in ["link", "sub", "out/theirs", "../theirs"] {
            #expect(throws: FileFailure.self) { try folder.remove(name) }
        }
        #expect(try everything() == ["project", "project/link", "project/out", "project/sub", "theirs"])
    }

    @Test func linkNamedByUserIsFollowed() throws {
        #expect(symlink("../theirs", path("link")) == 0 && symlink("link", path("chain")) == 0)
        #expect(symlink("sub/made", path("dangling")) == 0)
        try writeNamed(path("chain"))
        #expect(try text(outer.appending(path: "theirs").path) == "new")
        #expect(mode("link").map { $0 & S_IFMT } == S_IFLNK)
        try writeNamed(path("dangling"))
        #expect(try text(path("sub/made")) == "new")
        #expect(symlink("round", path("round")) == 0)
        #expect(throws: FileFailure(reason: "too many levels of symbolic links")) { try writeNamed(path("round")) }
    }

    @Test(arguments: [
        ("/dev/stdout", "a stream of this process"), ("/dev/fd/1", "a stream of this process"),
        ("/proc/self/fd/1", "a stream of this process"), ("/dev/null", "a device"), ("/tmp/", "a folder"),
        ("/dev", "a folder"),
    ])
    func streamsDevicesAndFoldersAreNotReplaced(_ path: String, _ kind: String) throws {
        let failure = #expect(throws: FileFailure.self) { try writeNamed(path) }
        #expect(failure?.reason == "it is \(kind), but only regular files can be replaced; choose another path")
    }

    @Test func writeProtectedFileIsKept() throws {
        try write("protected", "old")
        #expect(chmod(path("protected"), 0o444) == 0)
        // The superuser may write to any file.
        guard geteuid() != 0 else { return }
        #expect(throws: FileFailure(reason: "permission denied")) { try write("protected") }
        #expect(try text(path("protected")) == "old")
    }

    @Test func failedWriteKeepsOldFileAndLeavesNoTemporaryFile() throws {
        try write("sub/file", "old")
        var writing = ConfinedDirectory.Writing(mode: 0o600)
        writing.prepare = { _, _ in false }
        #expect(throws: FileFailure.self) { try ConfinedDirectory(folder.path).write([1], to: "sub/file", as: writing) }
        #expect(try text(path("sub/file")) == "old")
        #expect(try everything() == ["project", "project/sub", "project/sub/file", "theirs"])
    }
}
