import Benchmark
import Foundation
import GlassDeepLinking
import Support

/// The floor: one look at each byte, counting what a parser has to find.
@inline(never)
private func scan(_ link: String) -> Int {
    link.utf8.withContiguousStorageIfAvailable { bytes in
        var found = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "/"), UInt8(ascii: "&"), UInt8(ascii: "="), UInt8(ascii: "%"): found += 1
            case UInt8(ascii: ":"), UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "@"): found += 2
            default: break
            }
        }
        return found
    } ?? 0
}

/// Parses and matches each link, as opening one does before anything runs.
private func measure(_ id: String, _ table: RouteTable, _ links: [String]) {
    work(id, batch: links.count) { _ in
        for link in links { blackHole(scan(link)) }
    } ours: { _ in
        for link in links { blackHole(try table.bestMatch(for: DeepLink(link))) }
    }
}

let benchmarks: @Sendable () -> Void = {
    do {
        try defineBenchmarks()
    } catch {
        preconditionFailure("the benchmarks cannot be set up: \(error)")
    }
}

private func defineBenchmarks() throws {
    let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "github_api_routes.tsv")
    let github = try String(contentsOf: fixture, encoding: .utf8).split(separator: "\n").map { line -> String in
        let fields = line.split(separator: "\t")
        return fields[0].lowercased() + fields[1].replacingOccurrences(of: "*", with: ":")
    }
    func sample(_ pattern: String) -> String {
        "https://www.walmart.com/"
            + pattern.split(separator: "/").map { $0.hasPrefix(":") ? "value7" : String($0) }.joined(separator: "/")
    }
    func table(_ patterns: [String]) throws -> RouteTable {
        try RouteTable(patterns.map { RouteDeclaration(pattern: $0, routableID: $0) })
    }
    let routes = try table(github)
    measure("link-hit", routes, github.map(sample))
    measure("link-query", routes, github.map { sample($0) + "?utm_source=mail&page=2" })
    measure("link-miss", routes, github.map { sample($0).replacingOccurrences(of: ".com/", with: ".com/z") })
    for (name, count) in [("1k", 1_000), ("10k", 10_000), ("100k", 100_000)] {
        for (kind, patterns) in [("flat", flat(count)), ("tree", tree(count))] {
            let declarations = patterns.map { RouteDeclaration(pattern: $0, routableID: $0) }
            let large = try RouteTable(declarations)
            let links = stride(from: 0, to: count, by: count / 239).map { sample(patterns[$0]) }
            measure("link-\(name)-\(kind)-hit", large, links)
            measure("link-\(name)-\(kind)-miss", large, links.map { $0 + "x/y" })
            guard count == 100_000 else { continue }
            let hits = github.map(sample)
            work("link-\(name)-\(kind)-growth", batch: 239) { _ in
                for link in hits.prefix(239) { blackHole(try routes.bestMatch(for: DeepLink(link))) }
            } ours: { _ in
                for link in links.prefix(239) { blackHole(try large.bestMatch(for: DeepLink(link))) }
            }
            work("link-\(name)-\(kind)-build", batch: 1, seconds: 6) { _ in
                for pattern in patterns { blackHole(scan(pattern)) }
            } ours: { _ in
                blackHole(try RouteTable(declarations))
            }
        }
    }
    // Every prefix of the link is a literal and a parameter at once, so that the search comes back at each place; the
    // worst link of the table is its input.
    let depth = 5
    let hostile = try table(
        (0..<1 << depth).map { mask in
            (0..<depth).map { mask >> $0 & 1 == 0 ? "a" : ":p\($0)" }.joined(separator: "/") + "/end\(mask)"
        })
    let worst = Array(repeating: "https://www.walmart.com/" + hostile.worstLink + "/none", count: 100)
    work("link-hostile", batch: worst.count * hostile.worstVisits) { _ in
        for link in worst { blackHole(scan(link)) }
    } ours: { _ in
        for link in worst { blackHole(try hostile.bestMatch(for: DeepLink(link))) }
    }
}

/// One literal and a parameter.
private func flat(_ count: Int) -> [String] {
    (0..<count).map { "feature\($0)/:id" }
}

/// Two levels of literals, a parameter and a literal, each with as many children.
private func tree(_ count: Int) -> [String] {
    var side = 1
    while side * side * side < count { side += 1 }
    return (0..<count).map { "cat\($0 / side / side)/page\($0 / side % side)/:id/act\($0 % side)" }
}
