package import GlassBase

/// The findings of a check in progress: the first hundred of each file, and the number of others.
///
/// The text of a finding that is only counted is never built, so that a file with thousands of findings costs no more
/// than one with a hundred. Errors take precedence over warnings, so that warnings never hide an error.
package struct FindingList: Sendable {
    /// The maximum number of findings of a file that are listed.
    package static let maximumOfAFile = 100
    /// The maximum number of keys with errors to remember, for ``leaveOut(_:)``.
    private static let maximumPaths = 10_000

    /// The number of findings of a file that were added.
    private struct Counts {
        var errors = 0
        var warnings = 0
        var notes = 0

        subscript(severity: Finding.Severity) -> Int {
            get {
                switch severity {
                case .error: errors
                case .warning: warnings
                case .note: notes
                }
            }
            set {
                switch severity {
                case .error: errors = newValue
                case .warning: warnings = newValue
                case .note: notes = newValue
                }
            }
        }
    }

    private var made: [Finding] = []
    /// By file; findings without a file are under the empty name.
    private var counts: [String: Counts] = [:]
    private var failedPaths: Set<ConfigurationPath> = []
    private var suppressedPaths: Set<ConfigurationPath> = []
    private var quietCodes: Set<FindingCode> = []
    private var unknownPaths: Set<ConfigurationPath> = []
    /// The paths above those in ``failedPaths``.
    private var pathsAboveErrors: Set<ConfigurationPath> = []
    private var isLeavingOut = false

    /// Creates an empty list.
    package init() {}

    /// Whether any finding is an error, including those that are only counted.
    package var hasErrors: Bool { counts.values.contains { $0.errors > 0 } }

    /// The number of findings that were added, including those that are only counted or suppressed.
    package private(set) var count = 0

    /// Whether there is a finding of a rule for a file. Ignores findings that are only counted.
    package func has(_ code: FindingCode, in file: String) -> Bool {
        made.contains { $0.code == code && $0.position?.file == file }
    }

    /// Whether there is a finding of a rule at a position. Ignores findings that are only counted.
    package func has(_ code: FindingCode, at place: SourcePosition) -> Bool {
        made.contains { $0.code == code && $0.position == place }
    }

    /// Whether the list has a finding.
    package func contains(_ finding: Finding) -> Bool { made.contains(finding) }

    /// From now on, suppresses the findings of some rules, and those for keys that already have an error: a value that
    /// could not be read also has the wrong type.
    package mutating func leaveOut(_ codes: Set<FindingCode>) {
        (quietCodes, suppressedPaths, isLeavingOut) = (codes, failedPaths, true)
    }

    /// Ends the suppression.
    package mutating func endSuppression() {
        (quietCodes, suppressedPaths, isLeavingOut) = ([], [], false)
    }

    /// Marks a value as unknown, for example one from an unreadable file, and suppresses findings below it while
    /// ``leaveOut(_:)`` is in effect. There is already a finding for the value.
    package mutating func leaveOut(below path: ConfigurationPath) {
        guard failedPaths.count < Self.maximumPaths else { return }
        unknownPaths.insert(path)
        addFailed(path)
    }

    private mutating func addFailed(_ path: ConfigurationPath) {
        failedPaths.insert(path)
        for end in path.elements.indices { pathsAboveErrors.insert(ConfigurationPath(Array(path.elements[..<end]))) }
    }

    /// Whether a value, or one inside it or around it, has an error or is unknown. Also true if there are too many errors
    /// to remember, so that rules between keys are skipped.
    package func hasError(relatedTo path: ConfigurationPath) -> Bool {
        if failedPaths.isEmpty { return false }
        if failedPaths.count >= Self.maximumPaths || pathsAboveErrors.contains(path) { return true }
        return (0...path.elements.count).contains {
            failedPaths.contains(ConfigurationPath(Array(path.elements[..<$0])))
        }
    }

    /// The paths of the values with errors; nil if there are too many to remember.
    package var pathsWithErrors: Set<ConfigurationPath>? { failedPaths.count < Self.maximumPaths ? failedPaths : nil }

    /// Whether a path leads to or into an unknown value.
    private func isUnknown(_ path: ConfigurationPath) -> Bool {
        guard isLeavingOut, !unknownPaths.isEmpty else { return false }
        return (0...path.elements.count).contains {
            unknownPaths.contains(ConfigurationPath(Array(path.elements[..<$0])))
        }
    }

    /// Adds a finding, or only counts it if its file has enough of them.
    package mutating func add(
        _ code: FindingCode, severity: Finding.Severity = .error, at position: SourcePosition?,
        path: ConfigurationPath = ConfigurationPath(), subject: @autoclosure () -> String = "",
        _ message: @autoclosure () throws(WorkBudget.Exceeded) -> String,
        hint: @autoclosure () throws(WorkBudget.Exceeded) -> String? = nil,
        related: Finding.RelatedPosition? = nil
    ) throws(WorkBudget.Exceeded) {
        guard takes(code, severity, position, path) else { return }
        var finding = Finding(
            code, severity: severity, at: position, path: path, subject: subject(), try message(), hint: try hint())
        finding.related = related.map { [$0] } ?? []
        made.append(finding)
    }

    /// Adds a finding with advice, or only counts it if its file has enough of them.
    package mutating func add(
        _ code: FindingCode, severity: Finding.Severity = .error, at position: SourcePosition?,
        path: ConfigurationPath = ConfigurationPath(), subject: @autoclosure () -> String = "",
        mayMaskOthers: Bool = false,
        _ message: @autoclosure () throws(WorkBudget.Exceeded) -> String,
        advice: @autoclosure () throws(WorkBudget.Exceeded) -> Advice?, related: Finding.RelatedPosition? = nil
    ) throws(WorkBudget.Exceeded) {
        guard takes(code, severity, position, path) else { return }
        var finding = Finding(
            code, severity: severity, at: position, path: path, subject: subject(), try message(),
            advice: try advice() ?? Advice(nil))
        finding.mayMaskOthers = mayMaskOthers
        finding.related = related.map { [$0] } ?? []
        made.append(finding)
    }

    /// Adds an existing finding, or only counts it.
    package mutating func append(_ finding: Finding) {
        if takes(finding.code, finding.severity, finding.position, finding.path) { made.append(finding) }
    }

    /// Replaces each finding of a rule.
    package mutating func replace(_ code: FindingCode, with body: (Finding) -> Finding) {
        for index in made.indices where made[index].code == code { made[index] = body(made[index]) }
    }

    /// If a market lacks most of its required keys, the first of these findings also says how to get a complete one.
    package mutating func suggestTemplate(for root: ConfigurationNode) {
        let missing = made.indices.filter { made[$0].code == .missingKey && made[$0].position == root.position }
        guard missing.count >= Self.missingKeysOfFirstMarket,
            let first = missing.min(by: { made[$0].path.description < made[$1].path.description })
        else { return }
        made[first].hint = "glass-host new writes a complete market; here, \(made[first].hint ?? "write each key")"
    }

    /// The number of missing keys from which on a market is probably someone's first.
    private static let missingKeysOfFirstMarket = 8

    /// Adds to the count without creating findings.
    package mutating func count(_ number: Int, severity: Finding.Severity, in file: String?) {
        guard number > 0 else { return }
        count += number
        counts[file ?? "", default: Counts()][severity] += number
    }

    private mutating func takes(
        _ code: FindingCode, _ severity: Finding.Severity, _ position: SourcePosition?, _ path: ConfigurationPath
    ) -> Bool {
        count += 1
        guard !quietCodes.contains(code), !suppressedPaths.contains(path), !isUnknown(path) else { return false }
        if severity == .error, !path.elements.isEmpty, failedPaths.count < Self.maximumPaths {
            addFailed(path)
        }
        let number = counts[position?.file ?? "", default: Counts()][severity] + 1
        counts[position?.file ?? "", default: Counts()][severity] = number
        return number <= Self.maximumOfAFile
    }

    /// The distinct findings by position and, for each file with more than a hundred, the number of others.
    package func sorted() -> [Finding] {
        let all = made.sortedByPosition()
        var shown = all
        for (file, counts) in counts {
            let (errors, warnings) = (counts.errors, counts.warnings)
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
