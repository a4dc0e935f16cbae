import GlassBase
import Foundation
import GlassDeepLinking
public import GlassPlatform

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Responds to requests as a test defines, and records them.
///
/// Requests are built like those of the live service, so a request that could not be sent fails here, too. A status of
/// 400 or more is thrown.
public final class NetworkingMock: Networking {
    /// Responds to a request.
    public typealias Handler = @Sendable (NetworkRequest) async throws(NetworkingError) -> NetworkResponse

    private let builder: RequestBuilder
    private let handler: Handler
    private let asked = Lock<[NetworkRequest]>([])
    /// The responses that a script's test defines. The last matching one applies.
    private let scripted = Lock<[ScriptedResponse]>([])

    /// The requests so far, oldest first.
    public var requests: [NetworkRequest] { asked.withLock { $0 } }

    /// Creates a mock.
    ///
    /// - Parameters:
    ///   - environment: The base URLs; `nil` uses those of a mock.
    ///   - configuration: The default service, header fields, and consumer key.
    ///   - handler: Responds to a request. By default, the response is an empty JSON object.
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

    /// Records the request and returns the response of a script's test or of the handler.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, if its status is below 400.
    /// - Throws: `NetworkingError`.
    public func send(_ request: NetworkRequest) async throws(NetworkingError) -> NetworkResponse {
        let made: URLRequest?
        let problem: NetworkingError?
        do throws(NetworkingError) {
            (made, problem) = (try builder.makeRequest(request), nil)
        } catch {
            (made, problem) = (nil, error)
        }
        let shown = NetworkingError.Request(method: request.method.rawValue, url: made?.url, attempts: 1)
        guard !Task.isCancelled else { throw .cancelled(shown) }
        let response: NetworkResponse
        let scripted = scriptedResult(of: request, url: made?.url)
        // A scripted response is returned even without a consumer key, as in CI.
        if scripted == nil, let problem { throw problem }
        asked.withLock { $0.append(request) }
        switch scripted {
        case .success(let answer)?:
            response = NetworkResponse(
                status: answer.status, headers: HTTPFields(answer.headers), body: answer.body,
                url: made?.url ?? URL(filePath: "/"))
        case .failure(let cause)?: throw .transport(shown, cause: cause)
        case nil: response = try await handler(request)
        }
        guard response.status < 400 else {
            throw .status(shown, response, retryAfter: RetryTiming().retryAfter(response.headers))
        }
        return response
    }

    /// Adds a response for later requests.
    func script(_ answer: ScriptedResponse) {
        scripted.withLock { $0.append(answer) }
    }

    private func scriptedResult(
        of request: NetworkRequest, url: URL?
    ) -> Result<(status: Int, headers: [String: String], body: Data), URLError>? {
        scripted.withLock { answers in
            guard let place = answers.lastIndex(where: { $0.answers(request, url: url) }) else { return nil }
            let answer = answers[place]
            if let times = answer.times {
                if times == 1 { answers.remove(at: place) } else { answers[place].times = times - 1 }
            }
            return answer.result
        }
    }
}
