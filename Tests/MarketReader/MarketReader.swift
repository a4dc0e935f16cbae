import Foundation
import GlassContainer
import GlassDeepLinking
import GlassFlags
import GlassMarkets
import GlassSchema

/// Resembles an app's binary that reads compiled markets, opens links, and has a feature with a flag, without any services
/// of the platform: a test searches it for Lua, SQLite, and the network.
@main
enum MarketReader {
    static let module = MarketModule("reader", sections: [Badge.self])

    struct Badge: MarketSection {
        var text = ""

        static let key = "badge"
        static let summary = "What the badge says."
        static let keys: [ConfigurationKey<Self>] = [.init("text", \.text, .string(.nonEmpty), "The text.")]
    }

    static func main() throws {
        guard CommandLine.arguments.count == 4 else {
            print("usage: market-reader FOLDER MARKET LINK")
            exit(64)
        }
        let folder = URL(fileURLWithPath: CommandLine.arguments[1])
        let market = try CompiledMarkets(module, folder: folder).load(CommandLine.arguments[2])
        let flags = market.container.getIfRegistered((any FeatureFlags).self)
        let text = market[Badge.self].text
        let result = market.open(CommandLine.arguments[3])
        print(
            result.outcome.name, result.navigation.screens.last?.name ?? "",
            flags?[.uppercase] == true ? text.uppercased() : text)
    }
}

extension FlagKey where Value == Bool {
    static let uppercase = FlagKey("uppercase", default: false)
}
