import Foundation
import GlassDelivery
import GlassDeliveryHost
import Testing

/// A folder of a test's own.
final class PublishingFolder: Sendable {
    let url = FileManager.default.temporaryDirectory.appending(path: "glass-delivery-tests-\(UUID().uuidString)")

    init() throws {
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that cannot be removed is the system's to clean up.
        try? FileManager.default.removeItem(at: url)
    }

    /// A path below it.
    func path(_ name: String) -> String { url.appending(path: name).path }

    /// Writes a text file.
    ///
    /// - Returns: Its path.
    func write(_ text: String, to name: String, mode: Int = 0o600) throws -> String {
        try Data(text.utf8).write(to: url.appending(path: name))
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path(name))
        return path(name)
    }

    /// Every file below it with its content.
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
