import Foundation
import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Checks markets like `glass-host check`, and reports findings even for text that Lua cannot parse.
///
/// Caches the base market for the next edit, as long as its files are unchanged.
struct MarketEvaluator {
    /// A base market and the generation of the folder in which it was loaded.
    private struct Base {
        let market: Market
        let generation: Int
    }

    private var base: Base?
    private let policyFolder: MarketFolder?
    /// The policies and the generation of the folder in which they were read.
    private var policies = (set: PolicySet.none, generation: -1)

    init(policies: MarketFolder?) { policyFolder = policies }

    /// Evaluates a market.
    ///
    /// Calls `found` as soon as the market's own findings are known, and again after comparing its links with those of
    /// the base market: loading an uncached base takes as long as loading the market itself.
    mutating func look(at evaluation: ServerState.Evaluation, found: (MarketSnapshot) -> Void) {
        let (id, loader) = (evaluation.id, evaluation.loader)
        let file = loader.folder.file(of: id)
        let gone = MarketSnapshot(id: id, findings: [], files: [file: []], provenance: nil)
        // The loader would search all files for a similar name, once for each of the thousands of files that a checkout
        // removes.
        guard evaluation.isOpen || FileManager.default.fileExists(atPath: file) else { return found(gone) }
        let check: MarketCheck
        do {
            check = try loader.check(id)
        } catch MarketFolderError.noSuchMarket, MarketFolderError.missingFile {
            return found(gone)
        } catch {
            let finding = Finding(.unreadable, at: SourcePosition(file: file, line: 1), "\(error)")
            return found(MarketSnapshot(id: id, findings: [finding], files: [file: []], provenance: nil))
        }
        var files: [String: [UInt8]] = [:]
        for source in check.files { files[source.file] = source.bytes }
        readPolicies(evaluation)
        let lintResult = check.lintResult
        var findings = check.report(lintResult)
        guard let market = check.market else {
            if let text = files[file], findings.contains(where: { $0.code == .syntax && $0.position?.file == file }) {
                findings += Self.findings(in: text, of: check, file, loader.schema.file)
            }
            let left = check.judged(findings, by: policies.set, nil, isComplete: false)
            return found(
                MarketSnapshot(
                    id: id, findings: left, files: files, provenance: nil,
                    identity: check.validValues.map(MarketIdentity.init), mentions: lintResult?.mentions))
        }
        let provenance = MarketProvenanceTree(market)
        let identity = MarketIdentity(ValidValues(market))
        if evaluation.isExtended { keep(market, evaluation) }
        let verdict = verdict(on: market, evaluation, &files)
        let known = market.definition.extends.flatMap { base(for: $0, evaluation) }
        if market.definition.extends != nil, known == nil {
            let judged = check.judged(findings, by: policies.set, verdict, isComplete: false)
            found(
                MarketSnapshot(
                    id: id, findings: judged, files: files, provenance: provenance, identity: identity,
                    mentions: lintResult?.mentions, acceptances: check.acceptances))
        }
        var comparison = BaseComparison(by: loader, knowing: known)
        // An editor has no command whose limit could be exceeded.
        findings += (try? comparison.findings(of: check)) ?? []
        if let loaded = comparison.base { keep(loaded, evaluation) }
        let judged = check.judged(findings, by: policies.set, verdict, isComplete: true)
        found(
            MarketSnapshot(
                id: id, findings: judged, files: files, provenance: provenance, identity: identity,
                mentions: lintResult?.mentions, acceptances: check.acceptances))
    }

    /// Reads the project's policies again if files changed.
    private mutating func readPolicies(_ evaluation: ServerState.Evaluation) {
        guard let policyFolder, policies.generation != evaluation.generation else { return }
        policies = (PolicySet(reading: policyFolder), evaluation.generation)
    }

    /// The verdict of the project's policies on a market; nil if there are none.
    private mutating func verdict(
        on market: Market, _ evaluation: ServerState.Evaluation, _ files: inout [String: [UInt8]]
    ) -> PolicySet.Verdict? {
        guard !policies.set.isEmpty else { return nil }
        let verdict = policies.set.renewed.verdict(on: market, interruption: evaluation.interruption)
        policies.set.leaveOut(verdict.failed)
        for file in (policies.set.failures + verdict.failures).compactMap(\.position?.file) where files[file] == nil {
            files[file] = policies.set.text(of: file)
        }
        return verdict
    }

    /// The findings for text that Lua cannot parse.
    private static func findings(
        in text: [UInt8], of check: MarketCheck, _ file: String, _ schema: SectionDeclaration
    ) -> [Finding] {
        let budget = WorkBudget(cpuTime: .milliseconds(50))
        return Outline(text).findings(against: schema, file: file, budget: budget)
            .withPlacesAndFixes(in: check.files, budget: budget)
    }

    /// Caches a market for the markets that extend it.
    private mutating func keep(_ market: Market, _ evaluation: ServerState.Evaluation) {
        base = Base(market: market, generation: evaluation.generation)
    }

    /// The cached market with an id, if none of its files has changed.
    private func base(for id: String, _ evaluation: ServerState.Evaluation) -> Market? {
        guard let base, base.market.id == id, base.market.origin.folder == evaluation.loader.folder.path,
            evaluation.changes.areUnchanged(base.market.origin.files.lazy.map(\.file), since: base.generation)
        else { return nil }
        return base.market
    }
}
