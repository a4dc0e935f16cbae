import Foundation

/// Joins the floors and the works that the benchmarks measured, prints the table, and ends with 1 when a budget is missed.
///
/// The one argument is the folder with the percentile files that the benchmark plugin wrote.
@main
struct Report {
    static func main() throws {
        guard CommandLine.arguments.count == 2 else {
            FileHandle.standardError.write(Data("usage: report FOLDER\n".utf8))
            exit(64)
        }
        let medians = try Self.medians(in: CommandLine.arguments[1])
        var rows = [["WORK", "FLOOR", "OURS", "RATIO", "BUDGET", ""]]
        var missed = 0
        for budget in Budget.all {
            guard let pair = medians[budget.id] else { continue }
            if pair.isBusy {
                rows.append([budget.work, budget.floor, "-", "-", budget.text, "not measurable: the cores are busy"])
            } else if let unit = budget.unit, let ours = pair.ours {
                let isMet = budget.isMet(floor: 0, ours: ours)
                missed += isMet ? 0 : 1
                let shown = String(format: "%.4g", ours) + unit
                rows.append([budget.work, "", shown, "", budget.text, isMet ? "met" : "MISSED"])
            } else if let (floor, ours) = pair.pair {
                let isMet = budget.isMet(floor: floor, ours: ours)
                missed += isMet ? 0 : 1
                rows.append([
                    budget.work, "\(budget.floor) \(format(floor))", format(ours),
                    ratio(budget.ratio(floor: floor, ours: ours)), budget.text, isMet ? "met" : "MISSED",
                ])
            }
        }
        for id in medians.keys.sorted() where !Budget.all.contains(where: { $0.id == id }) {
            FileHandle.standardError.write(Data("no budget for \(id): add one to Budgets.swift\n".utf8))
            missed += 1
        }
        guard rows.count > 1 else {
            FileHandle.standardError.write(Data("nothing was measured\n".utf8))
            exit(2)
        }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            print(
                zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  "))
        }
        exit(missed == 0 ? 0 : 1)
    }

    /// The medians of one id, in nanoseconds for each operation.
    struct Pair {
        var floor: Double?
        var ours: Double?
        /// Whether the machine was too busy to measure it.
        var isBusy = false

        var pair: (floor: Double, ours: Double)? {
            guard let floor, let ours, floor > 0 else { return nil }
            return (floor, ours)
        }
    }

    /// Reads the files: `….ID.xBATCH.KIND.histogram.percentiles.tsv`, a percentile and nanoseconds in each line; and what the
    /// probe wrote, an id, a kind and a value in each line.
    static func medians(in folder: String) throws -> [String: Pair] {
        var found: [String: Pair] = [:]
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".probe.tsv") {
            for line in try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8).split(separator: "\n") {
                let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
                guard cells.count == 3 else { continue }
                switch cells[1] {
                case "floor": found[cells[0], default: Pair()].floor = Double(cells[2])
                case "ours": found[cells[0], default: Pair()].ours = Double(cells[2])
                default: found[cells[0], default: Pair()].isBusy = true
                }
            }
        }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder) where name.hasSuffix(".percentiles.tsv")
        {
            let parts = name.split(separator: ".").map(String.init)
            guard let place = parts.firstIndex(where: { $0.first == "x" && Double($0.dropFirst()) != nil }), place > 0,
                parts.count > place + 1, let batch = Double(parts[place].dropFirst())
            else { continue }
            let text = try String(contentsOfFile: "\(folder)/\(name)", encoding: .utf8)
            let median = text.split(separator: "\n").compactMap { line -> Double? in
                let cells = line.split(separator: "\t")
                return cells.count == 2 && cells[0] == "50" ? Double(cells[1]) : nil
            }.first
            guard let median else { continue }
            if parts[place + 1] == "floor" {
                found[parts[place - 1], default: Pair()].floor = median / batch
            } else {
                found[parts[place - 1], default: Pair()].ours = median / batch
            }
        }
        return found
    }

    static func format(_ nanoseconds: Double) -> String {
        switch nanoseconds {
        case ..<10_000: String(format: "%.1f ns", nanoseconds)
        case ..<10_000_000: String(format: "%.1f us", nanoseconds / 1000)
        default: String(format: "%.1f ms", nanoseconds / 1_000_000)
        }
    }

    static func ratio(_ value: Double) -> String { String(format: "%.2fx", value) }
}
