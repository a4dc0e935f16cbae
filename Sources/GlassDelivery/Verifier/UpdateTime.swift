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

    /// Parses a time.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        let form = Array("0000-00-00T00:00:00Z".utf8)
        guard bytes.count == form.count else { return nil }
        for (byte, expected) in zip(bytes, form) {
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            guard expected == UInt8(ascii: "0") ? isDigit : byte == expected else { return nil }
        }
        func number(_ range: Range<Int>) -> Int { bytes[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) } }
        let (year, month, day) = (number(0..<4), number(5..<7), number(8..<10))
        let (hour, minute, second) = (number(11..<13), number(14..<16), number(17..<19))
        guard year > 0, (1...12).contains(month), day >= 1, hour < 24, minute < 60, second < 60,
            day <= Self.days(inMonth: month, year: year)
        else { return nil }
        let days = Self.days(before: year) + (1..<month).reduce(0) { $0 + Self.days(inMonth: $1, year: year) } + day - 1
        self.init(secondsSince1970: ((days * 24 + hour) * 60 + minute) * 60 + second)
    }

    private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    private static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The number of days from 1970-01-01 to the first of January of a year; negative for earlier years.
    private static func days(before year: Int) -> Int {
        let last = year - 1
        return last * 365 + last / 4 - last / 100 + last / 400 - 719_162
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
    package var description: String {
        let (day, second) = secondsSince1970.quotientAndRemainder(flooringBy: 86_400)
        // Start from the average year, which is at most one off.
        var year = 1970 + day * 400 / 146_097
        while Self.days(before: year + 1) <= day { year += 1 }
        while Self.days(before: year) > day { year -= 1 }
        var rest = day - Self.days(before: year)
        var month = 1
        while rest >= Self.days(inMonth: month, year: year) {
            rest -= Self.days(inMonth: month, year: year)
            month += 1
        }
        func padded(_ number: Int, _ width: Int = 2) -> String {
            let digits = String(number)
            return String(repeating: "0", count: max(0, width - digits.count)) + digits
        }
        return "\(padded(year, 4))-\(padded(month))-\(padded(rest + 1))"
            + "T\(padded(second / 3600)):\(padded(second / 60 % 60)):\(padded(second % 60))Z"
    }
}

extension Int {
    /// The quotient and the remainder, which is never negative.
    fileprivate func quotientAndRemainder(flooringBy divisor: Int) -> (Int, Int) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
