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

    /// Creates an error.
    ///
    /// - Parameters:
    ///   - pattern: The pattern as written.
    ///   - offset: Where the problem starts, in bytes.
    ///   - length: How many bytes it covers.
    ///   - message: What is wrong, and what to do about it.
    public init(pattern: String, offset: Int, length: Int, message: String) {
        self.pattern = pattern
        self.offset = offset
        self.length = length
        self.message = message
    }

    /// The message with the pattern.
    public var description: String {
        "pattern \(pattern.quotedForMessage): \(message)"
    }

    /// The pattern and, on a second line, carets under the problem.
    public var caretLines: String {
        let bytes = pattern.utf8
        let before = RoutePatternError.shown(bytes.prefix(offset)).count
        let marked = RoutePatternError.shown(bytes.dropFirst(offset).prefix(length)).count
        return RoutePatternError.shown(bytes[...]) + "\n" + String(repeating: " ", count: before)
            + String(repeating: "^", count: max(1, marked))
    }

    /// The text with one sign for each character that cannot be seen, so that the carets stand below the right place.
    private static func shown(_ bytes: Substring.UTF8View) -> String {
        let scalars = String(decoding: bytes, as: UTF8.self).unicodeScalars.map { $0.needsEscape ? "\u{FFFD}" : $0 }
        return String(String.UnicodeScalarView(scalars))
    }
}
