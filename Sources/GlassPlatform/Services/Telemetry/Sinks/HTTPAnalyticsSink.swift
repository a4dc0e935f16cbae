public import Foundation
import GlassDeepLinking
package import GlassSchema
import GlassTransfer

#if canImport(FoundationNetworking)
    package import FoundationNetworking
#endif

/// Posts batches to a collector.
///
/// It sends a `POST` with the batch as JSON, the batch's key in `Idempotency-Key`, and the market's write key. A status
/// from 200 to 299 acknowledges the batch. The statuses 400, 413, 415, and 422 refuse it permanently. After any other
/// status, including a redirect, the batch is sent again: following a redirect might turn the `POST` into a `GET`, and
/// a status of 200 would acknowledge events that were never received.
package final class HTTPAnalyticsSink: AnalyticsSink {
    /// The name that identifies the sink of an outbox.
    package let name: String

    private let url: @Sendable () throws -> URL
    private let writeKey: Secret?
    private let writeKeyHeader: String
    /// The secret headers of the market's sessions, if the collector is a service of the market.
    private let secretHeaders: [String: Secret]
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

    /// Creates a sink with the settings of a URL session, for a collector whose URL may change.
    init(
        url: @escaping @Sendable () throws -> URL, collector: AnalyticsConfiguration.Collector,
        configuration: @escaping @Sendable () -> URLSessionConfiguration, writeKey: Secret?,
        secretHeaders: [String: Secret] = [:], name: String
    ) {
        self.secretHeaders = secretHeaders
        self.url = url
        batchKeyHeader = collector.batchKeyHeader
        self.name = name
        self.writeKey = writeKey
        writeKeyHeader = collector.writeKeyHeader
        transfer = HTTPTransfer {
            let configuration = configuration()
            configuration.urlCache = nil
            configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
            // A batch should wait in the outbox, where it is counted, rather than in a request.
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
            throw AnalyticsSinkError.unavailable(reason: "the market has no event collector", cause: error)
        }
        var request = TransferRequest(place, limits: TransferLimits(bodyBytes: 0))
        request.method = "POST"
        request.fields = ["Content-Type": "application/json", batchKeyHeader: batch.key]
        for (name, secret) in secretHeaders { request.fields[name] = try Self.headerValue(of: secret, name) }
        if let writeKey { request.fields[writeKeyHeader] = try Self.headerValue(of: writeKey, "the write key") }
        request.body = batch.json
        request.redirects = .answered
        // Only the status matters.
        request.wantsBody = { _ in false }
        let response: TransferResponse
        do throws(TransferError) {
            response = try await transfer.send(request).get()
        } catch {
            let cause: any Error = error == .cancelled ? CancellationError() : error.urlError
            throw AnalyticsSinkError.unavailable(reason: "the collector did not respond", cause: cause)
        }
        switch response.status {
        case 200...299: return
        case 400, 413, 415, 422:
            throw AnalyticsSinkError.refused(reason: "the collector rejected the batch with status \(response.status)")
        default:
            throw AnalyticsSinkError.unavailable(
                reason: "the collector responded with status \(response.status)",
                retryAfter: response.fields["retry-after"].flatMap { Int($0) }.map { .seconds(max(0, $0)) })
        }
    }

    private static func headerValue(of secret: Secret, _ name: String) throws(AnalyticsSinkError) -> String {
        do {
            let value = try secret.reveal()
            // A line break in the environment variable must not start another header.
            guard value.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) else {
                throw AnalyticsSinkError.unavailable(reason: "\(secret) has characters that are invalid in headers")
            }
            return value
        } catch let error as AnalyticsSinkError {
            throw error
        } catch {
            throw .unavailable(reason: "\(name) cannot be read", cause: error)
        }
    }
}

extension AnalyticsSinkDefinition {
    /// The name of the sink for a market's collector.
    static let collectorName = "collector"

    /// Posts batches to the market's collector in the current environment.
    static func collector(_ collector: AnalyticsConfiguration.Collector) -> Self {
        var definition = Self(name: collectorName) { input in
            HTTPAnalyticsSink(
                url: { [environment = input.environment] in
                    try environment.baseURL(for: collector.service).appending(path: collector.path)
                }, collector: collector, configuration: { input.urlSession.makeConfiguration() },
                writeKey: input.writeKey, secretHeaders: input.urlSession.secretHeaders, name: collectorName)
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
    ///   - url: The URL of the collector.
    ///   - writeKeyHeader: The header field for the market's write key.
    ///   - name: The name that identifies the sink of an outbox.
    /// - Returns: The definition.
    public static func http(_ url: URL, writeKeyHeader: String = "X-Write-Key", name: String = "http") -> Self {
        Self(name: name) { input in
            HTTPAnalyticsSink(
                url: url, configuration: input.urlSession.makeConfiguration(), writeKey: input.writeKey,
                writeKeyHeader: writeKeyHeader, name: name)
        }
    }
}
