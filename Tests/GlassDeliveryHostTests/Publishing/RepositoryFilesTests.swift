import Foundation
@testable import GlassDeliveryHost
import Testing

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// The files in a published folder and in a folder of keys, where others may have put anything.
@Suite(.timeLimit(.minutes(1)))
final class RepositoryFilesTests {
    private let outer: URL
    private let folder: RepositoryFolder

    init() throws {
        outer = FileManager.default.temporaryDirectory.appending(path: "repository-\(UUID().uuidString)")
        folder = RepositoryFolder(outer.appending(path: "site").path)
        try FileManager.default.createDirectory(
            at: outer.appending(path: "site/metadata"), withIntermediateDirectories: true)
        try Data("theirs".utf8).write(to: outer.appending(path: "theirs"))
    }

    deinit {
        try? FileManager.default.removeItem(at: outer)  // the system cleans up if this fails
    }

    private func put(_ kind: String, _ path: String) {
        switch kind {
        case "pipe": #expect(mkfifo(path, 0o600) == 0)
        case "folder": #expect(mkdir(path, 0o700) == 0)
        default: #expect(symlink("../../theirs", path) == 0)
        }
    }

    @Test(arguments: [
        ("pipe", "it is not a regular file"), ("folder", "it is not a regular file"),
        ("link", "it is a symbolic link that leads outside its folder"),
    ])
    func filesOutsideFolderAreNeitherReadNorReplaced(_ kind: String, _ reason: String) throws {
        put(kind, "\(folder.path)/\(RepositoryFolder.timestamp)")
        let read = #expect(throws: PublishingError.self) { try folder.read(RepositoryFolder.timestamp, limit: 100) }
        #expect(read?.description == "cannot read \(folder.path)/metadata/timestamp.json: \(reason)")
        #expect(throws: PublishingError.self) { try folder.write([.init(RepositoryFolder.timestamp, [1])]) }
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(folder.path)/metadata") == ["timestamp.json"])
        #expect(try String(contentsOf: outer.appending(path: "theirs"), encoding: .utf8) == "theirs")
    }

    @Test func longerFileIsDifferentContent() throws {
        try folder.write([.init("targets/4/us.json", [1, 2])])
        try folder.write([.init("targets/4/us.json", [1, 2])])
        let error = #expect(throws: PublishingError.self) { try folder.write([.init("targets/4/us.json", [1])]) }
        #expect(error?.description.contains("is published with different content") == true)
        #expect(throws: PublishingError.self) { try folder.read("targets/4/us.json", limit: 1) }
        #expect(try folder.read("nowhere", limit: 1) == nil)
    }

    @Test func keyOfFolderMustBeInsideIt() throws {
        let keys = outer.appending(path: "site/keys").path
        #expect(mkdir(keys, 0o700) == 0)
        _ = try KeyFile.make(at: "\(keys)/a.pem")
        #expect(try KeyFile.all(at: keys).count == 1)
        _ = try KeyFile.make(at: outer.appending(path: "theirs.pem").path)
        #expect(symlink("../../theirs.pem", "\(keys)/b.pem") == 0)
        let out = #expect(throws: PublishingError.self) { try KeyFile.all(at: keys) }
        let reason = "it is a symbolic link that leads outside its folder"
        #expect(out?.description == "cannot read the key \(keys)/b.pem: \(reason)")
        // A link that the user names is followed.
        #expect(try KeyFile(reading: "\(keys)/b.pem").privateKey != nil)
        #expect(unlink("\(keys)/b.pem") == 0 && mkfifo("\(keys)/b.pem", 0o600) == 0)
        let pipe = #expect(throws: PublishingError.self) { try KeyFile.all(at: keys) }
        #expect(pipe?.description == "cannot read the key \(keys)/b.pem: it is not a regular file")
        #expect(throws: PublishingError.self) { try KeyFile.make(at: "\(keys)/b.pem") }
    }
}
