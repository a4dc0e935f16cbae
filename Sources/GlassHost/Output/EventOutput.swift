import Foundation
import GlassMarkets

/// An event of a watched market, as JSON.
struct EventOutput: Encodable {
    let event: MarketEvent

    private enum Key: String, CodingKey {
        case event, market, revision, previous, difference, warnings, kept, findings, time
    }

    init(_ event: MarketEvent) {
        self.event = event
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(event.id, forKey: .market)
        switch event {
        case .applied(let change):
            try container.encode("applied", forKey: .event)
            try container.encode(change.after.digest, forKey: .revision)
            try container.encode(change.before?.digest, forKey: .previous)
            try container.encode(change.difference.map(DifferenceOutput.init), forKey: .difference)
            try container.encode(change.warnings.map(FindingOutput.init), forKey: .warnings)
            try container.encode(Self.text(change.time), forKey: .time)
        case .rejected(let rejection):
            try container.encode("rejected", forKey: .event)
            try container.encode(rejection.revision?.digest, forKey: .revision)
            try container.encode(rejection.kept?.digest, forKey: .kept)
            try container.encode(rejection.findings.map(FindingOutput.init), forKey: .findings)
            try container.encode(Self.text(rejection.time), forKey: .time)
        case .restored(_, let revision, let time), .retired(_, let revision, let time):
            if case .retired = event {
                try container.encode("retired", forKey: .event)
            } else {
                try container.encode("restored", forKey: .event)
            }
            try container.encode(revision.digest, forKey: .revision)
            try container.encode(Self.text(time), forKey: .time)
        }
    }

    private static func text(_ time: Date) -> String { time.formatted(.iso8601) }
}
