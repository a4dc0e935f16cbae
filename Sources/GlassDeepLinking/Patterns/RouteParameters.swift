/// The path parameters of a matched link, in the order of the pattern.
public struct RouteParameters: Sendable, Equatable, CustomStringConvertible {
    /// One parameter.
    public struct Element: Sendable, Equatable {
        /// The name that the pattern gives it.
        public let name: String

        /// The decoded value. A catch-all's segments are joined with slashes.
        public let value: String
    }

    /// Values given by hand, or a match that they are read from on demand.
    private enum Source: Sendable {
        case values([Element])
        case match(RouteMatch)
    }

    private let source: Source

    /// The parameters from left to right, decoded anew at each read of a matched link's.
    public var elements: [Element] {
        switch source {
        case .values(let elements): elements
        case .match(let match): match.elements
        }
    }

    /// Creates an empty list.
    public init() {
        source = .values([])
    }

    init(_ match: RouteMatch) {
        source = .match(match)
    }

    /// Creates a list, for instance in a test.
    ///
    /// - Parameter pairs: Names and values from left to right; the first of a name wins.
    public init(_ pairs: KeyValuePairs<String, String>) {
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

    /// The parameters as `name=value`, separated by commas.
    public var description: String {
        elements.map { "\($0.name)=\($0.value)" }.joined(separator: ", ")
    }

    /// Whether there is no parameter.
    public var isEmpty: Bool { elements.isEmpty }

    /// Whether both hold the same names and values in the same order.
    public static func == (left: RouteParameters, right: RouteParameters) -> Bool {
        left.elements == right.elements
    }
}
