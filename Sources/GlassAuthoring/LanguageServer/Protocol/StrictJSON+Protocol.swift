import GlassBase

extension StrictJSON {
    /// An object without the members that are nil, as the protocol requires for optional members.
    static func record(_ members: KeyValuePairs<String, StrictJSON?>) -> StrictJSON {
        .object(members.compactMap { member in member.value.map { (member.key, $0) } })
    }

    /// An integer.
    static func number(_ value: Int) -> StrictJSON { .integer(Integer(value)) }

    /// The value at a path of member names; nil if one of them is missing or null.
    subscript(path: String...) -> StrictJSON? {
        var value = self
        for name in path {
            guard let next = value[name] else { return nil }
            value = next
        }
        if case .null = value { return nil }
        return value
    }

    /// Whether the list at a path of member names contains a string.
    func lists(_ text: String, at path: String...) -> Bool {
        var value: StrictJSON? = self
        for name in path { value = value?[name] }
        return value?.arrayValue?.contains { $0.stringValue == text } ?? false
    }

    /// Whether the value at a path of member names is true.
    func allows(_ path: String...) -> Bool {
        var value: StrictJSON? = self
        for name in path { value = value?[name] }
        return value?.boolValue ?? false
    }
}
