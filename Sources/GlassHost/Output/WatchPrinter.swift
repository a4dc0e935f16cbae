import GlassBase
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Prints the events of watched markets.
final class WatchPrinter: Sendable {
    private let console: Console
    /// The markets whose first event is awaited, and the unset secrets of the others.
    private let initial = Lock<(waiting: Set<String>, secrets: Int)>(([], 0))

    /// What only other situations show of changes.
    let situations = ChangesInSituations()

    /// Whether the file of a market does not exist.
    private let isDeleted: @Sendable (_ id: String) -> Bool

    init(console: Console, isDeleted: @escaping @Sendable (_ id: String) -> Bool) {
        self.console = console
        self.isDeleted = isDeleted
    }

    /// Prints which markets are watched.
    func begin(_ ids: [String], folder: String, method: WatchMethod) throws {
        initial.withLock { $0.waiting = Set(ids) }
        if console.isJSON {
            try console.line(json: ["event": "watching", "markets": ids, "method": method.description])
        } else if !console.isQuiet {
            let names = ids.isEmpty ? "no markets yet" : ids.joined(separator: ", ")
            console.result(("watching \(names) in \(folder) (\(method)); Ctrl-C ends" as DisplayText).styled(.dim))
        }
    }

    /// Prints an event.
    func print(_ event: MarketEvent) throws {
        var other: [SituationDifference] = []
        if case .applied(let change) = event { other = situations.take(change) }
        if console.isJSON {
            try console.line(json: event.json(with: other))
            return
        }
        defer { countSecrets(of: event) }
        switch event {
        case .applied(let change): print(change, other)
        case .restored(let id, let revision, let time):
            say(time, id, "the files match \(revision), which is in use", .green)
        case .rejected(let rejection) where isDeleted(rejection.id):
            let kept: DisplayText = rejection.kept.map { "; \($0) stays in use until the command ends" } ?? ""
            say(rejection.time, rejection.id, "deleted\(kept)", .red)
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

    private func print(_ change: MarketChange, _ situations: [SituationDifference]) {
        guard let difference = change.difference else {
            say(change.time, change.id, "loaded \(change.after)", .green)
            if !console.isQuiet {
                for warning in change.warnings where console.isVerbose || warning.code != .secretUnset {
                    console.result(console.text(of: warning))
                }
            }
            return
        }
        let isEmpty = difference.isEmpty && situations.isEmpty
        let summary = isEmpty ? "no relevant changes" : difference.summary(with: situations)
        say(change.time, change.id, "applied \(change.after): \(summary)", .green)
        for line in difference.lines { console.result("  \(console.colored(line))", wrappedBy: 6) }
        for situation in situations {
            console.result("  when --context \(situation.context.commandText)")
            for line in situation.difference.lines { console.result("    \(console.colored(line))", wrappedBy: 8) }
        }
    }

    /// Prints, once each market had its first event, how many secrets are not set.
    private func countSecrets(of event: MarketEvent) {
        let secrets = initial.withLock { initial -> Int in
            guard initial.waiting.remove(event.id) != nil else { return 0 }
            if case .applied(let change) = event {
                initial.secrets += change.warnings.count { $0.code == .secretUnset }
            }
            return initial.waiting.isEmpty ? initial.secrets : 0
        }
        if secrets > 0, !console.isQuiet, !console.isVerbose { console.result(.unsetSecrets(secrets)) }
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
