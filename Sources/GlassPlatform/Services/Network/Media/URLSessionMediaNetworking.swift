package import Foundation
import GlassBase
import GlassContainer
import GlassDeepLinking
import GlassTransfer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Downloads media with the settings of a URL session, and has its own cache in memory and on disk.
package final class URLSessionMediaNetworking: MediaNetworking, Disposable {
    private let rules: CurrentRequestRules
    private let timing: RetryTiming
    private let engine: RequestEngine
    /// The maximum size of the content, in bytes.
    private let maximumBytes: Int
    private let headers: LazyValue<HTTPFields>
    private let gate: AsyncSemaphore
    private let downloads = SharedDownloads<MediaResource, NetworkingError>()
    private let memory: Lock<MediaMemoryCache>
    private let disk: MediaDiskCache?

    /// Creates the service.
    package init(
        configuration: NetworkingConfiguration, sessions: any URLSessionConfigurationAPI, cacheFolder: URL? = nil,
        remote: (any RemoteConfigurationAPI)? = nil, timing: RetryTiming = RetryTiming(),
        maximumBytes: Int = 64 * 1024 * 1024
    ) {
        let megabyte = 1024 * 1024
        let media = configuration.media
        rules = CurrentRequestRules(configuration, remote: remote)
        self.timing = timing
        let transfer = HTTPTransfer {
            let made = sessions.makeConfiguration()
            // This service is the cache. A second cache below it would respond instead of the server.
            made.urlCache = nil
            made.requestCachePolicy = .reloadIgnoringLocalCacheData
            return made
        }
        engine = RequestEngine(transfer: transfer, timing: timing)
        self.maximumBytes = maximumBytes
        // A configuration opens the cookies and the cache, which are opened at the first request.
        headers = LazyValue {
            var headers = HTTPFields()
            for (name, value) in sessions.makeConfiguration().httpAdditionalHeaders ?? [:] {
                headers["\(name)"] = "\(value)"
            }
            return headers
        }
        gate = AsyncSemaphore(limit: media.maximumConcurrentDownloads)
        memory = Lock(MediaMemoryCache(capacity: media.memoryCacheMegabytes * megabyte))
        disk =
            media.diskCacheMegabytes == 0
            ? nil : cacheFolder.map { MediaDiskCache(folder: $0, capacity: media.diskCacheMegabytes * megabyte) }
    }

    /// The content of a URL, from the cache if HTTP allows it.
    package func load(_ url: URL) async throws(NetworkingError) -> MediaResource {
        let shown = NetworkingError.Request(method: "GET", url: url)
        guard let scheme = url.scheme?.lowercased(), scheme == "https" || scheme == "http", url.host != nil else {
            throw .invalidRequest(shown, problem: "it needs an http or https URL")
        }
        let url = url.withoutFragment
        let key = url.absoluteString
        let known = memory.withLock { $0.entry(for: key) }
        if let known, known.info.isFresh(at: timing.now()) { return known.resource(.memory) }
        return try await downloads.outcome(for: key, ifCancelled: .failure(.cancelled(shown))) {
            do throws(NetworkingError) {
                return .success(try await self.fetch(url, known))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Removes everything from the caches, in memory and on disk.
    package func removeAll() {
        memory.withLock { $0.removeAll() }
        disk?.removeAll()
    }

    /// Cancels all downloads and rejects new ones. They fail with ``NetworkingError/shutDown(_:)``.
    package func dispose() { engine.transfer.close() }

    /// The number of callers that are waiting for a URL.
    func waiting(for url: URL) -> Int { downloads.waiting(for: url.absoluteString) }

    /// The number of downloads that are waiting to start.
    var queued: Int { gate.waiting }

    private func fetch(_ url: URL, _ inMemory: MediaEntry?) async throws(NetworkingError) -> MediaResource {
        let key = url.absoluteString
        var known = inMemory
        if known == nil, let kept = disk?.entry(for: key), kept.info.fits(headers.value) {
            if kept.info.isFresh(at: timing.now()) {
                memory.withLock { $0.insert(kept) }
                return kept.resource(.disk)
            }
            known = kept
        }
        gate.setLimit(rules.now.maximumConcurrentDownloads)
        do {
            try await gate.enter()
        } catch {
            throw .cancelled(NetworkingError.Request(method: "GET", url: url))
        }
        defer { gate.leave() }
        do throws(NetworkingError) {
            return try await download(url, known)
        } catch {
            if error.status == 404 || error.status == 410 { forget(key) }
            guard let known, error.serverIsAway, known.info.mayStandIn(at: timing.now()) else { throw error }
            return known.resource(.stale)
        }
    }

    private func download(_ url: URL, _ known: MediaEntry?) async throws(NetworkingError) -> MediaResource {
        let rules = rules.now
        var request = TransferRequest(
            url,
            limits: TransferLimits(
                bodyBytes: maximumBytes, time: rules.deadline, silence: rules.requestTimeout.map { .seconds($0) }))
        request.fields = known?.info.conditions.fields ?? [:]
        engine.transfer.limitConnections(to: rules.maximumConnectionsPerHost)
        let response = try await engine.run(request, policy: rules.policy, mayRepeat: true)
        if response.status == 304, let known {
            let entry = MediaEntry(
                info: known.info.confirmed(by: response.headers, at: timing.now()), body: known.body)
            keep(entry)
            return entry.resource(.revalidated)
        }
        guard response.status == 200 else {
            throw .status(
                NetworkingError.Request(method: "GET", url: url, attempts: response.attempts), response,
                retryAfter: nil)
        }
        guard
            let info = CachedMedia(response, url: url, requestHeaders: headers.value, now: timing.now())
        else {
            forget(url.absoluteString)
            let type = response.headers["Content-Type"].map { String($0.prefix { $0 != ";" }).lowercased() }
            return MediaResource(data: response.body, mimeType: type, source: .network)
        }
        let entry = MediaEntry(info: info, body: response.body)
        keep(entry)
        return entry.resource(.network)
    }

    private func keep(_ entry: MediaEntry) {
        memory.withLock { $0.insert(entry) }
        disk?.insert(entry)
    }

    private func forget(_ key: String) {
        memory.withLock { $0.remove(key) }
        disk?.remove(key)
    }
}

extension NetworkingError {
    /// Whether the server did not respond or reported a server error.
    fileprivate var serverIsAway: Bool {
        switch self {
        case .transport: true
        case .status(_, let response, _): response.status >= 500
        default: false
        }
    }
}

extension URL {
    fileprivate var withoutFragment: URL {
        guard fragment != nil, var parts = URLComponents(url: self, resolvingAgainstBaseURL: true) else { return self }
        parts.fragment = nil
        return parts.url ?? self
    }
}
