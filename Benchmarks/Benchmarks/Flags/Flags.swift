import Benchmark
import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Support

let benchmarks: @Sendable () -> Void = {
    do {
        try defineBenchmarks()
    } catch {
        preconditionFailure("the benchmarks cannot be set up: \(error)")
    }
}

extension FlagKey where Value == Bool {
    fileprivate static let newCheckout = FlagKey("newCheckout", default: false)
}

/// The floor of a reading is a look-up of the name among 200 in a dictionary, which knows no context, type or reason.
private func defineBenchmarks() throws {
    let folder = try MarketTexts.write()
    let loader = MarketLoader(.platform, folder: MarketFolder(path: folder))
    let market = try loader.load("flags")
    let flags: any FeatureFlags = market.container.get()
    let names = (0..<199).map { "flag\($0)" } + ["newCheckout"]
    let dictionary = Dictionary(uniqueKeysWithValues: names.map { ($0, $0.utf8.count > 3) })

    work("flags-read", batch: 1000) { count in
        for _ in 0..<count { blackHole(dictionary["newCheckout"]) }
    } ours: { count in
        for _ in 0..<count { blackHole(flags[.newCheckout]) }
    }
    // Three rules: the first two do not hold, the third takes half of the installations.
    let contexts = (0..<2).map { number in
        MarketContext(["region": .text("CA-ON"), "installID": .text("7583e0e0-5199-99cf-d209-fbe9ed9192c\(number)")])
    }
    work("flags-context", batch: 1000) { count in
        for _ in 0..<count { blackHole(dictionary["newCheckout"]) }
    } ours: { count in
        for index in 0..<count { blackHole(flags.peek(.newCheckout, in: contexts[index % 2]).value) }
    }

    @Sendable func check(_ id: String, _ count: Int) throws {
        for _ in 0..<count {
            let check = try loader.check(id)
            guard check.market != nil else { preconditionFailure("\(check.findings)") }
            blackHole(check)
        }
    }
    work("flags-check", batch: 1) {
        try check("us", $0)
    } ours: {
        try check("flags", $0)
    }
}

/// A market with 200 flags of three rules each, which extends the United States.
private enum MarketTexts {
    static func write() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = FileManager.default.temporaryDirectory.appending(path: "flags-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: root.appending(path: "markets"), to: folder)
        let flags = (0..<199).map { flag("flag\($0)", region: $0 % 2 == 0 ? "CA" : "MX", percent: 1 + $0 % 99) }
        let text = """
            return {
              id = "flags", name = "Flags", extends = "us", locales = { "en-US" }, currency = "USD",
              deepLinking = { schemes = { "flags" }, universalLinks = { "flags.example" } },
              flags = {
            \((flags + [flag("newCheckout", region: "CA-QC", percent: 50)]).joined(separator: "\n"))
              },
            }
            """
        try Data(text.utf8).write(to: folder.appending(path: "flags.lua"))
        return folder.path(percentEncoded: false)
    }

    private static func flag(_ name: String, region: String, percent: Int) -> String {
        """
        \(name) = { kind = "release", owner = "o", expires = "2099-12-31", default = false, rules = {
        { name = "team", when = { audience = "team" }, value = true },
        { name = "region", when = { region = "\(region)" }, value = false },
        { name = "ramp", rollout = { percent = \(percent), by = "installID" }, value = true } } },
        """
    }
}
