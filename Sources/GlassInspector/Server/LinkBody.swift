import GlassBase

/// A request about a link. The link is in the body because links may contain secrets, and URLs get logged in many
/// places.
enum LinkBody {
    /// The maximum number of preconditions.
    private static let maximumHeld = 256

    /// Reads the body of a request: `{"link": "…", "hold": ["…"]}`.
    static func question(of head: HTTPHead, _ body: [UInt8]) throws(HTTPFailure) -> InspectorRequest {
        // A form on another site cannot send this type without a preflight request (Fetch, "CORS-safelisted
        // request-header").
        guard head["content-type"]?.lowercased().hasPrefix("application/json") == true else {
            throw HTTPFailure(.unsupportedMediaType, "send application/json")
        }
        let json: StrictJSON
        do {
            json = try StrictJSON(reading: body, limit: Responder.maximumBodyLength)
        } catch {
            throw HTTPFailure(.badRequest, "the body is not valid JSON: \(error)")
        }
        guard let link = json["link"]?.stringValue else {
            throw HTTPFailure(.badRequest, "the body has no string \"link\"")
        }
        let held = json["hold"]?.arrayValue?.compactMap(\.stringValue) ?? []
        return .link(link, held: Array(held.prefix(maximumHeld)))
    }
}
