/// A route pattern, such as `ip/:slug/:itemID(int)`.
///
/// | written | means |
/// |---|---|
/// | `orders` | a literal; ASCII case is ignored |
/// | `:name` | any single segment |
/// | `:name(int)` | a segment of that type: `int`, `uuid`, `slug`, `alnum`, or a list such as `en\|fr` |
/// | `A-:id`, `:sku.html`, `:width(int)px` | a segment with this text before or after a value that is not empty |
/// | `:name?` at the end | the last segment may be absent |
/// | `*name` at the end | the rest, one or more segments |
/// | `path?q`, `path?x&y` | the link must have query items with these names and nonempty values |
/// | `path/:name??q` | an optional last segment and a required query item |
///
/// One slash at either end is ignored; the empty pattern is the root. Literals are unescaped (`café`, `50 off`).
///
/// A segment has at most one parameter. Its name ends before one of `- . ~ @ + = , ; !` or at a type in parentheses, so
/// text that starts with a letter, a digit or `_` needs a type before it.
///
/// ```swift
/// let pattern = try RoutePattern("ip/:slug/:itemID(int)")
/// print(pattern.parameterNames)  // ["slug", "itemID"]
/// ```
public struct RoutePattern: Sendable, Equatable, CustomStringConvertible {
    /// A segment of a pattern.
    package enum Segment: Sendable, Equatable {
        /// A literal.
        case literal(String)
        /// A named segment, of a given type or any.
        case parameter(name: String, type: ParameterType?)
        /// A named part of a segment, beside literal text.
        case affixed(AffixedParameter)
        /// The named rest of the link.
        case catchAll(name: String)
    }

    /// The pattern as written.
    public let text: String

    /// The segments from left to right.
    package let segments: [Segment]

    /// Whether the last segment may be absent.
    package let isLastOptional: Bool

    /// The names of the required query items.
    package let requiredQuery: [String]

    /// Compiles a pattern.
    ///
    /// - Parameter text: The pattern.
    /// - Throws: ``RoutePatternError`` with the first problem and its position.
    public init(_ text: String) throws(RoutePatternError) {
        let reader = RoutePatternReader(text: text)
        (segments, isLastOptional, requiredQuery) = try reader.read()
        self.text = text
    }

    /// The names of the path parameters from left to right.
    package var parameterNames: [String] {
        segments.compactMap(\.parameterName)
    }

    /// The maximum length of a pattern in UTF-8 bytes: much more than any link, to allow for long lists of words.
    package static let lengthLimit = 8_192

    /// The text of the pattern.
    public var description: String { text }

    /// The variants of the pattern with a fixed number of segments: with and, if the last segment is optional, without
    /// it.
    var variants: [ArraySlice<Segment>] {
        isLastOptional ? [segments[...], segments.dropLast()] : [segments[...]]
    }
}
