import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// Checks markets as `glass-host check` does, and says something of a text that Lua does not read.
struct MarketEvaluator {
    /// Kept from market to market, because most of a folder extend the same one.
    private var comparison: BaseComparison

    /// - Parameter loader: The markets, with the texts of the editor in the place of files.
    init(_ loader: MarketLoader) {
        comparison = BaseComparison(by: loader)
    }

    /// Checks a market.
    ///
    /// - Parameters:
    ///   - id: The market.
    ///   - loader: The same markets, for a load that may be interrupted by itself.
    /// - Returns: What was found out; nothing of a market whose file is not there.
    mutating func snapshot(of id: String, with loader: MarketLoader) -> MarketSnapshot {
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
            return MarketSnapshot(
                id: id, findings: findings, files: files, provenance: check.market.map(MarketProvenanceTree.init))
        } catch MarketFolderError.noSuchMarket, MarketFolderError.missingFile {
            return MarketSnapshot(id: id, findings: [], files: [file: []], provenance: nil)
        } catch {
            let finding = Finding(.unreadable, at: SourcePosition(file: file, line: 1), "\(error)")
            return MarketSnapshot(id: id, findings: [finding], files: [file: []], provenance: nil)
        }
    }
}
