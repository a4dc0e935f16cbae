/// The path parameters of a matched link, in the order of the pattern.
public struct RouteParameters: Sendable, Equatable, CustomStringConvertible {
    /// One parameter.
    package struct Element: Sendable, Equatable {
        /// The name that the pattern gives it.
        package let name: String

        /// The decoded value. A catch-all's segments are joined with slashes.
        ///
        /// It may hold a slash that was written `%2F`: who puts it into a path or a URL escapes it again, or uses
        /// ``rawValue``.
        package let value: String

        /// The value as the link has it, escapes and all.
        package let rawValue: String

        /// Whether the link escapes a character in the value that would mean something in a URL: `/`, `\\`, `?`, `#` or
        /// `%`.
        package var isAmbiguous: Bool { Element.hasEscapedDelimiter(rawValue) }

        init(name: String, value: String, rawValue: String? = nil) {
            self.name = name
            self.value = value
            self.rawValue = rawValue ?? value
        }

        /// Whether both have the same name and value, however the link escapes it.
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

    /// Values given by hand, or a match that they are read from on demand.
    private enum Source: Sendable {
        case values([Element])
        case match(RouteMatch)
    }

    private let source: Source

    /// The parameters from left to right, decoded anew at each read of a matched link's.
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

    /// Creates a list, for instance in a test.
    package init(_ pairs: KeyValuePairs<String, String>) {
        source = .values(pairs.map { Element(name: $0.key, value: $0.value) })
    }

    /// The value of a parameter, or `nil` where the pattern has none of that name or it was absent.
    ///
    /// - Parameter name: The name that the pattern gives it.
    /// - Complexity: O(number of parameters), which is small.
    public subscript(name: String) -> String? {
        elements.first { $0.name == name }?.value
    }

    /// The parameters as a dictionary.
    public var dictionary: [String: String] {
        Dictionary(elements.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// The values as the link has them of the parameters that are ``Element/isAmbiguous``, by name.
    package var ambiguousRawValues: [String: String] {
        Dictionary(
            elements.filter(\.isAmbiguous).map { ($0.name, $0.rawValue) }, uniquingKeysWith: { first, _ in first })
    }

    /// The value of a parameter as the link has it, or `nil` where the pattern has none of that name or it was absent.
    ///
    /// - Parameter name: The name that the pattern gives it.
    public func rawValue(_ name: String) -> String? {
        elements.first { $0.name == name }?.rawValue
    }

    /// The parameters as `name=value`, separated by commas.
    public var description: String {
        elements.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
    }

    /// Whether there is no parameter.
    package var isEmpty: Bool { elements.isEmpty }

    /// Whether both hold the same names and values in the same order.
    public static func == (left: RouteParameters, right: RouteParameters) -> Bool {
        left.elements == right.elements
    }
}
