import GlassBase
import GlassDelivery
import GlassMarkets
import GlassSchema

/// A market to publish: the compiled files and their provenance maps.
struct PublishedMarket: Sendable {
    /// The market in one generation of the format.
    struct File: Sendable {
        /// The generation.
        let generation: Int
        /// The compiled market.
        let bytes: [UInt8]
        /// The provenance map: the source positions of its values.
        let map: [UInt8]
    }

    /// The market's id.
    let id: String
    /// The files, oldest generation first. The first is for every app: what the market is in the default situation.
    let files: [File]
    /// The date at which the first file becomes out of date, because a condition tests the date.
    let validUntil: ContextDate?

    init(id: String, files: [File], validUntil: ContextDate? = nil) {
        self.id = id
        self.files = files
        self.validUntil = validUntil
    }

    /// Compiles a market. Its first file is what the market is in the situation that it was read in.
    init(compiling market: Market) throws(PublishingError) {
        do {
            let writer = try CompiledMarketWriter(market)
            var date: ContextDate?
            if case .date(let now)? = market.context["date"] {
                date = market.origin.situations?.nextChange(after: now, ofFlags: false)
            }
            self.init(
                id: market.id,
                files: writer.files.map { File(generation: $0.generation, bytes: $0.market, map: $0.map) },
                validUntil: date)
        } catch {
            throw .refused("\(error)")
        }
        let limit = UpdateLimits().fileLength
        for file in files where file.bytes.count > limit {
            throw .refused(
                "the compiled market \(id) has \(file.bytes.count.grouped) bytes, but clients accept \(limit.grouped) at "
                    + "most; reduce its size")
        }
    }

    /// Whether the market has a file of a generation, which older apps do not read.
    func has(_ generation: Int) -> Bool { files.contains { $0.generation == generation } }

    /// The generations of the format that can be published.
    static let generations = CompiledMarket.plain...CompiledMarket.generation

    /// The path of a market in targets metadata: `1/ca.json`, `1/ca.next.json` during a rollout, or `1/ca.map.json`.
    static func path(of id: String, _ suffix: String = "", generation: Int = CompiledMarket.plain) -> String {
        "\(generation)/\(id)\(suffix).json"
    }

    /// The metadata about a market in addition to its bytes.
    static func custom(
        of id: String, generation: Int = CompiledMarket.plain, serial: Int, apps: AppRange, share: Int? = nil
    ) -> StrictJSON {
        StrictJSON.object([
            ("market", .string(id)), ("schema", .integer(generation)), ("serial", .integer(serial)),
        ]).replacing([
            ("app", apps.json),
            (
                "rollout",
                // A new salt for each version assigns the installations differently, so that the first ones are not
                // always the same. All generations share it: an installation that gets a later one with an update of
                // the app keeps the version.
                share.map { .object([("salt", .string("\(id)-\(serial)")), ("share", .integer($0))]) }
            ),
        ])
    }
}
