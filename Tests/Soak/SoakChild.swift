import GlassBase
import Foundation
import GlassContainer
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets

/// A process that runs until it is killed, or until its standard input ends: then it shuts down its container.
struct SoakChild {
    let name: String
    let place: SoakEnvironment

    func run() async throws {
        let market = try place.market()
        let user = SoakUser(name: name, market: market, server: place.server) { Self.say($0.line) }
        let hasEnded = Lock(false)
        Thread.detachNewThread {
            while readLine() != nil {}
            hasEnded.withLock { $0 = true }
        }
        Self.say("ready")
        var number = 0
        while !hasEnded.withLock({ $0 }) {
            await user.step(number)
            number += 1
        }
        await market.container.shutdown()
        Self.say("ended")
    }

    /// A single call writes a short line atomically, so a kill never splits one.
    private static func say(_ line: String) {
        let bytes = Array((line + "\n").utf8)
        if write(1, bytes, bytes.count) != bytes.count { exit(2) }
    }
}

extension SoakUser.Note {
    /// The note as a line for the parent.
    var line: String {
        switch self {
        case .tracked(let event): "tracked \(event)"
        case .wrote(let key, let value): "wrote \(key) \(value)"
        case .did(let what): "did \(what)"
        case .wrong(let text): "wrong \(text.replacingOccurrences(of: "\n", with: " "))"
        }
    }

    /// Parses a line from a child; `nil` if invalid.
    init?(line: String) {
        let words = line.split(separator: " ", maxSplits: 1).map(String.init)
        guard words.count == 2 else { return nil }
        switch words[0] {
        case "tracked": self = .tracked(words[1])
        case "wrote":
            let pair = words[1].split(separator: " ").map(String.init)
            guard pair.count == 2 else { return nil }
            self = .wrote(key: pair[0], value: pair[1])
        case "did": self = .did(words[1])
        case "wrong": self = .wrong(words[1])
        default: return nil
        }
    }
}
