import GlassBase
import GlassDelivery
import GlassHost
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Compiles the session's markets for publication, and compares them with the published versions.
struct MarketCompiler {
    private let session: Session
    private let now: UpdateTime

    /// - Parameter now: The time of the publication, for conditions that test the date.
    init(_ session: Session, now: UpdateTime) {
        self.session = session
        self.now = now
    }

    /// Checks markets as `check` does, and compiles them.
    ///
    /// Prints the warnings, but not those about unset secrets, which matter only to the app that reads them.
    ///
    /// - Throws: A failure if a market has an error.
    func markets(_ ids: [String]) throws -> [PublishedMarket] {
        _ = try session.loader()  // only Lua files are published
        let date = MarketContext(["date": .date(ContextDate(secondsSince1970: Int64(now.secondsSince1970)))])
        var compiled: [PublishedMarket] = []
        let found = try session.findings(in: ids, "compiling") { check in
            guard let market = check.market else { return [] }
            let functions = market.placedFindingsAgainstCompiling
            guard functions.isEmpty else { return functions }
            compiled.append(try PublishedMarket(compiling: market.with(date)))
            return []
        }
        let findings = found.filter { $0.code != .secretUnset }
        for finding in findings where !session.console.isQuiet || finding.severity == .error {
            session.console.error(session.console.text(of: finding))
        }
        guard !findings.hasErrors else { throw CommandFailure(status: .no, "nothing was published") }
        return compiled
    }

    /// Checks that recorded app releases can read the markets, each in the newest generation that it reads.
    ///
    /// - Returns: The markets of which apps with an older generation get less.
    func ask(
        _ fleet: Fleet?, about markets: [PublishedMarket], for apps: AppRange
    ) throws -> [PublishOutput.Reduction] {
        let reductions = [CompiledMarket.conditional, CompiledMarket.generation].flatMap { generation in
            let older = fleet?.releases.filter { apps.contains($0.version) && $0.record.generation < generation }
            return markets.filter { $0.has(generation) }.map {
                PublishOutput.Reduction(
                    market: $0.id, without: generation == CompiledMarket.conditional ? .conditions : .flags,
                    releases: older?.map(\.version),
                    until: generation == CompiledMarket.conditional ? $0.validUntil : nil)
            }
        }
        guard let fleet else {
            if !session.console.isQuiet {
                Console.message(
                    "no app releases are recorded, so it is unknown whether released apps can read the markets")
            }
            return reductions
        }
        var refused: [String] = []
        for market in markets {
            for verdict in try fleet.verdicts(on: market.compiled(), apps: apps) {
                let errors = verdict.findings.filter { $0.severity == .error }
                refused += errors.map { "release \(verdict.version), market \(market.id): \($0.path): \($0.message)" }
                guard !session.console.isQuiet else { continue }
                for finding in verdict.findings where finding.severity == .warning {
                    Console.message(
                        "warning: release \(verdict.version), market \(market.id): \(finding.path.description): \(finding.message)"
                    )
                }
            }
        }
        guard refused.isEmpty else {
            throw PublishingError.refused(
                refused.joined(separator: "\n")
                    + "\nchange the markets, or publish them for later versions of the app with --app-min")
        }
        return reductions
    }

    /// Compares the changed markets with the published versions, as `diff` does: keys, links, and flags, in every
    /// situation.
    func differences(_ draft: TargetsDraft) throws -> [PublishOutput.Comparison] {
        let source = CompiledMarkets(session.program.module) { _ in nil }
        return try draft.changesOfNewestFiles.compactMap { disposition -> PublishOutput.Comparison? in
            guard let before = disposition.before, let digest = disposition.digest,
                let entry = draft.entries.first(where: { $0.path == disposition.path && $0.digest == digest })
            else { return nil }
            let old: Market
            do {
                // The app module that published it may have had different keys.
                old = try Self.market(draft.content(of: before), before.path, source)
            } catch {
                return .impossible(market: disposition.market, reason: "\(error)")
            }
            let new = try Self.market(draft.content(of: entry), entry.path, source)
            let label = { (serial: Int?) in disposition.market + (serial.map { " \($0)" } ?? "") }
            let difference = try MarketDifference(
                from: old, to: new, labels: (label(before.serial), label(entry.serial)), budget: session.budget())
            return .difference(
                difference,
                inSituations: try SituationDifference.all(
                    of: [old, new], beside: difference, budget: session.budget()))
        }
    }

    private static func market(
        _ bytes: [UInt8], _ name: String, _ source: CompiledMarkets
    ) throws(PublishingError) -> Market {
        let check: MarketCheck
        do {
            check = source.check(try CompiledMarket(reading: bytes, name: name))
        } catch {
            throw .refused("\(error)")
        }
        guard let market = check.market else {
            let errors = check.findings.filter { $0.severity == .error }
            throw .refused(errors.map(\.description).joined(separator: "\n"))
        }
        return market
    }
}

extension PublishedMarket {
    /// The market in the forms that devices read, oldest generation first.
    func compiled() throws(PublishingError) -> [CompiledMarket] {
        var markets: [CompiledMarket] = []
        do {
            for file in files {
                markets.append(
                    try CompiledMarket(reading: file.bytes, name: Self.path(of: id, generation: file.generation)))
            }
        } catch {
            throw .refused("\(error)")
        }
        return markets
    }
}

extension TargetsDraft {
    /// The changes of markets, each in the newest form that the market had and has: that one contains what the others do.
    fileprivate var changesOfNewestFiles: [Disposition] {
        var newest: [String: Disposition] = [:]
        for disposition in dispositions
        where disposition.before != nil && disposition.digest != nil && disposition.kind != .unchanged {
            let known = newest[disposition.market].map { $0.path.precedesInUTF8(disposition.path) } ?? true
            if known { newest[disposition.market] = disposition }
        }
        return newest.values.sorted { $0.market.precedesInUTF8($1.market) }
    }
}
