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
    /// The diagnostic: `markets/ca.lua:41:7: error: key.path: message`, and a `hint:` line where there is one. Control
    /// characters are written out.
    public var description: String {
        var text = position.map { "\($0): " } ?? ""
        text += "\(severity.rawValue): "
        if !path.elements.isEmpty { text += "\(path): " }
        text += message
        text = text.escapingControlCharacters(exceptLineBreaks: false)
        if let hint { text += "\n  hint: \(hint.escapingControlCharacters(exceptLineBreaks: true))" }
        return text
    }
}

extension String {
    /// The text with control characters written out, so that what a file contains cannot forge lines or colours in a log.
    fileprivate func escapingControlCharacters(exceptLineBreaks: Bool) -> String {
        guard
            unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F || (0x80...0x9F).contains($0.value) })
        else { return self }
        var text = ""
        for scalar in unicodeScalars {
            switch scalar {
            case "\n": text += exceptLineBreaks ? "\n" : "\\n"
            case "\t": text += "\\t"
            case "\r": text += "\\r"
            case _ where scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value):
                text += "\\u{\(String(scalar.value, radix: 16))}"
            default: text.unicodeScalars.append(scalar)
            }
        }
        return text
    }
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
