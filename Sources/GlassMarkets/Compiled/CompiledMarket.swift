import GlassBase
package import GlassSchema

/// A market as data: the merged values of its files, without code, defaults, values of secrets, or anything specific to
/// the machine that compiled it.
///
/// It is a JSON file that `glass-host compile` writes and ``CompiledMarkets`` loads.
///
/// ```json
/// {"currency":"CAD","id":"ca","loyalty":{"partnerKey":{"$secret":"SHOP_CA_KEY"}},"module":"shop","schema":4,"schemaDigest":"9f3c…"}
/// ```
///
/// There is one format. A change that an earlier reader would misread gets the next number, which is also the name of the
/// folder. The writer and the reader know only that number: an older app refuses the file and keeps the market that it
/// has, and `publish` says so before, from the records of releases.
package struct CompiledMarket: Sendable {
    /// The number of the format. The numbers 1 to 3 were used before the first release, and no number is used twice.
    package static let format = 4
    /// The maximum size of a compiled market, in bytes.
    package static let longest = 1 << 20
    /// The keys at its top level that are not the market's.
    static let header = ["module", "schema", "schemaDigest"]
    /// Its conditions; without any, no value but those of flags depends on the situation.
    let situations: CompiledSituations
    /// Its flags.
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
        try Self.requireFormat(of: json, file: name)
        situations = try CompiledSituations(reading: json, file: name)
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
        var reader = CompiledTreeReader(file: name, places: provenance, conditions: situations.conditions)
        let header = Self.header + CompiledSituations.header
        let members = (json.members ?? []).filter { !header.contains($0.key) }
        source = try reader.table(members, at: ConfigurationPath())
        if let unused = situations.conditions.indices.first(where: { !reader.used.contains($0) }) {
            throw .unexpected(
                name, path: ConfigurationPath("conditions").appending(index: unused + 1),
                problem: "no value depends on the condition")
        }
        footprint = reader.bytes
        flags = try Self.flags(of: source, situations, file: name)
        let tested = (situations.conditions + flags.conditions).reduce(into: Set()) { $0.formUnion($1.attributes) }
        if let unused = situations.attributes.first(where: { !tested.contains($0.declaration.name) }) {
            throw .unexpected(
                name, path: ConfigurationPath([.key("attributes"), .key(unused.declaration.name)]),
                problem: "no condition tests it")
        }
    }

    /// Reads the flags of a file. What this version does not know, it must not skip, because values would be wrong.
    private static func flags(
        of source: ConfigurationNode, _ situations: CompiledSituations, file: String
    ) throws(CompiledMarketError) -> FlagSet {
        var reader = FlagReader(
            ConditionReader(attributes: situations.attributes.map(\.declaration)), findings: FindingList(),
            budget: WorkBudget())
        let flags: FlagSet
        do throws(WorkBudget.Exceeded) {
            flags = try reader.flags(of: source, reportingForm: true)
        } catch {
            throw .unexpected(file, path: "flags", problem: "\(error)")
        }
        if let finding = reader.findings.sorted().first(where: { $0.severity == .error }) {
            throw .unknownForm(file, path: finding.path, problem: finding.message, known: format)
        }
        // A market without flags has neither key, so that it has one spelling.
        for key in SituationReader.flagKeys where flags.isEmpty {
            let path = ConfigurationPath([.key(key)])
            if source.node(at: path) != nil { throw .unexpected(file, path: path, problem: "there are no flags") }
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

    /// Rejects a file without a format, or with another one than this version reads.
    static func requireFormat(of json: StrictJSON, file: String) throws(CompiledMarketError) {
        guard json.members != nil else {
            throw .unexpected(file, path: ConfigurationPath(), problem: "expected an object")
        }
        guard let found = json["schema"]?.intValue, found > 0 else {
            throw .unexpected(file, path: "schema", problem: "expected a format number of at least 1")
        }
        guard found >= format else { throw .formerFormat(file, found: found, known: format) }
        guard found == format else { throw .newerFormat(file, found: found, known: format) }
    }
}
