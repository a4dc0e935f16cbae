import GlassBase
import GlassMarkets
package import GlassSchema
import LuaSyntax
import LuaBridge
package import GlassMarketFiles

/// Applies the unambiguous fixes of findings, as long as each improves the markets.
///
/// Nothing is written: markets are checked with the texts that their files would have. A change that makes a market
/// worse is reverted, regardless of its finding.
package struct MarketFixer {
    /// A fix that was applied or rejected.
    package struct AppliedFix: Sendable, Hashable {
        /// The position of its finding in the original file.
        package let position: SourcePosition
        /// A description in the imperative.
        package let title: String
        /// The error that the fix would cause; nil for a fix that was applied.
        package var newError: String?
    }

    /// A file with its fixes.
    package struct File: Sendable {
        /// The path relative to the folder.
        package let name: String
        /// The name in findings.
        package let file: String
        /// The original contents.
        package let original: [UInt8]
        /// The contents with the fixes.
        package let fixed: [UInt8]
        /// The fixes, by position.
        package let fixes: [AppliedFix]
    }

    /// The result of applying fixes.
    package struct Result: Sendable {
        /// The files to write, by name.
        package let files: [File]
        /// Fixes that were reverted, because they improved no market or caused a new error.
        package let refused: [AppliedFix]
        /// The findings that remain once the files are written, by position.
        package let findings: [Finding]
        /// Whether all possible fixes were applied; if not, a further run applies more.
        package let isComplete: Bool
        /// The markets that could not be read, with the reason.
        package let unreadable: [String]
    }

    /// The maximum number of rounds. Each syntax error takes one, because it hides those after it.
    package static let maximumRounds = 500

    private let loader: MarketLoader
    private var texts: [String: EditedFileText] = [:]
    private var markets: [String: CheckedMarket] = [:]
    private var made: [String: [AppliedFix]] = [:]
    private var refused: [AppliedFix] = []
    private var refusedPlaces: Set<RejectedFix> = []
    private var unreadable: [String] = []

    /// A fix that is not tried again; offsets are those of the original file.
    private struct RejectedFix: Hashable {
        let file: String
        let byte: Int
        let title: String
    }

    /// Fixes markets.
    package static func run(_ ids: [String], with loader: MarketLoader) throws -> Result {
        var fixing = MarketFixer(loader: loader.writingFixes)
        return try fixing.run(ids)
    }

    private init(loader: MarketLoader) {
        self.loader = loader
    }

    private mutating func run(_ ids: [String]) throws -> Result {
        for id in ids {
            do {
                markets[id] = CheckedMarket(try loader.check(id))
            } catch let error as MarketFolderError {
                unreadable.append("\(error)")
            }
        }
        var rounds = 0
        var most = Int.max
        while case let chosen = choose(most, of: ids), !chosen.isEmpty {
            guard rounds < Self.maximumRounds else { return result(ids, isComplete: false) }
            // The files may belong to other markets as well, which must not become worse.
            if rounds == 0 { try loadOthers() }
            rounds += 1
            let outcome = try make(chosen)
            if case .better = outcome {
                most = .max
            } else if chosen.count > 1 {
                most = chosen.count / 2
            } else {
                refuse(chosen[0], for: outcome)
                most = .max
            }
        }
        return result(ids, isComplete: true)
    }

    private mutating func loadOthers() throws {
        for id in try loader.folder.fileIDs() where markets[id] == nil {
            // A market that cannot be read stays unreadable, regardless of the fixes.
            if let check = try? loader.check(id) { markets[id] = CheckedMarket(check) }
        }
    }

    // MARK: Choosing

    /// Chooses the fixes of a round. No fix touches another; if an error prevents the rest of a file from being parsed,
    /// only fixes of such errors are chosen.
    private func choose(_ most: Int, of ids: [String]) -> [PlannedFix] {
        var planned: [PlannedFix] = []
        var seen: Set<Fix> = []
        for market in ids.compactMap({ markets[$0] }) {
            // Only the beginning of a larger file was read.
            let whole = Set(market.sources.filter { $0.bytes.count <= loader.limits.evaluation.sourceSize }.map(\.file))
            for finding in market.findings {
                guard let fix = finding.fix, fix.isUnambiguous, let place = finding.position,
                    whole.contains(place.file),
                    let name = loader.folder.name(of: place.file), seen.insert(fix).inserted
                else { continue }
                let plan = PlannedFix(name: name, finding: finding, fix: fix)
                if !refusedPlaces.contains(refusedPlace(of: plan)) { planned.append(plan) }
            }
        }
        if planned.contains(where: \.finding.mayMaskOthers) { planned.removeAll { !$0.finding.mayMaskOthers } }
        var chosen: [PlannedFix] = []
        for plan in planned where chosen.count < most && !chosen.contains(where: { $0.touches(plan) }) {
            chosen.append(plan)
        }
        return chosen
    }

    private func refusedPlace(of plan: PlannedFix) -> RejectedFix {
        let byte = plan.fix.edits[0].bytes.lowerBound
        return RejectedFix(file: plan.name, byte: texts[plan.name]?.origin(of: byte) ?? byte, title: plan.fix.title)
    }

    private mutating func refuse(_ plan: PlannedFix, for outcome: FixComparison.Outcome) {
        refusedPlaces.insert(refusedPlace(of: plan))
        var refusal = record(of: plan)
        if case .newError(let finding) = outcome { refusal.newError = finding.headline.plain }
        refused.append(refusal)
    }

    /// The fix with its position in the original file.
    private func record(of plan: PlannedFix) -> AppliedFix {
        let position = plan.finding.position ?? plan.fix.edits[0].start
        guard let text = texts[plan.name] else { return AppliedFix(position: position, title: plan.fix.title) }
        let byte = LuaLines(text.bytes).byte(at: LuaLines.Position(line: position.line, column: position.column ?? 1))
        let place = LuaLines(text.original).position(of: text.origin(of: byte))
        return AppliedFix(
            position: SourcePosition(file: position.file, line: place.line, column: place.column),
            title: plan.fix.title)
    }

    // MARK: Making

    /// Applies fixes, unless they make a market worse.
    private mutating func make(_ chosen: [PlannedFix]) throws -> FixComparison.Outcome {
        var texts = texts
        for (name, plans) in Dictionary(grouping: chosen, by: \.name) {
            guard var text = texts[name] ?? source(of: plans[0]).map(EditedFileText.init) else { return .noBetter }
            text.apply(plans.flatMap(\.fix.edits))
            texts[name] = text
        }
        let files = Set(chosen.compactMap(\.finding.position?.file))
        let loader = loader.replacing(texts.mapValues(\.bytes))
        var after = markets
        for (id, market) in markets where !market.files.isDisjoint(with: files) {
            after[id] = CheckedMarket(try loader.check(id))
        }
        let outcome = FixComparison(before: markets, after: after, made: chosen).outcome
        guard case .better = outcome else { return outcome }
        for plan in chosen { made[plan.name, default: []].append(record(of: plan)) }
        (self.texts, markets) = (texts, after)
        return outcome
    }

    /// The contents of a fix's file when the fix was found.
    private func source(of plan: PlannedFix) -> [UInt8]? {
        for market in markets.values {
            if let file = market.sources.first(where: { $0.file == plan.finding.position?.file }) { return file.bytes }
        }
        return nil
    }

    private func result(_ ids: [String], isComplete: Bool) -> Result {
        let files = texts.filter { $0.value.bytes != $0.value.original }.map { name, text in
            File(
                name: name, file: "\(loader.folder.path)/\(name)", original: text.original, fixed: text.bytes,
                // At the same position, the fix that was applied first comes first.
                fixes: (made[name] ?? []).enumerated()
                    .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.element))
        }
        return Result(
            files: files.sorted { $0.file < $1.file }, refused: refused.sorted { $0.position < $1.position },
            findings: ids.flatMap { markets[$0]?.findings ?? [] }.sortedByPosition(), isComplete: isComplete,
            unreadable: unreadable)
    }
}

/// The part of a market's check that is kept. It does not include the market, so that a folder may contain any number
/// of them.
struct CheckedMarket {
    let findings: [Finding]
    let sources: [MarketFile]
    let files: Set<String>
    /// Whether more findings exist than these, so that another one may appear when one of them is fixed.
    var hasMore: Bool { findings.contains { $0.code == .omittedFindings } }

    init(_ check: MarketCheck) {
        findings = check.findings
        sources = check.files
        files = Set(check.files.map(\.file))
    }
}

/// A fix that is about to be applied.
struct PlannedFix {
    /// The file's path relative to the folder.
    let name: String
    let finding: Finding
    let fix: Fix

    /// Whether edits of both overlap or adjoin, in which case the result would be neither of the two fixes.
    func touches(_ other: PlannedFix) -> Bool {
        name == other.name
            && fix.edits.contains { edit in
                other.fix.edits.contains {
                    edit.bytes.upperBound >= $0.bytes.lowerBound && $0.bytes.upperBound >= edit.bytes.lowerBound
                }
            }
    }
}
