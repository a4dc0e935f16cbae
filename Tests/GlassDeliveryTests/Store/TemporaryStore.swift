import Foundation
@testable import GlassDelivery

/// A store in a temporary folder, which is removed with it.
final class TemporaryStore: Sendable {
    let folder: URL

    /// Picks a folder.
    ///
    /// - Parameter isInMemory: Whether it is in memory, where the system has files there: for operations that run
    ///   thousands of times, in parallel with other tests that keep the disk busy.
    init(isInMemory: Bool = false) {
        let memory = URL(filePath: "/dev/shm")
        let hasMemory = isInMemory && FileManager.default.isWritableFile(atPath: memory.path)
        folder = (hasMemory ? memory : FileManager.default.temporaryDirectory)
            .appending(path: "delivery-\(UUID().uuidString)")
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: folder)
    }

    var path: String { folder.appending(path: "store").path }
    var store: DeliveryStore { DeliveryStore(path) }

    func names(in name: String = "") throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: path + "/" + name).sorted()
    }

    func mode(of name: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path + "/" + name)[.posixPermissions] as? Int
    }

    /// Stores the bytes of a version.
    @discardableResult
    func add(_ text: String, path: String = "4/ca.json", serial: Int? = nil) throws -> DeliveredVersion {
        let version = DeliveredVersion(text, path: path, serial: serial)
        if let file = try store.object(for: version) {
            try file.write(Array(text.utf8))
            try file.finish()
        }
        return version
    }
}

extension DeliveredVersion {
    /// The version with a text as its bytes.
    init(_ text: String, path: String = "4/ca.json", serial: Int? = nil) {
        self.init(of: Array(text.utf8), path: path, serial: serial)
    }
}
