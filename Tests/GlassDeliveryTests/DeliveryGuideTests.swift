import DeliverySupport
import Foundation
@testable import GlassDelivery
import GlassMarkets
import Testing

/// The examples of the catalog's first page, line by line.
@Suite struct DeliveryGuideTests {
    @Test func examplesOnPageRun() async throws {
        let root = FileManager.default.temporaryDirectory.appending(path: "guide-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: root) }  // the system cleans up if this fails
        let (embedded, folder) = (root.appending(path: "app"), root.appending(path: "store"))
        let builtAt = Date(timeIntervalSince1970: 1_700_000_000)
        let repository = try TestRepository(root.appending(path: "server"))
        try repository.publish([TestRepository.File("4/ca.json", Self.market)])
        try repository.embed(in: embedded)

        let markets = try DeliveredMarkets(
            .shop, embedded: embedded, builtAt: builtAt, store: folder, appVersion: "25.1")
        let store = MarketStore(markets)
        try store.activate("ca")  // never waits for the network
        defer { store.retire("ca") }
        #expect(store.active?.definition.currency == "CAD")
        #expect(store.status(of: "ca")?.delivery?.health == .embedded)

        let server = try #require(URL(string: "http://127.0.0.1:9/"))
        let delivery = try MarketDelivery(markets, server: server)
        markets.firstScreenAppeared()
        markets.enterForeground()
        await delivery.refreshIfDue()
        store.reload("ca")  // a new version waits for the next start; a revoked one is dropped immediately
        #expect(store.status(of: "ca")?.delivery?.failedRefreshes == 1)
        markets.enterBackground()

        let market = try DeliveredMarkets(
            .shop, embedded: embedded, builtAt: builtAt, store: folder, appVersion: "25.1", role: .reader
        ).load("ca")
        #expect(market.id == "ca")
    }

    @Test func invalidBuildIsReported() throws {
        let nowhere = FileManager.default.temporaryDirectory.appending(path: "nowhere-\(UUID().uuidString)")
        for (version, text) in [("25.1", "cannot be used"), ("25.1-beta", "is not an app version")] {
            let error = #expect(throws: DeliveryError.self) {
                try DeliveredMarkets(.shop, embedded: nowhere, builtAt: Date(), store: nowhere, appVersion: version)
            }
            #expect("\(try #require(error))".contains(text))
        }
        #expect(!FileManager.default.fileExists(atPath: nowhere.path))
    }

    @Test func examplesAreCoveredLineByLine() throws {
        let file = URL(filePath: #filePath)
        let page = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Sources/GlassDelivery/GlassDelivery.docc/GlassDelivery.md")
        let lines = Set(
            try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
                .map { $0.trimmingCharacters(in: .whitespaces) })
        var isCode = false
        var count = 0
        for line in try String(contentsOf: page, encoding: .utf8).split(separator: "\n") {
            let code = line.trimmingCharacters(in: .whitespaces)
            if code.hasPrefix("```") {
                isCode = code == "```swift"
            } else if isCode, !code.hasPrefix("import ") {
                count += 1
                #expect(lines.contains(code), "\(code)")
            }
        }
        #expect(count == 13)
    }

    private static let market = Array(
        """
        {"currency":"CAD","deepLinking":{"schemes":["walmart.ca"]},"id":"ca","locales":["en-CA"],"module":"shop",\
        "name":"Canada","routables":{},"schema":4,"schemaDigest":""}
        """.utf8)
}

extension MarketModule {
    fileprivate static let shop = MarketModule("shop")
}
