import GlassBase
import Foundation
import GlassContainer
import GlassSchema

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Requests over a URL session.
///
/// The session is made on first use and ends with this object or with ``dispose()``.
package final class URLSessionNetworking: Networking, Disposable {
    /// The name of the event that reports a request.
    package static let eventName = "networkRequest"

    private let builder: RequestBuilder
    private let policy: RetryPolicy
    private let transport: HTTPTransport
    private let engine: RequestEngine
    private let deadline: Duration?
    private let tracking: (any AnalyticsTracking)?
    private let timing: RetryTiming
    private let logger = SafeLogger(label: "glass.networking")

    /// Creates the service.
    ///
    /// - Parameters:
    ///   - configuration: What the market declares.
    ///   - environment: The base URLs.
    ///   - sessions: What the session starts from: timeouts, cookies, user agent.
    ///   - tracking: Where requests are reported when the market says so; nil reports nothing.
    ///   - timing: Time and chance.
    ///   - maximumBytes: The longest answer that is taken.
    package init(
        configuration: NetworkingConfiguration, environment: any EnvironmentAPI,
        sessions: any URLSessionConfigurationAPI, tracking: (any AnalyticsTracking)? = nil,
        timing: RetryTiming = RetryTiming(), maximumBytes: Int = 64 * 1024 * 1024
    ) {
        builder = RequestBuilder(environment: environment, configuration: configuration)
        policy = RetryPolicy(configuration.retry)
        transport = HTTPTransport { sessions.makeConfiguration() }
        engine = RequestEngine(transport: transport, timing: timing, maximumBytes: maximumBytes)
        deadline = sessions.makeConfiguration().resourceDeadline
        self.tracking = configuration.tracking ? tracking : nil
        self.timing = timing
    }

    /// Sends a request, repeats it where that is allowed and may help, and waits for the answer.
    ///
    /// - Parameter request: The request.
    /// - Returns: The answer, whose status is below 400.
    /// - Throws: ``NetworkingError``.
    package func send(_ request: NetworkRequest) async throws(NetworkingError) -> NetworkResponse {
        let start = timing.now()
        do throws(NetworkingError) {
            let response = try await attempt(request)
            report(request, since: start, status: response.status, attempts: response.attempts, "answered")
            return response
        } catch {
            report(request, since: start, status: error.status, attempts: error.request.attempts, error.outcome)
            throw error
        }
    }

    private func attempt(_ request: NetworkRequest) async throws(NetworkingError) -> NetworkResponse {
        var made = try builder.makeRequest(request)
        let policy = request.retry ?? policy
        if let timeout = request.timeout { made.timeoutInterval = max(timeout / .seconds(1), 1) }
        return try await engine.run(
            made, policy: policy, mayRepeat: request.mayRepeat(under: policy),
            deadline: request.timeout ?? deadline)
    }

    /// Cancels every request and takes no more; they end with ``NetworkingError/shutDown(_:)``.
    package func dispose() { transport.close() }

    private func report(
        _ request: NetworkRequest, since start: Date, status: Int?, attempts: Int, _ outcome: String
    ) {
        guard let tracking, request.isTracked else { return }
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
            // The request itself went as it went; losing its report must not change that.
            logger.warning("a request is missing in analytics: \(error)")
        }
    }
}

extension NetworkingError {
    /// How a request ended, in one word, for reports.
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
