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

extension String {
    /// The text of a condition with its dates in words: `from Friday, 27 November 2026, 00:00 in Warsaw`.
    func withDatesInWords(zone: String?) -> String {
        replacing(/(?:(?:date|localDate) (>=|>|<=|<) )?([0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2})(Z?)/) {
            match in
            let (_, comparison, text, isInstant) = match.output
            let value =
                isInstant.isEmpty
                ? ContextLocalDate(String(text)).map { ContextValue.localDate($0) }
                : ContextDate("\(text)Z").map { ContextValue.date($0) }
            guard let words = value?.inWords(zone: zone) else { return String(match.output.0) }
            switch comparison {
            case ">=": return "from \(words)"
            case ">": return "after \(words)"
            case "<": return "until \(words)"
            case "<=": return "through \(words)"
            default: return words
            }
        }.replacing(/^if (?=from|after|until|through)/, with: "")
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
