import Foundation
@testable import GlassDeepLinking
import Testing
@Suite struct ScratchTests {
    @Test func whatwg() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: "/work/shared/data/whatwg/urltestdata.json"))
        let rows = try JSONSerialization.jsonObject(with: data) as! [Any]
        var fails = 0, accepted: [String] = [], hostDiff: [String] = []
        for case let row as [String: Any] in rows {
            guard row["base"] is NSNull || row["base"] == nil, let input = row["input"] as? String else { continue }
            let parsed = try? DeepLink(input)
            if row["failure"] as? Bool == true {
                fails += 1
                if let parsed { accepted.append("\(input) host=\(parsed.host)") }
            } else if let parsed, parsed.isWebLink, let h = row["hostname"] as? String, h != parsed.host {
                hostDiff.append("\(input): whatwg \(h) ours \(parsed.host)")
            }
        }
        print("WHATWG fails \(fails), accepted \(accepted.count)"); for a in accepted { print("   A", a) }
        for h in hostDiff { print("   H", h) }
    }
    @Test func speed() throws {
        let text = try String(contentsOfFile: "/work/shared/data/github_api_routes.tsv", encoding: .utf8)
        let rows = text.split(separator: "\n").dropFirst().map { $0.split(separator: "\t") }
        let patterns = rows.map { $0[0].lowercased() + String($0[1]) }
        print(patterns.prefix(3), patterns.count)
        let table = try RouteTable(patterns: Array(patterns))
        print("visits", table.worstVisits, table.worstLink, table.isWorstVisitsExact)
        let links = patterns.map { "w://" + $0.split(separator: "/").map { $0.hasPrefix(":") ? "value12" : String($0) }.joined(separator: "/") }
        var best = Double.infinity, bestMatch = Double.infinity
        let parsed = links.map { try! DeepLink($0) }
        for _ in 0..<20 {
            var hits = 0
            var t = ContinuousClock().measure { for l in links { if let d = try? DeepLink(l), table.bestMatch(for: d) != nil { hits += 1 } } }
            best = min(best, Double(t.components.attoseconds) / 1e9 / Double(links.count))
            t = ContinuousClock().measure { for d in parsed { if table.bestMatch(for: d) != nil { hits += 1 } } }
            bestMatch = min(bestMatch, Double(t.components.attoseconds) / 1e9 / Double(links.count))
            #expect(hits == 2 * links.count)
        }
        print("parse+match ns", best, "match ns", bestMatch)
        for n in [100_000] {
            let flat = (0..<n).map { "feature\($0)/:id" }
            let tree = (0..<n).map { "cat\($0 / 2116)/page\($0 / 46 % 46)/:id/act\($0 % 46)" }
            for p in [flat, tree] {
                let t = try ContinuousClock().measure { _ = try RouteTable(patterns: p) }
                print("build", n, t)
            }
        }
    }
}
