package import GlassBase
package import GlassSchema

/// Builds markets from the values of any source: merges, validates, decodes and assembles them.
package struct MarketAssembly: Sendable {
    /// Finds the position of a byte in a string, for a finding about a part of it; nil if the position is unknown.
    package typealias SourceLocator = (_ offset: Int, _ node: ConfigurationNode) -> SourcePosition?

    /// The keys that a market may set.
    package let schema: MarketSchema
    /// What the names of secrets begin with.
    let prefixes: SecretPrefixes
    /// Looks up the value of a secret with one of the prefixes.
    let secrets: @Sendable (String) -> String?

    /// Creates an assembly for the markets of a module.
    package init(_ module: MarketModule, secrets: @escaping @Sendable (String) -> String?) {
        let prefixes = SecretPrefixes(list: module.secretPrefixes)
        schema = MarketSchema(module)
        self.prefixes = prefixes
        self.secrets = { name in prefixes.allow(name) ? secrets(name) : nil }
    }

    /// How a market is read.
    package struct Reading {
        /// The rules of the time zones that dates can name.
        package var zones = ZoneRules.utc
        /// Whether the market is checked in every situation, and not only in the default one.
        package var provesAllSituations = false
        /// The current time, for conditions that are over; nil if that does not matter.
        package var now: ContextDate?
        /// Whether every file of the chain was read, so that missing keys are reported.
        package var isComplete = true
        /// Whether it is a base for other markets, which lacks what these add.
        package var isAbstract = false
        /// The severity of an unknown key.
        package var unknownKeys: (ConfigurationPath) -> Finding.Severity = { _ in .error }
        /// Finds the positions of bytes in strings.
        package var place: SourceLocator = { _, _ in nil }

        package init() {}
    }

    /// A market, or what is left of one with errors.
    package struct Result: Sendable {
        /// The market; nil if it has an error.
        package let market: Market?
        /// The values without errors of a market that has some; nil if it is not known which values these are.
        package let rest: ValidValues?

        package init(_ market: Market? = nil, rest: ValidValues? = nil) {
            self.market = market
            self.rest = rest
        }
    }

    /// Builds a market in the default situation, or reports why that is not possible.
    package func market(
        from written: MarketOrigin, reading: Reading = Reading(), budget: WorkBudget, findings: FindingList
    ) throws(WorkBudget.Exceeded) -> Result {
        findings.leaveOut(reading.isComplete ? [] : FindingCode.needingBase)
        for layer in written.layers {
            try layer.refuseForeignSecrets(outside: prefixes, in: findings, budget: budget)
        }
        let situations =
            if let known = written.situations {
                known
            } else {
                try SituationReader.situations(
                    of: written.layers, schema: schema, zones: reading.zones, budget: budget, findings: findings)
            }
        let situation = situations?.completed(MarketSituation()) ?? MarketSituation()
        let build = MarketBuild(
            assembly: self, origin: situations.map { written.read(in: situation, of: $0) } ?? written,
            given: MarketSituation(), situation: situation, reading: reading, budget: budget, findings: findings)
        return try build.result(proving: reading.provesAllSituations ? situations : nil)
    }

    /// Builds the same market in another situation, or once more if nothing depends on the situation.
    func market(
        like market: Market, in given: MarketSituation, of situations: SituationRules?
    ) throws(MarketError) -> Market {
        let situation = situations?.completed(given) ?? given
        var reading = Reading()
        reading.unknownKeys = { _ in .warning }
        let findings = FindingList()
        let build = MarketBuild(
            assembly: self, origin: situations.map { market.origin.read(in: situation, of: $0) } ?? market.origin,
            given: given, situation: situation, reading: reading, budget: WorkBudget(), findings: findings)
        do throws(WorkBudget.Exceeded) {
            if let market = try build.result(proving: nil).market { return market }
        } catch {
            findings.append(Finding(.limit, at: nil, "\(error)"))
        }
        throw MarketError.invalid(market.id, findings: findings.sorted())
    }
}
