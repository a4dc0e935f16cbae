import FlyingFox
import Foundation
import GlassBase

extension HTTPResponse {
    /// What each answer says to the browser: nothing but this page's own files runs, nothing is loaded from elsewhere, no
    /// other page frames it, nothing is kept, and no link tells where it was followed. There is no CORS field, ever.
    static let safety: HTTPHeaders = [
        HTTPHeader("Content-Security-Policy"):
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
            + "base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        HTTPHeader("X-Content-Type-Options"): "nosniff",
        HTTPHeader("Referrer-Policy"): "no-referrer",
        HTTPHeader("Cross-Origin-Resource-Policy"): "same-origin",
        .cacheControl: "no-store",
    ]

    /// An answer that is there whole, or the news that the client has it.
    static func whole(_ bytes: [UInt8], type: String, _ request: HTTPRequest) -> HTTPResponse {
        let tag = "\"\(bytes.fingerprint)\""
        let known = (request.headers[.ifNoneMatch] ?? "").split(separator: ",")
        let isKnown = known.contains { $0.trimmingCharacters(in: .whitespaces) == tag }
        var response = HTTPResponse(
            statusCode: isKnown ? .notModified : .ok, headers: safety, body: isKnown ? Data() : Data(bytes))
        response.headers[.eTag] = tag
        // Of an answer without a body too it is the length that the body would have (RFC 9110 §8.6).
        response.headers[.contentLength] = "\(bytes.count)"
        if !isKnown { response.headers[.contentType] = type }
        return response
    }

    /// An answer that says what is wrong. The connection ends with it: what the client still sends is not read.
    static func failure(
        _ status: HTTPStatusCode, _ message: String, _ fields: [HTTPHeader: String] = [:]
    ) -> HTTPResponse {
        let bytes = Array("{\"error\":\(message.jsonLiteral)}".utf8)
        var response = HTTPResponse(
            statusCode: status, headers: safety,
            body: HTTPBodySequence(from: LastBody(bytes: bytes), count: bytes.count))
        response.headers[.contentType] = "application/json"
        response.headers[.connection] = "close"
        for (field, value) in fields { response.headers[field] = value }
        return response
    }

    /// The answer to HEAD: the same fields, and no body (RFC 9110 §9.3.2). FlyingFox would send that of a closure.
    var withoutBody: HTTPResponse {
        guard case .httpBody(let body) = payload else { return self }
        var response = self
        // A stream has no length, and an answer without one is not told as chunked: nothing follows.
        if let count = body.count, response.headers[.contentLength] == nil {
            response.headers[.contentLength] = "\(count)"
        }
        response.payload = .httpBody(HTTPBodySequence())
        return response
    }
}

extension [UInt8] {
    /// A short text that changes with the bytes: FNV-1a of 64 bits. It tells versions apart, and proves nothing.
    fileprivate var fingerprint: String {
        String(reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }
}
