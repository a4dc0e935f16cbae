import Foundation
import GlassDeepLinking
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import ShopMarkets
import ShopMocks
import Testing

/// The app's markets, in a temporary folder.
final class Markets: Sendable {
    static let package = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    let folder: URL
    private let module: MarketModule

    /// The app with mocks of external services; the real deep linker opens links.
    static let module = MarketModule.shop.overriding(
        services: Service.allMocks.filter { $0.type != (any DeepLinker).self })

    init(_ files: [String: String] = [:], module: MarketModule = Markets.module) throws {
        self.module = module
        folder = FileManager.default.temporaryDirectory.appending(path: "shop-markets-\(UUID().uuidString)")
        try FileManager.default.copyItem(at: Self.package.appending(path: "markets"), to: folder)
        for (name, text) in files { try write(text, to: name) }
    }

    /// A loader for the folder, which exists as long as the loader.
    var loader: MarketLoader {
        MarketLoader(module, folder: MarketFolder(path: folder.path)) { [self] _ in
            withExtendedLifetime(self) { "s3cret" }
        }
    }

    deinit {
        // The system cleans up a folder that cannot be removed.
        try? FileManager.default.removeItem(at: folder)
    }

    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: folder.appending(path: name))
    }

    /// The findings about a market that extends the United States with one addition.
    static func texts(of addition: String) throws -> [String] {
        let markets = try Markets([
            "xx.lua": "return { id = \"xx\", name = \"Test\", extends = \"us\",\n\(addition)\n}"
        ])
        return try markets.loader.check("xx").findings.map {
            $0.description.replacingOccurrences(of: markets.folder.path + "/", with: "")
        }
    }
}
