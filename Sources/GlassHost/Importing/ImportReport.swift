import GlassBase
import GlassSchema

/// What an import did with one value of a file.
struct ImportEntry {
    /// The result for the value.
    enum Status: String {
        /// The names say that they mean the same.
        case mapped
        /// Only one key fits; a person should look at it.
        case guessed
        /// The market does not have it.
        case lost
    }

    /// The file.
    let file: String
    /// The value, as people find it in the file.
    let source: String
    var status: Status
    /// The key of the market; nil for a lost value.
    var key: ConfigurationPath?
    /// What to know about it.
    var message: String?
    /// What to do about it.
    var hint: String?
    /// The name of the secret that replaces the value.
    var secret: String?

    /// The entry on one line.
    var line: DisplayText {
        let style: DisplayText.Style? =
            switch status {
            case .mapped: .green
            case .guessed: .yellow
            case .lost: .red
            }
        let padding = String(repeating: " ", count: 8 - status.rawValue.count)
        let parts = [key?.description, message, hint].compactMap(\.self).joined(separator: "; ")
        return "\(status.rawValue, style)\(padding)\(file): \(source)\(parts.isEmpty ? "" : ": ")\(parts)"
    }

    /// The entry in JSON.
    var json: JSONObject {
        [
            "file": file, "source": source, "status": status.rawValue, "key": key?.description, "message": message,
            "hint": hint, "secret": secret,
        ]
    }
}
