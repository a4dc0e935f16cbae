package import GlassBase
import GlassDelivery
package import GlassMarkets

/// A market as it is about to be published: the compiled file and its map.
package struct PublishedMarket: Sendable {
    /// The market's id.
    package let id: String
    /// The compiled market.
    package let bytes: [UInt8]
    /// The map of where its values were written.
    package let map: [UInt8]

    /// Takes what was compiled.
    package init(id: String, bytes: [UInt8], map: [UInt8]) {
        self.id = id
        self.bytes = bytes
        self.map = map
    }

    /// Compiles a market.
    package init(compiling market: Market) throws(PublishingError) {
        do {
            let writer = try CompiledMarketWriter(market)
            self.init(id: market.id, bytes: writer.market, map: writer.map)
        } catch {
            throw .refused("\(error)")
        }
        let limit = UpdateLimits().fileLength
        guard bytes.count <= limit else {
            throw .refused(
                "the market \(id) has \(bytes.count.grouped) bytes when it is compiled, and clients take \(limit.grouped); "
                    + "shorten it")
        }
    }

    /// Where targets list a market: `1/ca.json`, `1/ca.next.json` for the share of a rollout, `1/ca.map.json`.
    package static func path(of id: String, _ suffix: String = "") -> String {
        "\(CompiledMarket.generation)/\(id)\(suffix).json"
    }

    /// What targets say about a market besides its bytes.
    package static func custom(of id: String, serial: Int, apps: AppRange, share: Int? = nil) -> StrictJSON {
        StrictJSON.object([
            ("market", .string(id)), ("schema", .integer(CompiledMarket.generation)), ("serial", .integer(serial)),
        ]).replacing([
            ("app", apps.json),
            (
                "rollout",
                // The salt deals the installs anew for each version, so that it is not always the same ones who try.
                share.map { .object([("salt", .string("\(id)-\(serial)")), ("share", .integer($0))]) }
            ),
        ])
    }
}
