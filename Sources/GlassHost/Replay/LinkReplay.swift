import GlassBase
import Foundation
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets

/// Opens each link of a file in a market, and prints a line for each, then the totals.
struct LinkReplay {
    let market: Market
    let console: Console
    let isDryRun: Bool

    /// Replays a file and, if there is a golden file, reports only differences from it. Returns whether all links were
    /// routed or, with a golden file, whether there are no differences.
    ///
    /// Blank lines and lines that begin with `#` are skipped.
    func run(from path: String, golden: String?) throws -> Bool {
        var links = try LineReader(path: path)
        var lines = LinkLines(base: market.definition.deepLinking.requestBase)
        var recorded = try golden.map { try RecordedLinks(path: $0) }
        var totals = ReplayTotals()
        var unmatched = UnmatchedLinks(market: market)
        let progress = Progress(console)
        defer { progress.finish() }
        let output = BufferedOutput(console)
        func report(_ change: RecordedLinks.Change) {
            totals.changes += 1
            output.write(text(of: change))
        }
        // The results so far are printed before each wait for input, which may take a while.
        while let bytes = try links.nextLine(willWait: output.flush) {
            let link: [UInt8]
            switch lines.content(of: bytes) {
            case .nothing: continue
            case .skipped:
                totals.skipped += 1
                continue
            case .link(let found): link = found
            }
            let record = ReplayRecord(result(of: link))
            totals.count(record)
            unmatched.count(record)
            if recorded != nil {
                try recorded?.compare(RecordedLinks.Replayed(record, line: links.linesRead), report: report)
            } else {
                output.write(console.isJSON ? DisplayText(json: record.json) : row(record))
            }
            // Updating the progress for every link would cost more than opening some of them.
            if totals.links % 1024 == 0 {
                progress.show(bar(links.bytesRead, of: links.size) + "\(totals.links) links")
            }
        }
        try recorded?.finish(report: report)
        let dead = DeadRoutes(
            unused: market.routes.filter { totals.patterns[$0.pattern] == nil }, near: unmatched.nearest,
            uncompared: unmatched.uncompared)
        if console.isJSON {
            output.write(totals.json(comparing: golden != nil, dead))
        } else {
            output.write(totals.text(comparing: golden != nil, console))
            // A comparison reports only differences.
            if golden == nil, totals.links > 0, !console.isQuiet { dead.lines(console).forEach(output.write) }
        }
        output.flush()
        return golden == nil ? totals.links == totals.outcomes["routed", default: 0] : totals.changes == 0
    }

    /// The result for a line. A line that is not valid UTF-8 is refused here, because the router accepts only text.
    private func result(of line: [UInt8]) -> DispatchResult {
        guard let text = String(validating: line, as: UTF8.self) else {
            let repaired = String(decoding: line, as: UTF8.self)
            let offset = zip(repaired.utf8, line).prefix { $0 == $1 }.count
            let refusal = DeepLinkRefusal(rule: .invalidUTF8, part: repaired, offset: offset)
            return DispatchResult(
                text: repaired, outcome: .refused(refusal), link: nil,
                navigation: market.deepLinker.dryRun(repaired).navigation)
        }
        return isDryRun ? market.deepLinker.dryRun(text) : market.open(text)
    }

    /// A progress bar for a file; empty for an input of unknown length.
    private func bar(_ bytes: Int, of size: Int?) -> DisplayText {
        guard let size, size > 0 else { return "" }
        // Draw the bar from the number next to it, so that the two agree.
        let percent = Int(min(1, Double(bytes) / Double(size)) * 100)
        let filled = percent * 30 / 100
        return
            "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: 30 - filled))] \(percent)%, "
    }

    private func row(_ record: ReplayRecord) -> DisplayText {
        let outcome = record.outcome.padding(toLength: 11, withPad: " ", startingAt: 0)
        let target = (record.routable ?? record.reason ?? "-").padding(toLength: 18, withPad: " ", startingAt: 0)
        return DisplayText(outcome + target + record.link)
    }

    private func text(of change: RecordedLinks.Change) -> DisplayText {
        let (was, now) = (change.was.flatMap(RecordedLine.init), change.now)
        if console.isJSON {
            let before = was == nil ? "null" : String(decoding: change.was ?? [], as: UTF8.self)
            let line = now.map { "\($0.line)" } ?? "null"
            return DisplayText(
                json: "{\"is\":\(now?.record.json ?? "null"),\"line\":\(line),\"schema\":1,\"was\":\(before)}")
        }
        let isSame = now == nil || was?.link.utf8.elementsEqual(now?.record.link.utf8 ?? "".utf8) == true
        let before = was.map { (isSame ? "" : "\($0.link), ") + $0.summary } ?? "not recorded"
        return [
            (now.map { "line \($0.line): " } ?? "") + (now?.record.link ?? was?.link ?? "?"), "  was \(before)",
            "  is  \(now?.record.summary ?? "no longer in the file")",
        ].map { DisplayText($0) }.joined(separator: "\n")
    }
}

/// The number of links for each outcome.
struct ReplayTotals {
    private(set) var links = 0
    private(set) var outcomes: [String: Int] = [:]
    private(set) var patterns: [String: Int] = [:]
    private(set) var routables: [String: Int] = [:]
    var changes = 0
    /// The requests of a log that open no link.
    var skipped = 0

    mutating func count(_ record: ReplayRecord) {
        links += 1
        outcomes[record.outcome, default: 0] += 1
        if let pattern = record.pattern { patterns[pattern, default: 0] += 1 }
        if record.outcome == "routed", let routable = record.routable { routables[routable, default: 0] += 1 }
    }

    /// The totals as one line of JSON.
    func json(comparing: Bool, _ dead: DeadRoutes) -> DisplayText {
        func object(_ counts: [String: Int]) -> String {
            "{" + counts.sorted { $0.key < $1.key }.map { "\($0.key.jsonLiteral):\($0.value)" }.joined(separator: ",")
                + "}"
        }
        return DisplayText(
            json: (comparing ? "{\"changes\":\(changes),\"links\":\(links)" : "{\"links\":\(links)")
                + ",\"nearMatches\":[\(dead.near.map(\.json).joined(separator: ","))]"
                + ",\"outcomes\":\(object(outcomes)),\"patterns\":\(object(patterns))"
                + ",\"routables\":\(object(routables)),\"schema\":1,\"skipped\":\(skipped)"
                + ",\"uncompared\":\(dead.uncompared)"
                + ",\"unusedRoutes\":[\(dead.unusedJSON.joined(separator: ","))]}")
    }

    /// The totals as a table.
    func text(comparing: Bool, _ console: Console) -> DisplayText {
        var table = Table("OUTCOME", "ROUTABLE", "LINKS")
        for (routable, count) in routables.sorted(by: { $0.key < $1.key }) {
            table.add("routed", "\(routable)", "\(count)")
        }
        for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) where outcome != "routed" {
            table.add("\(outcome)", "", "\(count)")
        }
        var count: DisplayText = "\(links) link\(links == 1 ? "" : "s")"
        if skipped > 0 { count += ", \(skipped) line\(skipped == 1 ? "" : "s") without a link" }
        let end: DisplayText = comparing ? "\(count), \(changes) changed" : count
        return "\n" + table.text(console) + "\n" + end
    }
}

/// Buffers standard output, because a million small writes are slow.
private final class BufferedOutput {
    private let console: Console
    private var text = DisplayText()

    init(_ console: Console) {
        self.console = console
    }

    func write(_ line: DisplayText) {
        text += line
        text += "\n"
        if text.byteCount > 256 * 1024 { flush() }
    }

    func flush() {
        if text.isEmpty { return }
        console.write(text)
        text = DisplayText()
    }
}
