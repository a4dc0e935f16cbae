import GlassBase
package import GlassSchema

/// A market in its compiled form, with its provenance map, in each generation of the format that it needs.
///
/// The same files produce the same bytes on any machine and on any day. Only what a date decides in generation 1 is what
/// it is on the day.
package struct CompiledMarketWriter: Sendable {
    /// The market in one generation of the format.
    package struct File: Sendable {
        /// The generation.
        package let generation: Int
        /// The compiled market.
        package let market: [UInt8]
        /// The provenance map.
        package let map: [UInt8]
        /// The SHA-256 digest of the compiled market, in hexadecimal.
        package let digest: String
    }

    /// The market as each reader knows it: what it is in the situation that it was read in.
    package let plain: File
    /// The market in all situations, without flags; nil if it is the same in each, or readers of that generation cannot
    /// evaluate its conditions.
    package let varied: File?
    /// The market with its flags; nil if it has none, and no percentages in conditions.
    package let flagged: File?

    /// The files, oldest generation first.
    package var files: [File] { [plain] + [varied, flagged].compactMap(\.self) }
    /// The compiled market in generation 1.
    package var market: [UInt8] { plain.market }
    /// The provenance map in generation 1.
    package var map: [UInt8] { plain.map }
    /// The SHA-256 digest of the compiled market in generation 1, in hexadecimal.
    package var digest: String { plain.digest }

    /// Compiles a market.
    package init(_ market: Market) throws(CompiledMarketError) {
        let functions = market.findingsAgainstCompiling
        guard functions.isEmpty else { throw .notPortable(market.id, findings: functions) }
        plain = try Self.plainFile(of: market)
        varied = try Self.variedFile(of: market, CompiledMarket.conditional)
        flagged = try Self.variedFile(of: market, CompiledMarket.generation)
    }

    private static func plainFile(of market: Market) throws(CompiledMarketError) -> File {
        let name = CompiledMarketFiles.name(of: market.id)
        let source = market.source.withoutDeprecations.with(flags: nil)
        let members = try members(of: source, file: name)
        let bytes = bytes(of: market, members, CompiledMarket.plain)
        // A market that cannot be read back must not be published, and reading it back must give the values that were
        // written.
        let read = try CompiledMarket(reading: bytes, name: name)
        guard read.source == source else { throw different(name) }
        let map = MarketProvenance.bytes(
            of: market, source: source, digest: read.digest, generation: CompiledMarket.plain)
        return File(generation: CompiledMarket.plain, market: bytes, map: map, digest: read.digest)
    }

    /// The market in a generation with conditions; nil if it does not need that generation.
    private static func variedFile(of market: Market, _ generation: Int) throws(CompiledMarketError) -> File? {
        guard let situations = market.origin.situations else { return nil }
        let flags = generation > CompiledMarket.conditional ? situations.flags : FlagSet()
        guard market.dependsOnSituation || !flags.isEmpty else { return nil }
        let name = CompiledMarketFiles.name(of: market.id)
        guard let whole = market.valuesInAllSituations?.withoutDeprecations else {
            throw .unexpected(name, path: "conditions", problem: "the conditions exceed a limit, which a check reports")
        }
        let source = whole.with(flags: flags.isEmpty ? nil : flags)
        let (values, conditions) = try variedValues(of: source, file: name)
        let hasShares = conditions.contains { !$0.rollouts.isEmpty }
        if generation == CompiledMarket.conditional {
            guard !conditions.isEmpty, !hasShares else { return nil }  // empty: overlays that change nothing
        } else {
            guard !flags.isEmpty || hasShares else { return nil }
        }
        let header = CompiledSituations(conditions, flags: flags, of: situations, app: market.module.contextAttributes)
        let bytes: [UInt8]
        do throws(CompiledTree.Failure) {
            bytes = Self.bytes(of: market, values + (try header.members()), generation)
        } catch {
            throw .unexpected(name, path: error.path, problem: error.problem)
        }
        // As above; varied values are equal if they are written in the same way.
        let read = try CompiledMarket(reading: bytes, name: name)
        let again = try variedValues(of: read.source, file: name)
        guard again.conditions == conditions, StrictJSON.object(again.values) == StrictJSON.object(values) else {
            throw different(name)
        }
        let map = MarketProvenance.bytes(
            of: market, source: source, conditions: conditions, digest: read.digest, generation: generation)
        return File(generation: generation, market: bytes, map: map, digest: read.digest)
    }

    // MARK: Parts

    private static func variedValues(
        of source: ConfigurationNode, file: String
    ) throws(CompiledMarketError) -> (values: [(String, StrictJSON)], conditions: [Condition]) {
        let writer = VariedFormWriter()
        let values = try members(of: source, file: file, varied: writer)
        do throws(CompiledTree.Failure) {
            let (values, conditions) = try writer.finished(values)
            return (values, conditions)
        } catch {
            throw .unexpected(file, path: error.path, problem: error.problem)
        }
    }

    private static func members(
        of source: ConfigurationNode, file: String, varied: VariedFormWriter? = nil
    ) throws(CompiledMarketError) -> [(String, StrictJSON)] {
        guard case .map(let entries) = source.value else {
            throw .unexpected(file, path: ConfigurationPath(), problem: "expected a table with keys")
        }
        do throws(CompiledTree.Failure) {
            return try CompiledTree.members(of: entries, at: ConfigurationPath(), varied: varied)
        } catch {
            throw .unexpected(file, path: error.path, problem: error.problem)
        }
    }

    private static func bytes(of market: Market, _ members: [(String, StrictJSON)], _ generation: Int) -> [UInt8] {
        StrictJSON.object(
            members + [
                ("module", .string(market.module.name)), ("schema", .integer(StrictJSON.Integer(generation))),
                ("schemaDigest", .string(SchemaRecord(market.schema).digest)),
            ]
        ).text()
    }

    private static func different(_ file: String) -> CompiledMarketError {
        .unexpected(file, path: ConfigurationPath(), problem: "reading it back gives different values")
    }
}

extension ConfigurationNode {
    /// A market's values without those that only reviews use: the deprecated paths of routables.
    fileprivate var withoutDeprecations: ConfigurationNode {
        guard case .map(var entries) = value, let routables = entries["routables"] else { return self }
        entries["routables"] = routables.mappingTables { routables in
            routables.mapValues { $0.mappingTables { $0.filter { $0.key != "deprecated" } } }
        }
        var rest = self
        rest.value = .map(entries)
        return rest
    }

    /// A market's values with the flags of a set, whose conditions have no names, or without flags.
    fileprivate func with(flags: FlagSet?) -> ConfigurationNode {
        guard case .map(var entries) = value else { return self }
        if let flags {
            entries["flags"] = entries["flags"]?.mappingTables { table in
                Dictionary(
                    uniqueKeysWithValues: table.map { name, node in
                        (name, flags.flags[name].map { node.resolvingConditions(of: $0.rules) } ?? node)
                    })
            }
        } else {
            for key in SituationReader.flagKeys { entries[key] = nil }
        }
        var rest = self
        rest.value = .map(entries)
        return rest
    }

    /// A flag whose rules have their conditions instead of the names of conditions.
    private func resolvingConditions(of rules: [FlagSet.Rule]) -> ConfigurationNode {
        mappingTables { flag in
            guard let list = flag["rules"], case .list(let nodes) = list.value else { return flag }
            var flag = flag
            var resolved = list
            resolved.value = .list(
                zip(nodes, rules).map { node, rule in
                    node.mappingTables { keys in
                        var keys = keys
                        if var when = keys["when"] {
                            when.value = rule.condition.dataForm
                            keys["when"] = when
                        }
                        return keys
                    }
                })
            flag["rules"] = resolved
            return flag
        }
    }

    /// The value with other keys if it is a table, in each of its alternatives.
    private func mappingTables(_ change: ([String: ConfigurationNode]) -> [String: ConfigurationNode])
        -> ConfigurationNode
    {
        var changed = self
        switch value {
        case .varied(let varied): changed.value = .varied(varied.mapping { $0.mappingTables(change) })
        case .map(let entries):
            let rest = change(entries)
            changed.value = rest.isEmpty && !entries.isEmpty ? .emptyTable : .map(rest)
        default: break
        }
        return changed
    }
}

extension Market {
    /// The values of all situations; nil if the conditions exceed a limit.
    fileprivate var valuesInAllSituations: ConfigurationNode? {
        guard let situations = origin.situations else { return source }
        // A budget without limits never runs out.
        return (try? VariedMarket(situations, budget: .unlimited))?.root  // as above
    }

    /// The findings that prevent the market from being compiled: an error for each function, in any situation.
    package var findingsAgainstCompiling: [Finding] {
        let findings = FindingList()
        (valuesInAllSituations ?? source).visit([.lists, .alternatives]) { visited in
            switch visited.node.value {
            case .opaque, .directive:
                findings.append(
                    Finding(
                        .notPortable, at: visited.node.position, path: visited.path,
                        "\(visited.node.value.found) cannot be compiled: it is for scripts and tests, and stays in the Lua "
                            + "files",
                        hint: "write show = { … }, or handler = \"name\" for a function of the app"))
            default: break
            }
            return true
        }
        return findings.sorted().withLines(of: origin.files)
    }
}
