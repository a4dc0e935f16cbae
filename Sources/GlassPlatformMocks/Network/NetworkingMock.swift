import GlassBase
import Foundation
import GlassDeepLinking
public import GlassPlatform

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Answers requests as a test decides and keeps what it was asked.
///
/// Requests are made as the live service makes them, so that one that could not be sent fails here too. A status of 400
/// or more is thrown.
public final class NetworkingMock: Networking {
    /// Answers a request.
    public typealias Handler = @Sendable (NetworkRequest) async throws(NetworkingError) -> NetworkResponse

    private let builder: RequestBuilder
    private let handler: Handler
    private let asked = Lock<[NetworkRequest]>([])

    /// The requests so far, oldest first.
    public var requests: [NetworkRequest] { asked.withLock { $0 } }

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - environment: The base URLs; nil answers those of a mock.
    ///   - configuration: The default service, header fields and consumer key.
    ///   - handler: Answers a request; by default with an empty JSON object.
    public init(
        environment: (any EnvironmentAPI)? = nil,
        configuration: NetworkingConfiguration = NetworkingConfiguration(), handler: Handler? = nil
    ) {
        builder = RequestBuilder(environment: environment ?? EnvironmentAPIMock(), configuration: configuration)
        self.handler =
            handler ?? { _ in
                NetworkResponse(
                    status: 200, headers: ["Content-Type": "application/json"], body: Data("{}".utf8),
                    url: URL(filePath: "/"))
            }
    }

    /// Asks the handler.
    ///
    /// - Parameter request: The request.
    /// - Returns: The handler's answer when its status is below 400.
    /// - Throws: `NetworkingError`.
    public func send(_ request: NetworkRequest) async throws(NetworkingError) -> NetworkResponse {
        let made = try builder.makeRequest(request)
        asked.withLock { $0.append(request) }
        let shown = NetworkingError.Request(method: request.method.rawValue, url: made.url, attempts: 1)
        guard !Task.isCancelled else { throw .cancelled(shown) }
        let response = try await handler(request)
        guard response.status < 400 else {
            throw .status(shown, response, retryAfter: RetryTiming().retryAfter(response.headers))
        }
        return response
    }
}
