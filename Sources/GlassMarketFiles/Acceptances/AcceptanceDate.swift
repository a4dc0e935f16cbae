import Foundation

/// The last day of an acceptance as ISO 8601 writes it, such as `2026-12-31`. These strings sort in date order.
package enum AcceptanceDate {
    /// Today's date in UTC, with which acceptances are compared.
    package static var today: String { Date.now.formatted(.iso8601.year().month().day()) }

    /// Whether a text is a date that exists.
    package static func isValid(_ text: String) -> Bool {
        guard let match = text.wholeMatch(of: /([0-9]{4})-([0-9]{2})-([0-9]{2})/), let year = Int(match.1),
            let month = Int(match.2), let day = Int(match.3), (1...12).contains(month)
        else { return false }
        let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
        let days = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        return (1...days[month - 1]).contains(day)
    }
}
