import Foundation
import GlassBase
import GlassContainer
import GlassSchema
import GlassTransfer

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends requests with the settings of a URL session.
///
/// The transfer is created on first use, and ends with this object or with ``dispose()``.
package final class URLSessionNetworking: Networking, Disposable {
    /// The name of the event for a request.
    package static let eventName = "networkRequest"

    private let builder: RequestBuilder
    private let rules: CurrentRequestRules
    private let engine: RequestEngine
    /// The maximum size of a response body, in bytes.
    private let maximumBytes: Int
    private let tracking: (any AnalyticsTracking)?
    private let timing: RetryTiming
    private let logger = SafeLogger(label: "glass.networking")

    /// Creates the service.
    package init(
        configuration: NetworkingConfiguration, environment: any EnvironmentAPI,
        sessions: any URLSessionConfigurationAPI, tracking: (any AnalyticsTracking)? = nil,
        remote: (any RemoteConfigurationAPI)? = nil, timing: RetryTiming = RetryTiming(),
        maximumBytes: Int = 64 * 1024 * 1024
    ) {
        builder = RequestBuilder(
            environment: environment, configuration: configuration, sessionSecrets: sessions.secretHeaders)
        rules = CurrentRequestRules(configuration, remote: remote)
        engine = RequestEngine(
            transfer: HTTPTransfer { sessions.makeConfiguration() }, timing: timing,
            cache: LazyValue { ResponseCache(sessions.makeConfiguration()) })
        self.maximumBytes = maximumBytes
        self.tracking = tracking
        self.timing = timing
    }

    /// Sends a request, retries it if that is allowed and may help, and waits for the response.
    package func send(_ request: NetworkRequest) async throws(NetworkingError) -> NetworkResponse {
        let (start, rules) = (timing.now(), rules.now)
        let tracking = tracking(of: request, rules)
        do throws(NetworkingError) {
            let response = try await attempt(request, rules)
            report(
                request, to: tracking, since: start, status: response.status, attempts: response.attempts, "answered")
            return response
        } catch {
            report(
                request, to: tracking, since: start, status: error.status, attempts: error.request.attempts,
                error.outcome)
            throw error
        }
    }

    /// The service to which a request is reported, or `nil` if it is not reported.
    private func tracking(of request: NetworkRequest, _ rules: RequestRules) -> (any AnalyticsTracking)? {
        guard request.isTracked, rules.trackedShare > 0 else { return nil }
        // Do not draw a random number if all requests are reported, so that tests control only the delays with their
        // numbers.
        return rules.trackedShare >= 1 || timing.random() < rules.trackedShare ? tracking : nil
    }

    private func attempt(
        _ request: NetworkRequest, _ rules: RequestRules
    ) async throws(NetworkingError) -> NetworkResponse {
        let made = try builder.makeRequest(request)
        let policy = request.retry ?? rules.policy
        var sent = TransferRequest(
            made.url ?? URL(filePath: "/"),
            limits: TransferLimits(
                bodyBytes: maximumBytes, time: request.timeout ?? rules.deadline,
                silence: request.timeout ?? rules.requestTimeout.map { .seconds($0) }))
        sent.method = request.method.rawValue
        sent.fields = made.allHTTPHeaderFields ?? [:]
        sent.body = made.httpBody
        engine.transfer.limitConnections(to: rules.maximumConnectionsPerHost)
        return try await engine.run(sent, policy: policy, mayRepeat: request.mayRepeat(under: policy))
    }

    /// Cancels all requests and rejects new ones. They fail with ``NetworkingError/shutDown(_:)``.
    package func dispose() { engine.transfer.close() }

    private func report(
        _ request: NetworkRequest, to tracking: (any AnalyticsTracking)?, since start: Date, status: Int?,
        attempts: Int, _ outcome: String
    ) {
        guard let tracking else { return }
        var attributes: [String: ConfigurationScalar] = [
            "method": .string(request.method.rawValue), "outcome": .string(outcome), "attempts": .integer(attempts),
            "milliseconds": .integer(Int(max(0, timing.now().timeIntervalSince(start)) * 1000)),
        ]
        switch request.target {
        case .service(_, let path):
            attributes["service"] = .string(builder.service(of: request) ?? "")
            attributes["path"] = .string(path)
        case .url(let url): attributes["host"] = .string(url.host ?? "")
        }
        if let status { attributes["status"] = .integer(status) }
        do {
            try tracking.track(AnalyticsEvent(Self.eventName, attributes: attributes))
        } catch {
            // A lost report must not change the result of the request.
            logger.warning("a request was not reported to analytics: \(error)")
        }
    }
}

extension NetworkingError {
    /// The outcome of a request in one word, for reports.
    fileprivate var outcome: String {
        switch self {
        case .transport: "transport"
        case .status: "status"
        case .undecodable: "undecodable"
        case .redirect: "redirect"
        case .tooLarge: "tooLarge"
        case .invalidRequest, .environment, .secret: "notSent"
        case .cancelled: "cancelled"
        case .shutDown: "shutDown"
        }
    }
}
