import GlassBase
package import GlassSchema

extension ConfigurationValue: StructuredValue {
    /// The elements of a list; none for a table with keys, and nil for a single value.
    package var listElements: [ConfigurationValue]? {
        switch self {
        case .list(let nodes): nodes.map(\.value)
        case .emptyTable, .map: []
        default: nil
        }
    }

    /// The keys of a table, in order.
    package var fields: [(key: String, value: ConfigurationValue)] {
        guard case .map(let entries) = self else { return [] }
        return entries.inOrder.map { ($0.key, $0.value.value) }
    }

    /// The value, if it is a single value.
    package var identity: ConfigurationValue? { listElements == nil ? self : nil }

    /// The value as a label, if it is a short string or an integer.
    package var label: String? {
        switch self {
        case .integer(let number): "\(number)"
        case .string(let text): text.pathLabel
        default: nil
        }
    }

    /// One step, and one more for each 64 bytes of a string.
    package var steps: Int {
        if case .string(let text) = self { 1 + text.utf8.count / 64 } else { 1 }
    }

    /// The value of a key.
    package func field(named name: String) -> ConfigurationValue? {
        if case .map(let entries) = self { entries[name]?.value } else { nil }
    }

    /// Whether the values are equal, regardless of their positions.
    package func isSame(as other: ConfigurationValue) -> Bool { self == other }

    /// The step as it appears in a path.
    package static func step(to key: String) -> String {
        let name = ConfigurationPath([.key(key)]).description
        return name.hasPrefix("[") ? name : ".\(name)"
    }
}

extension ConfigurationValue {
    /// The values as their ``summary``; for long strings, the text around the first difference between them.
    package static func summaries(of values: [ConfigurationValue?]) -> (texts: [String], note: String) {
        let plain = values.map { value -> String? in
            if case .string(let text)? = value { text } else { nil }
        }
        let present = plain.compactMap(\.self)
        if present.count == values.count, let excerpts = TextExcerpts(present) {
            return (excerpts.texts.map(\.quotedForMessage), "; they differ starting at character \(excerpts.position)")
        }
        return (values.map { $0?.summary ?? "nothing" }, "")
    }
}

extension String {
    /// The text as the name of a list element in a path, in quotes if it would otherwise be hard to read; nil if it is
    /// too long for a name.
    package var pathLabel: String? {
        guard utf8.count <= 60 else { return nil }
        return unicodeScalars.contains { $0.needsEscape || " \"=[]".unicodeScalars.contains($0) }
            ? quotedForMessage : self
    }
}
