import Foundation
import GlassBase
import GlassTransfer

/// Sends requests, retrying as the policy allows.
struct RequestEngine: Sendable {
    let transfer: HTTPTransfer
    let timing: RetryTiming
    var cache = LazyValue<ResponseCache?> { nil }

    /// Sends a request until it gets a response or the policy is exhausted.
    func run(
        _ request: TransferRequest, policy: RetryPolicy, mayRepeat: Bool
    ) async throws(NetworkingError) -> NetworkResponse {
        var attempt = 0
        while true {
            attempt += 1
            let error: NetworkingError
            do throws(NetworkingError) {
                return try await once(request, attempt: attempt)
            } catch let failure {
                error = failure
            }
            guard mayRepeat, attempt <= policy.maxRetries, error.isRetryable(under: policy),
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

    private func once(_ request: TransferRequest, attempt: Int) async throws(NetworkingError) -> NetworkResponse {
        let answer: TransferResponse
        do throws(TransferError) {
            if let kept = try cache.value?.answer(to: request, attempt: attempt, now: timing.now()) { return kept }
            answer = try await transfer.send(request).get()
        } catch {
            throw translate(error, describe(request, attempt))
        }
        let response = NetworkResponse(
            status: answer.status, headers: HTTPFields(answer.fields), body: answer.body, url: answer.url,
            attempts: attempt)
        guard response.status < 400 else {
            throw .status(describe(request, attempt), response, retryAfter: timing.retryAfter(response.headers))
        }
        cache.value?.keep(response, to: request, now: timing.now())
        return response
    }

    private func translate(_ error: TransferError, _ request: NetworkingError.Request) -> NetworkingError {
        switch error {
        case .cancelled: .cancelled(request)
        case .closed: .shutDown(request)
        case .headTooLarge(let limit), .bodyTooLarge(let limit): .tooLarge(request, limit: limit)
        case .redirect(.tooMany(let limit), let target):
            .redirect(request, .tooMany(limit: limit), to: target.withoutSecrets)
        case .redirect(.insecure, let target): .redirect(request, .insecure, to: target.withoutSecrets)
        case .redirect, .timedOut, .silent, .failed: .transport(request, cause: error.urlError)
        }
    }

    private func describe(_ request: TransferRequest, _ attempts: Int) -> NetworkingError.Request {
        NetworkingError.Request(method: request.method, url: request.url, attempts: attempts)
    }
}
