import Foundation
import GlassDeepLinking
import GlassMarkets

/// Opens each link of a file in a market: a line each, then the totals.
struct LinkReplay {
    let market: Market
    let console: Console
    let isDryRun: Bool

    /// Replays a file and, if there is a golden one, reports only what is different from it.
    ///
    /// Blank lines and lines that begin with `#` are left out.
    ///
    /// - Parameters:
    ///   - path: The file with one link a line, or `-` for standard input.
    ///   - golden: A file that an earlier replay printed with `--format json`.
    /// - Returns: Without a golden file whether every link was routed, with one whether nothing changed.
    /// - Throws: `CommandFailure` with status 2 when a file cannot be read.
    func run(from path: String, golden: String?) throws -> Bool {
        var links = try LineReader(path: path)
        var recorded = try golden.map { try LineReader(path: $0) }
        var totals = ReplayTotals()
        let progress = Progress(console)
        defer { progress.finish() }
        var output = BufferedOutput()
        var number = 0
        while let bytes = try links.nextLine() {
            number += 1
            guard let first = bytes.first, first != UInt8(ascii: "#") else { continue }
            let text = String(decoding: bytes, as: UTF8.self)
            let record = ReplayRecord(isDryRun ? market.deepLinker.dryRun(text) : market.open(text))
            totals.count(record)
            if recorded != nil {
                let before = try recorded?.nextLine().map { String(decoding: $0, as: UTF8.self) }
                if before != record.json {
                    totals.changes += 1
                    output.write(change(line: number, before: before, now: record))
                }
            } else {
                output.write(console.isJSON ? record.json : row(record))
            }
            // Telling of every link would cost more than some links.
            if totals.links % 1024 == 0 {
                progress.show(bar(links.bytesRead, of: links.size) + "\(totals.links) links")
            }
        }
        while let left = try recorded?.nextLine(), left.first == UInt8(ascii: "{"), !left.isTotals {
            totals.changes += 1
            output.write(change(line: nil, before: String(decoding: left, as: UTF8.self), now: nil))
        }
        output.write(
            console.isJSON ? totals.json(comparing: golden != nil) : totals.text(comparing: golden != nil, console))
        output.flush()
        return golden == nil ? totals.links == totals.outcomes["routed", default: 0] : totals.changes == 0
    }

    /// How much of a file was read; nothing for an input whose length nobody knows.
    private func bar(_ bytes: Int, of size: Int?) -> String {
        guard let size, size > 0 else { return "" }
        let share = min(1, Double(bytes) / Double(size))
        let filled = Int(share * 30)
        return
            "[\(String(repeating: "#", count: filled))\(String(repeating: ".", count: 30 - filled))] \(Int(share * 100)) %, "
    }

    private func row(_ record: ReplayRecord) -> String {
        let outcome = record.outcome.padding(toLength: 11, withPad: " ", startingAt: 0)
        let target = (record.routable ?? record.reason ?? "-").padding(toLength: 18, withPad: " ", startingAt: 0)
        return outcome + target + record.link
    }

    private func change(line: Int?, before: String?, now: ReplayRecord?) -> String {
        let was = before.flatMap(RecordedLine.init)
        if console.isJSON {
            return
                "{\"is\":\(now?.json ?? "null"),\"line\":\(line.map(String.init) ?? "null"),\"schema\":1,\"was\":\(before ?? "null")}"
        }
        let link = now?.link ?? was?.link ?? "?"
        return
            "\(line.map { "line \($0): " } ?? "")\(link)\n  was \(was?.summary ?? "not recorded")\n  is  \(now?.summary ?? "not in the file any more")"
    }
}

/// A line of a golden file, read for showing it.
private struct RecordedLine: Decodable {
    let link: String
    let outcome: String
    let routable: String?
    let pattern: String?
    let reason: String?

    init?(_ text: String) {
        // A line that somebody edited into something else is shown as "not recorded".
        guard let line = try? JSONDecoder().decode(RecordedLine.self, from: Data(text.utf8))  // as above
        else { return nil }
        self = line
    }

    var summary: String {
        let place = [routable, pattern.map { "(\($0))" }].compactMap { $0 }.joined(separator: " ")
        let why = reason.map { ": \($0)" } ?? ""
        return "\(outcome)\(place.isEmpty ? "" : " \(place)")\(why)"
    }
}

extension [UInt8] {
    /// Whether the line is the last one of a recorded file, which holds the totals.
    fileprivate var isTotals: Bool {
        starts(with: Array("{\"changes\"".utf8)) || starts(with: Array("{\"links\"".utf8))
    }
}

/// How many links ended how.
struct ReplayTotals {
    private(set) var links = 0
    private(set) var outcomes: [String: Int] = [:]
    private(set) var routables: [String: Int] = [:]
    var changes = 0

    mutating func count(_ record: ReplayRecord) {
        links += 1
        outcomes[record.outcome, default: 0] += 1
        if record.outcome == "routed", let routable = record.routable { routables[routable, default: 0] += 1 }
    }

    /// The totals as one line of JSON; the names are ids and need no escapes.
    func json(comparing: Bool) -> String {
        func object(_ counts: [String: Int]) -> String {
            "{" + counts.sorted { $0.key < $1.key }.map { "\"\($0.key)\":\($0.value)" }.joined(separator: ",") + "}"
        }
        return (comparing ? "{\"changes\":\(changes),\"links\":\(links)" : "{\"links\":\(links)")
            + ",\"outcomes\":\(object(outcomes)),\"routables\":\(object(routables)),\"schema\":1}"
    }

    /// The totals as a table.
    func text(comparing: Bool, _ console: Console) -> String {
        var table = Table("OUTCOME", "ROUTABLE", "LINKS")
        for (routable, count) in routables.sorted(by: { $0.key < $1.key }) { table.add("routed", routable, "\(count)") }
        for (outcome, count) in outcomes.sorted(by: { $0.key < $1.key }) where outcome != "routed" {
            table.add(outcome, "", "\(count)")
        }
        let count = "\(links) link\(links == 1 ? "" : "s")"
        let end = comparing ? "\(count), \(changes) changed" : count
        return "\n" + table.text(console) + "\n" + end
    }
}

/// Standard output in large pieces, because a million small writes are slow.
private struct BufferedOutput {
    private var data = Data()

    mutating func write(_ line: String) {
        data.append(contentsOf: line.utf8)
        data.append(UInt8(ascii: "\n"))
        if data.count > 256 * 1024 { flush() }
    }

    mutating func flush() {
        StandardStream.output.write(data)
        data.removeAll(keepingCapacity: true)
    }
}
