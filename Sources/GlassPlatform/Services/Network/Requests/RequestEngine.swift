import Foundation

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Sends a request as often as its policy allows.
struct RequestEngine: Sendable {
    let transport: HTTPTransport
    let timing: RetryTiming
    /// The longest body that is taken.
    let maximumBytes: Int

    /// Sends a request until it is answered or the policy is exhausted.
    func run(
        _ request: URLRequest, policy: RetryPolicy, mayRepeat: Bool, deadline: Duration?
    ) async throws(NetworkingError) -> NetworkResponse {
        var attempt = 0
        while true {
            attempt += 1
            let error: NetworkingError
            do throws(NetworkingError) {
                return try await once(request, attempt: attempt, deadline: deadline)
            } catch let failure {
                error = failure
            }
            guard mayRepeat, attempt <= policy.maxRetries, error.isWorthRetrying(under: policy),
                let pause = policy.pause(
                    beforeRetry: attempt, random: timing.random(), retryAfter: error.retryAfter)
            else { throw error }
            do {
                try await timing.clock.sleep(for: pause)
            } catch {
                throw .cancelled(describe(request, attempt))
            }
        }
    }

    private func once(
        _ request: URLRequest, attempt: Int, deadline: Duration?
    ) async throws(NetworkingError) -> NetworkResponse {
        let answer: HTTPTransport.Answer
        do {
            answer = try await transport.send(request, deadline: deadline, maximumBytes: maximumBytes)
        } catch {
            throw translate(error, describe(request, attempt))
        }
        let response = NetworkResponse(
            status: answer.response.statusCode, headers: HTTPFields(answer.response), body: answer.body,
            url: answer.response.url ?? request.url ?? URL(filePath: "/"), attempts: attempt)
        guard response.status < 400 else {
            throw .status(describe(request, attempt), response, retryAfter: timing.retryAfter(response.headers))
        }
        return response
    }

    private func translate(_ failure: HTTPTransport.Failure, _ request: NetworkingError.Request) -> NetworkingError {
        switch failure {
        case .cancelled: .cancelled(request)
        case .closed: .shutDown(request)
        case .url(let cause): .transport(request, cause: cause)
        case .tooLarge(let limit): .tooLarge(request, limit: limit)
        case .redirect(let problem, let target):
            .redirect(request, problem, to: target?.withoutSecrets ?? "nowhere")
        }
    }

    private func describe(_ request: URLRequest, _ attempts: Int) -> NetworkingError.Request {
        NetworkingError.Request(method: request.httpMethod ?? "GET", url: request.url, attempts: attempts)
    }
}

extension HTTPFields {
    init(_ response: HTTPURLResponse) {
        var fields: [String: String] = [:]
        for (name, value) in response.allHeaderFields { fields["\(name)"] = "\(value)" }
        self.init(fields)
    }
}

extension URLSessionConfiguration {
    /// The longest that one attempt may take, for as long as the session itself does not look at it.
    var resourceDeadline: Duration? {
        timeoutIntervalForResource > 0 ? .seconds(timeoutIntervalForResource) : nil
    }
}
