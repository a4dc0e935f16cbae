import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import LuaBridge

/// A markets folder of a test's own: the real markets, and files that the test writes beside them.
final class MarketFixture: Sendable {
    let folder: URL

    /// The repository, found from this file.
    static let repository = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    init(_ files: [String: String] = [:]) throws {
        folder = FileManager.default.temporaryDirectory.appending(path: "markets-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.repository.appending(path: "markets"), to: folder)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        // A folder that cannot be removed is the system's to clean up.
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ text: String, to name: String) throws {
        try write(Data(text.utf8), to: name)
    }

    func write(_ data: Data, to name: String) throws {
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try data.write(to: file)
    }

    /// A loader of the folder; secrets are those of the test alone.
    func loader(secrets: [String: String] = [:], limits: MarketLimits = MarketLimits()) -> MarketLoader {
        // The closure keeps the folder for as long as the loader lives.
        MarketLoader(.platform, folder: MarketFolder(path: folder.path), limits: limits) { [self] name in
            withExtendedLifetime(self) { secrets[name] }
        }
    }

    /// The diagnostics of a market without warnings about secrets, the folder's name shortened to `markets`.
    func diagnostics(_ id: String, limits: MarketLimits = MarketLimits()) throws -> String {
        try loader(limits: limits).check(id).findings.filter { $0.code != .secretUnset }.map(\.description)
            .joined(separator: "\n").replacingOccurrences(of: folder.path, with: "markets")
    }

    /// The diagnostics of a market that extends the United States and says one thing more.
    static func diagnostics(of addition: String, files: [String: String] = [:]) throws -> String {
        var files = files
        files["xx.lua"] = "return { id = \"xx\", name = \"Test\", extends = \"us\",\n\(addition)\n}"
        return try MarketFixture(files).diagnostics("xx", limits: patientLimits)
    }

    /// Limits for tests that ask what is said, not how fast: a sanitizer beside other work may take longer than a market
    /// may.
    static let patientLimits: MarketLimits = {
        var limits = MarketLimits(load: .seconds(60))
        limits.evaluation.cpuTime = .seconds(60)
        return limits
    }()
}
