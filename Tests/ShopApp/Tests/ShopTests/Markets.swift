import Foundation
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import ShopMarkets
import ShopMocks
import Testing

/// The markets of the app, in a folder of a test's own.
final class Markets: Sendable {
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let folder: URL
    private let module: MarketModule

    /// The app with mocks of what leaves the machine; links are opened by the real deep linker.
    static let module = MarketModule.shop.overriding(
        services: Service.allMocks.filter { $0.type != (any DeepLinker).self })

    init(_ files: [String: String] = [:], module: MarketModule = Markets.module) throws {
        self.module = module
        folder = FileManager.default.temporaryDirectory.appending(path: "shop-markets-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.package.appending(path: "markets"), to: folder)
        for (name, text) in files { try write(text, to: name) }
    }

    /// A loader of the folder, which stays for as long as the loader lives.
    var loader: MarketLoader {
        MarketLoader(module, folder: MarketFolder(path: folder.path)) { [self] _ in
            withExtendedLifetime(self) { "s3cret" }
        }
    }

    deinit {
        // A folder that cannot be removed is the system's to clean up.
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// What is said of a market that extends the United States and says one thing more.
    static func texts(of addition: String) throws -> [String] {
        let markets = try Markets([
            "xx.lua": "return { id = \"xx\", name = \"Test\", extends = \"us\",\n\(addition)\n}"
        ])
        return try markets.loader.check("xx").findings.map {
            $0.description.replacingOccurrences(of: markets.folder.path + "/", with: "")
        }
    }
}
