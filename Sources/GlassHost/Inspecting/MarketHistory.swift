import Foundation
import GlassMarkets
import GlassSchema

/// The history of one market since the command started.
struct MarketHistory: Sendable {
    /// When the current errors were saved; nil while the market is valid.
    private(set) var brokenSince: Date?
    /// The last save that changed the market.
    private(set) var lastChange: (time: Date, lines: [String])?

    /// Records an event.
    ///
    /// - Parameter situations: What only other situations show of a change.
    mutating func note(_ event: MarketEvent, _ situations: [SituationDifference]) {
        switch event {
        case .applied(let change):
            brokenSince = nil
            let other = situations.flatMap { situation in
                situation.difference.lines.map { "when \(situation.context): \(Self.words($0))" }
            }
            let lines = (change.difference?.lines ?? []).map(Self.words) + other
            if !lines.isEmpty { lastChange = (change.time, lines) }
        case .restored: brokenSince = nil
        case .rejected(let rejection): brokenSince = brokenSince ?? Self.time(of: rejection)
        case .retired: self = MarketHistory()
        }
    }

    /// When the file with the first error was saved. A command that starts later finds the error later.
    private static func time(of rejection: MarketRejection) -> Date {
        guard let file = rejection.findings.first(where: { $0.severity == .error })?.position?.file,
            // A deleted file has no modification date.
            let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            let saved = attributes[.modificationDate] as? Date
        else { return rejection.time }
        return min(saved, rejection.time)
    }

    /// A line of a difference with its sign as a word.
    private static func words(_ line: String) -> String {
        switch line.prefix(2) {
        case "+ ": "added " + line.dropFirst(2)
        case "- ": "removed " + line.dropFirst(2)
        case "~ ": String(line.dropFirst(2))
        default: line
        }
    }
}
