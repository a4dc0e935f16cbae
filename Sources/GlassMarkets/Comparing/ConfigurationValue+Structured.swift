import GlassBase
package import GlassSchema

extension ConfigurationValue: StructuredValue {
    /// The elements of a list; none of a table with keys.
    package var listElements: [ConfigurationValue]? {
        switch self {
        case .list(let nodes): nodes.map(\.value)
        case .emptyTable, .map: []
        default: nil
        }
    }

    /// The keys of a table in their order.
    package var fields: [(key: String, value: ConfigurationValue)] {
        guard case .map(let entries) = self else { return [] }
        return entries.inOrder.map { ($0.key, $0.value.value) }
    }

    /// The value, where it is single.
    package var identity: ConfigurationValue? { listElements == nil ? self : nil }

    /// A short text or a whole number.
    package var label: String? {
        switch self {
        case .integer(let number): "\(number)"
        case .string(let text): text.pathLabel
        default: nil
        }
    }

    /// One, and one for each 64 bytes of a text.
    package var steps: Int {
        if case .string(let text) = self { 1 + text.utf8.count / 64 } else { 1 }
    }

    /// The value of a key.
    package func field(named name: String) -> ConfigurationValue? {
        if case .map(let entries) = self { entries[name]?.value } else { nil }
    }

    /// Whether the values are equal, wherever they were written.
    package func isSame(as other: ConfigurationValue) -> Bool { self == other }

    /// The step as a path has it.
    package static func step(to key: String) -> String {
        let name = ConfigurationPath([.key(key)]).description
        return name.hasPrefix("[") ? name : ".\(name)"
    }
}

extension ConfigurationValue {
    /// Values as their ``summary``, and where they are long texts, what is around the first difference between them.
    package static func summaries(of values: [ConfigurationValue?]) -> (texts: [String], note: String) {
        let plain = values.map { value -> String? in
            if case .string(let text)? = value { text } else { nil }
        }
        let present = plain.compactMap(\.self)
        if present.count == values.count, let excerpts = TextExcerpts(present) {
            return (excerpts.texts.map(\.quotedForMessage), "; they differ from character \(excerpts.position) on")
        }
        return (values.map { $0?.summary ?? "nothing" }, "")
    }
}

extension String {
    /// The text as it names an element of a list in a path, in quotes where it would be hard to read without; nil for one
    /// that is too long to name anything.
    package var pathLabel: String? {
        guard utf8.count <= 60 else { return nil }
        return unicodeScalars.contains { $0.needsEscape || " \"=[]".unicodeScalars.contains($0) }
            ? quotedForMessage : self
    }
}
