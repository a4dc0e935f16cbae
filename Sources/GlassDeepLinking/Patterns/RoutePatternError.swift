import GlassBase
import GlassSchema

/// Why a text is no route pattern, with the place for a caret.
public struct RoutePatternError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The pattern as written.
    public let pattern: String

    /// Where the problem starts, in UTF-8 bytes of ``pattern``.
    public let offset: Int

    /// How many bytes it covers; 0 points behind the last byte.
    public let length: Int

    /// What is wrong, and what to do about it.
    public let message: String

    /// The message with the pattern.
    public var description: String {
        "pattern \(pattern.quotedForMessage): \(message)"
    }

    /// The pattern and, on a second line, carets under the problem. Of a long pattern what is around the problem.
    package var caretLines: String {
        let bytes = pattern.utf8
        // A pattern may have been refused for its length, so only what may be shown is looked at.
        let before = RoutePatternError.shown(bytes.prefix(offset).suffix(512).drop { $0 & 0xC0 == 0x80 })
        let marked = RoutePatternError.shown(bytes.dropFirst(offset).prefix(min(length, 512)))
        let after = RoutePatternError.shown(bytes.dropFirst(offset + length).prefix(512))
        // Enough to find the place again.
        let (start, end) = (before.suffix(60), after.prefix(40))
        let middle = marked.prefix(60)
        let isCutBefore = start.count < before.count
        let isCutAfter = middle.count < marked.count || end.count < after.count
        let shownEnd = middle.count < marked.count ? "" : end
        return (isCutBefore ? "…" : "") + start + middle + shownEnd + (isCutAfter ? "…" : "") + "\n"
            + String(repeating: " ", count: start.count + (isCutBefore ? 1 : 0))
            + String(repeating: "^", count: max(1, middle.count))
    }

    /// The text with one sign for each character that cannot be seen, so that the carets stand below the right place.
    private static func shown(_ bytes: Substring.UTF8View) -> String {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { $0.needsEscape ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
