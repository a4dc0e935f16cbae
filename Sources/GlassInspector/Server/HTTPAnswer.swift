import Foundation
import GlassBase

/// The status of an answer (RFC 9110 §15).
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

    /// The reason phrase, for people.
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

/// Why a request gets no answer.
package struct HTTPFailure: Error, Equatable {
    package let status: HTTPStatus
    package let message: String
    /// The methods that are allowed, where that is what is wrong.
    let allowed: String?

    init(_ status: HTTPStatus, _ message: String, allowed: String? = nil) {
        self.status = status
        self.message = message
        self.allowed = allowed
    }
}

/// An answer to a request. The connection ends with it.
struct HTTPAnswer: Sendable {
    enum Body: Sendable {
        case bytes([UInt8])
        /// Each text is sent as soon as it comes.
        case events(AsyncStream<String>)
    }

    /// What each answer says to the browser: nothing but this page's own files runs, nothing is loaded from elsewhere, no
    /// other page frames it, nothing is kept, and no link tells where it was followed. There is no CORS field, ever.
    private static let safety = [
        "Content-Security-Policy: default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
            + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
        "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer", "Cross-Origin-Resource-Policy: same-origin",
        "Cache-Control: no-store", "Connection: close",
    ]

    let status: HTTPStatus
    /// The fields as they are sent, without those of every answer.
    var fields: [String]
    let body: Body

    /// A document, or the news that the client has it.
    static func whole(_ bytes: [UInt8], type: String, _ head: HTTPHead) -> HTTPAnswer {
        let tag = "\"\(bytes.fingerprint)\""
        let known = (head["if-none-match"] ?? "").split(separator: ",")
        let isKnown = known.contains { $0.trimmingCharacters(in: .whitespaces) == tag }
        // Without a body too, the length is the one that the body would have (RFC 9110 §8.6).
        let fields = ["ETag: \(tag)", "Content-Length: \(bytes.count)"]
        return isKnown
            ? HTTPAnswer(status: .notModified, fields: fields, body: .bytes([]))
            : HTTPAnswer(status: .ok, fields: fields + ["Content-Type: \(type)"], body: .bytes(bytes))
    }

    /// What is wrong, as JSON.
    static func failure(_ failure: HTTPFailure) -> HTTPAnswer {
        let bytes = Array("{\"error\":\(failure.message.jsonLiteral)}".utf8)
        return HTTPAnswer(
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
    /// A short text that changes with the bytes: FNV-1a of 64 bits. It tells versions apart, and proves nothing.
    fileprivate var fingerprint: String {
        String(reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }, radix: 16)
    }
}
