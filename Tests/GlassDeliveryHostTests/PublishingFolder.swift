import Foundation
import GlassDelivery
@testable import GlassDeliveryHost
import Testing

/// A temporary folder for one test.
final class PublishingFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "glass-delivery-tests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    /// A copy of another test's folder, with the permissions of its files.
    convenience init(_ files: Files) throws {
        try self.init()
        for (name, file) in files.files {
            let copy = url.appending(path: name)
            try FileManager.default.createDirectory(
                at: copy.deletingLastPathComponent(), withIntermediateDirectories: true)
            try file.content.write(to: copy)
            try FileManager.default.setAttributes([.posixPermissions: file.mode], ofItemAtPath: copy.path)
        }
    }

    /// The files of a folder that no longer exists.
    struct Files: Sendable {
        fileprivate let files: [String: (content: Data, mode: Int)]

        init(of folder: PublishingFolder) throws {
            var files: [String: (content: Data, mode: Int)] = [:]
            for (name, content) in try folder.contents() {
                let attributes = try FileManager.default.attributesOfItem(atPath: folder.path(name))
                files[name] = (content, attributes[.posixPermissions] as? Int ?? 0o600)
            }
            self.files = files
        }
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: url)
    }

    /// A path inside the folder.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a text file.
    ///
    /// - Returns: Its path.
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
        return path(name)
    }

    /// All files inside the folder, by path.
    func contents(of folder: String = "") throws -> [String: Data] {
        var contents: [String: Data] = [:]
        let base = folder.isEmpty ? url : url.appending(path: folder)
        let names = FileManager.default.enumerator(atPath: base.path)?.compactMap { $0 as? String } ?? []
        for name in names {
            var isFolder: ObjCBool = false
            let file = base.appending(path: name)
            guard FileManager.default.fileExists(atPath: file.path, isDirectory: &isFolder), !isFolder.boolValue else {
                continue
            }
            contents[name] = try Data(contentsOf: file)
        }
        return contents
    }
}
