/// A parameter with literal text beside it in its segment, such as `A-:id`, `:sku.html` or `@:name`.
package struct AffixedParameter: Sendable, Equatable, CustomStringConvertible {
    /// The text before the value. At most one of the prefix and the suffix is empty.
    package let prefix: String

    /// The name of the parameter.
    package let name: String

    /// The type of the value; `nil` for any nonempty text.
    package let type: ParameterType?

    /// The text after the value.
    package let suffix: String

    /// The maximum length of a prefix or a suffix in UTF-8 bytes. It bounds how many combinations of their lengths a
    /// segment is compared with.
    package static let maximumAffixLength = 64

    package init(prefix: String, name: String, type: ParameterType?, suffix: String) {
        (self.prefix, self.name, self.type, self.suffix) = (prefix, name, type, suffix)
    }

    /// The segment as written in a pattern.
    package var description: String { prefix + ":\(name)" + (type.map { "(\($0))" } ?? "") + suffix }

    /// The segment with a value.
    package func text(of value: String) -> String { prefix + value + suffix }

    /// The value in a decoded segment, or `nil` if the segment does not match.
    package func value(in segment: String) -> String? {
        let bytes = Array(segment.utf8)
        let (start, end) = (prefix.utf8.count, bytes.count - suffix.utf8.count)
        // The value is not empty, so prefix and suffix don't overlap.
        guard start < end, bytes[..<start].asciiFolded == prefix.utf8.asciiFolded,
            bytes[end...].asciiFolded == suffix.utf8.asciiFolded
        else { return nil }
        let value = Array(bytes[start..<end])
        guard type?.accepts(bytes: value) ?? true else { return nil }
        return String(decoding: value, as: UTF8.self)
    }
}
