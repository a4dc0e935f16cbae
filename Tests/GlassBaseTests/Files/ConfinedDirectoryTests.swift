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

/// Both ways to open a file return the same results.
@Suite(.timeLimit(.minutes(1)))
struct ConfinedDirectoryTests {
    static let ways: [ConfinedDirectory.Resolution] = [.kernel, .components]

    /// A folder with files, links and special files, and a file next to it.
    private final class Place {
        let outer = FileManager.default.temporaryDirectory.appending(path: "beneath-\(UUID().uuidString)")
        var path: String { outer.appending(path: "inner").path }

        init() throws {
            let files = FileManager.default
            try files.createDirectory(atPath: "\(path)/deep/er", withIntermediateDirectories: true)
            try Data("outside".utf8).write(to: outer.appending(path: "outside.txt"))
            try Data("inside".utf8).write(to: outer.appending(path: "inner/deep/file.lua"))
            try Data("x".utf8).write(to: outer.appending(path: "inner/x.lua"))
            for (name, target) in [
                ("link.lua", "deep/file.lua"), ("deep/er/up.lua", "../../x.lua"), ("folder", "deep"),
                ("chain.lua", "folder/er/up.lua"), ("out.lua", "../outside.txt"), ("far.lua", "/proc/self/environ"),
                ("absolute.lua", "\(path)/x.lua"), ("outfolder", ".."), ("round.lua", "round.lua"),
                ("dangling.lua", "nowhere"), ("back.lua", "../inner/x.lua"), ("deep/out.lua", "../../outside.txt"),
            ] { try files.createSymbolicLink(atPath: "\(path)/\(name)", withDestinationPath: target) }
            guard mkfifo("\(path)/pipe", 0o600) == 0 else { throw CocoaError(.fileWriteUnknown) }
        }

        // The system cleans up if this fails.
        deinit { try? FileManager.default.removeItem(at: outer) }
    }

    @Test(arguments: ways)
    func filesAndLinksInsideFolderAreRead(_ way: ConfinedDirectory.Resolution) throws {
        let place = try Place()
        let folder = ConfinedDirectory(place.path, way: way)
        for (name, text) in [
            ("x.lua", "x"), ("deep/file.lua", "inside"), ("link.lua", "inside"), ("deep/er/up.lua", "x"),
            ("folder/file.lua", "inside"), ("chain.lua", "x"), ("deep/../x.lua", "x"), ("./x.lua", "x"),
        ] { #expect(try String(decoding: folder.read(name, limit: 100), as: UTF8.self) == text, "\(name)") }
        #expect(try folder.read("deep/file.lua", limit: 2) == Array("ins".utf8))
    }

    @Test(arguments: ways)
    func pathOutsideFolderIsRejected(_ way: ConfinedDirectory.Resolution) throws {
        let place = try Place()
        let folder = ConfinedDirectory(place.path, way: way)
        for name in [
            "out.lua", "far.lua", "absolute.lua", "outfolder/outside.txt", "../outside.txt", "deep/../../outside.txt",
            "\(place.path)/x.lua", "back.lua", "deep/out.lua", "/etc/passwd",
        ] {
            let failure = #expect(throws: FileFailure.self, "\(name)") { try folder.read(name, limit: 100) }
            #expect(failure?.kind == .escapesFolder, "\(name): \(failure?.reason ?? "")")
        }
    }

    @Test(arguments: ways)
    func onlyRegularFilesAreRead(_ way: ConfinedDirectory.Resolution) throws {
        let place = try Place()
        let folder = ConfinedDirectory(place.path, way: way)
        for (name, reason) in [
            ("pipe", "it is not a regular file"), ("deep", "it is not a regular file"),
            ("folder", "it is not a regular file"), ("round.lua", "too many levels of symbolic links"),
        ] {
            let failure = #expect(throws: FileFailure.self, "\(name)") { try folder.read(name, limit: 100) }
            #expect(failure?.kind == .other && failure?.reason == reason, "\(name): \(failure?.reason ?? "")")
        }
        for name in ["nowhere", "dangling.lua", "x.lua/y", "no/where", "", "x.lua\0"] {
            let failure = #expect(throws: FileFailure.self, "\(name)") { try folder.read(name, limit: 100) }
            #expect(failure?.kind == .missing, "\(name): \(failure?.reason ?? "")")
        }
    }

    @Test func limitMayBeTheLargestNumber() throws {
        let place = try Place()
        #expect(try ConfinedDirectory(place.path).read("x.lua", limit: .max) == Array("x".utf8))
    }

    @Test func folderItselfMayBeLink() throws {
        let place = try Place()
        let link = place.outer.appending(path: "link").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: place.path)
        #expect(try ConfinedDirectory(link).read("x.lua", limit: 10) == Array("x".utf8))
        #expect(try ConfinedDirectory(link).names().contains("x.lua"))
        let failure = #expect(throws: FileFailure.self) { try ConfinedDirectory("\(link)/x.lua").names() }
        #expect(failure?.reason == "not a directory")
    }

    /// A folder that the user names may be a link; a folder that a command finds must not lead outside.
    @Test(arguments: ways)
    func foundFolderMustNotLinkOutside(_ way: ConfinedDirectory.Resolution) throws {
        let place = try Place()
        for (name, link) in [("links", ".."), ("far", "/etc"), ("absolute", "\(place.path)/deep")] {
            try FileManager.default.createSymbolicLink(atPath: "\(place.path)/\(name)", withDestinationPath: link)
            let folder = ConfinedDirectory("\(place.path)/\(name)", way: way, isFound: true)
            #expect(
                throws: FileFailure(reason: "it is a symbolic link that leads outside its folder", kind: .escapesFolder)
            ) {
                try folder.names()
            }
            #expect(throws: FileFailure.self) { try folder.read("outside.txt", limit: 10) }
        }
        let inside = ConfinedDirectory("\(place.path)/folder", way: way, isFound: true)
        #expect(try inside.names().sorted() == ["er", "file.lua", "out.lua"])
        #expect(try inside.read("file.lua", limit: 10) == Array("inside".utf8))
        for (name, reason) in [
            ("nowhere", "no such file or directory"), ("x.lua", "not a directory"), ("pipe", "not a directory"),
        ] {
            let failure = #expect(throws: FileFailure.self) {
                try ConfinedDirectory("\(place.path)/\(name)", way: way, isFound: true).names()
            }
            #expect(failure?.kind == .missing && failure?.reason == reason)
        }
    }

    @Test func oversizedFileIsRejectedBeforeReading() throws {
        let place = try Place()
        let folder = ConfinedDirectory(place.path)
        #expect(try folder.contents(of: "deep/file.lua", limit: 6) == Array("inside".utf8))
        #expect(throws: FileFailure(reason: "it has more than 5 bytes")) {
            try folder.contents(of: "deep/file.lua", limit: 5)
        }
        // A sparse file of 20 GB, without any block on the disk.
        #expect(truncate("\(place.path)/deep/file.lua", 20 << 30) == 0)
        #expect(throws: FileFailure(reason: "it has more than 1,000 bytes")) {
            try folder.contents(of: "deep/file.lua", limit: 1000)
        }
    }

    @Test func userNamedFileIsReadUpToLimit() throws {
        let place = try Place()
        #expect(try Descriptor.named("\(place.path)/far.lua").read(limit: 0).count == 1)
        #expect(throws: FileFailure(reason: "it has more than 100,000 bytes")) {
            try Descriptor.named("/dev/zero").contents(limit: 100_000)
        }
        #expect(throws: FileFailure(reason: "is a directory")) { try Descriptor.named(place.path).contents(limit: 9) }
        // Opening a file that the program names itself does not wait for a writer.
        for name in ["pipe", "deep"] {
            let failure = #expect(throws: FileFailure.self) {
                _ = try Descriptor.regular("\(place.path)/\(name)").number
            }
            #expect(failure?.reason == "it is not a regular file")
        }
    }

    @Test func folderWithTooManyEntriesIsNotListed() throws {
        let place = try Place()
        let many = "\(place.path)/many"
        try FileManager.default.createDirectory(atPath: many, withIntermediateDirectories: true)
        for number in 0..<Descriptor.maximumEntries {
            #expect(symlink("x", "\(many)/\(number)") == 0)
        }
        #expect(try ConfinedDirectory(many).names().count == Descriptor.maximumEntries)
        #expect(symlink("x", "\(many)/more") == 0)
        #expect(throws: FileFailure(reason: "it has more than 20,000 entries")) { try ConfinedDirectory(many).names() }
    }

    /// Another thread swaps a file with a link to one outside, and with a pipe, while the folder is read.
    @Test(arguments: ways)
    func fileSwappedDuringReadStaysConfined(_ way: ConfinedDirectory.Resolution) async throws {
        let place = try Place()
        let path = place.path
        let folder = ConfinedDirectory(path, way: way)
        let swapper = Task.detached {
            while !Task.isCancelled {
                for other in ["out.lua", "pipe", "outfolder"] {
                    for _ in 0..<2 {
                        rename("\(path)/x.lua", "\(path)/held")
                        rename("\(path)/\(other)", "\(path)/x.lua")
                        rename("\(path)/x.lua", "\(path)/\(other)")
                        rename("\(path)/held", "\(path)/x.lua")
                    }
                }
            }
        }
        var seen: Set<String> = []
        for _ in 0..<3_000 {
            // Throws if the read meets a swap.
            if let bytes = try? folder.read("x.lua", limit: 100) { seen.insert(String(decoding: bytes, as: UTF8.self)) }
        }
        swapper.cancel()
        await swapper.value
        #expect(seen.subtracting(["x"]).isEmpty)
    }
}
