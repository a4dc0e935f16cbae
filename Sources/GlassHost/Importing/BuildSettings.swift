import GlassBase

/// Reads the settings of an `.xcconfig` file: `KEY = value` on each line, with `//` comments.
///
/// Settings with a condition, such as `KEY[config=Debug]`, keep it in their name, and an `#include` is a name without a
/// value. Nothing is included or substituted.
enum BuildSettings {
    /// The maximum number of settings.
    static let maximumCount = 5_000

    /// The settings as an object of strings.
    static func tree(of bytes: [UInt8]) throws(ImportFailure) -> StrictJSON {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw ImportFailure("is not UTF-8") }
        var settings: [String: String] = [:]
        // By bytes: CR LF is one character, and searching long lines by characters is slow.
        let lines = text.utf8.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        for (index, line) in lines.enumerated() {
            var content = Substring(line.last == UInt8(ascii: "\r") ? line.dropLast() : line)
            // `//` begins a comment anywhere, also in a URL, which Xcode therefore needs as `https:/$()/`.
            if let comment = content.firstRange(of: "//") { content = content[..<comment.lowerBound] }
            let statement = content.trimmed
            if statement.isEmpty { continue }
            if statement.hasPrefix("#include") {
                settings[String(statement)] = ""
                continue
            }
            // A condition in brackets contains an equal sign, too.
            let start = statement.lastIndex(of: "]").map { statement.index(after: $0) }
            let named = statement.firstIndex(of: "[").map { $0 < (statement.firstIndex(of: "=") ?? $0) } ?? false
            let rest = named ? statement[(start ?? statement.startIndex)...] : statement
            guard let equal = rest.firstIndex(of: "=") else {
                throw ImportFailure("expected KEY = value", line: index + 1, column: 1)
            }
            let name = String(statement[..<equal].trimmed)
            guard !name.isEmpty else { throw ImportFailure("expected KEY = value", line: index + 1, column: 1) }
            // The last assignment counts.
            settings[name] = String(statement[statement.index(after: equal)...].trimmed).replacing("/$()/", with: "//")
            guard settings.count <= maximumCount else {
                throw ImportFailure("has more than \(maximumCount.grouped) settings")
            }
        }
        return .object(settings.map { ($0.key, .string($0.value)) })
    }
}

extension Substring {
    /// The text without white space at its ends.
    fileprivate var trimmed: Substring {
        var text = drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text.removeLast() }
        return text
    }
}
