import Foundation
package import GlassSchema

extension ReferenceData {
    /// The version of the time zones' data on this machine, such as `2025b`.
    package static var timeZones: String { TimeZone.timeZoneDataVersion }
}

extension ZoneRules {
    private static let knownZones = TimeZone.knownTimeZoneIdentifiers

    /// The rules of the system's time zone data. Zones have the names of that data, such as `America/Toronto`; `UTC` is
    /// the only abbreviation, because others stand for several zones.
    package static let system = ZoneRules(names: { ZoneRules.knownZones }) { name, wallClock in
        if name == "UTC" { return .instant(wallClock) }
        guard name.contains("/"), let zone = TimeZone(identifier: name) else { return .unknownZone }
        func offset(at seconds: Int64) -> Int64 {
            Int64(zone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(seconds))))
        }
        // The offsets before and after a change near that time. Zones are at most 14 hours from UTC, and no two changes
        // are within two days of each other.
        let offsets = Set([-93_600, 0, 93_600].map { offset(at: wallClock + $0) })
        let instants = offsets.filter { offset(at: wallClock - $0) == $0 }.map { wallClock - $0 }
        return instants.count > 1 ? .fold : instants.first.map { .instant($0) } ?? .gap
    }
}
