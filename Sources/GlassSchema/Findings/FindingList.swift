package import GlassBase

/// The findings of a check in progress: the first hundred of each file, and the number of others.
///
/// The text of a finding that is only counted is never built, so that a file with thousands of findings costs no more
/// than one with a hundred. Errors take precedence over warnings, so that warnings never hide an error.
///
/// A class, like `WorkBudget`, so that all parts of a check add to one list.
package final class FindingList: Sendable {
    /// The maximum number of findings of a file that are listed.
    package static let maximumOfAFile = 100
    /// The maximum number of keys with errors to remember, for ``leaveOut(_:)``.
    private static let maximumPaths = 10_000

    private let state = Lock(State())

    private struct State: Sendable {
        var made: [Finding] = []
        /// The number of findings that were added, including those that are only counted or suppressed.
        var count = 0
        /// By file; findings without a file are under the empty name.
        var counts: [String: [Finding.Severity: Int]] = [:]
        var failedPaths: Set<ConfigurationPath> = []
        /// The paths above those in ``failedPaths``.
        var pathsAboveErrors: Set<ConfigurationPath> = []
        var suppressedPaths: Set<ConfigurationPath> = []
        var quietCodes: Set<FindingCode> = []
        var unknownPaths: Set<ConfigurationPath> = []
        var isLeavingOut = false

        mutating func addFailed(_ path: ConfigurationPath) {
            guard failedPaths.count < FindingList.maximumPaths else { return }
            failedPaths.insert(path)
            for end in path.elements.indices {
                pathsAboveErrors.insert(ConfigurationPath(Array(path.elements[..<end])))
            }
        }

        /// Whether a path leads to or into an unknown value.
        func isUnknown(_ path: ConfigurationPath) -> Bool {
            isLeavingOut && !unknownPaths.isEmpty && path.isAtOrBelow(oneOf: unknownPaths)
        }

        /// Counts a finding.
        ///
        /// - Returns: Whether it is listed.
        mutating func takes(
            _ code: FindingCode, _ severity: Finding.Severity, _ position: SourcePosition?, _ path: ConfigurationPath
        ) -> Bool {
            count += 1
            guard !quietCodes.contains(code), !suppressedPaths.contains(path), !isUnknown(path) else { return false }
            if severity == .error, !path.elements.isEmpty { addFailed(path) }
            let number = counts[position?.file ?? "", default: [:]][severity, default: 0] + 1
            counts[position?.file ?? "", default: [:]][severity] = number
            return number <= FindingList.maximumOfAFile
        }
    }

    /// Creates an empty list.
    package init() {}

    /// Whether any finding is an error, including those that are only counted.
    package var hasErrors: Bool { state.withLock { $0.counts.values.contains { $0[.error] != nil } } }

    /// The number of findings that were added, including those that are only counted or suppressed.
    package var count: Int { state.withLock { $0.count } }

    /// Whether there is a finding of a rule for a file. Ignores findings that are only counted.
    package func has(_ code: FindingCode, in file: String) -> Bool {
        state.withLock { $0.made.contains { $0.code == code && $0.position?.file == file } }
    }

    /// Whether there is a finding of a rule at a position. Ignores findings that are only counted.
    package func has(_ code: FindingCode, at place: SourcePosition) -> Bool {
        state.withLock { $0.made.contains { $0.code == code && $0.position == place } }
    }

    /// Whether the list has a finding.
    package func contains(_ finding: Finding) -> Bool { state.withLock { $0.made.contains(finding) } }

    /// From now on, suppresses the findings of some rules, and those for keys that already have an error: a value that
    /// could not be read also has the wrong type.
    package func leaveOut(_ codes: Set<FindingCode>) {
        state.withLock { ($0.quietCodes, $0.suppressedPaths, $0.isLeavingOut) = (codes, $0.failedPaths, true) }
    }

    /// Ends the suppression.
    package func endSuppression() {
        state.withLock { ($0.quietCodes, $0.suppressedPaths, $0.isLeavingOut) = ([], [], false) }
    }

    /// Marks a value as unknown, for example one from an unreadable file, and suppresses findings below it while
    /// ``leaveOut(_:)`` is in effect. There is already a finding for the value.
    package func leaveOut(below path: ConfigurationPath) {
        state.withLock { state in
            guard state.failedPaths.count < Self.maximumPaths else { return }
            state.unknownPaths.insert(path)
            state.addFailed(path)
        }
    }

    /// Whether a value, or one inside it or around it, has an error or is unknown. Also true if there are too many errors
    /// to remember, so that rules between keys are skipped.
    package func hasError(relatedTo path: ConfigurationPath) -> Bool {
        state.withLock { state in
            if state.failedPaths.isEmpty { return false }
            return state.failedPaths.count >= Self.maximumPaths || state.pathsAboveErrors.contains(path)
                || path.isAtOrBelow(oneOf: state.failedPaths)
        }
    }

    /// The paths of the values with errors; nil if there are too many to remember.
    package var pathsWithErrors: Set<ConfigurationPath>? {
        state.withLock { $0.failedPaths.count < Self.maximumPaths ? $0.failedPaths : nil }
    }

    /// Adds a finding, or only counts it if its file has enough of them.
    package func add(
        _ code: FindingCode, severity: Finding.Severity = .error, at position: SourcePosition?,
        path: ConfigurationPath = ConfigurationPath(), subject: @autoclosure () -> String = "",
        _ message: @autoclosure () throws(WorkBudget.Exceeded) -> String,
        hint: @autoclosure () throws(WorkBudget.Exceeded) -> String? = nil,
        related: Finding.RelatedPosition? = nil
    ) throws(WorkBudget.Exceeded) {
        guard state.withLock({ $0.takes(code, severity, position, path) }) else { return }
        var finding = Finding(
            code, severity: severity, at: position, path: path, subject: subject(), try message(), hint: try hint())
        finding.related = related.map { [$0] } ?? []
        state.withLock { $0.made.append(finding) }
    }

    /// Adds a finding with advice, or only counts it if its file has enough of them.
    package func add(
        _ code: FindingCode, severity: Finding.Severity = .error, at position: SourcePosition?,
        path: ConfigurationPath = ConfigurationPath(), subject: @autoclosure () -> String = "",
        mayMaskOthers: Bool = false,
        _ message: @autoclosure () throws(WorkBudget.Exceeded) -> String,
        advice: @autoclosure () throws(WorkBudget.Exceeded) -> Advice?, related: Finding.RelatedPosition? = nil
    ) throws(WorkBudget.Exceeded) {
        guard state.withLock({ $0.takes(code, severity, position, path) }) else { return }
        var finding = Finding(
            code, severity: severity, at: position, path: path, subject: subject(), try message(),
            advice: try advice() ?? Advice(nil))
        finding.mayMaskOthers = mayMaskOthers
        finding.related = related.map { [$0] } ?? []
        state.withLock { $0.made.append(finding) }
    }

    /// Adds an existing finding, or only counts it.
    package func append(_ finding: Finding) {
        state.withLock { state in
            if state.takes(finding.code, finding.severity, finding.position, finding.path) {
                state.made.append(finding)
            }
        }
    }

    /// Replaces each finding of a rule.
    package func replace(_ code: FindingCode, with body: (Finding) -> Finding) {
        state.withLock { state in
            for index in state.made.indices where state.made[index].code == code {
                state.made[index] = body(state.made[index])
            }
        }
    }

    /// If a market lacks most of its required keys, the first of these findings also says how to get a complete one.
    package func suggestTemplate(for root: ConfigurationNode) {
        state.withLock { state in
            let missing = state.made.indices.filter {
                state.made[$0].code == .missingKey && state.made[$0].position == root.position
            }
            guard missing.count >= Self.missingKeysOfFirstMarket,
                let first = missing.min(by: {
                    state.made[$0].path.description < state.made[$1].path.description
                })
            else { return }
            let hint = state.made[first].hint ?? "write each key"
            state.made[first].hint = "glass-host new writes a complete market; here, \(hint)"
        }
    }

    /// The number of missing keys from which on a market is probably someone's first.
    private static let missingKeysOfFirstMarket = 8

    /// Adds to the count without creating findings.
    package func count(_ number: Int, severity: Finding.Severity, in file: String?) {
        guard number > 0 else { return }
        state.withLock { state in
            state.count += number
            state.counts[file ?? "", default: [:]][severity, default: 0] += number
        }
    }

    /// The distinct findings by position and, for each file with more than a hundred, the number of others.
    package func sorted() -> [Finding] {
        let (made, counts) = state.withLock { ($0.made, $0.counts) }
        let all = made.sortedByPosition()
        var shown = all
        for (file, counts) in counts {
            let (errors, warnings) = (counts[.error] ?? 0, counts[.warning] ?? 0)
            // Equal findings are counted separately, so only a file with more than the maximum is examined.
            guard errors + warnings > Self.maximumOfAFile else { continue }
            let made = all.filter { $0.position?.file ?? "" == file }
            let madeErrors = made.count { $0.severity == .error }
            let kept = max(0, Self.maximumOfAFile - madeErrors)
            let surplus = Set(made.filter { $0.severity == .warning }.dropFirst(kept))
            shown.removeAll { surplus.contains($0) }
            let reported = made.count - surplus.count
            guard let last = shown.last(where: { $0.position?.file ?? "" == file }) else { continue }
            let more = errors + warnings - reported
            shown.append(
                Finding(
                    .omittedFindings, severity: errors > madeErrors ? .error : .warning, at: last.position,
                    "and \(more.grouped) more in this file", hint: "fix these first"))
        }
        return shown.sortedByPosition()
    }
}

extension ConfigurationPath {
    /// Whether the path, or one above it, is in a set.
    fileprivate func isAtOrBelow(oneOf paths: Set<ConfigurationPath>) -> Bool {
        (0...elements.count).contains { paths.contains(ConfigurationPath(Array(elements[..<$0]))) }
    }
}
