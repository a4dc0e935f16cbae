import GlassBase
import GlassSchema

/// Collects findings about served files. Each code is limited per file, and the rest are only counted, because an
/// untrusted file can have any number of problems. A class, so that everything that reads a file adds to one list.
final class SiteFindings: Sendable {
    /// The maximum number of findings per code and file.
    static let maximumOfACode = 25
    /// The maximum number of findings in total.
    static let maximum = 500

    private struct Group: Hashable {
        let host: String
        let file: ServedFile.Kind?
        let code: SiteFinding.Code
    }

    private struct Omission {
        var count = 0
        var severity = Finding.Severity.warning

        mutating func add(_ other: Finding.Severity) {
            count += 1
            if other == .error { severity = .error }
        }
    }

    private struct State: Sendable {
        var list: [SiteFinding] = []
        var counts: [Group: Int] = [:]
        var omissions: [Group: Omission] = [:]
        /// The groups with omissions, in order.
        var order: [Group] = []
        var omittedInAll = Omission()
    }

    private let state = Lock(State())

    /// Adds a finding, or counts it if a limit is reached.
    func add(_ finding: SiteFinding) {
        let group = Group(host: finding.subject, file: finding.file, code: finding.code)
        state.withLock { state in
            if state.list.count < Self.maximum, state.counts[group, default: 0] < Self.maximumOfACode {
                state.counts[group, default: 0] += 1
                state.list.append(finding)
            } else if state.omissions[group] != nil || state.order.count < Self.maximumOfACode {
                if state.omissions[group] == nil { state.order.append(group) }
                state.omissions[group, default: Omission()].add(finding.severity)
            } else {
                // Once the total limit is reached, there may be as many groups as hosts.
                state.omittedInAll.add(finding.severity)
            }
        }
    }

    /// The findings, and one for each group with omissions.
    var all: [SiteFinding] {
        let state = state.withLock { $0 }
        var all = state.list
        for group in state.order {
            guard let omission = state.omissions[group] else { continue }
            all.append(
                SiteFinding(
                    group.code, omission.severity, of: group.host, file: group.file,
                    "\(omission.count.grouped) more of these are not shown", hint: "fix those shown first"))
        }
        if state.omittedInAll.count > 0, let last = state.order.last {
            all.append(
                SiteFinding(
                    last.code, state.omittedInAll.severity, of: last.host,
                    "\(state.omittedInAll.count.grouped) more findings for this and other hosts are not shown",
                    hint: "select one host with --host"))
        }
        return all
    }
}

/// The findings about one served file.
struct ServedFileFindings {
    let file: ServedFile
    let list: SiteFindings

    /// Adds a finding about the file.
    func add(_ code: SiteFinding.Code, _ message: String, _ severity: Finding.Severity = .error, hint: String? = nil) {
        list.add(SiteFinding(code, severity, of: file.host, file: file.kind, message, hint: hint))
    }

    /// Reports a value that is not in a supported format.
    ///
    /// - Parameters:
    ///   - key: The path in the file; empty for the whole file.
    ///   - severity: An error if links stay in the browser because of it.
    func add(malformed key: String, _ message: String, _ severity: Finding.Severity = .warning) {
        list.add(
            SiteFinding(
                .malformed, severity, of: file.host, file: file.kind, key: key.isEmpty ? nil : key, message))
    }

    /// Reports a value of the wrong JSON type, which is never reported as missing.
    func addType(
        of value: StrictJSON, _ key: String, expected: String, _ severity: Finding.Severity = .warning
    ) {
        add(malformed: key, "expected \(expected), got \(value.typeName)", severity)
    }

    /// The strings of a list, and whether all of its elements are strings. Other elements are reported and omitted.
    func texts(
        _ value: StrictJSON, _ key: String, _ severity: Finding.Severity = .warning
    ) -> (texts: [String], isWhole: Bool) {
        guard let elements = value.arrayValue else {
            addType(of: value, key, expected: "a list of strings", severity)
            return ([], false)
        }
        var texts: [String] = []
        for (place, element) in elements.enumerated() {
            if let text = element.stringValue {
                texts.append(text)
            } else {
                addType(of: element, "\(key)[\(place)]", expected: "a string", severity)
            }
        }
        return (texts, texts.count == elements.count)
    }
}

extension StrictJSON {
    /// The type of the value, with an article.
    var typeName: String {
        switch self {
        case .null: "null"
        case .boolean(let value): value ? "true" : "false"
        case .integer, .number: "a number"
        case .string: "a string"
        case .array: "a list"
        case .object: "an object"
        }
    }
}

extension String {
    /// The string truncated for a finding, because untrusted text may have megabytes.
    package var shortenedForFinding: String {
        let start = unicodeScalars.prefix(Self.maximumShown + 1)
        return start.count > Self.maximumShown ? String(start.dropLast()) + "…" : self
    }

    private static var maximumShown: Int { 200 }
}
