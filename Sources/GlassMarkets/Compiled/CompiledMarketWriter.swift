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

    /// Compiles a market, with what it is in every situation.
    package init(_ market: Market) throws(CompiledMarketError) {
        let functions = market.findingsAgainstCompiling
        guard functions.isEmpty else { throw .notPortable(market.id, findings: functions) }
        let name = CompiledMarketFiles.name(of: market.id)
        guard let values = market.valuesInAllSituations else {
            throw .unexpected(name, path: "conditions", problem: "the conditions exceed a limit, which a check reports")
        }
        let flags = market.origin.situations?.flags ?? FlagSet()
        let source = values.withoutDeprecations.with(flags)
        let (members, conditions) = try Self.variedValues(of: source, file: name)
        let header = CompiledSituations(
            conditions, flags: flags, of: market.origin.situations, app: market.module.contextAttributes)
        do throws(CompiledTree.Failure) {
            self.market = Self.bytes(of: market, members + (try header.members()))
        } catch {
            throw .unexpected(name, path: error.path, problem: error.problem)
        }
        // A market that cannot be read back must not be published, and reading it back must give the values that were
        // written. Values are equal if they are written in the same way.
        let read = try CompiledMarket(reading: self.market, name: name)
        let again = try Self.variedValues(of: read.source, file: name)
        guard again.conditions == conditions, StrictJSON.object(again.values) == StrictJSON.object(members) else {
            throw .unexpected(name, path: ConfigurationPath(), problem: "reading it back gives different values")
        }
        digest = read.digest
        map = MarketProvenance.bytes(of: market, source: source, conditions: conditions, digest: digest)
    }

    // MARK: Parts

    private static func variedValues(
        of source: ConfigurationNode, file: String
    ) throws(CompiledMarketError) -> (values: [(String, StrictJSON)], conditions: [Condition]) {
        guard case .map(let entries) = source.value else {
            throw .unexpected(file, path: ConfigurationPath(), problem: "expected a table with keys")
        }
        let writer = VariedFormWriter()
        do throws(CompiledTree.Failure) {
            let values = try CompiledTree.members(of: entries, at: ConfigurationPath(), varied: writer)
            let (members, conditions) = try writer.finished(values)
            return (members, conditions)
        } catch {
            throw .unexpected(file, path: error.path, problem: error.problem)
        }
    }

    private static func bytes(of market: Market, _ members: [(String, StrictJSON)]) -> [UInt8] {
        StrictJSON.object(
            members + [
                ("module", .string(market.module.name)),
                ("schema", .integer(StrictJSON.Integer(CompiledMarket.format))),
                ("schemaDigest", .string(SchemaRecord(market.schema).digest)),
            ]
        ).text()
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

    /// A market's values with its flags, whose conditions have no names. Without flags, it has no keys for them.
    fileprivate func with(_ flags: FlagSet) -> ConfigurationNode {
        guard case .map(var entries) = value else { return self }
        if !flags.isEmpty {
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
        guard dependsOnSituation, let situations = origin.situations else { return source }
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
