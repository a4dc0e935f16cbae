import GlassBase
import GlassSchema

/// The reason that text is not a valid route pattern, with a position for a caret.
public struct RoutePatternError: Error, Equatable, Sendable, CustomStringConvertible {
    /// The pattern as written.
    public let pattern: String

    /// The start of the problem, in UTF-8 bytes of ``pattern``.
    public let offset: Int

    /// The length of the problem in bytes; 0 means after the last byte.
    public let length: Int

    /// A description of the problem and its fix.
    public let message: String

    /// The message with the pattern.
    public var description: String {
        "pattern \(pattern.quotedForMessage): \(message)"
    }

    /// The pattern and, on a second line, carets under the problem. A long pattern is truncated to the part around the
    /// problem.
    package var caretLines: String {
        let bytes = pattern.utf8
        // The pattern may have been rejected for its length, so examine only the part that may be shown.
        let before = RoutePatternError.shown(bytes.prefix(offset).suffix(512).drop { $0 & 0xC0 == 0x80 })
        let marked = RoutePatternError.shown(bytes.dropFirst(offset).prefix(min(length, 512)))
        let after = RoutePatternError.shown(bytes.dropFirst(offset + length).prefix(512))
        // Enough to locate the problem.
        let (start, end) = (before.suffix(60), after.prefix(40))
        let middle = marked.prefix(60)
        let isCutBefore = start.count < before.count
        let isCutAfter = middle.count < marked.count || end.count < after.count
        let shownEnd = middle.count < marked.count ? "" : end
        return (isCutBefore ? "…" : "") + start + middle + shownEnd + (isCutAfter ? "…" : "") + "\n"
            + String(repeating: " ", count: start.count + (isCutBefore ? 1 : 0))
            + String(repeating: "^", count: max(1, middle.count))
    }

    /// The text with one replacement character for each invisible character, so that the carets are aligned.
    private static func shown(_ bytes: Substring.UTF8View) -> String {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { $0.needsEscape ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
