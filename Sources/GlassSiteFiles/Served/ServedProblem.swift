import GlassBase

/// A value of a served file that is not of the form that its readers know.
struct ServedProblem: Sendable {
    /// Where it is; empty for the whole file.
    var key: String
    var message: String
    /// An error where links stay in the browser for it.
    var severity = ServedFinding.Severity.warning
}

/// What is wrong with the values of a served file, while it is read.
///
/// A value of another JSON type than its readers expect is told as such, and never as one that is missing.
struct ServedProblems: Sendable {
    private(set) var list: [ServedProblem] = []
    /// How many are not in the list, which a file of others could make as long as itself.
    private(set) var omitted = 0
    /// The worst severity of those.
    private(set) var omittedSeverity = ServedFinding.Severity.warning

    mutating func add(_ key: String, _ message: String, _ severity: ServedFinding.Severity = .warning) {
        if list.count < ServedFindings.maximumOfACode {
            list.append(ServedProblem(key: key, message: message, severity: severity))
        } else {
            omitted += 1
            if severity == .error { omittedSeverity = .error }
        }
    }

    /// Says that a value has another type than the expected one.
    mutating func addType(
        of value: StrictJSON, _ key: String, expected: String, _ severity: ServedFinding.Severity = .warning
    ) {
        add(key, "expected \(expected), got \(value.typeName)", severity)
    }

    /// The texts of a list, and whether all is one. What is no text is told and left out.
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
    /// What a value is, with its article.
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
    /// The text as a finding shows it: what others wrote may have megabytes.
    var shortenedForFinding: String {
        let start = unicodeScalars.prefix(Self.maximumShown + 1)
        return start.count > Self.maximumShown ? String(start.dropLast()) + "…" : self
    }

    private static var maximumShown: Int { 200 }
}
