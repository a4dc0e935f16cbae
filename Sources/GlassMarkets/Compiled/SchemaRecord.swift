package import GlassBase
import GlassDeepLinking
package import GlassSchema

/// What a version of an app reads: the declarations of its module, as data.
///
/// `glass-host schema record` writes it for each release, so that publishing can find out whether the apps in the field
/// could read a market. Its digest is in each compiled market.
///
/// ```json
/// {"handlers":["openBadge"],"keys":{…},"module":"shop","preconditions":["signedIn"],"routables":["account"],"schema":1,
///  "secretPrefixes":["SHOP_"],"version":"24.2"}
/// ```
package struct SchemaRecord: Sendable {
    /// The version of the app; nil in what only the digest is made of.
    package let version: String?
    /// The name of the module.
    package let module: String
    /// The newest format of compiled markets that it reads.
    package let generation: Int
    /// Every key that a market may have.
    package let keys: SectionDeclaration
    /// The ids of the routables.
    package let routables: [String]
    /// The names of the handlers.
    package let handlers: [String]
    /// The names of the preconditions.
    package let preconditions: [String]
    /// What the names of secrets begin with.
    package let secretPrefixes: [String]

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
    }

    /// The record as JSON. O(keys).
    package var json: StrictJSON {
        func list(_ names: [String]) -> StrictJSON { .array(names.map { .string($0) }) }
        var members: [(String, StrictJSON)] = [
            ("handlers", list(handlers)), ("keys", keys.recorded), ("module", .string(module)),
            ("preconditions", list(preconditions)), ("routables", list(routables)),
            ("schema", .integer(StrictJSON.Integer(generation))), ("secretPrefixes", list(secretPrefixes)),
        ]
        if let version { members.append(("version", .string(version))) }
        return .object(members)
    }

    /// The record as a file.
    package var bytes: [UInt8] { json.text() + [UInt8(ascii: "\n")] }

    /// The SHA-256 digest of the declarations, whatever the version: the same where a market may say the same.
    package var digest: String {
        let unversioned = (json.members ?? []).filter { $0.key != "version" }.map { ($0.key, $0.value) }
        return CompiledMarket.digest(of: StrictJSON.object(unversioned).text())
    }

    // MARK: Reading

    /// The most bytes of a record.
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
        // A release of a later version of this package reads what this one writes too, so its format may be newer.
        guard let generation = json["schema"]?.intValue, generation > 0 else {
            throw failure("schema", "expected the number of the format, from 1")
        }
        guard let module = json["module"]?.stringValue else { throw failure("module", "expected text") }
        guard let version = json["version"]?.stringValue else { throw failure("version", "expected text") }
        self.generation = generation
        self.module = module
        self.version = version
        handlers = try names("handlers")
        preconditions = try names("preconditions")
        routables = try names("routables")
        secretPrefixes = try names("secretPrefixes")
        keys = try DeclarationReader(file: file).section(json["keys"], "keys")
    }
}

extension MarketSchema {
    /// The digest of the declarations; see ``SchemaRecord/digest``.
    var digest: String { SchemaRecord(self).digest }
}
