import Foundation
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import TestSupport
import Testing
import MarketTesting

/// The inputs that `scripts/fuzz` starts with, including each one that once caused a failure: every one is handled in
/// time.
@Suite(.timeLimit(.minutes(2)))
struct FuzzCorpusTests {
    private static func corpus(_ target: String) throws -> [String] {
        let folder = FuzzedMarket.repository.appending(path: "Tests/Fuzz/corpus/\(target)")
        return try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { !$0.hasPrefix(".") }.sorted()
            .map { folder.appending(path: $0).path }
    }

    @Test func marketFromCorpusIsChecked() throws {
        let market = try FuzzedMarket()
        let inputs = try Self.corpus("market")
        try #require(!inputs.isEmpty)
        let loader = MarketLoader(
            .platformInMemory, folder: MarketFolder(path: market.folder.path), secrets: { _ in nil })
        // Loading all of them takes seconds.
        for index in stride(from: 0, to: inputs.count, by: rounds(all: 1, few: 4)) {
            let path = inputs[index]
            try market.write(Array(try Data(contentsOf: URL(fileURLWithPath: path))))
            do {
                let check = try loader.check(FuzzedMarket.id)
                #expect(check.market != nil || check.findings.contains { $0.severity == .error }, "\(path)")
                #expect(check.findings.reduce(0) { $0 + $1.description.utf8.count } < 1 << 20, "\(path)")
            } catch is MarketFolderError {
                // A file that the input does not contain.
            }
        }
    }

    @Test func linkFromCorpusIsOpened() throws {
        let market = try FuzzedMarket()
        let loader = MarketLoader(
            .platformInMemory, folder: MarketFolder(path: market.folder.path), secrets: { _ in nil })
        for id in ["us", "ca", "mx"] {
            let market = try loader.load(id)
            market.preconditions.satisfyAll()
            for path in try Self.corpus("open") {
                let link = String(decoding: try Data(contentsOf: URL(fileURLWithPath: path)), as: UTF8.self)
                let isRoutable = market.deepLinker.canRoute(deepLink: link)
                if case .refused = market.open(link).outcome { #expect(!isRoutable, "\(path)") }
            }
        }
    }
}
