import Foundation
import GlassDelivery
import GlassMarketFiles

/// A server with a publication: `metadata/` and `targets/` below one URL.
struct PublishedServer: Sendable {
    /// The URL of the folder.
    let url: URL
    private let metadata: HTTPUpdateTransport
    private let files: HTTPUpdateTransport

    /// Creates a server from its URL. Sends no request yet.
    init(_ text: String) throws(PublishingError) {
        guard let url = URL(string: text), url.scheme != nil, url.host() != nil else {
            throw .impossible("\(text) is not a URL; expected for example https://markets.example.com")
        }
        self.url = url
        do {
            metadata = HTTPUpdateTransport(try UpdateServer(url.appending(path: "metadata")))
            files = HTTPUpdateTransport(try UpdateServer(url.appending(path: "targets")))
        } catch {
            throw .impossible("\(text) cannot be used: \(error.text)")
        }
    }

    /// A client of the server.
    var client: UpdateClient { UpdateClient(metadata: metadata, files: files) }

    /// Whether a string is a URL rather than the path of a folder.
    static func isURL(_ text: String) -> Bool { text.contains("://") }
}

extension PublishedServer: PublishedSource {
    func file(_ path: String, limit: Int) throws(PublishingError) -> [UInt8]? {
        let parts = path.split(separator: "/", maxSplits: 1).map(String.init)
        let transport = parts[0] == "metadata" ? metadata : files
        let request = UpdateRequest(path: parts[1], limit: limit, timeLimit: UpdateLimits().refreshTime)
        do {
            switch try BlockingCall.result({ try await transport.get(request) }) {
            case .content(let bytes, _): return bytes
            case .missing: return nil
            case .notModified:
                throw PublishingError.impossible("\(path): the server sent an unexpected 304 Not Modified")
            }
        } catch let error as PublishingError {
            throw error
        } catch let error as TransportFailure {
            throw .impossible("\(url.appending(path: path)): \(error.text)")
        } catch {
            throw .impossible("\(url.appending(path: path)): \(error)")
        }
    }
}
