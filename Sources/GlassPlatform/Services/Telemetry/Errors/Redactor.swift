import GlassSchema

/// Removes private data from a text: the user, query, and fragment of URLs, credentials, and secrets.
///
/// It scans the text instead of using patterns, because errors contain texts of any length and form, and each scan
/// takes linear time.
struct Redactor: Sendable {
    private typealias Text = [Unicode.Scalar]

    /// The maximum number of characters. A longer text is truncated before it is processed.
    static let maximumLength = 2_000

    private static let redacted = Text("<redacted>".unicodeScalars)
    private static let credentialWords = ["bearer", "basic", "digest"]
    private static let secretNames = [
        "token", "password", "passwd", "secret", "apikey", "api_key", "api-key", "writekey", "write_key", "write-key",
        "authorization", "cookie",
    ]

    private let secrets: [(name: String, value: String)]

    /// Creates a redactor.
    init(secrets: [Secret] = []) {
        self.secrets = secrets.compactMap { secret in
            // A secret that is not set cannot occur in a text.
            guard let value = try? secret.reveal(), !value.isEmpty else { return nil }  // see above
            return (secret.name, value)
        }.sorted { $0.value.count > $1.value.count }
    }

    /// Returns the text without private data.
    func redact(_ text: String) -> String {
        var text = text
        // Replace secrets first, so that neither truncation nor the parsing of URLs leaves part of one. The marker is a
        // valid character of a URL, so that the end of the URL is still found.
        for (index, secret) in secrets.enumerated() {
            text = text.replacing(secret.value, with: Self.marker(index))
        }
        if text.count > Self.maximumLength { text = text.prefix(Self.maximumLength) + "…" }
        var scalars = Self.withoutQueries(Text(text.unicodeScalars))
        scalars = Self.withoutCredentials(scalars)
        scalars = Self.withoutAssignments(scalars)
        text = String(String.UnicodeScalarView(scalars))
        for (index, secret) in secrets.enumerated() {
            text = text.replacing(Self.marker(index), with: "<secret \(secret.name)>")
        }
        return text
    }

    /// A character of the private use area that replaces a secret during processing.
    private static func marker(_ index: Int) -> String {
        String(Unicode.Scalar(UInt32(0xF0000 + index)).map(Character.init) ?? "\u{FFFD}")
    }

    /// Changes `scheme://user@host/path?query#fragment` to `scheme://<redacted>@host/path?<redacted>`.
    private static func withoutQueries(_ text: Text) -> Text {
        var result = Text()
        var index = 0
        while index < text.count {
            result.append(text[index])
            index += 1
            guard result.count > 3, result.suffix(3) == [":", "/", "/"], result[result.count - 4].isWordPart else {
                continue
            }
            let end = text[index...].firstIndex { $0.properties.isWhitespace || "\"'<>".unicodeScalars.contains($0) }
            let rest = text[index..<(end ?? text.count)]
            index = rest.endIndex
            let mark = rest.firstIndex { $0 == "?" || $0 == "#" }
            var visible = rest[..<(mark ?? rest.endIndex)]
            let authority = visible[..<(visible.firstIndex(of: "/") ?? visible.endIndex)]
            if let at = authority.lastIndex(of: "@") {
                result += redacted
                visible = visible[at...]
            }
            result += visible
            if let mark { result += [rest[mark]] + redacted }
        }
        return result
    }

    /// Changes `Bearer abcdef` to `Bearer <redacted>`.
    private static func withoutCredentials(_ text: Text) -> Text {
        var result = Text()
        var index = 0
        while index < text.count {
            let word = text[index...].prefix { $0.isWordPart }
            guard !word.isEmpty else {
                result.append(text[index])
                index += 1
                continue
            }
            result += word
            index = word.endIndex
            guard word.count <= 6, credentialWords.contains(lowercased(word)) else { continue }
            let gap = text[index...].prefix { $0 == " " || $0 == "\t" }
            let value = text[gap.endIndex...].prefix { $0.isWordPart || "._~+/=".unicodeScalars.contains($0) }
            guard !gap.isEmpty, value.count >= 4 else { continue }
            result += gap + redacted
            index = value.endIndex
        }
        return result
    }

    /// Removes the values of `access_token=xyz` and `"password": "xyz"`.
    private static func withoutAssignments(_ text: Text) -> Text {
        var result = Text()
        var index = 0
        while index < text.count {
            result.append(text[index])
            index += 1
            guard text[index - 1] == "=" || text[index - 1] == ":", hasSecretName(text[..<(index - 1)]) else {
                continue
            }
            let gap = text[index...].prefix { $0 == " " || $0 == "\t" || $0 == "\"" || $0 == "'" }
            let value = text[gap.endIndex...].prefix {
                !$0.properties.isWhitespace && !"\"',;&}]<".unicodeScalars.contains($0)
            }
            result += gap
            if !value.isEmpty { result += redacted }
            index = value.endIndex
        }
        return result
    }

    /// Whether the text before an equals sign or colon ends with a name such as `access_token`, quoted or not.
    private static func hasSecretName(_ text: ArraySlice<Unicode.Scalar>) -> Bool {
        var end = text.suffix(40)
        while let last = end.last, last == " " || last == "\t" || last == "\"" || last == "'" { end.removeLast() }
        let name = lowercased(end)
        return secretNames.contains { name.hasSuffix($0) }
    }

    private static func lowercased(_ text: ArraySlice<Unicode.Scalar>) -> String {
        String(String.UnicodeScalarView(text)).lowercased()
    }
}

extension Unicode.Scalar {
    /// Whether it is an ASCII letter or digit, or a character that joins them in names.
    fileprivate var isWordPart: Bool {
        switch self {
        case "a"..."z", "A"..."Z", "0"..."9", "-", "_": true
        default: false
        }
    }
}
