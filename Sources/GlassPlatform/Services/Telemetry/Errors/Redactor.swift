import GlassSchema

/// Takes out of a text what nobody else may read: user, query and fragment of URLs, and secrets.
struct Redactor: Sendable {
    /// The most characters that are kept; a longer text is cut before anything else.
    static let maximumLength = 2_000

    private let secrets: [(name: String, value: String)]

    /// Creates a redactor.
    ///
    /// - Parameter secrets: Secrets whose values are replaced by their names.
    init(secrets: [Secret] = []) {
        self.secrets = secrets.compactMap { secret in
            // A secret that is not set cannot be in a text.
            guard let value = try? secret.reveal(), !value.isEmpty else { return nil }  // See above.
            return (secret.name, value)
        }.sorted { $0.value.count > $1.value.count }
    }

    /// The text without secrets.
    ///
    /// - Parameter text: Any text.
    /// - Returns: The redacted text. Linear in its length, but for the pieces that look like a scheme.
    func redact(_ text: String) -> String {
        var text = text
        // Before cutting, so that half a secret cannot remain.
        for secret in secrets { text = text.replacing(secret.value, with: "<secret \(secret.name)>") }
        if text.count > Self.maximumLength { text = text.prefix(Self.maximumLength) + "…" }
        text = text.replacing(/(?i)\b(?<scheme>[a-z][a-z0-9+.\-]{0,30}:\/\/)(?<rest>[^\s"'<>]*)/) { match in
            String(match.scheme) + Self.redactedURL(match.rest)
        }
        text = text.replacing(/(?i)\b(?<scheme>bearer|basic|digest)\s+[A-Za-z0-9._~+\/=\-]{4,}/) { match in
            "\(match.scheme) <redacted>"
        }
        return text.replacing(
            /(?i)(?<name>[a-z_\-]*(?:token|password|passwd|secret|apikey|api[_\-]key|write[_\-]?key|authorization|cookie))(?<mark>"?\s*[=:]\s*"?)(?<value>(?!<)[^\s"',;&}\]]+)/
        ) { match in
            "\(match.name)\(match.mark)<redacted>"
        }
    }

    /// The part behind `://` without user, query and fragment.
    private static func redactedURL(_ rest: Substring) -> String {
        var path = rest
        var end = ""
        if let mark = path.firstIndex(where: { $0 == "?" || $0 == "#" }) {
            end = "\(path[mark])<redacted>"
            path = path[..<mark]
        }
        let authorityEnd = path.firstIndex(of: "/") ?? path.endIndex
        if let at = path[..<authorityEnd].lastIndex(of: "@") {
            return "<redacted>" + path[at...] + end
        }
        return path + end
    }
}
