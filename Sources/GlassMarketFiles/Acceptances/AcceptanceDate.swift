import Foundation

/// The last day of an acceptance as ISO 8601 writes it, such as `2026-12-31`. These strings sort in date order.
package enum AcceptanceDate {
    /// Today's date in UTC, with which acceptances are compared.
    package static var today: String { Date.now.formatted(.iso8601.year().month().day()) }
}
