import GlassSchema

/// A point in time in whole seconds, in the format used in metadata: `2026-06-01T12:00:00Z`.
///
/// Parsed without Foundation, so that the first screen of an app does not have to load its calendars.
package struct UpdateTime: Sendable, Hashable, Comparable {
    /// The seconds since 1970-01-01T00:00:00Z, without leap seconds.
    package let secondsSince1970: Int

    /// Creates a time.
    package init(secondsSince1970: Int) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Parses a time. Only one of the forms that `ContextDate` accepts is allowed in metadata.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[10] == UInt8(ascii: "T"), bytes[19] == UInt8(ascii: "Z"),
            !text.hasPrefix("0000"), let date = ContextDate(text)
        else { return nil }
        self.init(secondsSince1970: Int(date.secondsSince1970))
    }

    /// Whether one time is earlier than another.
    package static func < (one: Self, other: Self) -> Bool { one.secondsSince1970 < other.secondsSince1970 }

    /// The time a number of seconds later.
    package func adding(seconds: Int) -> UpdateTime {
        UpdateTime(secondsSince1970: secondsSince1970 + seconds)
    }
}

extension UpdateTime: CustomStringConvertible {
    /// The time in the format used in metadata, for the years 1 to 9999.
    package var description: String { ContextDate(secondsSince1970: Int64(secondsSince1970)).description }
}
