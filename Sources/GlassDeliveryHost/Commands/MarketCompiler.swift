import GlassBase
import GlassHost
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Makes of the session's markets what is published, and compares it with what is.
struct MarketCompiler {
    private let session: Session

    init(_ session: Session) {
        self.session = session
    }

    /// Loads and compiles markets.
    func markets(_ ids: [String]) throws -> [PublishedMarket] {
        let loader = try session.loader()
        let names = try ids.isEmpty ? session.reporting { try loader.folder.marketIDs() } : ids
        guard !names.isEmpty else {
            throw CommandFailure(
                status: .impossible,
                "there is no market in \(loader.folder.path); name another folder with --markets DIR")
        }
        return try session.console.map(names, "compiling") { id in
            try PublishedMarket(compiling: session.reporting { try loader.load(id) })
        }
    }

    /// Asks the releases in the field whether they could read markets.
    func ask(_ fleet: Fleet?, about markets: [PublishedMarket], for apps: AppRange) throws {
        guard let fleet else {
            if !session.console.isQuiet {
                Console.message(
                    "no release of the app is on record: whether those in the field can read the markets is not known")
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
                    + "\nchange the markets, or publish them for later versions of the app with --app-min")
        }
    }

    /// Compares what changes with what is published: keys and links.
    func differences(_ draft: TargetsDraft) throws -> [PublishOutput.Comparison] {
        let source = CompiledMarkets(session.program.module) { _ in nil }
        return try draft.fates.compactMap { (fate) -> PublishOutput.Comparison? in
            guard fate.kind != .unchanged, let before = fate.before, let digest = fate.digest,
                let entry = draft.entries.first(where: { $0.path == fate.path && $0.digest == digest })
            else { return nil }
            let old: Market
            do {
                // The app that published it may have had other keys.
                old = try Self.market(draft.content(of: before), before.path, source)
            } catch {
                return .impossible(market: fate.market, reason: "\(error)")
            }
            let new = try Self.market(draft.content(of: entry), entry.path, source)
            let label = { (serial: Int?) in fate.market + (serial.map { " \($0)" } ?? "") }
            return .difference(
                try MarketDifference(
                    from: old, to: new, labels: (label(before.serial), label(entry.serial)),
                    budget: session.budget()))
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
    /// The market as a device reads it.
    func compiled() throws(PublishingError) -> CompiledMarket {
        do {
            return try CompiledMarket(reading: bytes, name: Self.path(of: id))
        } catch {
            throw .refused("\(error)")
        }
    }
}
