package import GlassBase

/// Something that a check has to say about a configuration: what, where, and what to do.
public struct Finding: Sendable, Hashable {
    /// How bad a finding is.
    public enum Severity: String, Sendable, Hashable {
        /// The configuration cannot be used.
        case error
        /// The configuration works, but somebody should look.
        case warning
        /// Something to know; nobody has to do anything.
        case note
    }

    /// How bad it is.
    public var severity: Severity
    /// Which rule found it.
    public var code: FindingCode
    /// The policy that found it, where one did.
    package var policy: String?
    /// Data that distinguishes this finding from others with the same rule, key and text, such as the other pattern of a
    /// clash or the missing name. It is part of the fingerprint, so it must not depend on how the message is worded.
    package var subject = ""
    /// Where; nil only when no file is concerned.
    public var position: SourcePosition?
    /// The place just behind what the position points at: the end of a name, a text or a sign. Where something is missing
    /// it is the position itself; nil when no column is known, or no file was read.
    package var end: SourcePosition?
    /// The key concerned; empty when the whole file is.
    public var path: ConfigurationPath
    /// What is wrong.
    public var message: String
    /// What to do, where there is something to say.
    public var hint: String?
    /// The change of the file that does what the hint says, where it says that exactly.
    package var fix: Fix?
    /// What the fix is made of, when the file is at hand.
    package var correction: Correction?
    /// Whether it kept something from being looked at, so that fixing it can bring up more.
    package var mayMaskOthers = false
    /// The calls that led there, the innermost first, for an error that came while a file ran; empty otherwise.
    package var traceback: [String] = []
    /// The line that the position is in, where it is one of a file that was read.
    package var line: SourceLine?
    /// Other places that belong to it.
    package var related: [RelatedPosition] = []

    /// Another place that a finding is about.
    package struct RelatedPosition: Sendable, Hashable {
        /// Where it is.
        package let position: SourcePosition
        /// What is there.
        package let message: String
        /// Whether it tells the finding apart from others, so that the fingerprint is made of it too.
        package let isOfFingerprint: Bool

        /// Creates a place.
        package init(_ position: SourcePosition, _ message: String) {
            self.position = position
            self.message = message
            isOfFingerprint = true
        }

        /// Creates the other place of a clash. The finding's ``Finding/subject`` has it already, and fingerprints that
        /// people wrote down are older than such places.
        package init(_ position: SourcePosition, ofClashWith name: String) {
            self.position = position
            message = "\(name) is here"
            isOfFingerprint = false
        }
    }

    /// How many bytes ``message`` and ``hint`` have together at most; of what is longer the beginning stands.
    package static let maximumTextLength = 1024
    /// How many of them the message can take.
    private static let maximumMessageLength = 768
    /// How many bytes of the path are written out.
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

    /// What output, editors and policies call the rule that found it: the name of a policy, else that of the code.
    package var rule: String { policy ?? code.rawValue }

    /// The path as a diagnostic shows it: of a long one the beginning.
    package var displayPath: String { path.description.shortened(to: Self.maximumPathLength) }
}

extension Finding: CustomStringConvertible {
    /// The diagnostic: `markets/ca.lua:41:7: error: key.path: message`, a `hint:` line where there is one, and the calls
    /// that led there. What cannot
    /// be seen is written out, so that what a file contains cannot forge lines or colours in a log.
    public var description: String {
        ([headline] + [hintLine, tracebackLines].compactMap(\.self)).joined(separator: "\n").plain
    }

    /// The diagnostic without its hint, on one line.
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
        return "\(place)\(word, style)\(key)\(message)"
    }

    /// The calls that led to an error, on lines of their own.
    package var tracebackLines: DisplayText? {
        guard !traceback.isEmpty else { return nil }
        return (["  traceback:"] + traceback.map { "    \($0)" as DisplayText }).joined(separator: "\n")
    }

    /// The hint on lines of its own.
    package var hintLine: DisplayText? { hint.map { "  hint: \(DisplayText(lines: $0))" } }
}

extension String {
    /// The text, or as much of its beginning as has that many bytes with the ellipsis behind it.
    fileprivate func shortened(to count: Int) -> String {
        guard utf8.count > count else { return self }
        var end = utf8.index(utf8.startIndex, offsetBy: count - 3)
        while end.samePosition(in: unicodeScalars) == nil { end = utf8.index(before: end) }
        return self[..<end] + "…"
    }
}

extension Sequence<Finding> {
    /// The findings in the order of their positions; those without one come last.
    package func sortedByPosition() -> [Finding] {
        var distinct = Numbering<Finding>()
        for finding in self { distinct.insert(finding) }
        return distinct.values.sorted { left, right in
            switch (left.position, right.position) {
            // How many more there are comes last in its file.
            case (let leftPlace?, let rightPlace?)
            where leftPlace.file == rightPlace.file
                && (left.code == .omittedFindings) != (right.code == .omittedFindings):
                right.code == .omittedFindings
            case (let left?, let right?) where left != right: left < right
            case (nil, _?): false
            case (_?, nil): true
            case _ where (left.code == .omittedFindings) != (right.code == .omittedFindings):
                right.code == .omittedFindings
            default: (left.path.description, left.message) < (right.path.description, right.message)
            }
        }
    }

    /// Whether any finding is an error.
    public var hasErrors: Bool { contains { $0.severity == .error } }
}
