import GlassBase
@testable import GlassDelivery

/// A server in memory that misbehaves as instructed and records its requests.
final class MemoryServer: Sendable {
    /// A fault in how a file is served.
    enum Fault: Sendable {
        case status(Int)
        /// Pads the content with spaces to this many bytes.
        case padTo(Int)
        /// Sends spaces after the content, endlessly.
        case endless
        /// Sends nothing after this many bytes.
        case stallAfter(Int)
    }

    struct Contents: Sendable {
        var files: [String: [UInt8]] = [:]
        var faults: [String: Fault] = [:]
        var entityTags: [String: String] = [:]
        var requests: [String] = []
    }

    let contents = Lock(Contents())

    /// A folder on the server, `metadata/` or `targets/`.
    func folder(_ name: String) -> some UpdateTransport { Folder(server: self, name: name) }

    private struct Folder: UpdateTransport {
        let server: MemoryServer
        let name: String

        func get(_ request: UpdateRequest) async throws(TransportFailure) -> UpdateResponse {
            let path = name + request.path
            let contents = server.contents.withLock {
                $0.requests.append(path)
                return $0
            }
            var body = contents.files[path]
            switch contents.faults[path] {
            case .status(let status) where status == 404 || status == 403: return .missing(status: status)
            case .status(let status): throw TransportFailure(.network, "status \(status)", mayPass: true)
            case .padTo(let count):
                let missing = count - (body?.count ?? 0)
                body? += Array(repeating: 0x20, count: max(0, missing))
            case .endless: body? += Array(repeating: 0x20, count: request.limit + 1)
            case .stallAfter(let count):
                throw TransportFailure(.network, "nothing came after \(count) bytes", mayPass: true, received: count)
            case nil: break
            }
            guard let body else { return .missing(status: 404) }
            if let tag = contents.entityTags[path], tag == request.ifNoneMatch { return .notModified }
            guard body.count <= request.limit else {
                throw TransportFailure(.tooLarge, "more than \(request.limit) bytes", received: request.limit)
            }
            return .content(body, entityTag: contents.entityTags[path])
        }
    }
}
