import GlassBase
import GlassMarkets
package import GlassSchema
import LuaBridge

/// Makes the fixes of findings that nothing speaks against, as long as the markets get better by it.
///
/// Nothing is written: markets are checked with the texts that their files would have. A change that leaves a market
/// worse than it was is taken back, whatever its finding says.
package struct MarketFixer {
    /// A fix that was made.
    package struct AppliedFix: Sendable, Hashable {
        /// What it was made for, at its place in the file as it was.
        package let position: SourcePosition
        /// What it does, as a request.
        package let title: String
        /// The error that a market would have by it; nil for one that was made.
        package var newError: String?
    }

    /// A file with its fixes.
    package struct File: Sendable {
        /// Its path below the folder.
        package let name: String
        /// Its name in diagnostics.
        package let file: String
        /// What it holds.
        package let original: [UInt8]
        /// What it is to hold.
        package let fixed: [UInt8]
        /// The fixes, by position.
        package let fixes: [AppliedFix]
    }

    /// What came of it.
    package struct Result: Sendable {
        /// The files that are to change, by name.
        package let files: [File]
        /// Mends that were taken back, because no market was better for them or one had a new error.
        package let refused: [AppliedFix]
        /// What is still wrong with the markets once the files are written, by position.
        package let findings: [Finding]
        /// Whether all was fixed that can be; otherwise a second run goes on.
        package let isComplete: Bool
        /// Markets that could not be read, and why.
        package let unreadable: [String]
    }

    /// How often the markets are checked at most: a syntax error hides those behind it.
    package static let maximumRounds = 500

    private let loader: MarketLoader
    private var texts: [String: EditedFileText] = [:]
    private var markets: [String: CheckedMarket] = [:]
    private var made: [String: [AppliedFix]] = [:]
    private var refused: [AppliedFix] = []
    private var refusedPlaces: Set<RejectedFix> = []
    private var unreadable: [String] = []

    /// A fix that is not tried again; bytes are those of the file as it was.
    private struct RejectedFix: Hashable {
        let file: String
        let byte: Int
        let title: String
    }

    /// Mends markets.
    package static func run(_ ids: [String], with loader: MarketLoader) throws -> Result {
        var fixing = MarketFixer(loader: loader)
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
            // Files belong to other markets too, which may not become worse.
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
        for id in try loader.marketIDs() where markets[id] == nil {
            // One that cannot be read is as it was, whatever is fixed.
            if let check = try? loader.check(id) { markets[id] = CheckedMarket(check) }
        }
    }

    // MARK: Choosing

    /// The fixes of a round: none touches another, and where something keeps the rest of a file from being read, only
    /// what fixes that.
    private func choose(_ most: Int, of ids: [String]) -> [PlannedFix] {
        var planned: [PlannedFix] = []
        var seen: Set<Fix> = []
        for market in ids.compactMap({ markets[$0] }) {
            // Of a larger file only the beginning was read.
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

    /// The fix at its place in the file as it was.
    private func record(of plan: PlannedFix) -> AppliedFix {
        let position = plan.finding.position ?? plan.fix.edits[0].start
        guard let text = texts[plan.name], let tokens = try? LuaTokens(text.bytes, budget: .unlimited),  // no limit
            let original = try? LuaTokens(text.original, budget: .unlimited)  // as above
        else { return AppliedFix(position: position, title: plan.fix.title) }
        let place = original.place(of: text.origin(of: tokens.byte(at: position)))
        return AppliedFix(
            position: SourcePosition(file: position.file, line: place.line, column: place.column),
            title: plan.fix.title)
    }

    // MARK: Making

    /// Makes fixes, unless a market is worse then.
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

    /// What the file of a fix held when the fix was found.
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
                // At one place the one that was made first.
                fixes: (made[name] ?? []).enumerated()
                    .sorted { ($0.element.position, $0.offset) < ($1.element.position, $1.offset) }.map(\.element))
        }
        return Result(
            files: files.sorted { $0.file < $1.file }, refused: refused.sorted { $0.position < $1.position },
            findings: ids.flatMap { markets[$0]?.findings ?? [] }.sortedByPosition(), isComplete: isComplete,
            unreadable: unreadable)
    }
}

/// What is remembered of a market's check: not the market, so that a folder may have any number of them.
struct CheckedMarket {
    let findings: [Finding]
    let sources: [MarketFile]
    let files: Set<String>
    /// Whether there are more findings than these, so that one of them may go and another come up.
    var hasMore: Bool { findings.contains { $0.code == .omittedFindings } }

    init(_ check: MarketCheck) {
        findings = check.findings
        sources = check.files
        files = Set(check.files.map(\.file))
    }
}

/// A fix that is about to be made.
struct PlannedFix {
    /// The file's path below the folder.
    let name: String
    let finding: Finding
    let fix: Fix

    /// Whether edits of both are in one place, or next to each other: what they make together is then nobody's fix.
    func touches(_ other: PlannedFix) -> Bool {
        name == other.name
            && fix.edits.contains { edit in
                other.fix.edits.contains {
                    edit.bytes.upperBound >= $0.bytes.lowerBound && $0.bytes.upperBound >= edit.bytes.lowerBound
                }
            }
    }
}
