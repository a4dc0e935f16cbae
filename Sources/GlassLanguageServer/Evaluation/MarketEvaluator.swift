import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Checks markets as `glass-host check` does, and says something of a text that Lua does not read.
struct MarketEvaluator {
    /// Kept from market to market, because most of a folder extend the same one.
    private var comparison: BaseComparison
    private var policies: PolicySet

    /// - Parameters:
    ///   - loader: The markets, with the texts of the editor in the place of files.
    ///   - policies: The policies of the project, as they are on the disk; nil for none.
    init(_ loader: MarketLoader, policies: MarketFolder?) {
        comparison = BaseComparison(by: loader)
        self.policies = policies.map { PolicySet(reading: $0) } ?? .none
    }

    /// Checks a market.
    ///
    /// - Parameters:
    ///   - id: The market.
    ///   - loader: The same markets, for a load that may be interrupted by itself.
    ///   - interruption: What interrupts it.
    /// - Returns: What was found out; nothing of a market whose file is not there.
    mutating func snapshot(
        of id: String, with loader: MarketLoader, interruptedBy interruption: LoadInterruption
    ) -> MarketSnapshot {
        let file = loader.folder.file(of: id)
        do {
            let check = try loader.check(id)
            var findings = check.findings + check.undecided + comparison.findings(of: check)
            var files: [String: [UInt8]] = [:]
            for source in check.files { files[source.file] = source.bytes }
            if let text = files[file], findings.contains(where: { $0.code == .syntax && $0.position?.file == file }) {
                let allowance = Allowance(cpuTime: .milliseconds(50))
                findings += Outline(text, schema: loader.schema.declaration)
                    .findings(against: loader.schema.declaration, file: file, allowance: allowance)
                    .withPlaces(in: check.files, allowance: allowance)
            }
            if let market = check.market, !policies.isEmpty {
                findings = judged(findings, of: market, interruption, &files)
            }
            return MarketSnapshot(
                id: id, findings: findings, files: files, provenance: check.market.map(MarketProvenanceTree.init))
        } catch MarketFolderError.noSuchMarket, MarketFolderError.missingFile {
            return MarketSnapshot(id: id, findings: [], files: [file: []], provenance: nil)
        } catch {
            let finding = Finding(.unreadable, at: SourcePosition(file: file, line: 1), "\(error)")
            return MarketSnapshot(id: id, findings: [finding], files: [file: []], provenance: nil)
        }
    }

    /// The findings as the project's policies have them, with what those deny.
    ///
    /// - Parameters:
    ///   - findings: What was found in the market.
    ///   - market: The market.
    ///   - interruption: What interrupts it.
    ///   - files: Gets the files of policies that cannot be asked, so that it is told there.
    private mutating func judged(
        _ findings: [Finding], of market: Market, _ interruption: LoadInterruption, _ files: inout [String: [UInt8]]
    ) -> [Finding] {
        let verdict = policies.verdict(on: market, interruption: interruption)
        policies.leaveOut(verdict.failed)
        var ledger = PolicyLedger(policies, today: PolicyDay.today)
        let left = ledger.leavingOutAccepted((findings + verdict.findings).map(policies.judged))
        let failures = policies.failures + verdict.failures
        for file in failures.compactMap(\.position?.file) where files[file] == nil {
            files[file] = policies.text(of: file)
        }
        return left + failures
    }
}
