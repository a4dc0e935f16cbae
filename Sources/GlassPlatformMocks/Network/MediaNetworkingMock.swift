import GlassBase
public import Foundation
public import GlassPlatform

/// Provides the content that a test defines, and fails with status 404 for any other URL.
public final class MediaNetworkingMock: MediaNetworking {
    private let resources: [URL: MediaResource]
    private let loaded = Lock<Set<URL>>([])

    /// Creates a mock.
    ///
    /// - Parameter resources: The content of each URL.
    public init(resources: [URL: MediaResource] = [:]) {
        self.resources = resources
    }

    /// The content of a URL. From the second call on, its source is memory.
    ///
    /// - Parameter url: The URL.
    /// - Returns: The content.
    /// - Throws: `NetworkingError`.
    public func load(_ url: URL) async throws(NetworkingError) -> MediaResource {
        let shown = NetworkingError.Request(method: "GET", url: url, attempts: 1)
        guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http", url.host != nil else {
            throw .invalidRequest(shown, problem: "it needs an http or https URL")
        }
        guard !Task.isCancelled else { throw .cancelled(shown) }
        guard var resource = resources[url] else {
            throw .status(shown, NetworkResponse(status: 404, url: url), retryAfter: nil)
        }
        let isFirst = loaded.withLock { $0.insert(url).inserted }
        resource.source = isFirst ? .network : .memory
        return resource
    }

    /// Clears the record of loaded URLs.
    public func removeAll() { loaded.withLock { $0 = [] } }
}
