package import GlassBase
import GlassDeepLinking
package import GlassSchema

/// The declarations of a module as data, which determine what a version of an app can read.
///
/// `glass-host schema record` writes a record for each release, so that publishing can check whether the apps in the
/// field can read a market. Its digest is in each compiled market.
///
/// ```json
/// {"handlers":["openBadge"],"keys":{…},"module":"shop","preconditions":["signedIn"],"routables":["account"],"schema":4,
///  "secretPrefixes":["SHOP_"],"version":"24.2"}
/// ```
package struct SchemaRecord: Sendable {
    /// The version of the app; nil if only the digest is needed.
    package let version: String?
    /// The name of the module.
    package let module: String
    /// The format of compiled markets that the version reads.
    package let format: Int
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
    /// The names of the attributes that conditions can test.
    package let attributes: [String]

    /// Records a module.
    package init(_ module: MarketModule, version: String) {
        self.init(MarketSchema(module), version: version)
    }

    init(_ schema: MarketSchema, version: String? = nil) {
        self.version = version
        module = schema.module.name
        format = CompiledMarket.format
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
            ("attributes", list(attributes)), ("handlers", list(handlers)), ("keys", keys.recorded),
            ("module", .string(module)),
            ("preconditions", list(preconditions)), ("routables", list(routables)),
            ("schema", .integer(StrictJSON.Integer(format))), ("secretPrefixes", list(secretPrefixes)),
        ]
        if let version { members.append(("version", .string(version))) }
        return .object(members)
    }

    /// The record as a file.
    package var bytes: [UInt8] { json.text() + [UInt8(ascii: "\n")] }

    /// The SHA-256 digest of the declarations, regardless of the version and the format. It is equal if the same markets
    /// are allowed.
    package var digest: String {
        let declarations = (json.members ?? []).filter { !["schema", "version"].contains($0.key) }
        return CompiledMarket.digest(of: StrictJSON.object(declarations.map { ($0.key, $0.value) }).text())
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
        // The record of a release with another format is read, too, so that the release is named when it is asked.
        guard let format = json["schema"]?.intValue, format > 0 else {
            throw failure("schema", "expected a format number of at least 1")
        }
        guard let module = json["module"]?.stringValue else { throw failure("module", "expected a string") }
        guard let version = json["version"]?.stringValue else { throw failure("version", "expected a string") }
        self.format = format
        self.module = module
        self.version = version
        handlers = try names("handlers")
        preconditions = try names("preconditions")
        routables = try names("routables")
        secretPrefixes = try names("secretPrefixes")
        attributes = try format < CompiledMarket.format ? [] : names("attributes")
        keys = try DeclarationReader(file: file).section(json["keys"], "keys")
    }
}

extension MarketSchema {
    /// The digest of the declarations; see ``SchemaRecord/digest``.
    var digest: String { SchemaRecord(self).digest }
}
