import Crypto
package import Foundation
import GlassBase
package import GlassDelivery

/// A server that is a folder on this machine.
package struct FolderTransport: UpdateTransport {
    package let folder: URL

    /// Serves a folder.
    package init(_ folder: URL) {
        self.folder = folder
    }

    /// Reads a file.
    package func get(_ request: UpdateRequest) async throws(TransportFailure) -> UpdateResponse {
        guard FileManager.default.fileExists(atPath: folder.path) else {
            throw TransportFailure(.network, "there is no server")
        }
        guard let path = request.path.removingPercentEncoding,
            let data = FileManager.default.contents(atPath: folder.appending(path: path).path)
        else { return .missing(status: 404) }
        guard data.count <= request.limit else { throw TransportFailure(.tooLarge, "it is too long") }
        let tag = "\"\(SHA256.hash(data: data).hashValue)\""
        return tag == request.ifNoneMatch ? .notModified : .content(Array(data), entityTag: tag)
    }
}

extension UpdateClient {
    /// A client for a repository in a folder, which never waits.
    package init(folder: URL) {
        self.init(
            metadata: FolderTransport(folder.appending(path: "metadata")),
            files: FolderTransport(folder.appending(path: "targets")),
            clock: UpdateClock(elapsed: { .zero }, sleep: { _ in }), random: { 0 })
    }
}
