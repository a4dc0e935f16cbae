import Foundation
@testable import GlassBase
import Testing

/// Replaces the contents of a file.
@Suite(.timeLimit(.minutes(1)))
struct FileReplacingTests {
    private let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "replacing-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder.appending(path: "shared"), withIntermediateDirectories: true)
    }

    private func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    private func replace(_ name: String, _ old: String, with new: String) throws(FileFailure) {
        try ConfinedDirectory(folder.path).replace(name, Array(old.utf8), with: Array(new.utf8))
    }

    private func text(of name: String) throws -> String {
        try String(contentsOf: folder.appending(path: name), encoding: .utf8)
    }

    private var names: [String] {
        get throws { try FileManager.default.subpathsOfDirectory(atPath: folder.path).sorted() }
    }

    @Test(arguments: ["a.lua", "shared/a.lua"], [0o644, 0o600, 0o664])
    func replacedFileKeepsPermissions(name: String, mode: Int) throws {
        try write("old", to: name)
        try FileManager.default.setAttributes(
            [.posixPermissions: mode], ofItemAtPath: folder.appending(path: name).path)
        try replace(name, "old", with: "a new one")
        #expect(try text(of: name) == "a new one")
        let attributes = try FileManager.default.attributesOfItem(atPath: folder.appending(path: name).path)
        #expect(attributes[.posixPermissions] as? Int == mode)
        #expect(try names == ["shared", name].sorted())
    }

    @Test(arguments: ["other", "old and more", "", "ol"])
    func modifiedFileIsNotReplaced(content: String) throws {
        try write(content, to: "a.lua")
        let failure = #expect(throws: FileFailure.self) { try replace("a.lua", "old", with: "new") }
        #expect(failure?.reason == "it was modified meanwhile; try again")
        #expect(try text(of: "a.lua") == content)
        #expect(try names == ["a.lua", "shared"])
    }

    @Test func linkIsNotReplaced() throws {
        try write("old", to: "a.lua")
        let link = folder.appending(path: "b.lua").path
        try FileManager.default.createSymbolicLink(atPath: link, withDestinationPath: "a.lua")
        let failure = #expect(throws: FileFailure.self) { try replace("b.lua", "old", with: "new") }
        #expect(failure?.reason == "it is a symbolic link: fix its target instead")
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: link) == "a.lua")
        #expect(try text(of: "a.lua") == "old")
    }

    @Test(arguments: ["../out.lua", "away/out.lua", "/etc/out.lua"])
    func fileOutsideFolderIsNotReplaced(name: String) throws {
        let out = folder.deletingLastPathComponent().appending(path: "out-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: out, withIntermediateDirectories: true)
        try Data("old".utf8).write(to: out.appending(path: "out.lua"))
        try FileManager.default.createSymbolicLink(
            atPath: folder.appending(path: "away").path, withDestinationPath: out.path)
        #expect(throws: FileFailure.self) { try replace(name, "old", with: "new") }
        #expect(try String(contentsOf: out.appending(path: "out.lua"), encoding: .utf8) == "old")
        try FileManager.default.removeItem(at: out)
    }

    @Test func missingFileAndFolderAreRejected() throws {
        #expect(throws: FileFailure.self) { try replace("shared", "", with: "new") }
        #expect(throws: FileFailure.self) { try replace("nowhere.lua", "", with: "new") }
        #expect(try names == ["shared"])
    }
}
