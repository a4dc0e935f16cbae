import GlassBase

/// A value in a served file that is not in a supported format.
struct ServedProblem: Sendable {
    /// The path in the file; empty for the whole file.
    var key: String
    var message: String
    /// An error if links stay in the browser because of it.
    var severity = ServedFinding.Severity.warning
}

/// The problems of the values in a served file, collected while it is parsed.
///
/// A value of the wrong JSON type is reported as such, never as missing.
struct ServedProblems: Sendable {
    private(set) var list: [ServedProblem] = []
    /// The number of omitted problems, because an untrusted file can have any number of them.
    private(set) var omitted = 0
    /// The highest severity of the omitted problems.
    private(set) var omittedSeverity = ServedFinding.Severity.warning

    mutating func add(_ key: String, _ message: String, _ severity: ServedFinding.Severity = .warning) {
        if list.count < ServedFindings.maximumOfACode {
            list.append(ServedProblem(key: key, message: message, severity: severity))
        } else {
            omitted += 1
            if severity == .error { omittedSeverity = .error }
        }
    }

    /// Reports a value of the wrong type.
    mutating func addType(
        of value: StrictJSON, _ key: String, expected: String, _ severity: ServedFinding.Severity = .warning
    ) {
        add(key, "expected \(expected), got \(value.typeName)", severity)
    }

    /// The strings of a list, and whether all of its elements are strings. Other elements are reported and omitted.
    mutating func texts(
        _ value: StrictJSON, _ key: String, _ severity: ServedFinding.Severity = .warning
    ) -> (texts: [String], isWhole: Bool) {
        guard let elements = value.arrayValue else {
            addType(of: value, key, expected: "a list of strings", severity)
            return ([], false)
        }
        var texts: [String] = []
        for (place, element) in elements.enumerated() {
            if let text = element.stringValue {
                texts.append(text)
            } else {
                addType(of: element, "\(key)[\(place)]", expected: "a string", severity)
            }
        }
        return (texts, texts.count == elements.count)
    }
}

extension StrictJSON {
    /// The type of the value, with an article.
    var typeName: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension String {
    /// The string truncated for a finding, because untrusted text may have megabytes.
    package var shortenedForFinding: String {
        let start = unicodeScalars.prefix(Self.maximumShown + 1)
        return start.count > Self.maximumShown ? String(start.dropLast()) + "…" : self
    }

    private static var maximumShown: Int { 200 }
}
