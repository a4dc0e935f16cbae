import Foundation
import GlassMarkets
import GlassSchema

/// The time zone in which the authors of a market write its dates.
enum MarketZone {
    /// The zone that a market's text names most often; nil if it names none.
    static func named(in text: String) -> String? {
        let known = Set(TimeZone.knownTimeZoneIdentifiers)
        var counts: [String: Int] = [:]
        for match in text.matches(of: /[A-Z][A-Za-z]+(?:\/[A-Z][A-Za-z_-]+)+/)
        where known.contains(String(match.output)) {
            counts[String(match.output), default: 0] += 1
        }
        // The first by name among equals, so that each run says the same.
        return counts.min { ($1.value, $0.key) < ($0.value, $1.key) }?.key
    }
}

extension ContextValue {
    /// A date in words: `Friday, 27 November 2026, 00:00 in New York`.
    ///
    /// - Parameter zone: The zone of a `date`; UTC by default. A `localDate` is on the clock of the device.
    func inWords(zone: String?) -> String {
        switch self {
        case .date(let date):
            let known = zone.flatMap { TimeZone(identifier: $0) }
            let city =
                known == nil ? "UTC" : "in \((zone ?? "").split(separator: "/").last?.replacing("_", with: " ") ?? "")"
            return "\(Self.words(date.secondsSince1970, known ?? .gmt)) \(city)"
        case .localDate(let date): return "\(Self.words(date.secondsSince1970, .gmt)) on the device's clock"
        default: return ContextAttribute.commandText(of: self)
        }
    }

    private static func words(_ seconds: Int64, _ zone: TimeZone) -> String {
        let date = Date(timeIntervalSince1970: TimeInterval(seconds))
        let style = Date.FormatStyle(locale: Locale(identifier: "en_GB"), timeZone: zone)
        return [
            style.weekday(.wide), style.day().month(.wide).year(),
            style.hour(.twoDigits(amPM: .omitted)).minute(.twoDigits),
        ].map(date.formatted).joined(separator: ", ")
    }
}
