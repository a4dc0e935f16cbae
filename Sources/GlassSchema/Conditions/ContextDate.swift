/// An instant, in whole seconds.
///
/// ```swift
/// ContextDate("2026-11-27T00:00:00-05:00")?.description    // "2026-11-27T05:00:00Z"
/// ```
public struct ContextDate: Sendable, Hashable {
    /// The seconds since 1970-01-01T00:00:00Z, without leap seconds.
    public let secondsSince1970: Int64

    /// Creates an instant.
    ///
    /// - Parameter secondsSince1970: The seconds since 1970-01-01T00:00:00Z.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Parses an RFC 3339 date and time. The fraction of a second is ignored.
    ///
    /// - Parameter text: The text, such as `2026-11-27T00:00:00-05:00`.
    public init?(_ text: String) {
        guard let date = DateText(text), case .offset(let seconds) = date.zone else { return nil }
        secondsSince1970 = date.wallClock - seconds
    }
}

extension ContextDate: Comparable {
    /// Whether the instant is earlier than another.
    public static func < (left: ContextDate, right: ContextDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }
}

extension ContextDate: CustomStringConvertible {
    /// The instant in RFC 3339, in UTC: `2026-11-27T05:00:00Z`.
    public var description: String { DateText.written(secondsSince1970) + "Z" }
}

/// What the clock on the wall shows, in whole seconds and whichever time zone the device is in.
///
/// ```swift
/// ContextLocalDate("2026-11-27")?.description    // "2026-11-27T00:00:00"
/// ```
public struct ContextLocalDate: Sendable, Hashable {
    /// The seconds since the clock showed 1970-01-01T00:00:00, if it had never been changed.
    public let secondsSince1970: Int64

    /// Creates a reading of the clock.
    ///
    /// - Parameter secondsSince1970: The seconds since the clock showed 1970-01-01T00:00:00.
    public init(secondsSince1970: Int64) {
        self.secondsSince1970 = secondsSince1970
    }

    /// Parses a date with or without a time, without a time zone.
    ///
    /// - Parameter text: The text, such as `2026-11-27` or `2026-11-27T09:30`.
    public init?(_ text: String) {
        guard let date = DateText(text), date.zone == .none else { return nil }
        secondsSince1970 = date.wallClock
    }
}

extension ContextLocalDate: Comparable {
    /// Whether the reading is earlier than another.
    public static func < (left: ContextLocalDate, right: ContextLocalDate) -> Bool {
        left.secondsSince1970 < right.secondsSince1970
    }
}

extension ContextLocalDate: CustomStringConvertible {
    /// The reading as in RFC 3339, but without a time zone: `2026-11-27T00:00:00`.
    public var description: String { DateText.written(secondsSince1970) }
}

/// The rules of the time zones that a date literal can name.
///
/// The rules come from outside because this target has no Foundation. A compiled market contains instants only, so that
/// the time zone data of a phone does not matter.
package struct ZoneRules: Sendable {
    /// The instant at which the clocks of a zone show a time.
    package enum Answer: Sendable, Hashable {
        /// They show it once, at these seconds since 1970.
        case instant(Int64)
        /// They skip it.
        case gap
        /// They show it twice.
        case fold
        /// There is no such zone.
        case unknownZone
    }

    /// Finds the instant, from the name of a zone and the time as seconds since 1970 on its clocks.
    package let instant: @Sendable (_ zone: String, _ wallClock: Int64) -> Answer
    /// The names of the zones, for suggestions.
    package let names: @Sendable () -> [String]

    /// Creates rules.
    package init(
        names: @escaping @Sendable () -> [String] = { [] },
        instant: @escaping @Sendable (_ zone: String, _ wallClock: Int64) -> Answer
    ) {
        self.names = names
        self.instant = instant
    }

    /// Rules that know no zone but UTC.
    package static let utc = ZoneRules { zone, wallClock in zone == "UTC" ? .instant(wallClock) : .unknownZone }

    /// The first time that the clocks of a zone show after a gap, as seconds since 1970.
    ///
    /// - Parameter gap: A time that the clocks skip.
    /// - Returns: The time; nil if there is none within 25 hours. No zone has skipped more than a day.
    func firstTime(after gap: Int64, in zone: String) -> Int64? {
        func exists(_ wallClock: Int64) -> Bool { instant(zone, wallClock) != .gap }
        guard let late = stride(from: gap, through: gap + 90_000, by: 900).first(where: exists) else { return nil }
        return stride(from: max(gap, late - 840), through: late, by: 60).first(where: exists)
    }
}

/// The parts of a date in a condition: `2026-11-27`, `2026-11-27T09:30 America/Toronto`, `2026-11-27T09:30:00-05:00`.
package struct DateText: Hashable {
    /// How the text names a time zone.
    enum Zone: Hashable {
        /// It names none.
        case none
        /// By its distance from UTC, in seconds.
        case offset(Int64)
        /// By its name.
        case name(String)
    }

    /// The seconds since 1970 on the clocks of the zone.
    let wallClock: Int64
    /// The zone.
    let zone: Zone
    /// The time of day as written, `02:30`; `00:00` if there is none.
    let time: String
    /// Whether the text has a time of day.
    let hasTime: Bool

    /// Parses a date. The time and its seconds can be missing, and a fraction of a second is ignored.
    init?(_ text: String) {
        guard text.utf8.count <= 128 else { return nil }
        var reader = Reader(rest: text.utf8[...])
        guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2),
            reader.skip("-"), let day = reader.number(digits: 2), (1...12).contains(month),
            (1...Self.days(in: month, of: year)).contains(day)
        else { return nil }
        var seconds: Int64 = 0
        var zone = Zone.none
        var time = "00:00"
        hasTime = reader.skip("T") || reader.skip("t")
        if hasTime {
            let start = reader.rest
            guard let hour = reader.number(digits: 2), hour < 24, reader.skip(":"),
                let minute = reader.number(digits: 2), minute < 60
            else { return nil }
            seconds = hour * 3600 + minute * 60
            if reader.skip(":") {
                guard let second = reader.number(digits: 2), second < 60 else { return nil }
                seconds += second
                if reader.skip(".") {
                    let fraction = reader.rest.prefix(while: \.isASCIIDigit)
                    if fraction.isEmpty { return nil }
                    reader.rest = reader.rest[fraction.endIndex...]
                }
            }
            time = String(Substring(start[..<reader.rest.startIndex]))
            if reader.skip("Z") || reader.skip("z") {
                zone = .offset(0)
            } else if let sign: Int64 = reader.skip("+") ? 1 : reader.skip("-") ? -1 : nil {
                guard let hours = reader.number(digits: 2), hours < 24, reader.skip(":"),
                    let minutes = reader.number(digits: 2), minutes < 60
                else { return nil }
                zone = .offset(sign * (hours * 3600 + minutes * 60))
            }
        }
        if reader.skip(" ") {
            while reader.skip(" ") {}
            guard zone == .none, !reader.rest.isEmpty, reader.rest.allSatisfy(\.isInZoneName) else { return nil }
            zone = .name(String(Substring(reader.rest)))
        } else if !reader.rest.isEmpty {
            return nil
        }
        wallClock = Self.daysSince1970(year, month, day) * 86_400 + seconds
        self.zone = zone
        self.time = time
    }

    /// How to correct a text that is not a date, if its mistake is a common one.
    static func hint(for text: String) -> String? {
        if (9...12).contains(text.utf8.count), text.utf8.allSatisfy(\.isASCIIDigit), let seconds = Int64(text) {
            return "write a date instead of seconds since 1970: \(Self.written(seconds))Z"
        }
        let written = text.utf8.prefix { $0 != UInt8(ascii: " ") }
        if written.first?.isASCIIDigit == true, written.contains(UInt8(ascii: "/")) {
            return "write the year first, then the month and the day, as in 2026-11-27"
        }
        if let date = Self.dayFirst(written) {
            let rest = Substring(text.utf8[written.endIndex...]).drop { $0 == " " }
            let whole = rest.isEmpty ? date : rest.first?.isNumber == true ? "\(date)T\(rest)" : "\(date) \(rest)"
            return DateText(whole) == nil ? "write the year first: \(date)" : "write the year first: \(whole)"
        }
        var reader = Reader(rest: text.utf8[...])
        guard let year = reader.number(digits: 4), reader.skip("-"), let month = reader.number(digits: 2),
            reader.skip("-"), let day = reader.number(digits: 2)
        else { return nil }
        guard (1...12).contains(month) else { return "write the month as 01 to 12, after the year: 2026-11-27" }
        let days = Self.days(in: month, of: year)
        if day > days || day == 0 {
            let first = "\(padded(year, to: 4))-\(padded(month, to: 2))"
            return "\(monthNames[Int(month) - 1]) \(year) has \(days) days: "
                + (day == 0 ? "write \(first)-01 for the first" : "write \(first)-\(days) for the last")
        }
        let start = reader.rest.startIndex
        let isSpaced = reader.skip(" ") && reader.rest.first?.isASCIIDigit == true
        guard isSpaced || reader.skip("T") || reader.skip("t") else { return nil }
        if isSpaced {
            let date = Substring(text.utf8[..<start])
            let meant = "\(date)T\(Substring(reader.rest))"
            return DateText(meant) == nil
                ? "write a T between the date and the time, as in 2026-11-27T09:30"
                : "write a T between the date and the time: \(meant)"
        }
        if reader.number(digits: 2) == 24 { return "for the end of a day, write 00:00 of the next day" }
        let clock = reader.rest.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ":") || $0 == UInt8(ascii: ".") }
        if clock.count >= 6, clock.dropFirst(4).starts(with: "60".utf8) {
            return "seconds range from 00 to 59; for a leap second, write 00 of the next minute"
        }
        let offset = reader.rest[clock.endIndex...]
        if offset.first == UInt8(ascii: "+") || offset.first == UInt8(ascii: "-"),
            offset.count == 5 || offset.count == 3,
            offset.dropFirst().allSatisfy(\.isASCIIDigit)
        {
            let hours = Substring(offset.prefix(3))
            let minutes = offset.count == 5 ? String(Substring(offset.suffix(2))) : "00"
            return "write the offset with a colon: \(hours):\(minutes)"
        }
        return nil
    }

    private static let monthNames = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// The date of a text such as `27.11.2026`, in which the day can only be first.
    private static func dayFirst(_ text: Substring.UTF8View) -> String? {
        let parts = text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy(\.isASCIIDigit) }),
            parts[0].count <= 2, parts[1].count <= 2, parts[2].count == 4,
            let day = Int64(Substring(parts[0])), let month = Int64(Substring(parts[1]))
        else { return nil }
        let date = "\(Substring(parts[2]))-\(padded(month, to: 2))-\(padded(day, to: 2))"
        return DateText(date) == nil ? nil : date
    }

    private struct Reader {
        var rest: Substring.UTF8View

        mutating func skip(_ character: Unicode.Scalar) -> Bool {
            guard rest.first == UInt8(ascii: character) else { return false }
            rest.removeFirst()
            return true
        }

        mutating func number(digits count: Int) -> Int64? {
            let digits = rest.prefix(count)
            guard digits.count == count, digits.allSatisfy(\.isASCIIDigit) else { return nil }
            rest = rest[digits.endIndex...]
            return Int64(Substring(digits))
        }
    }

    private static func days(in month: Int64, of year: Int64) -> Int64 {
        let isLeapYear = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        return switch month {
        case 2: isLeapYear ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// The days since 1970-01-01 in the proleptic Gregorian calendar, with years that begin in March, so that the day of
    /// a leap year is the last.
    package static func daysSince1970(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let (year, month) = month > 2 ? (year, month - 3) : (year - 1, month + 9)
        return 365 * year + year.floored(by: 4) - year.floored(by: 100) + year.floored(by: 400)
            + (153 * month + 2) / 5 + day - 719_469
    }

    /// The date and time of seconds since 1970, without a zone: `2026-11-27T05:00:00`. Times that four digits of a year
    /// cannot name are moved to the nearest that they can.
    static func written(_ seconds: Int64) -> String {
        let seconds = min(max(seconds, -62_167_219_200), 253_402_300_799)
        let days = seconds.floored(by: 86_400)
        let time = seconds - days * 86_400
        // Days since 0000-03-01, in eras of 400 years.
        let all = days + 719_468
        let era = all.floored(by: 146_097)
        let dayOfEra = all - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shifted = (5 * dayOfYear + 2) / 153
        let day = dayOfYear - (153 * shifted + 2) / 5 + 1
        let month = shifted < 10 ? shifted + 3 : shifted - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return "\(padded(year, to: 4))-\(padded(month, to: 2))-\(padded(day, to: 2))"
            + "T\(padded(time / 3600, to: 2)):\(padded(time / 60 % 60, to: 2)):\(padded(time % 60, to: 2))"
    }

    private static func padded(_ number: Int64, to count: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, count - digits.count)) + digits
    }
}

extension Int64 {
    /// The quotient, rounded down also if it is negative.
    fileprivate func floored(by divisor: Int64) -> Int64 {
        self >= 0 ? self / divisor : -((divisor - 1 - self) / divisor)
    }
}

extension UInt8 {
    fileprivate var isInZoneName: Bool {
        isASCIIDigit || isASCIILetter
            || [UInt8(ascii: "/"), UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(self)
    }
}
