import GlassBase
package import GlassSchema

/// A market in its compiled form, with its provenance map.
///
/// The same files produce the same bytes on any machine and on any day.
package struct CompiledMarketWriter: Sendable {
    /// The compiled market.
    package let market: [UInt8]
    /// The provenance map.
    package let map: [UInt8]
    /// The SHA-256 digest of the compiled market, in hexadecimal.
    package let digest: String

    /// Compiles a market.
    package init(_ market: Market) throws(CompiledMarketError) {
        let functions = market.findingsAgainstCompiling
        guard functions.isEmpty else { throw .notPortable(market.id, findings: functions) }
        let file = CompiledMarketFiles.name(of: market.id)
        let source = market.source.withoutDeprecations
        guard case .map(let entries) = source.value else {
            throw .unexpected(file, path: ConfigurationPath(), problem: "expected a table with keys")
        }
        var members: [(String, StrictJSON)] = []
        do {
            members = try CompiledTree.members(of: entries, at: ConfigurationPath())
        } catch {
            throw .unexpected(file, path: error.path, problem: error.problem)
        }
        members += [
            ("module", .string(market.module.name)),
            ("schema", .integer(StrictJSON.Integer(CompiledMarket.generation))),
            ("schemaDigest", .string(SchemaRecord(market.schema).digest)),
        ]
        self.market = StrictJSON.object(members).text()
        // A market that cannot be read back must not be published, and reading it back must give the values that were
        // written.
        let read = try CompiledMarket(reading: self.market, name: file)
        guard read.source == source else {
            throw .unexpected(file, path: ConfigurationPath(), problem: "reading it back gives different values")
        }
        digest = read.digest
        map = MarketProvenance.bytes(of: market, source: source, digest: read.digest)
    }
}

extension ConfigurationNode {
    /// A market's values without those that only reviews use: the deprecated paths of routables.
    fileprivate var withoutDeprecations: ConfigurationNode {
        let key = "deprecated"
        guard case .map(var entries) = value, var routables = entries["routables"],
            case .map(let all) = routables.value
        else { return self }
        routables.value = .map(
            all.mapValues { node in
                guard case .map(var settings) = node.value, settings.removeValue(forKey: key) != nil else {
                    return node
                }
                var rest = node
                rest.value = settings.isEmpty ? .emptyTable : .map(settings)
                return rest
            })
        entries["routables"] = routables
        var rest = self
        rest.value = .map(entries)
        return rest
    }
}

extension Market {
    /// The findings that prevent the market from being compiled: an error for each function.
    package var findingsAgainstCompiling: [Finding] {
        var findings = FindingList()
        func visit(_ node: ConfigurationNode, _ path: ConfigurationPath) {
            switch node.value {
            case .opaque(let value):
                findings.append(
                    Finding(
                        .notPortable, at: node.position, path: path,
                        "\(value.kind) cannot be compiled: it is for scripts and tests, and stays in the Lua files",
                        hint: "write show = { … }, or handler = \"name\" for a function of the app"))
            case .map(let entries):
                for (key, entry) in entries.inOrder { visit(entry, path.appending(key)) }
            case .list(let nodes):
                for (offset, element) in nodes.enumerated() { visit(element, path.appending(index: offset + 1)) }
            default: break
            }
        }
        visit(source, ConfigurationPath())
        return findings.sorted().withLines(of: origin.files)
    }
}
