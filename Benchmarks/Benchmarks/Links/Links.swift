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

/// A table and the links that are sent to it.
private struct Case {
    let table: RouteTable
    let links: [String]
    let routes: [RouteDeclaration]

    init(_ patterns: [String], links: (RouteTable) -> [String]) throws {
        routes = patterns.map { RouteDeclaration(pattern: $0, routableID: $0) }
        table = try RouteTable(routes)
        self.links = links(table)
    }

    /// GitHub's routes, and a link for each.
    static func github(_ change: (String) -> String = { $0 }) throws -> Case {
        let fixture = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appending(path: "github_api_routes.tsv")
        let patterns = try String(contentsOf: fixture, encoding: .utf8).split(separator: "\n").map { line -> String in
            let fields = line.split(separator: "\t")
            return fields[0].lowercased() + fields[1].replacingOccurrences(of: "*", with: ":")
        }
        return try Case(patterns) { _ in patterns.map { change(sample($0)) } }
    }

    /// Made-up routes, and a link for as many of them as GitHub has.
    static func large(_ patterns: [String], _ change: (String) -> String = { $0 }) throws -> Case {
        try Case(patterns) { _ in
            stride(from: 0, to: patterns.count, by: patterns.count / count).prefix(count)
                .map { change(sample(patterns[$0])) }
        }
    }

    /// Every prefix of the link is a literal and a parameter at once, so that the search comes back at each place; the
    /// worst link of the table is its input.
    static func hostile() throws -> Case {
        let depth = 5
        let patterns = (0..<1 << depth).map { mask in
            (0..<depth).map { mask >> $0 & 1 == 0 ? "a" : ":p\($0)" }.joined(separator: "/") + "/end\(mask)"
        }
        return try Case(patterns) {
            Array(repeating: "https://www.walmart.com/" + $0.worstLink + "/none", count: 100)
        }
    }

    /// How many routes GitHub has in the table.
    static let count = 239

    private static func sample(_ pattern: String) -> String {
        "https://www.walmart.com/"
            + pattern.split(separator: "/").map { $0.hasPrefix(":") ? "value7" : String($0) }.joined(separator: "/")
    }

    /// How many places of the table the links make the search look at.
    var visits: Int { links.count * table.worstVisits }

    func scanAll() {
        for link in links { blackHole(scan(link)) }
    }

    /// Parses and matches each link, as opening one does before anything runs.
    func matchAll() throws {
        for link in links { blackHole(try table.bestMatch(for: DeepLink(link))) }
    }
}

private func measure(_ id: String, batch: Int = Case.count, _ setup: @escaping @Sendable () throws -> Case) {
    work(id, batch: batch, setup: setup) {
        $0.scanAll()
    } ours: {
        try $0.matchAll()
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
    measure("link-hit") { try .github() }
    measure("link-query") { try .github { $0 + "?utm_source=mail&page=2" } }
    measure("link-miss") { try .github { $0.replacingOccurrences(of: ".com/", with: ".com/z") } }
    for (name, count) in [("1k", 1_000), ("10k", 10_000), ("100k", 100_000)] {
        for (kind, patterns) in [("flat", flat(count)), ("tree", tree(count))] {
            measure("link-\(name)-\(kind)-hit") { try .large(patterns) }
            measure("link-\(name)-\(kind)-miss") { try .large(patterns) { $0 + "x/y" } }
            guard count == 100_000 else { continue }
            work("link-\(name)-\(kind)-growth", batch: Case.count) {
                (small: try Case.github(), large: try Case.large(patterns))
            } floor: {
                try $0.small.matchAll()
            } ours: {
                try $0.large.matchAll()
            }
            work("link-\(name)-\(kind)-build", batch: 1) {
                try Case.large(patterns)
            } floor: {
                for route in $0.routes { blackHole(scan(route.pattern)) }
            } ours: {
                blackHole(try RouteTable($0.routes))
            }
        }
    }
    measure("link-hostile", batch: try Case.hostile().visits) { try .hostile() }
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
