import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Prints what happens while markets are watched.
struct WatchPrinter {
    let console: Console

    /// Prints which markets are watched.
    func begin(_ ids: [String], folder: String, method: WatchMethod) throws {
        if console.isJSON {
            try console.line(json: Watching(markets: ids, method: method.description))
        } else if !console.isQuiet {
            let names = ids.isEmpty ? "no market yet" : ids.joined(separator: ", ")
            console.result(("watching \(names) in \(folder) (\(method)); Ctrl-C ends" as SafeText).styled(.dim))
        }
    }

    /// Prints an event.
    func print(_ event: MarketEvent) throws {
        if console.isJSON {
            try console.line(json: Output(event))
            return
        }
        switch event {
        case .applied(let change): print(change)
        case .restored(let id, let revision, let time):
            say(time, id, "the files are those of \(revision) again, which is in use", .green)
        case .rejected(let rejection):
            say(
                rejection.time, rejection.id,
                rejection.kept.map { "rejected; \($0) stays in use" as SafeText }
                    ?? "rejected; there is no good version yet", .red)
            for finding in rejection.findings where finding.severity == .error {
                console.result(console.text(of: finding))
            }
        case .retired(let id, _, let time): say(time, id, "no longer in use", .dim)
        }
    }

    private func print(_ change: MarketChange) {
        guard let difference = change.difference else {
            say(change.time, change.id, "loaded \(change.after)", .green)
            if !console.isQuiet { for warning in change.warnings { console.result(console.text(of: warning)) } }
            return
        }
        let summary = difference.isEmpty ? "nothing that counts differs" : difference.summary
        say(change.time, change.id, "applied \(change.after): \(summary)", .green)
        for line in difference.lines { console.result("  \(console.coloured(line))", wrappedBy: 6) }
    }

    private func say(_ time: Date, _ id: String, _ text: SafeText, _ style: SafeText.Style) {
        console.result("\(time.clockTime, .dim) \(id, .bold): \(text, style)")
    }

    private struct Watching: Encodable {
        let event = "watching"
        let markets: [String]
        let method: String
    }

    private struct Output: Encodable {
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
}

extension Date {
    /// The time of the day here, to a second.
    var clockTime: String {
        formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false))
    }
}
