public import Foundation
import GlassBase

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// A folder of an HTTP server.
///
/// Content is counted while it comes and after decompression, so that no server makes it larger than asked for. There are
/// no cookies and no cache; redirects are followed only where ``UpdateServer`` allows it.
///
/// On Linux an answer that is too large is refused at its limit, but the connection ends only when it is empty for a moment:
/// FoundationNetworking reads what is there before it looks at anything else, a cancellation or another request. A server
/// that sends faster than this machine reads, as one on loopback can, makes the process hold what comes until then.
package final class HTTPUpdateTransport: UpdateTransport {
    private let server: UpdateServer
    private let silence: Duration
    private let transfers = HTTPTransferTable()
    private let session: URLSession

    /// Creates a transport.
    ///
    /// - Parameters:
    ///   - server: The folder, and where it may send us.
    ///   - silence: How long it may send nothing.
    package init(_ server: UpdateServer, silence: Duration = UpdateLimits().silence) {
        self.server = server
        self.silence = silence
        let configuration = URLSessionConfiguration.ephemeral
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = nil
        configuration.httpShouldSetCookies = false
        configuration.urlCredentialStorage = nil
        // The limits of a request end it; the session's own come later, and on Linux not at all for a whole request.
        configuration.timeoutIntervalForRequest = 3600
        session = URLSession(configuration: configuration, delegate: transfers, delegateQueue: nil)
    }

    deinit {
        let session = session
        // On the queue of the delegate, for the reason given at `HTTPTransfer.cancel`.
        session.delegateQueue.addOperation { session.invalidateAndCancel() }
    }

    package func get(_ request: UpdateRequest) async throws(TransportFailure) -> UpdateResponse {
        guard let url = server.url(of: request.path) else {
            throw TransportFailure(.network, "\(request.path) is no path of a URL")
        }
        let already = request.resuming?.bytes.count ?? 0
        var http = URLRequest(url: url)
        if let tag = request.ifNoneMatch { http.setValue(tag, forHTTPHeaderField: "If-None-Match") }
        if let partial = request.resuming, already < request.limit {
            http.setValue("bytes=\(already)-", forHTTPHeaderField: "Range")
            // The rest of this file, or all of the one that has taken its place (RFC 9110, section 13.1.5).
            http.setValue(partial.entityTag, forHTTPHeaderField: "If-Range")
            // Ranges are of what is sent, and only what is not compressed continues what we have.
            http.setValue("identity", forHTTPHeaderField: "Accept-Encoding")
        }
        let transfer = HTTPTransfer(server: server, limit: request.limit, already: already)
        let answer = await send(http, transfer, timeLimit: request.timeLimit)
        return try HTTPAnswerReading(request: request, answer: answer, now: Date()).response()
    }

    /// Sends a request; the cancellation of the task ends it.
    private func send(_ request: URLRequest, _ transfer: HTTPTransfer, timeLimit: Duration) async -> HTTPAnswer {
        let silence = silence
        // On Linux a session does not look at its limit for a whole request, so the deadlines are kept here.
        let watch = Task {
            let start = ContinuousClock.now
            while true {
                let deadline = min(start + timeLimit, transfer.lastByte + silence)
                if ContinuousClock.now >= deadline { break }
                do { try await Task.sleep(until: deadline, clock: .continuous) } catch { return }
            }
            let isSilence = ContinuousClock.now < start + timeLimit
            transfer.finish(isSilence ? .silent(silence) : .tookTooLong)
        }
        defer { watch.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                transfer.begin(continuation)
                guard !Task.isCancelled else { return transfer.finish(.cancelled) }
                let task = session.dataTask(with: request)
                transfers.add(transfer, for: task.taskIdentifier)
                transfer.run(task, on: session.delegateQueue)
            }
        } onCancel: {
            transfer.finish(.cancelled)
        }
    }
}

/// The folder of a server that files come from, and where it may send us.
public struct UpdateServer: Sendable, Equatable {
    /// The folder.
    public let url: URL
    /// Further hosts that it may redirect to, as that of a content delivery network.
    public let redirectHosts: Set<String>
    /// Whether it may be asked without TLS although it is not this machine; for programs that test.
    let allowsPlainHTTP: Bool

    /// Creates the description of a server.
    ///
    /// - Parameters:
    ///   - url: The folder: `https`, or `http` on this machine's loopback.
    ///   - redirectHosts: Further hosts that it may redirect to.
    /// - Throws: ``MetadataError`` with the rule `network` if the URL is of another scheme, or has no host.
    public init(_ url: URL, redirectHosts: Set<String> = []) throws(MetadataError) {
        try self.init(url, redirectHosts: redirectHosts, allowsPlainHTTP: false)
    }

    /// Creates the description of a server that may be asked without TLS.
    ///
    /// - Parameters:
    ///   - url: The folder.
    ///   - redirectHosts: Further hosts that it may redirect to.
    ///   - allowsPlainHTTP: Whether `http` is right anywhere.
    /// - Throws: As ``init(_:redirectHosts:)``.
    package init(_ url: URL, redirectHosts: Set<String> = [], allowsPlainHTTP: Bool) throws(MetadataError) {
        self.url = url
        self.redirectHosts = Set(redirectHosts.map { $0.lowercased() })
        self.allowsPlainHTTP = allowsPlainHTTP
        guard isSafe(url) else {
            throw MetadataError(
                "server", .network, "\(url.absoluteString) is no https URL; http is right on this machine only")
        }
    }

    /// The URL of a file.
    func url(of path: String) -> URL? {
        let base = url.absoluteString
        return URL(string: base + (base.hasSuffix("/") ? "" : "/") + path)
    }

    /// How many redirects are followed.
    static let maximumRedirects = 3

    /// Why a redirect is not followed, nil if it is.
    func refusal(of next: URL?, redirect number: Int) -> String? {
        guard number <= Self.maximumRedirects else { return "it redirects more than \(Self.maximumRedirects) times" }
        guard let next, isSafe(next) else { return "it redirects to a URL that is not https" }
        let host = next.host()?.lowercased() ?? ""
        guard host == url.host()?.lowercased() || redirectHosts.contains(host) else {
            return "it redirects to the host \(host), which is not listed"
        }
        return nil
    }

    private func isSafe(_ url: URL) -> Bool {
        guard let host = url.host(), !host.isEmpty else { return false }
        switch url.scheme?.lowercased() {
        case "https": return true
        case "http": return allowsPlainHTTP || ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host.lowercased())
        default: return false
        }
    }
}
