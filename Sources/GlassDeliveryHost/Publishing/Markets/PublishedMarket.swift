import GlassBase
import GlassDelivery
import GlassMarkets
import GlassSchema

/// A market to publish: the compiled file and its provenance map.
struct PublishedMarket: Sendable {
    /// The market's id.
    let id: String
    /// The compiled market.
    let bytes: [UInt8]
    /// The provenance map: the source positions of its values.
    let map: [UInt8]

    init(id: String, bytes: [UInt8], map: [UInt8]) {
        self.id = id
        self.bytes = bytes
        self.map = map
    }

    /// Compiles a market.
    init(compiling market: Market) throws(PublishingError) {
        do {
            let writer = try CompiledMarketWriter(market)
            self.init(id: market.id, bytes: writer.market, map: writer.map)
        } catch {
            throw .refused("\(error)")
        }
        let limit = UpdateLimits().fileLength
        guard bytes.count <= limit else {
            throw .refused(
                "the compiled market \(id) has \(bytes.count.grouped) bytes, but clients accept \(limit.grouped) at "
                    + "most; reduce its size")
        }
    }

    /// The path of a market in targets metadata: `4/ca.json`, `4/ca.next.json` during a rollout, or `4/ca.map.json`.
    static func path(of id: String, _ suffix: String = "") -> String { "\(CompiledMarket.format)/\(id)\(suffix).json" }

    /// The metadata about a market in addition to its bytes.
    static func custom(of id: String, serial: Int, apps: AppRange, share: Int? = nil) -> StrictJSON {
        StrictJSON.object([
            ("market", .string(id)), ("schema", .integer(CompiledMarket.format)), ("serial", .integer(serial)),
        ]).replacing([
            ("app", apps.json),
            (
                "rollout",
                // A new salt for each version assigns the installations differently, so that the first ones are not
                // always the same.
                share.map { .object([("salt", .string("\(id)-\(serial)")), ("share", .integer($0))]) }
            ),
        ])
    }
}
