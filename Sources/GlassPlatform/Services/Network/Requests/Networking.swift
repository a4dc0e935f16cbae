public import Foundation
package import GlassSchema

/// Sends requests to the services of the market.
public protocol Networking: AnyObject, Sendable {
    /// Sends a request, retries it if that is allowed and may help, and waits for the response.
    ///
    /// - Parameter request: The request.
    /// - Returns: The response, whose status is below 400.
    /// - Throws: ``NetworkingError``. A status of 400 or more is ``NetworkingError/status(_:_:retryAfter:)``, which
    ///   contains the response, and a canceled task is ``NetworkingError/cancelled(_:)``.
    func send(_ request: NetworkRequest) async throws(NetworkingError) -> NetworkResponse
}

extension Networking {
    /// Sends a request and decodes the response as JSON.
    ///
    /// - Parameters:
    ///   - type: The type to decode.
    ///   - request: The request. If it has no `Accept` field, JSON is requested.
    ///   - decoder: The decoder.
    /// - Returns: The value.
    /// - Throws: ``NetworkingError``. A response that cannot be decoded is
    ///   ``NetworkingError/undecodable(_:type:cause:)``.
    public func decode<Value: Decodable>(
        _ type: Value.Type = Value.self, from request: NetworkRequest, decoder: JSONDecoder = JSONDecoder()
    ) async throws(NetworkingError) -> Value {
        var request = request
        if HTTPFields(request.headers)["Accept"] == nil { request.headers["Accept"] = "application/json" }
        let response = try await send(request)
        do {
            return try decoder.decode(type, from: response.body)
        } catch {
            throw .undecodable(
                NetworkingError.Request(
                    method: request.method.rawValue, url: response.url, attempts: response.attempts),
                type: "\(type)", cause: error)
        }
    }

    /// The script methods `get`, `send`, and `json`. A target with a scheme is a URL; any other target is a path of a
    /// service.
    package var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod(
                "get", ["target", "service?"],
                "Sends a GET request; the response has status, headers, body and attempts.", keeps: true
            ) {
                arguments in
                try await self.answer(to: Self.request(.get, arguments, service: 1))
            },
            ScriptMethod(
                "send", ["method", "target", "body?", "headers?", "service?"], "Sends any request.", keeps: true
            ) {
                arguments in
                let name = try arguments.string(0, "method")
                guard let method = NetworkRequest.Method(rawValue: name.uppercased()) else {
                    throw ScriptArgumentError(
                        method: "send", parameter: "method", expected: "an HTTP method", found: name.quotedForMessage)
                }
                var request = try Self.request(method, arguments, at: 1, service: 4)
                request.body = try arguments.optionalString(2, "body").map { Data($0.utf8) }
                request.headers = try arguments.strings(3, "headers")
                return try await self.answer(to: request)
            },
            ScriptMethod(
                "json", ["target", "service?"], "Requests JSON; a status of 400 or more is an error.", keeps: true
            ) {
                arguments in
                ScriptValue(
                    try await self.decode(JSONValue.self, from: Self.request(.get, arguments, service: 1)).value)
            },
        ]
    }

    private static func request(
        _ method: NetworkRequest.Method, _ arguments: ScriptArguments, at index: Int = 0, service: Int
    ) throws -> NetworkRequest {
        let target = try arguments.string(index, "target")
        if target.hasPrefix("http://") || target.hasPrefix("https://"), let url = URL(string: target) {
            return NetworkRequest(method, url: url)
        }
        return NetworkRequest(method, target, service: try arguments.optionalString(service, "service"))
    }

    /// Converts the response for a script, in which a status of 400 or more is a response rather than an error.
    private func answer(to request: NetworkRequest) async throws(NetworkingError) -> ScriptValue {
        do {
            return (try await send(request)).scriptValue
        } catch {
            guard case .status(_, let response, _) = error else { throw error }
            return response.scriptValue
        }
    }
}

extension NetworkResponse {
    fileprivate var scriptValue: ScriptValue {
        [
            "status": .integer(status), "headers": .map(headers.fields.mapValues { .string($0) }),
            "body": .string(String(decoding: body, as: UTF8.self)), "attempts": .integer(attempts),
        ]
    }
}
