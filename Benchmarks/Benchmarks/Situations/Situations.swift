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

private func defineBenchmarks() throws {
    let folder = try MarketTexts.write()
    let loader = MarketLoader(.platform, folder: MarketFolder(path: folder))
    @Sendable func check(_ id: String, _ count: Int) throws {
        for _ in 0..<count {
            let check = try loader.check(id)
            guard check.market != nil else { preconditionFailure("\(check.findings)") }
            blackHole(check)
        }
    }
    work("situations-check", batch: 1) {
        try check("plain", $0)
    } ours: {
        try check("varied", $0)
    }
    work("situations-large", batch: 1) {
        try check("plain", $0)
    } ours: {
        try check("large", $0)
    }

    let store = MarketStore(loader)
    try store.activate("large")
    let market = try loader.load("large")
    let contexts = (0..<2).map { number in
        var context = MarketContext()
        context["storeArea"] = .number(Double(1_000_000 + number))  // beyond every literal
        return context
    }
    work("situations-update", batch: 100) { count in
        for index in 0..<count { blackHole(contexts[index % 2]["storeArea"]) }
    } ours: { count in
        for index in 0..<count { blackHole(try store.update(context: contexts[index % 2])) }
    }
    let tablet = MarketContext(["deviceClass": .text("tablet")])
    work("situations-with", batch: 1) {
        try check("large", $0)
    } ours: { count in
        for _ in 0..<count { blackHole(try market.with(tablet)) }
    }
}

/// Markets that extend the real ones: one with 300 keys, the same keys with up to 8 alternatives over 64 conditions, and
/// one with 30 conditions and 40 overlays.
private enum MarketTexts {
    static func write() throws -> String {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let folder = FileManager.default.temporaryDirectory.appending(path: "situations-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: root.appending(path: "markets"), to: folder)
        let texts = [
            "plain": market("plain", values: 300, varied: false), "varied": market("varied", values: 300, varied: true),
            "large": large,
        ]
        for (id, text) in texts {
            try Data(text.utf8).write(to: folder.appending(path: "\(id).lua"))
        }
        return folder.path(percentEncoded: false)
    }

    private static func head(_ id: String) -> String {
        """
        return {
          id = "\(id)", name = "\(id)", extends = "us", locales = { "en-US", "es-US" }, currency = "USD",
          deepLinking = { schemes = { "\(id)" }, universalLinks = { "\(id).example" } },
          attributes = { storeArea = { type = "number" }, tier = { type = "choice", values = { "a", "b", "c", "d" }, pace = "start" } },

        """
    }

    /// The condition of a number: three tests, so that each overlaps some of the others and covers none.
    private static func condition(_ number: Int) -> String {
        let builds = ["debug", "beta", "release"], tiers = ["a", "b", "c", "d"]
        let devices = ["phone", "tablet", "desktop", "tv", "watch", "car", "server"]
        let third =
            number % 4 == 0
            ? "osVersion = \">= \(10 + number)\"" : "deviceClass = \"\(devices[number / 3 % 7])\""
        return "{ build = \"\(builds[number % 3])\", tier = \"\(tiers[number / 21 % 4])\", \(third) }"
    }

    private static func market(_ id: String, values: Int, varied: Bool) -> String {
        let conditions = (0..<64).map { "c\($0) = \(condition($0))" }.joined(separator: ", ")
        let keys = (0..<values).map { key -> String in
            guard varied else { return "k\(key) = \(key)" }
            let alternatives = (0..<(1 + key % 7)).map { "{ when = \"c\((key * 7 + $0 * 11) % 64)\", value = \($0) }" }
            return "k\(key) = vary { \(alternatives.joined(separator: ", ")), default = \(key) }"
        }
        return head(id) + (varied ? "conditions = { \(conditions) },\n" : "")
            + "platform = { userDefaultsRegistration = { defaults = { \(keys.joined(separator: ",\n")) } } } }\n"
    }

    private static var large: String {
        let conditions = (0..<30).map { "c\($0) = \(condition($0))" }.joined(separator: ", ")
        let overlays = (0..<40).map { number in
            """
            { name = "o\(number)", when = all { "c\(number % 30)", { storeArea = "< \(100 + number)" } }, beats = { \
            \((number + 1..<40).map { "\"o\($0)\"" }.joined(separator: ", ")) },
              platform = { networking = { retry = { maxRetries = \(number % 10), jitter = 0.\(number + 10) } } } }
            """
        }
        return head("large")
            + "conditions = { \(conditions) },\noverlays = { \(overlays.joined(separator: ",\n")) } }\n"
    }
}
