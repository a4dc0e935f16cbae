/// The path parameters of a matched link, in the order of the pattern.
public struct RouteParameters: Sendable, Equatable, CustomStringConvertible {
    /// One parameter.
    public struct Element: Sendable, Equatable {
        /// The name that the pattern gives it.
        public let name: String

        /// The decoded value. A catch-all's segments are joined with slashes.
        public let value: String
    }

    /// The parameters from left to right.
    public private(set) var elements: [Element] = []

    /// Creates an empty list.
    public init() {}

    /// Creates a list, for instance in a test.
    ///
    /// - Parameter pairs: Names and values from left to right; the first of a name wins.
    public init(_ pairs: KeyValuePairs<String, String>) {
        elements = pairs.map { Element(name: $0.key, value: $0.value) }
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

    /// The parameters as `name=value`, separated by commas.
    public var description: String {
        elements.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
    }

    /// Whether there is no parameter.
    public var isEmpty: Bool { elements.isEmpty }

    mutating func append(name: String, value: String) {
        elements.append(Element(name: name, value: value))
    }
}
