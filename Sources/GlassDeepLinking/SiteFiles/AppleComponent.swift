/// One component of an `apple-app-site-association` file, with an evaluator of its documented rules.
///
/// `*` stands for any characters, slashes included, and `?` for one; the whole path must match, ASCII case aside, as the
/// files of this package set `caseSensitive` to false.
public struct AppleComponent: Sendable, Equatable {
    /// The pattern of the path, percent-encoded.
    public let path: String
    /// The names of query items that must be there with a value.
    public let query: [String]
    /// Whether links that match stay in the browser.
    public let isExcluded: Bool
    /// The route that the component is for, in ``RouteTable/declarations``.
    public let ordinal: Int

    /// Whether a link's path and query, both as written, match.
    ///
    /// - Parameters:
    ///   - path: The path with its leading slash.
    ///   - query: The query without the question mark.
    /// - Returns: Whether all parts match.
    public func matches(path: String, query: String) -> Bool {
        let items = query.split(separator: "&")
        for name in self.query {
            let prefix = name.utf8.percentEncoded + "="
            guard items.contains(where: { $0.hasPrefix(prefix) && $0.utf8.count > prefix.utf8.count }) else {
                return false
            }
        }
        return AppleComponent.glob(self.path.utf8.asciiFolded, path.utf8.asciiFolded)
    }

    /// Matches from left to right and goes back to the last star only, which is enough and never exponential.
    private static func glob(_ pattern: [UInt8], _ text: [UInt8]) -> Bool {
        var (place, index) = (0, 0)
        var star: (place: Int, index: Int)?
        while index < text.count {
            if place < pattern.count, pattern[place] == UInt8(ascii: "*") {
                star = (place + 1, index)
                place += 1
            } else if place < pattern.count, pattern[place] == UInt8(ascii: "?") || pattern[place] == text[index] {
                place += 1
                index += 1
            } else if let last = star {
                star = (last.place, last.index + 1)
                (place, index) = (last.place, last.index + 1)
            } else {
                return false
            }
        }
        return pattern[place...].allSatisfy { $0 == UInt8(ascii: "*") }
    }
}
