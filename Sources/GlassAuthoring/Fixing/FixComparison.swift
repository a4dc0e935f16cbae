import GlassSchema

/// Compares markets before and after fixes.
struct FixComparison {
    let before: [String: CheckedMarket]
    let after: [String: CheckedMarket]
    let made: [PlannedFix]

    /// The effect of fixes.
    enum Outcome {
        case better
        case noBetter
        /// A market has an error that it did not have before.
        case newError(Finding)
    }

    /// The effect of the fixes on the markets.
    var outcome: Outcome {
        guard isBetter else { return newError.map { .newError($0) } ?? .noBetter }
        return newError.map { .newError($0) } ?? .better
    }

    /// Identifies an error without its message, which may contain positions that edits move.
    private struct ErrorName: Hashable {
        let file: String?
        let code: FindingCode
        let path: ConfigurationPath
    }

    /// The first error that the fixes would cause. Errors are compared individually rather than counted, because
    /// one good fix must not hide a bad one.
    private var newError: Finding? {
        for (id, market) in after.sorted(by: { $0.key < $1.key }) {
            // If more findings exist than are listed, each one that is fixed brings up another.
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

    /// Whether an error existed before a fix but could not be found: the value of an unknown key is not validated, and
    /// nothing after a syntax error is.
    private func isRevealed(_ finding: Finding, by plan: PlannedFix) -> Bool {
        // The rules of a flag are read only if the flag has the right form, and a rule only up to its first error.
        if let flag = Self.flag(of: plan.finding), flag == Self.flag(of: finding), finding.code != .duplicate {
            return true
        }
        if Self.codesOfKeys.contains(plan.finding.code) {
            // These are conflicts between two values, which did not exist while the key was not recognized.
            guard ![.inheritanceCycle, .routeConflict, .duplicate].contains(finding.code) else { return false }
            guard case .spelling(_, let meant, _)? = plan.finding.correction else { return false }
            let key = Array(plan.finding.path.elements.dropLast()) + [.key(meant)]
            return finding.path.elements.starts(with: key)
        }
        guard plan.finding.mayMaskOthers, finding.code != .inheritanceCycle else { return false }
        return !finding.mayMaskOthers || !isInPlace(finding, of: plan)
    }

    /// The subject of a finding, regardless of its position.
    private struct Subject: Hashable {
        let market: String
        let file: String?
        let code: FindingCode
        let path: ConfigurationPath
        /// Syntax errors have no path.
        let message: String
    }

    /// Whether the fixed findings are gone and no new ones appeared, except in text that could not be parsed before.
    var isBetter: Bool {
        let findings = after.mapValues(\.findings)
        // A key may already exist under its correct name.
        if made.contains(where: { Self.codesOfKeys.contains($0.finding.code) }) {
            guard count(after, of: .duplicate) <= count(before, of: .duplicate) else { return false }
        }
        // A market without the finding may rely on the current value.
        let fixes = Set(made.map(\.fix))
        for (id, market) in before where !market.findings.contains(where: { $0.fix.map(fixes.contains) == true }) {
            guard market.hasMore || (findings[id] ?? []).count <= market.findings.count else { return false }
        }
        if made.contains(where: \.finding.mayMaskOthers) {
            return !findings.values.joined().contains { finding in
                finding.mayMaskOthers && made.contains { isInPlace(finding, of: $0) }
            }
        }
        // A value is validated only under a known key, so correcting a key may bring up a finding about its value.
        let areKeys = made.allSatisfy {
            Self.codesOfKeys.contains($0.finding.code) || Self.flag(of: $0.finding) != nil
        }
        let (was, now) = (total(before), total(after))
        // Some warnings are reported only for markets without errors.
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

    /// The flag that a finding is about.
    private static func flag(of finding: Finding) -> ConfigurationPath.Element? {
        finding.path.elements.count > 1 && finding.path.elements[0] == .key("flags") ? finding.path.elements[1] : nil
    }

    private static let codesOfKeys: Set<FindingCode> = [.unknownKey, .renamedKey, .unknownRoutable]

    private func count(_ markets: [String: CheckedMarket], of code: FindingCode) -> Int {
        markets.values.reduce(0) { $0 + $1.findings.count { $0.code == code } }
    }

    /// Whether the rest of the file still cannot be parsed because of the text that a fix inserted.
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

    /// The number of findings of each market that the fixes are for.
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
        // The message of a duplicate contains the position of the first occurrence, which edits move.
        Subject(
            market: id, file: finding.position?.file, code: finding.code, path: finding.path,
            message: finding.code == .duplicate ? "" : finding.message)
    }
}
