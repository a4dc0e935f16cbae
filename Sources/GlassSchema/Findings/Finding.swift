package import GlassBase

/// Something that a check has to say about a configuration: what, where, and what to do.
public struct Finding: Sendable, Hashable {
    /// How bad a finding is.
    public enum Severity: String, Sendable, Hashable {
        /// The configuration cannot be used.
        case error
        /// The configuration works, but somebody should look.
        case warning
    }

    /// How bad it is.
    public var severity: Severity
    /// Which rule found it.
    public var code: FindingCode
    /// Where; nil only when no file is concerned.
    public var position: SourcePosition?
    /// The key concerned; empty when the whole file is.
    public var path: ConfigurationPath
    /// What is wrong.
    public var message: String
    /// What to do, where there is something to say.
    public var hint: String?
    /// The line that the position is in, where it is one of a file that was read.
    public var line: SourceLine?

    /// Creates a finding.
    ///
    /// - Parameters:
    ///   - code: Which rule found it.
    ///   - severity: How bad it is.
    ///   - position: Where.
    ///   - path: The key concerned; empty when the whole file is.
    ///   - message: What is wrong.
    ///   - hint: What to do.
    public init(
        _ code: FindingCode, severity: Severity = .error, at position: SourcePosition?,
        path: ConfigurationPath = ConfigurationPath(), _ message: String, hint: String? = nil
    ) {
        self.severity = severity
        self.code = code
        self.position = position
        self.path = path
        self.message = message
        self.hint = hint
    }
}

extension Finding: CustomStringConvertible {
    /// The diagnostic: `markets/ca.lua:41:7: error: key.path: message`, and a `hint:` line where there is one. What cannot
    /// be seen is written out, so that what a file contains cannot forge lines or colours in a log.
    public var description: String { ([headline] + [hintLine].compactMap(\.self)).joined(separator: "\n").plain }

    /// The diagnostic without its hint, on one line.
    package var headline: SafeText {
        let place: SafeText = position.map { "\($0): " } ?? ""
        let word: SafeText = "\(severity.rawValue): "
        let key: SafeText = path.elements.isEmpty ? "" : "\(path): "
        return "\(place)\(word, severity == .error ? .red : .yellow)\(key)\(message)"
    }

    /// The hint on lines of its own.
    package var hintLine: SafeText? { hint.map { "  hint: \(SafeText(lines: $0))" } }
}

extension Sequence<Finding> {
    /// The findings in the order of their positions; those without one come last.
    ///
    /// - Returns: The sorted findings, each once.
    public func sortedByPosition() -> [Finding] {
        var seen: Set<Finding> = []
        return filter { seen.insert($0).inserted }.sorted { left, right in
            switch (left.position, right.position) {
            case (let left?, let right?) where left != right: left < right
            case (nil, _?): false
            case (_?, nil): true
            default: (left.path.description, left.message) < (right.path.description, right.message)
            }
        }
    }

    /// Whether any finding is an error.
    public var hasErrors: Bool { contains { $0.severity == .error } }
}
