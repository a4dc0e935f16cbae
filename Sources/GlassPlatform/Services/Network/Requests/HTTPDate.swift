import Foundation
import GlassSchema

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
        let days = Int(DateText.daysSince1970(Int64(year), Int64(month + 1), Int64(day)))
        return Date(timeIntervalSince1970: Double(((days * 24 + hour) * 60 + minute) * 60 + second))
    }
}
