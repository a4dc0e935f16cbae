import Foundation

/// Dates in header fields (RFC 9110 §5.6.7): the current format and the two obsolete ones that must still be accepted.
enum HTTPDate {
    private static let months = [
        "jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec",
    ]

    /// Parses a date.
    static func date(from text: String) -> Date? {
        let parts = text.split { !$0.isLetter && !$0.isNumber }.map { $0.lowercased() }
        let isOldest = parts.count == 7
        guard parts.count == 8 && parts[7] == "gmt" || isOldest else { return nil }
        guard let month = months.firstIndex(of: parts[isOldest ? 1 : 2]),
            let day = Int(parts[isOldest ? 2 : 1]), var year = Int(parts[isOldest ? 6 : 3]),
            let hour = Int(parts[isOldest ? 3 : 4]), let minute = Int(parts[isOldest ? 4 : 5]),
            let second = Int(parts[isOldest ? 5 : 6]),
            (1...31).contains(day), (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
            (0...9999).contains(year)
        else { return nil }
        if year < 100 { year += year < 70 ? 2000 : 1900 }
        let days = daysSince1970(year: year, month: month + 1, day: day)
        return Date(timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
    }

    /// Days in the proleptic Gregorian calendar. The year starts in March, so that the leap day is its last day.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let era = shifted / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }
}
