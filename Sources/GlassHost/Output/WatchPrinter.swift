import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Prints the events of watched markets.
struct WatchPrinter {
    let console: Console

    /// Prints which markets are watched.
    func begin(_ ids: [String], folder: String, method: WatchMethod) throws {
        if console.isJSON {
            try console.line(json: ["event": "watching", "markets": ids, "method": method.description])
        } else if !console.isQuiet {
            let names = ids.isEmpty ? "no markets yet" : ids.joined(separator: ", ")
            console.result(("watching \(names) in \(folder) (\(method)); Ctrl-C ends" as DisplayText).styled(.dim))
        }
    }

    /// Prints an event.
    func print(_ event: MarketEvent) throws {
        if console.isJSON {
            try console.line(json: event.json)
            return
        }
        switch event {
        case .applied(let change): print(change)
        case .restored(let id, let revision, let time):
            say(time, id, "the files match \(revision), which is in use", .green)
        case .rejected(let rejection):
            say(
                rejection.time, rejection.id,
                rejection.kept.map { "rejected; \($0) stays in use" as DisplayText }
                    ?? "rejected; there is no valid version yet", .red)
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
        let summary = difference.isEmpty ? "no relevant changes" : difference.summary
        say(change.time, change.id, "applied \(change.after): \(summary)", .green)
        for line in difference.lines { console.result("  \(console.colored(line))", wrappedBy: 6) }
    }

    private func say(_ time: Date, _ id: String, _ text: DisplayText, _ style: DisplayText.Style) {
        console.result("\(time.clockTime, .dim) \(id, .bold): \(text, style)")
    }
}

extension Date {
    /// The local time of day, to the second.
    var clockTime: String {
        formatted(Date.ISO8601FormatStyle(timeZone: .current).time(includingFractionalSeconds: false))
    }
}
