import GlassBase
public import Foundation
package import GlassSchema
import GlassDeepLinking

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Posts batches to a collector.
///
/// `POST` with the batch as JSON, `Idempotency-Key` with the batch's key, and the market's write key. Any status from 200
/// to 299 acknowledges the batch. 400, 413, 415 and 422 refuse it for good. Everything else, a redirect too, is tried again:
/// following a redirect may turn a `POST` into a `GET`, and its 200 would acknowledge what nobody took.
package final class HTTPAnalyticsSink: AnalyticsSink {
    /// Tells the sinks of an outbox apart.
    package let name: String

    private let url: @Sendable () throws -> URL
    private let writeKey: Secret?
    private let writeKeyHeader: String
    private let batchKeyHeader: String
    /// Made for the first batch: a market loads without it, and a session takes longer than most of a load.
    private let session: OnDemand<URLSession>
    private let exchange = Exchange()

    /// Creates a sink with a URL session of its own.
    package convenience init(
        url: URL, configuration: @autoclosure @escaping @Sendable () -> URLSessionConfiguration,
        writeKey: Secret? = nil, writeKeyHeader: String = "X-Write-Key", name: String = "http"
    ) {
        var collector = AnalyticsConfiguration.Collector()
        collector.writeKeyHeader = writeKeyHeader
        self.init(
            url: { url }, collector: collector, configuration: configuration, writeKey: writeKey, name: name)
    }

    /// Creates a sink with a URL session of its own for a collector that may move.
    init(
        url: @escaping @Sendable () throws -> URL, collector: AnalyticsConfiguration.Collector,
        configuration: @escaping @Sendable () -> URLSessionConfiguration, writeKey: Secret?, name: String
    ) {
        self.url = url
        batchKeyHeader = collector.batchKeyHeader
        self.name = name
        self.writeKey = writeKey
        writeKeyHeader = collector.writeKeyHeader
        session = OnDemand { [exchange] in
            let configuration = configuration()
            configuration.urlCache = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            // A batch waits in the outbox, where it can be counted, not in a request.
            configuration.timeoutIntervalForResource = min(configuration.timeoutIntervalForResource, 60)
            #if !canImport(FoundationNetworking)
                configuration.waitsForConnectivity = false
            #endif
            return URLSession(configuration: configuration, delegate: exchange, delegateQueue: nil)
        }
    }

    // The session holds its delegate until it is invalidated.
    deinit { session.madeValue?.invalidateAndCancel() }

    /// Posts a batch.
    package func send(_ batch: AnalyticsBatch) async throws {
        let place: URL
        do {
            place = try url()
        } catch {
            throw AnalyticsSinkError.unavailable(reason: "the market has no place for events", cause: error)
        }
        var request = URLRequest(url: place)
        request.httpMethod = "POST"
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue(batch.key, forHTTPHeaderField: batchKeyHeader)
        if let writeKey { request.setValue(try Self.headerValue(of: writeKey), forHTTPHeaderField: writeKeyHeader) }
        request.httpBody = batch.json
        let response: HTTPURLResponse
        do {
            response = try await exchange.run(session.value.dataTask(with: request))
        } catch {
            throw AnalyticsSinkError.unavailable(reason: "the collector did not answer", cause: error)
        }
        switch response.statusCode {
        case 200...299: return
        case 400, 413, 415, 422:
            throw AnalyticsSinkError.refused(reason: "the collector refused the batch with \(response.statusCode)")
        default:
            throw AnalyticsSinkError.unavailable(
                reason: "the collector answered \(response.statusCode)",
                retryAfter: response.value(forHTTPHeaderField: "Retry-After").flatMap { Int($0) }.map {
                    .seconds(max(0, $0))
                })
        }
    }

    private static func headerValue(of secret: Secret) throws(AnalyticsSinkError) -> String {
        do {
            let value = try secret.reveal()
            // A line end in the environment must not become a header of its own.
            guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw AnalyticsSinkError.unavailable(reason: "\(secret) has characters that no header may carry")
            }
            return value
        } catch let error as AnalyticsSinkError {
            throw error
        } catch {
            throw .unavailable(reason: "the write key cannot be read", cause: error)
        }
    }
}

/// Runs data tasks of one session and refuses redirects.
private final class Exchange: NSObject, URLSessionDataDelegate {
    private typealias Waiter = CheckedContinuation<HTTPURLResponse, any Error>

    private let waiters = Lock<[Int: Waiter]>([:])

    func run(_ task: URLSessionDataTask) async throws -> HTTPURLResponse {
        let id = task.taskIdentifier
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { waiter in
                waiters.withLock { $0[id] = waiter }
                if Task.isCancelled {
                    finish(id, .failure(CancellationError()))
                } else {
                    task.resume()
                }
            }
        } onCancel: {
            task.cancel()
            finish(id, .failure(CancellationError()))
        }
    }

    private func finish(_ id: Int, _ result: Result<HTTPURLResponse, any Error>) {
        waiters.withLock { $0.removeValue(forKey: id) }?.resume(with: result)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let error {
            finish(task.taskIdentifier, .failure(error))
        } else if let response = task.response as? HTTPURLResponse {
            finish(task.taskIdentifier, .success(response))
        } else {
            finish(task.taskIdentifier, .failure(URLError(.badServerResponse)))
        }
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

extension AnalyticsSinkDefinition {
    /// The name of the sink for a market's collector.
    static let collectorName = "collector"

    /// Posts batches to the collector of a market, in the environment in use.
    static func collector(_ collector: AnalyticsConfiguration.Collector) -> Self {
        var definition = Self(name: collectorName) { input in
            HTTPAnalyticsSink(
                url: { [environment = input.environment] in
                    try environment.baseURL(for: collector.service).appending(path: collector.path)
                }, collector: collector, configuration: { input.urlSession.makeConfiguration() },
                writeKey: input.writeKey, name: collectorName)
        }
        var batching = AnalyticsBatching()
        batching.maximumEvents = collector.batchEvents
        batching.delay = .seconds(collector.intervalSeconds)
        definition.batching = batching
        return definition
    }

    /// Posts batches to a collector, with the market's URL session settings and write key.
    ///
    /// - Parameters:
    ///   - url: The collector.
    ///   - writeKeyHeader: The header that carries the market's write key.
    ///   - name: Tells the sinks of an outbox apart.
    /// - Returns: The definition.
    public static func http(_ url: URL, writeKeyHeader: String = "X-Write-Key", name: String = "http") -> Self {
        Self(name: name) { input in
            HTTPAnalyticsSink(
                url: url, configuration: input.urlSession.makeConfiguration(), writeKey: input.writeKey,
                writeKeyHeader: writeKeyHeader, name: name)
        }
    }
}
