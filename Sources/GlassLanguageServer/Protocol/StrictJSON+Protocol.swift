import GlassBase

extension StrictJSON {
    /// An object without the members that are nil: what the protocol calls optional is left out.
    static func record(_ members: KeyValuePairs<String, StrictJSON?>) -> StrictJSON {
        .object(members.compactMap { member in member.value.map { (member.key, $0) } })
    }

    /// A whole number.
    static func number(_ value: Int) -> StrictJSON { .integer(Integer(value)) }

    /// The value below some names; nil when one of them is not there, or is null.
    subscript(path: String...) -> StrictJSON? {
        var value = self
        for name in path {
            guard let next = value[name] else { return nil }
            value = next
        }
        if case .null = value { return nil }
        return value
    }

    /// Whether a list of texts below some names has a text.
    func lists(_ text: String, at path: String...) -> Bool {
        var value: StrictJSON? = self
        for name in path { value = value?[name] }
        return value?.arrayValue?.contains { $0.stringValue == text } ?? false
    }

    /// Whether there is a true below some names.
    func allows(_ path: String...) -> Bool {
        var value: StrictJSON? = self
        for name in path { value = value?[name] }
        return value?.boolValue ?? false
    }
}
