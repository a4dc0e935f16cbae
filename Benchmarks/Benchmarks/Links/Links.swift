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
    let many = (0..<100_000).map { "feature\($0)/:id" }
    let large = try table(many)
    measure("link-100k-hit", large, stride(from: 0, to: 100_000, by: 419).map { sample(many[$0]) })
    measure("link-100k-miss", large, stride(from: 0, to: 100_000, by: 419).map { sample(many[$0]) + "x/y" })
}
