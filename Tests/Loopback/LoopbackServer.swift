import FlyingFox
import FlyingSocks
import Foundation
import GlassBase
import GlassDeepLinking

/// Simulates every server that a market contacts, and misbehaves on request.
///
/// | path | response |
/// |---|---|
/// | `…/anivia/v1/events` | accepts event batches, each key once; `/collector/report` and `/collector/names` list them |
/// | `/media/…` | an image with an `ETag`, fresh for `?age=` seconds (60 by default) |
/// | `…/quimby/ccm/v1` | remote configuration with an `ETag` |
/// | `/remote` | sets the remote configuration to the body; `?changing=1` is a different one each second |
/// | `/remote/asked` | the header fields of the last request for it |
/// | `/.well-known/…` | the file with this name in the site's folder, as JSON |
/// | `/faults?rate=0.2` | from now on, that proportion of all requests fails at random; `seed=` repeats a run |
/// | anything else | the request itself as JSON |
///
/// In any query: `fail=503` fails with the status, `drop=1` closes the connection in the middle of the response,
/// `delay=200` waits for milliseconds; `times=2` limits this to the first two such requests.
final class LoopbackServer: Sendable {
    private let collector = Collector()
    private let faults = Faults()
    private let remote = RemoteValues()
    /// The fields of the last request for remote configuration.
    private let asked = Lock<[String: String]>([:])
    /// The folder with the association files; `nil` for none.
    private let site: URL?
    private let picture = Data(base64Encoded: LoopbackServer.pixel) ?? Data()

    /// An image of one pixel, as PNG.
    private static let pixel =
        "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

    /// Creates the servers.
    ///
    /// - Parameter site: The folder with the association files.
    init(site: URL?) {
        self.site = site
    }

    /// Responds to a request.
    func answer(_ request: HTTPRequest) async throws -> HTTPResponse {
        let body = try await request.bodyData
        let query = Dictionary(request.query.map { ($0.name, $0.value) }) { $1 }
        switch request.path {
        case "/faults":
            faults.set(rate: query["rate"].flatMap(Double.init) ?? 0, seed: query["seed"].flatMap(UInt64.init))
            return .json(["rate": query["rate"] ?? "0"])
        case "/remote":
            remote.set(query["changing"] != nil ? .changing : .fixed(String(decoding: body, as: UTF8.self)))
            return .json(["remote": "set"])
        case "/remote/asked": return .json(asked.withLock { $0 })
        case "/collector/report": return .json(collector.report)
        case "/collector/names": return HTTPResponse(statusCode: .ok, body: Data(collector.names.utf8))
        default: break
        }
        let items = query.map { "\($0.key)=\($0.value)" }.sorted()
        let fault = faults.next(key: "\(request.method.rawValue) \(request.path) \(items)", query: query)
        if let delay = fault.delay { try await Task.sleep(for: delay) }
        if let status = fault.statusBefore { return .failure(status) }
        let response = served(request, query: query, body: body)
        if let status = fault.statusAfter { return .failure(status) }
        return fault.drops ? .droppedConnection : response
    }

    private func served(_ request: HTTPRequest, query: [String: String], body: Data) -> HTTPResponse {
        if let name = request.path.split(separator: "/").last, request.path.hasPrefix("/.well-known/") {
            // A file that cannot be read counts as missing from the site.
            guard let site, let data = try? Data(contentsOf: site.appending(path: String(name))) else {
                return .failure(404)
            }
            return HTTPResponse(statusCode: .ok, headers: [.contentType: "application/json"], body: data)
        }
        // The market configures the field names; a batch without its key is malformed.
        if request.path.hasSuffix("/anivia/v1/events") {
            guard request.headers[HTTPHeader("X-Anivia-Key")] != nil else { return .failure(401) }
            return collector.take(body, key: request.headers[HTTPHeader("X-Batch")])
        }
        if request.path.hasPrefix("/media/") {
            return tagged(
                picture, type: "image/png", request: request, cacheControl: "max-age=\(query["age"] ?? "60")")
        }
        if request.path.hasSuffix("/quimby/ccm/v1") {
            asked.withLock { $0 = request.fields }
            return tagged(
                Data(remote.now.utf8), type: "application/json", request: request, cacheControl: "no-cache")
        }
        return .json(
            Echo(
                method: request.method.rawValue, path: request.path, query: query, headers: request.fields,
                body: String(decoding: body, as: UTF8.self)))
    }

    private func tagged(_ data: Data, type: String, request: HTTPRequest, cacheControl: String) -> HTTPResponse {
        // FNV-1a, because Swift's own hashes differ between processes.
        let hash = data.reduce(14_695_981_039_346_656_037 as UInt64) { ($0 ^ UInt64($1)) &* 1_099_511_628_211 }
        let tag = "\"\(hash)\""
        let headers: HTTPHeaders = [
            HTTPHeader("ETag"): tag, .contentType: type, HTTPHeader("Cache-Control"): cacheControl,
        ]
        return request.headers[HTTPHeader("If-None-Match")] == tag
            ? HTTPResponse(statusCode: .notModified, headers: headers)
            : HTTPResponse(statusCode: .ok, headers: headers, body: data)
    }
}

extension HTTPRequest {
    /// The header fields by lowercase name.
    fileprivate var fields: [String: String] {
        var fields: [String: String] = [:]
        for (name, value) in headers { fields[name.rawValue.lowercased()] = value }
        return fields
    }
}

/// A request in a form that its sender can compare.
private struct Echo: Encodable {
    var method: String
    var path: String
    var query: [String: String]
    var headers: [String: String]
    var body: String
}

extension HTTPResponse {
    static func json(_ value: some Encodable) -> HTTPResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return HTTPResponse(
                statusCode: .ok, headers: [.contentType: "application/json"], body: try encoder.encode(value))
        } catch {
            return .failure(500)
        }
    }

    static func failure(_ status: Int) -> HTTPResponse {
        HTTPResponse(statusCode: HTTPStatusCode(status, phrase: "Told so"), body: Data("told so\n".utf8))
    }

    /// Promises more content than it sends.
    static var droppedConnection: HTTPResponse {
        HTTPResponse(statusCode: .ok, body: HTTPBodySequence(from: Nothing(), count: 100))
    }
}

/// A body that ends before it starts.
private struct Nothing: AsyncBufferedSequence {
    struct Iterator: AsyncBufferedIteratorProtocol {
        mutating func next() async throws -> UInt8? { throw SocketError.disconnected }
        mutating func nextBuffer(suggested count: Int) async throws -> [UInt8]? { throw SocketError.disconnected }
    }

    func makeAsyncIterator() -> Iterator { Iterator() }
}
