import GlassBase
package import GlassSchema

/// A market as data: the merged values of its files, without code, defaults, values of secrets, or anything specific to
/// the machine that compiled it.
///
/// It is a JSON file that `glass-host compile` writes and ``CompiledMarkets`` loads.
///
/// ```json
/// {"currency":"CAD","id":"ca","loyalty":{"partnerKey":{"$secret":"SHOP_CA_KEY"}},"module":"shop","schema":1,"schemaDigest":"9f3c…"}
/// ```
///
/// The format has generations. A reader refuses those that it does not know, so a market is written in the oldest
/// generation that can express it, and in older ones as what it is in the default situation.
package struct CompiledMarket: Sendable {
    /// The newest generation, which also contains flags, and percentages in conditions.
    package static let generation = 3
    /// The generation with conditions and the values that depend on them.
    package static let conditional = 2
    /// The generation of a market that is the same in every situation. Every reader knows it.
    package static let plain = 1
    /// The maximum size of a compiled market, in bytes.
    package static let longest = 1 << 20
    /// The keys at its top level that are not the market's.
    static let header = ["module", "schema", "schemaDigest"]
    /// The format's generation.
    package let generation: Int
    /// Its conditions; nil if it is the same in every situation.
    let situations: CompiledSituations?
    /// Its flags. A file of an older generation has none.
    let flags: FlagSet

    /// The file's name in findings.
    package let name: String
    /// The market's id.
    package let id: String
    /// The name of the module that it was compiled for.
    package let module: String
    /// The digest of that module's declarations. If the reader's digest differs, an unknown key may be a newer one.
    package let schemaDigest: String
    /// The SHA-256 digest of the file, in hexadecimal.
    package let digest: String
    /// The values, with positions in the Lua files if the provenance map is available.
    package let source: ConfigurationNode
    /// The positions at which keys were removed, by path; from the provenance map.
    let removals: [String: SourcePosition]
    /// The histories of values for which the files used directives, by path; from the provenance map.
    let histories: [String: ValueHistory]
    /// The reason why the provenance map cannot be used.
    let mapProblem: String?
    /// The approximate size of the values, in bytes.
    let footprint: Int

    /// Reads a compiled market.
    package init(reading bytes: [UInt8], name: String) throws(CompiledMarketError) {
        try self.init(reading: bytes, name: name, map: nil)
    }

    /// Reads a compiled market with its provenance map.
    package init(
        reading bytes: [UInt8], name: String, map: (bytes: [UInt8], name: String)?
    ) throws(CompiledMarketError) {
        let json = try Self.json(bytes, file: name, limit: Self.longest)
        generation = try Self.knownFormat(of: json, file: name)
        situations =
            try generation > Self.plain
            ? CompiledSituations(reading: json, file: name, hasFlags: generation > Self.conditional) : nil
        func text(_ key: String) throws(CompiledMarketError) -> String {
            guard let text = json[key]?.stringValue else {
                throw .unexpected(name, path: ConfigurationPath([.key(key)]), problem: "expected a string")
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
        var reader = CompiledTreeReader(file: name, places: provenance, conditions: situations?.conditions)
        let header = Self.header + (situations == nil ? [] : CompiledSituations.header)
        let members = (json.members ?? []).filter { !header.contains($0.key) }
        source = try reader.table(members, at: ConfigurationPath())
        if let unused = situations?.conditions.indices.first(where: { !reader.used.contains($0) }) {
            throw .unexpected(
                name, path: ConfigurationPath("conditions").appending(index: unused + 1),
                problem: "no value depends on the condition")
        }
        footprint = reader.bytes
        flags = try generation > Self.conditional ? Self.flags(of: source, situations, file: name) : FlagSet()
    }

    /// Reads the flags of a file. What this version does not know, it must not skip, because values would be wrong.
    private static func flags(
        of source: ConfigurationNode, _ situations: CompiledSituations?, file: String
    ) throws(CompiledMarketError) -> FlagSet {
        var reader = FlagReader(
            ConditionReader(attributes: situations?.attributes.map(\.declaration) ?? []), findings: FindingList(),
            budget: WorkBudget())
        let flags: FlagSet
        do throws(WorkBudget.Exceeded) {
            flags = try reader.flags(of: source, reportingForm: true)
        } catch {
            throw .unexpected(file, path: "flags", problem: "\(error)")
        }
        if let finding = reader.findings.sorted().first(where: { $0.severity == .error }) {
            throw .unknownForm(file, path: finding.path, problem: finding.message, known: generation)
        }
        return flags
    }

    /// The SHA-256 digest of bytes, in hexadecimal.
    static func digest(of bytes: [UInt8]) -> String {
        var hash = SHA256Digest()
        hash.update(bytes)
        return hash.hexadecimal()
    }

    /// Parses JSON by the rules for compiled markets and their maps.
    static func json(_ bytes: [UInt8], file: String, limit: Int) throws(CompiledMarketError) -> StrictJSON {
        do {
            return try StrictJSON(reading: bytes, limit: limit, numbers: .all)
        } catch {
            if case .tooLong = error.problem { throw .tooLarge(file, limit: limit) }
            throw .malformed(file, line: error.line, column: error.column, problem: "\(error.problem)")
        }
    }

    /// The format of a file. Rejects a file without one, or with a newer one than this version reads.
    @discardableResult
    static func knownFormat(of json: StrictJSON, file: String) throws(CompiledMarketError) -> Int {
        guard json.members != nil else {
            throw .unexpected(file, path: ConfigurationPath(), problem: "expected an object")
        }
        guard let found = json["schema"]?.intValue, found > 0 else {
            throw .unexpected(file, path: "schema", problem: "expected a format number of at least 1")
        }
        guard found <= generation else { throw .newerFormat(file, found: found, known: generation) }
        return found
    }
}
