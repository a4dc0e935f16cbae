import Foundation
import GlassBase

/// The status of a response (RFC 9110, section 15).
package enum HTTPStatus: Int, Sendable {
    case ok = 200
    case notModified = 304
    case badRequest = 400
    case unauthorized = 401
    case forbidden = 403
    case notFound = 404
    case methodNotAllowed = 405
    case lengthRequired = 411
    case contentTooLarge = 413
    case targetTooLong = 414
    case unsupportedMediaType = 415
    case unprocessableContent = 422
    case fieldsTooLarge = 431
    case internalServerError = 500
    case notImplemented = 501
    case serviceUnavailable = 503
    case versionNotSupported = 505

    /// The reason phrase, for human readers.
    var phrase: String {
        switch self {
        case .ok: "OK"
        case .notModified: "Not Modified"
        case .badRequest: "Bad Request"
        case .unauthorized: "Unauthorized"
        case .forbidden: "Forbidden"
        case .notFound: "Not Found"
        case .methodNotAllowed: "Method Not Allowed"
        case .lengthRequired: "Length Required"
        case .contentTooLarge: "Content Too Large"
        case .targetTooLong: "URI Too Long"
        case .unsupportedMediaType: "Unsupported Media Type"
        case .unprocessableContent: "Unprocessable Content"
        case .fieldsTooLarge: "Request Header Fields Too Large"
        case .internalServerError: "Internal Server Error"
        case .notImplemented: "Not Implemented"
        case .serviceUnavailable: "Service Unavailable"
        case .versionNotSupported: "HTTP Version Not Supported"
        }
    }
}

/// The reason that a request is rejected.
package struct HTTPFailure: Error, Equatable {
    package let status: HTTPStatus
    package let message: String
    /// The allowed methods, if the method is wrong.
    let allowed: String?
    /// The attribute of the situation that is the reason; nil if there is another one.
    let attribute: String?

    init(_ status: HTTPStatus, _ message: String, allowed: String? = nil, attribute: String? = nil) {
        self.status = status
        self.message = message
        self.allowed = allowed
        self.attribute = attribute
    }
}

/// A response to a request. The connection closes after it.
struct HTTPResponse: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Each string is sent as soon as it arrives.
        case events(AsyncStream<String>)
    }

    /// The security fields of every response. Only the page's own files run, nothing loads from elsewhere, no other
    /// page can frame it, nothing is cached, and links send no referrer. No response has a CORS field.
    private static let safety = [
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
        "Cache-Control: no-store", "Connection: close",
    ]

    let status: HTTPStatus
    /// The fields to send in addition to those of every response.
    var fields: [String]
    let body: Body

    /// A document, or status 304 if the client's copy is current.
    static func whole(_ bytes: [UInt8], type: String, _ head: HTTPHead) -> HTTPResponse {
        let tag = "\"\(bytes.fingerprint)\""
        let known = (head["if-none-match"] ?? "").split(separator: ",")
        let isKnown = known.contains { $0.trimmingCharacters(in: .whitespaces) == tag }
        // Without a body, the length is still that of the body (RFC 9110, section 8.6).
        let fields = ["ETag: \(tag)", "Content-Length: \(bytes.count)"]
        return isKnown
            ? HTTPResponse(status: .notModified, fields: fields, body: .bytes([]))
            : HTTPResponse(status: .ok, fields: fields + ["Content-Type: \(type)"], body: .bytes(bytes))
    }

    /// The error as JSON.
    static func failure(_ failure: HTTPFailure) -> HTTPResponse {
        let attribute = failure.attribute.map { ",\"attribute\":\($0.jsonLiteral)" } ?? ""
        let bytes = Array("{\"error\":\(failure.message.jsonLiteral)\(attribute)}".utf8)
        return HTTPResponse(
            status: failure.status,
            fields: ["Content-Type: application/json", "Content-Length: \(bytes.count)"]
                + (failure.allowed.map { ["Allow: \($0)"] } ?? []),
            body: .bytes(bytes))
    }

    /// The status line and the fields.
    var headBytes: [UInt8] {
        let lines = ["HTTP/1.1 \(status.rawValue) \(status.phrase)"] + Self.safety + fields
        return Array((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
    }
}

extension [UInt8] {
    /// A short string that changes with the bytes: 64-bit FNV-1a. It identifies a version; it isn't a security measure.
    fileprivate var fingerprint: String {
        String(reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }
}
