public import Foundation
import GlassDeepLinking
package import GlassSchema
import GlassTransfer

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
    private let transfer: HTTPTransfer

    /// Creates a sink with the settings of a URL session.
    package convenience init(
        url: URL, configuration: @autoclosure @escaping @Sendable () -> URLSessionConfiguration,
        writeKey: Secret? = nil, writeKeyHeader: String = "X-Write-Key", name: String = "http"
    ) {
        var collector = AnalyticsConfiguration.Collector()
        collector.writeKeyHeader = writeKeyHeader
        self.init(
            url: { url }, collector: collector, configuration: configuration, writeKey: writeKey, name: name)
    }

    /// Creates a sink with the settings of a URL session for a collector that may move.
    init(
        url: @escaping @Sendable () throws -> URL, collector: AnalyticsConfiguration.Collector,
        configuration: @escaping @Sendable () -> URLSessionConfiguration, writeKey: Secret?, name: String
    ) {
        self.url = url
        batchKeyHeader = collector.batchKeyHeader
        self.name = name
        self.writeKey = writeKey
        writeKeyHeader = collector.writeKeyHeader
        transfer = HTTPTransfer {
            let configuration = configuration()
            configuration.urlCache = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            // A batch waits in the outbox, where it can be counted, not in a request.
            configuration.timeoutIntervalForResource = min(configuration.timeoutIntervalForResource, 60)
            #if !canImport(FoundationNetworking)
                configuration.waitsForConnectivity = false
            #endif
            return configuration
        }
    }

    /// Posts a batch.
    package func send(_ batch: AnalyticsBatch) async throws {
        let place: URL
        do {
            place = try url()
        } catch {
            throw AnalyticsSinkError.unavailable(reason: "the market has no place for events", cause: error)
        }
        var request = TransferRequest(place, limits: TransferLimits(bodyBytes: 0))
        request.method = "POST"
        request.fields = ["Content-Type": "application/json", batchKeyHeader: batch.key]
        if let writeKey { request.fields[writeKeyHeader] = try Self.headerValue(of: writeKey) }
        request.body = batch.json
        request.redirects = .answered
        // The status says it all.
        request.wantsBody = { _ in false }
        let response: TransferResponse
        do throws(TransferError) {
            response = try await transfer.send(request).get()
        } catch {
            let cause: any Error = error == .cancelled ? CancellationError() : error.urlError
            throw AnalyticsSinkError.unavailable(reason: "the collector did not answer", cause: cause)
        }
        switch response.status {
        case 200...299: return
        case 400, 413, 415, 422:
            throw AnalyticsSinkError.refused(reason: "the collector refused the batch with \(response.status)")
        default:
            throw AnalyticsSinkError.unavailable(
                reason: "the collector answered \(response.status)",
                retryAfter: response.fields["retry-after"].flatMap { Int($0) }.map { .seconds(max(0, $0)) })
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
