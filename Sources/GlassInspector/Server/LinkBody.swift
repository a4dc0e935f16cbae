import FlyingFox
import GlassBase

/// A question about a link, which comes in a body: links have secrets, and an address is written down in many places.
enum LinkBody {
    /// What is wrong with a body.
    struct Failure: Error {
        let status: HTTPStatusCode
        let message: String
    }

    /// The most preconditions that are named.
    private static let mostHeld = 256

    /// Reads the body of a request: `{"link": "…", "hold": ["…"]}`.
    static func question(of request: HTTPRequest) async throws(Failure) -> InspectorQuestion {
        // A form of another site can send no such type without being asked for first (Fetch, «CORS-safelisted»).
        guard request.headers[.contentType]?.lowercased().hasPrefix("application/json") == true else {
            throw Failure(status: .unsupportedMediaType, message: "send application/json")
        }
        let json: StrictJSON
        do {
            json = try StrictJSON(reading: try await bytes(of: request), limit: Responder.longestBody)
        } catch let failure as Failure {
            throw failure
        } catch {
            throw Failure(status: .badRequest, message: "the body is no JSON: \(error)")
        }
        guard let link = json["link"]?.stringValue else {
            throw Failure(status: .badRequest, message: "the body has no text \"link\"")
        }
        let held = json["hold"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return .link(link, held: Array(held.prefix(mostHeld)))
    }

    /// The bytes, as long as they are few: of a body without a length not more are read either.
    private static func bytes(of request: HTTPRequest) async throws -> [UInt8] {
        let tooLong = Failure(
            status: .payloadTooLarge, message: "a question has at most \(Responder.longestBody.formattedBytes)")
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > Responder.longestBody {
            throw tooLong
        }
        var bytes: [UInt8] = []
        for try await part in request.bodySequence {
            bytes += part
            if bytes.count > Responder.longestBody { throw tooLong }
        }
        return bytes
    }
}
