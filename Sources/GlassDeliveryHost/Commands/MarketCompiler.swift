import GlassBase
import GlassDelivery
import GlassHost
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Compiles the session's markets for publication, and compares them with the published versions.
struct MarketCompiler {
    private let session: Session

    init(_ session: Session) {
        self.session = session
    }

    /// Checks markets as `check` does, and compiles them.
    ///
    /// Prints the warnings, but not those about unset secrets, which matter only to the app that reads them.
    ///
    /// - Throws: A failure if a market has an error.
    func markets(_ ids: [String]) throws -> [PublishedMarket] {
        _ = try session.loader()  // only Lua files are published
        var compiled: [PublishedMarket] = []
        let found = try session.findings(in: ids, "compiling") { check in
            guard let market = check.market else { return [] }
            let functions = market.placedFindingsAgainstCompiling
            guard functions.isEmpty else { return functions }
            compiled.append(try PublishedMarket(compiling: market))
            return []
        }
        let findings = found.filter { $0.code != .secretUnset }
        for finding in findings where !session.console.isQuiet || finding.severity == .error {
            session.console.error(session.console.text(of: finding))
        }
        guard !findings.hasErrors else { throw CommandFailure(status: .no, "nothing was published") }
        return compiled
    }

    /// Checks that recorded app releases can read the markets: their format, and their values.
    func ask(_ fleet: Fleet?, about markets: [PublishedMarket], for apps: AppRange) throws {
        guard let fleet else {
            if !session.console.isQuiet {
                Console.message(
                    "no app releases are recorded, so it is unknown whether released apps can read the markets")
            }
            return
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
                    + "\npublish them for later versions of the app with --app-min, or change what the releases cannot read"
            )
        }
    }

    /// Compares the changed markets with the published versions, as `diff` does: keys, links, and flags, in every
    /// situation.
    func differences(_ draft: TargetsDraft) throws -> [PublishOutput.Comparison] {
        let source = CompiledMarkets(session.program.module) { _ in nil }
        return try draft.dispositions.compactMap { disposition -> PublishOutput.Comparison? in
            guard disposition.kind != .unchanged, let before = disposition.before, let digest = disposition.digest,
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

    /// The market of a version that a folder publishes.
    func market(of version: PublishedMarket, in folder: String) throws(PublishingError) -> Market {
        do throws(PublishingError) {
            return try Self.market(
                version.bytes, PublishedMarket.path(of: version.id),
                CompiledMarkets(session.program.module) { _ in nil })
        } catch {
            throw .impossible(
                "this program cannot read the market \(version.id) of \(folder), which may be that of another app: "
                    + error.description)
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
    /// The market as devices read it.
    func compiled() throws(PublishingError) -> CompiledMarket {
        do {
            return try CompiledMarket(reading: bytes, name: Self.path(of: id))
        } catch {
            throw .refused("\(error)")
        }
    }
}
