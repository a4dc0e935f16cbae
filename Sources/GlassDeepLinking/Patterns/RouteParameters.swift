/// The path parameters of a matched link, in the order of the pattern.
public struct RouteParameters: Sendable, Equatable, CustomStringConvertible {
    /// A parameter.
    package struct Element: Sendable, Equatable {
        /// The name in the pattern.
        package let name: String

        /// The decoded value. A catch-all's segments are joined with slashes.
        ///
        /// It may contain a slash that was written as `%2F`: escape it again in a path or a URL, or use ``rawValue``.
        package let value: String

        /// The value as written in the link, including escapes.
        package let rawValue: String

        /// Whether the link escapes a character of the value that has a meaning in URLs: `/`, `\\`, `?`, `#` or `%`.
        package var isAmbiguous: Bool { Element.hasEscapedDelimiter(rawValue) }

        init(name: String, value: String, rawValue: String? = nil) {
            self.name = name
            self.value = value
            self.rawValue = rawValue ?? value
        }

        /// Whether both have the same name and value, regardless of escapes.
        package static func == (left: Element, right: Element) -> Bool {
            left.name == right.name && left.value == right.value
        }

        private static func hasEscapedDelimiter(_ text: String) -> Bool {
            let bytes = Array(text.utf8)
            return bytes.indices.dropLast(2).contains { index in
                guard bytes[index] == UInt8(ascii: "%"), let high = ASCII.hexValue(bytes[index + 1]),
                    let low = ASCII.hexValue(bytes[index + 2])
                else { return false }
                return "/\\?#%".utf8.contains(high << 4 | low)
            }
        }
    }

    /// Explicit values, or a match from which they are read on demand.
    private enum Source: Sendable {
        case values([Element])
        case match(RouteMatch)
    }

    private let source: Source

    /// The parameters from left to right. For a matched link, they are decoded with each access.
    package var elements: [Element] {
        switch source {
        case .values(let elements): elements
        case .match(let match): match.elements
        }
    }

    /// Creates an empty list.
    package init() {
        source = .values([])
    }

    init(_ match: RouteMatch) {
        source = .match(match)
    }

    /// Creates a list of explicit values, for example in a test.
    package init(_ pairs: KeyValuePairs<String, String>) {
        source = .values(pairs.map { Element(name: $0.key, value: $0.value) })
    }

    /// The value of a parameter, or `nil` if the pattern has no parameter of that name or the link omits it.
    ///
    /// - Parameter name: The name in the pattern.
    /// - Complexity: O(number of parameters), which is small.
    public subscript(name: String) -> String? {
        elements.first { $0.name == name }?.value
    }

    /// The parameters as a dictionary.
    public var dictionary: [String: String] {
        Dictionary(elements.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The values of ``Element/isAmbiguous`` parameters as written in the link, by name.
    package var ambiguousRawValues: [String: String] {
        Dictionary(
            elements.filter(\.isAmbiguous).map { ($0.name, $0.rawValue) }, uniquingKeysWith: { first, _ in first })
    }

    /// The value of a parameter as written in the link, or `nil` if the pattern has no parameter of that name or the
    /// link omits it.
    ///
    /// - Parameter name: The name in the pattern.
    public func rawValue(_ name: String) -> String? {
        elements.first { $0.name == name }?.rawValue
    }

    /// The parameters as `name=value`, separated by commas.
    public var description: String {
        elements.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
    }

    /// Whether there are no parameters.
    package var isEmpty: Bool { elements.isEmpty }

    /// Whether both contain the same names and values in the same order.
    public static func == (left: RouteParameters, right: RouteParameters) -> Bool {
        left.elements == right.elements
    }
}
