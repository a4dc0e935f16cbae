import GlassBase

/// The field of a request with the situation of its page. It is a field because its values may be personal, and URLs get
/// logged in many places.
enum SituationField {
    /// The name of the field.
    static let name = "x-glass-situation"
    /// The maximum size of the field in bytes.
    static let maximumBytes = 4 << 10
    /// The maximum number of attributes.
    static let maximumAttributes = 64

    /// Reads the field: `{"build": "debug"}`. Without it, the situation is the default one.
    static func situation(of head: HTTPHead) throws(HTTPFailure) -> InspectorSituation {
        guard let text = head[name] else { return InspectorSituation() }
        guard text.utf8.count <= maximumBytes else {
            throw HTTPFailure(
                .fieldsTooLarge, "the situation exceeds \(maximumBytes.formattedBytes); set fewer attributes")
        }
        let json: StrictJSON
        do {
            json = try StrictJSON(reading: Array(text.utf8), limit: maximumBytes)
        } catch {
            throw HTTPFailure(.badRequest, "the situation is not valid JSON: \(error)")
        }
        guard let members = json.members else { throw HTTPFailure(.badRequest, "the situation is not an object") }
        guard members.count <= maximumAttributes else {
            throw HTTPFailure(
                .badRequest, "the situation has \(members.count) attributes; at most \(maximumAttributes) are allowed")
        }
        var attributes: [String: String] = [:]
        for member in members {
            guard let value = member.value.stringValue else {
                throw HTTPFailure(
                    .badRequest, "the value of the attribute is not a string", attribute: member.key)
            }
            attributes[member.key] = value
        }
        return InspectorSituation(attributes)
    }
}
