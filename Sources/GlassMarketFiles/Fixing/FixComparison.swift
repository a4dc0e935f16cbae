import GlassSchema

/// Whether markets are better after fixes than before.
struct FixComparison {
    let before: [String: CheckedMarket]
    let after: [String: CheckedMarket]
    let made: [PlannedFix]

    /// What fixes did.
    enum Outcome {
        case better
        case noBetter
        /// A market has an error that it did not have.
        case newError(Finding)
    }

    /// What the fixes did to the markets.
    var outcome: Outcome {
        guard isBetter else { return newError.map { .newError($0) } ?? .noBetter }
        return newError.map { .newError($0) } ?? .better
    }

    /// What an error is, whatever its message says of places that edits move.
    private struct ErrorName: Hashable {
        let file: String?
        let code: FindingCode
        let path: ConfigurationPath
    }

    /// The first error that the fixes would make. One good fix must not hide a bad one, so errors are compared one by one
    /// and not by their number.
    private var newError: Finding? {
        for (id, market) in after.sorted(by: { $0.key < $1.key }) {
            // Of more findings than are told, another one comes up for each that goes.
            guard let old = before[id], !old.hasMore else { continue }
            var known: [ErrorName: Int] = [:]
            for finding in old.findings { known[name(of: finding), default: 0] += 1 }
            let own = made.filter { plan in old.findings.contains { $0.fix == plan.fix } }
            for finding in market.findings where finding.severity == .error && finding.code != .omittedFindings {
                let left = known[name(of: finding), default: 0]
                known[name(of: finding)] = left - 1
                if left > 0 || own.contains(where: { isRevealed(finding, by: $0) }) { continue }
                return finding
            }
        }
        return nil
    }

    private func name(of finding: Finding) -> ErrorName {
        ErrorName(file: finding.position?.file, code: finding.code, path: finding.path)
    }

    /// Whether an error was there before a fix and could not be seen: of a key with a wrong name the value is not looked
    /// at, and behind what Lua cannot read nothing is.
    private func isRevealed(_ finding: Finding, by plan: PlannedFix) -> Bool {
        if Self.codesOfKeys.contains(plan.finding.code) {
            // These are between a value and another one, so that it was right where nobody read it.
            guard ![.inheritanceCycle, .routeConflict, .duplicate].contains(finding.code) else { return false }
            guard case .spelling(_, let meant, _)? = plan.finding.correction else { return false }
            let key = Array(plan.finding.path.elements.dropLast()) + [.key(meant)]
            return finding.path.elements.starts(with: key)
        }
        guard plan.finding.mayMaskOthers, finding.code != .inheritanceCycle else { return false }
        return !finding.mayMaskOthers || !isInPlace(finding, of: plan)
    }

    /// What a finding is about, wherever it stands.
    private struct Subject: Hashable {
        let market: String
        let file: String?
        let code: FindingCode
        let path: ConfigurationPath
        /// Syntax errors have no path.
        let message: String
    }

    /// What was fixed is gone, and nothing came for it. Where the rest of a file could not be read before, it may have
    /// mistakes of its own.
    var isBetter: Bool {
        let findings = after.mapValues(\.findings)
        // A key may be there already under its right name.
        if made.contains(where: { Self.codesOfKeys.contains($0.finding.code) }) {
            guard count(after, of: .duplicate) <= count(before, of: .duplicate) else { return false }
        }
        // A market that had no such mistake may rely on what is there.
        let fixes = Set(made.map(\.fix))
        for (id, market) in before where !market.findings.contains(where: { $0.fix.map(fixes.contains) == true }) {
            guard market.hasMore || (findings[id] ?? []).count <= market.findings.count else { return false }
        }
        if made.contains(where: \.finding.mayMaskOthers) {
            return !findings.values.joined().contains { finding in
                finding.mayMaskOthers && made.contains { isInPlace(finding, of: $0) }
            }
        }
        // Only of what stands under the right key is its value looked at.
        let areKeys = made.allSatisfy { Self.codesOfKeys.contains($0.finding.code) }
        let (was, now) = (total(before), total(after))
        // Some warnings are only asked of a market without errors.
        let hasFewer = now < was || errors(after) < errors(before)
        guard hasFewer || areKeys && now == was || before.values.contains(where: \.hasMore) else { return false }
        let (old, new) = (subjects(before), subjects(after))
        for (subject, number) in subjects(made) {
            guard (new[subject] ?? 0) <= (old[subject] ?? 0) - number else { return false }
        }
        return true
    }

    private func total(_ markets: [String: CheckedMarket]) -> Int {
        markets.values.reduce(0) { $0 + $1.findings.count }
    }

    private func errors(_ markets: [String: CheckedMarket]) -> Int {
        markets.values.reduce(0) { $0 + $1.findings.count { $0.severity == .error } }
    }

    private static let codesOfKeys: Set<FindingCode> = [.unknownKey, .renamedKey, .unknownRoutable]

    private func count(_ markets: [String: CheckedMarket], of code: FindingCode) -> Int {
        markets.values.reduce(0) { $0 + $1.findings.count { $0.code == code } }
    }

    /// Whether the rest of the file still cannot be read because of what a fix wrote.
    private func isInPlace(_ finding: Finding, of plan: PlannedFix) -> Bool {
        guard let place = finding.position, let column = place.column else { return false }
        var (line, moved) = (0, 0)
        for edit in plan.fix.edits where edit.start.file == place.file {
            if edit.start.line != line { (line, moved) = (edit.start.line, 0) }
            let length = edit.text.unicodeScalars.count
            let start = (edit.start.column ?? 1) + moved
            if place.line == line, (start...start + length).contains(column) { return true }
            if edit.end.line == line { moved += length - (edit.end.column ?? 1) + (edit.start.column ?? 1) }
        }
        return false
    }

    private func subjects(_ markets: [String: CheckedMarket]) -> [Subject: Int] {
        var subjects: [Subject: Int] = [:]
        for (id, market) in markets {
            for finding in market.findings { subjects[subject(of: finding, id), default: 0] += 1 }
        }
        return subjects
    }

    /// How many findings of each market the fixes are for.
    private func subjects(_ made: [PlannedFix]) -> [Subject: Int] {
        var subjects: [Subject: Int] = [:]
        for (id, market) in before {
            for finding in market.findings where made.contains(where: { $0.fix == finding.fix }) {
                subjects[subject(of: finding, id), default: 0] += 1
            }
        }
        return subjects
    }

    private func subject(of finding: Finding, _ id: String) -> Subject {
        // The message of a duplicate has the place of the first one in it, which edits move.
        Subject(
            market: id, file: finding.position?.file, code: finding.code, path: finding.path,
            message: finding.code == .duplicate ? "" : finding.message)
    }
}
