import GlassBase
package import GlassSchema

/// A market as data: what its files said, merged, without code, defaults, values of secrets or anything of the machine that
/// compiled it.
///
/// It is a JSON file that `glass-host compile` writes and ``CompiledMarkets`` loads.
///
/// ```json
/// {"currency":"CAD","id":"ca","loyalty":{"partnerKey":{"$secret":"SHOP_CA_KEY"}},"module":"shop","schema":1,"schemaDigest":"9f3c…"}
/// ```
package struct CompiledMarket: Sendable {
    /// The newest format that is read, and the one that is written.
    package static let generation = 1
    /// The most bytes of a compiled market.
    package static let longest = 1 << 20
    /// The keys at its top that are not the market's.
    static let header = ["module", "schema", "schemaDigest"]

    /// What diagnostics call the file.
    package let name: String
    /// The market's id.
    package let id: String
    /// The name of the module that it was compiled for.
    package let module: String
    /// The digest of that module's declarations: of another one, a key that the reader does not know is a newer one.
    package let schemaDigest: String
    /// The SHA-256 digest of the file, in hexadecimal.
    package let digest: String
    /// The values, with the places of the Lua files where the map is there.
    package let source: ConfigurationNode
    /// Where keys were taken away, by path; known from the map.
    let removals: [String: SourcePosition]
    /// How the files came to values for which they used words, by path; known from the map.
    let histories: [String: ValueHistory]
    /// Why the map beside it is of no use.
    let mapProblem: String?
    /// About how many bytes the values take.
    let footprint: Int

    /// Reads a compiled market.
    package init(reading bytes: [UInt8], name: String) throws(CompiledMarketError) {
        try self.init(reading: bytes, name: name, map: nil)
    }

    /// Reads a compiled market with its map.
    package init(
        reading bytes: [UInt8], name: String, map: (bytes: [UInt8], name: String)?
    ) throws(CompiledMarketError) {
        let json = try Self.json(bytes, file: name, limit: Self.longest)
        try Self.requireKnownFormat(json, file: name)
        func text(_ key: String) throws(CompiledMarketError) -> String {
            guard let text = json[key]?.stringValue else {
                throw .unexpected(name, path: ConfigurationPath([.key(key)]), problem: "expected text")
            }
            return text
        }
        self.name = name
        id = try text("id")
        guard StringFormat.marketID.matches(id) else {
            throw .unexpected(
                name, path: "id", problem: "expected \(StringFormat.marketID.expectation), got \(id.quotedForMessage)")
        }
        module = try text("module")
        schemaDigest = try text("schemaDigest")
        digest = Self.digest(of: bytes)

        var provenance: MarketProvenance?
        var problem: String?
        if let map {
            do throws(CompiledMarketError) {
                let read = try MarketProvenance(reading: map.bytes, file: map.name)
                if read.digest == digest {
                    provenance = read
                } else {
                    problem = "\(map.name) is the map of another version of this market"
                }
            } catch {
                problem = error.description
            }
        }
        mapProblem = problem
        removals = provenance?.removals ?? [:]
        histories = provenance?.histories ?? [:]
        var reader = CompiledTreeReader(file: name, places: provenance)
        let members = (json.members ?? []).filter { !Self.header.contains($0.key) }
        source = try reader.table(members, at: ConfigurationPath())
        footprint = reader.bytes
    }

    /// The SHA-256 digest of bytes, in hexadecimal.
    static func digest(of bytes: [UInt8]) -> String {
        var hash = SHA256Digest()
        hash.update(bytes)
        return hash.hexadecimal()
    }

    /// Reads JSON as compiled markets and their maps are.
    static func json(_ bytes: [UInt8], file: String, limit: Int) throws(CompiledMarketError) -> StrictJSON {
        do {
            return try StrictJSON(reading: bytes, limit: limit, numbers: .all)
        } catch {
            if case .tooLong = error.problem { throw .tooLarge(file, limit: limit) }
            throw .malformed(file, line: error.line, column: error.column, problem: "\(error.problem)")
        }
    }

    /// Refuses what has no format, or a newer one than this version reads.
    static func requireKnownFormat(_ json: StrictJSON, file: String) throws(CompiledMarketError) {
        guard json.members != nil else {
            throw .unexpected(file, path: ConfigurationPath(), problem: "expected an object")
        }
        guard let found = json["schema"]?.intValue, found > 0 else {
            throw .unexpected(file, path: "schema", problem: "expected the number of the format, from 1")
        }
        guard found <= generation else { throw .newerFormat(file, found: found, known: generation) }
    }
}
