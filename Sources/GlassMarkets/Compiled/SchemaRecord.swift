package import GlassBase
import GlassDeepLinking
package import GlassSchema

/// The declarations of a module as data, which determine what a version of an app can read.
///
/// `glass-host schema record` writes a record for each release, so that publishing can check whether the apps in the
/// field can read a market. Its digest is in each compiled market.
///
/// ```json
/// {"handlers":["openBadge"],"keys":{…},"module":"shop","preconditions":["signedIn"],"routables":["account"],"schema":1,
///  "secretPrefixes":["SHOP_"],"version":"24.2"}
/// ```
package struct SchemaRecord: Sendable {
    /// The version of the app; nil if only the digest is needed.
    package let version: String?
    /// The name of the module.
    package let module: String
    /// The newest format of compiled markets that the version reads.
    package let generation: Int
    /// All keys that a market may have.
    package let keys: SectionDeclaration
    /// The ids of the routables.
    package let routables: [String]
    /// The names of the handlers.
    package let handlers: [String]
    /// The names of the preconditions.
    package let preconditions: [String]
    /// The prefixes of the names of secrets.
    package let secretPrefixes: [String]
    /// The names of the attributes that conditions can test. Empty for a release that reads no conditions.
    package let attributes: [String]

    /// Records a module.
    package init(_ module: MarketModule, version: String) {
        self.init(MarketSchema(module), version: version)
    }

    init(_ schema: MarketSchema, version: String? = nil) {
        self.version = version
        module = schema.module.name
        generation = CompiledMarket.generation
        keys = schema.declaration
        routables = schema.module.features.map(\.id).sorted()
        handlers = schema.module.handlers.map(\.name).sorted()
        preconditions = schema.module.preconditions.map(\.name).sorted()
        secretPrefixes = schema.module.secretPrefixes.sorted()
        attributes = schema.module.contextAttributes.map(\.name).sorted()
    }

    /// The record as JSON. O(keys).
    package var json: StrictJSON {
        func list(_ names: [String]) -> StrictJSON { .array(names.map { .string($0) }) }
        var members: [(String, StrictJSON)] = [
            ("handlers", list(handlers)), ("keys", keys.recorded), ("module", .string(module)),
            ("preconditions", list(preconditions)), ("routables", list(routables)),
            ("schema", .integer(StrictJSON.Integer(generation))), ("secretPrefixes", list(secretPrefixes)),
        ]
        if generation > CompiledMarket.plain { members.append(("attributes", list(attributes))) }
        if let version { members.append(("version", .string(version))) }
        return .object(members)
    }

    /// The record as a file.
    package var bytes: [UInt8] { json.text() + [UInt8(ascii: "\n")] }

    /// The SHA-256 digest of the declarations, regardless of the version. It is equal if the same markets are allowed.
    package var digest: String {
        let notDeclarations = ["attributes", "keys", "schema", "version"]
        // Flags are in files of a generation of their own, so that their keys do not matter to older releases.
        let older = SectionDeclaration(
            name: keys.name, keys: keys.keys.filter { !SituationReader.flagKeys.contains($0.name) }, others: keys.others
        )
        let unversioned =
            (json.members ?? []).filter { !notDeclarations.contains($0.key) }.map { ($0.key, $0.value) }
            + [("keys", older.recorded)]
            // Releases that read only the first generation compute the digest with its number.
            + [("schema", .integer(StrictJSON.Integer(CompiledMarket.plain)))]
        return CompiledMarket.digest(of: StrictJSON.object(unversioned).text())
    }

    // MARK: Reading

    /// The maximum size of a record, in bytes.
    package static let longest = 4 << 20

    /// Reads a record.
    package init(reading bytes: [UInt8], file: String) throws(CompiledMarketError) {
        let json = try CompiledMarket.json(bytes, file: file, limit: Self.longest)
        func failure(_ key: String, _ problem: String) -> CompiledMarketError {
            .unexpected(file, path: ConfigurationPath([.key(key)]), problem: problem)
        }
        func names(_ key: String) throws(CompiledMarketError) -> [String] {
            guard let values = json[key]?.arrayValue else { throw failure(key, "expected a list of names") }
            let names = values.compactMap(\.stringValue)
            guard names.count == values.count else { throw failure(key, "expected a list of names") }
            return names
        }
        // A release with a later version of this package also reads what this version writes, so its format may be
        // newer.
        guard let generation = json["schema"]?.intValue, generation > 0 else {
            throw failure("schema", "expected a format number of at least 1")
        }
        guard let module = json["module"]?.stringValue else { throw failure("module", "expected a string") }
        guard let version = json["version"]?.stringValue else { throw failure("version", "expected a string") }
        self.generation = generation
        self.module = module
        self.version = version
        handlers = try names("handlers")
        preconditions = try names("preconditions")
        routables = try names("routables")
        secretPrefixes = try names("secretPrefixes")
        attributes = try generation > CompiledMarket.plain ? names("attributes") : []
        keys = try DeclarationReader(file: file).section(json["keys"], "keys")
    }
}

extension MarketSchema {
    /// The digest of the declarations; see ``SchemaRecord/digest``.
    var digest: String { SchemaRecord(self).digest }
}
