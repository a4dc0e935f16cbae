package import GlassBase

/// A result of a check: what is wrong with a configuration, where, and what to do about it.
public struct Finding: Sendable, Hashable {
    /// The severity of a finding.
    public enum Severity: String, Sendable, Hashable {
        /// The configuration cannot be used.
        case error
        /// The configuration works, but needs attention.
        case warning
        /// Information that requires no action.
        case note
    }

    /// The severity.
    public var severity: Severity
    /// The rule that reported it.
    public var code: FindingCode
    /// The policy that reported it, if a policy did.
    package var policy: String?
    /// Data that distinguishes this finding from others with the same rule, key and text, such as the other pattern of
    /// a conflict or the missing name. It is part of the fingerprint, so it must not depend on the wording of the
    /// message.
    package var subject = ""
    /// The position; nil only if no file is involved.
    public var position: SourcePosition?
    /// The position just past the end of the name, string or symbol at ``position``. Where something is missing, it
    /// equals ``position``. It is nil if no column is known, or no file was read.
    package var end: SourcePosition?
    /// The key; empty if the finding is about the whole file.
    public var path: ConfigurationPath
    /// The problem.
    public var message: String
    /// The suggested solution, if there is one.
    public var hint: String?
    /// The edit that applies the hint, if the hint is specific enough.
    package var fix: Fix?
    /// The correction from which the fix is created when the text of the file is available.
    package var correction: Correction?
    /// Whether it prevented further checks, so that fixing it may reveal more findings.
    package var mayMaskOthers = false
    /// The call stack, innermost call first, of an error that was raised while a file ran; otherwise empty.
    package var traceback: [String] = []
    /// The line of the position, if its file was read.
    package var line: SourceLine?
    /// Related positions.
    package var related: [RelatedPosition] = []
    /// A situation that has the problem, if others do not. It is not part of the fingerprint: an edit elsewhere may
    /// change which situation is found first.
    package var situation: MarketContext? {
        // A situation without any value is that of a command without `--context`, so there is nothing to print.
        didSet { if situation?.values.isEmpty == true, situation?.languages.isEmpty == true { situation = nil } }
    }

    /// Another position that a finding is about.
    package struct RelatedPosition: Sendable, Hashable {
        /// The position.
        package let position: SourcePosition
        /// A description of what is there.
        package let message: String
        /// Whether the position distinguishes the finding from others, so that it is part of the fingerprint.
        package let isOfFingerprint: Bool

        /// Creates a related position.
        package init(_ position: SourcePosition, _ message: String) {
            self.position = position
            self.message = message
            isOfFingerprint = true
        }

        /// Creates the other position of a conflict. It is not part of the fingerprint: the finding's
        /// ``Finding/subject`` has the same information, and recorded fingerprints are older than such positions.
        package init(_ position: SourcePosition, ofClashWith name: String) {
            self.position = position
            message = "\(name) is here"
            isOfFingerprint = false
        }
    }

    /// The maximum size of ``message`` and ``hint`` together, in bytes. Longer text is truncated.
    package static let maximumTextLength = 1024
    /// The maximum size of the message, in bytes.
    private static let maximumMessageLength = 768
    /// The maximum size of the path for display, in bytes.
    private static let maximumPathLength = 256

    /// Creates a finding.
    package init(
        _ code: FindingCode, severity: Severity = .error, at position: SourcePosition?,
        path: ConfigurationPath = ConfigurationPath(), subject: String = "", _ message: String, hint: String? = nil
    ) {
        self.subject = subject
        self.severity = severity
        self.code = code
        self.position = position
        self.path = path
        self.message = message.shortened(to: Self.maximumMessageLength)
        self.hint = hint.map { $0.shortened(to: Self.maximumTextLength - self.message.utf8.count) }
    }

    /// Creates a finding with advice.
    package init(
        _ code: FindingCode, severity: Severity = .error, at position: SourcePosition?,
        path: ConfigurationPath = ConfigurationPath(), subject: String = "", _ message: String, advice: Advice
    ) {
        self.init(code, severity: severity, at: position, path: path, subject: subject, message, hint: advice.hint)
        correction = advice.correction
    }

    /// The name of the rule in output, editors and policies: the name of the policy, otherwise that of the code.
    package var rule: String { policy ?? code.rawValue }

    /// The path for display. A long path is truncated.
    package var displayPath: String { path.description.shortened(to: Self.maximumPathLength) }
}

extension Finding: CustomStringConvertible {
    /// The finding as text: `markets/ca.lua:41:7: error: key.path: message [rule]`, a `hint:` line if there is a hint, and
    /// the call stack. Invisible characters are escaped, so that the contents of a file cannot forge lines or colors in a
    /// log.
    public var description: String {
        ([headline] + [situationLine, hintLine, tracebackLines].compactMap(\.self)).joined(separator: "\n").plain
    }

    /// The finding without its hint, on one line. Ends with the name of the ``rule``, which `accept` and policies use.
    package var headline: DisplayText {
        let place: DisplayText = position.map { "\($0): " } ?? ""
        let word: DisplayText = "\(severity.rawValue): "
        let key: DisplayText = path.elements.isEmpty ? "" : "\(displayPath): "
        let style: DisplayText.Style? =
            switch severity {
            case .error: .red
            case .warning: .yellow
            case .note: nil
            }
        return "\(place)\(word, style)\(key)\(message)\(" [\(rule)]", .dim)"
    }

    /// A situation that has the problem, as options of a command that show it, on a separate line.
    package var situationLine: DisplayText? { situation.map { "  when: --context \($0.commandText)" } }

    /// The call stack of an error, on separate lines.
    package var tracebackLines: DisplayText? {
        guard !traceback.isEmpty else { return nil }
        return (["  traceback:"] + traceback.map { "    \($0)" as DisplayText }).joined(separator: "\n")
    }

    /// The hint, on separate lines.
    package var hintLine: DisplayText? { hint.map { "  hint: \(DisplayText(lines: $0))" } }
}

extension String {
    /// The text, truncated to that many bytes including an ellipsis if it is longer.
    fileprivate func shortened(to count: Int) -> String {
        guard utf8.count > count else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: count - 3)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}

extension Sequence<Finding> {
    /// The distinct findings, sorted by position. Those without a position come last. Of findings that differ only in
    /// their situations, one without a situation remains, otherwise the first.
    package func sortedByPosition() -> [Finding] {
        var distinct = InternTable<Finding>()
        var situations: [MarketContext?] = []
        for finding in self {
            var key = finding
            key.situation = nil
            let (isNew, number) = distinct.insert(key)
            if isNew {
                situations.append(finding.situation)
            } else if finding.situation == nil {
                situations[number] = nil
            }
        }
        let findings = zip(distinct.values, situations).map { finding, situation in
            var finding = finding
            finding.situation = situation
            return finding
        }
        return findings.sorted { left, right in
            switch (left.position, right.position) {
            // The number of omitted findings comes last in its file.
            case (let leftPlace?, let rightPlace?)
            where leftPlace.file == rightPlace.file
                && (left.code == .omittedFindings) != (right.code == .omittedFindings):
                right.code == .omittedFindings
            case (let left?, let right?) where left != right: left < right
            case (nil, _?): false
            case (_?, nil): true
            case _ where (left.code == .omittedFindings) != (right.code == .omittedFindings):
                right.code == .omittedFindings
            default:
                (left.path.description, left.message, left.rule) < (right.path.description, right.message, right.rule)
            }
        }
    }

    /// Whether any finding is an error.
    public var hasErrors: Bool { contains { $0.severity == .error } }
}
