import GlassBase

/// The findings about served files. Limited per code and file, with the rest counted, because an untrusted file can
/// have any number of problems.
struct ServedFindings {
    /// The maximum number of findings per code and file.
    static let maximumOfACode = 25
    /// The maximum number of findings in total.
    static let maximum = 500

    private struct Group: Hashable {
        let host: String
        let file: ServedFile.Kind?
        let code: ServedFinding.Code
    }

    private struct Omission {
        var count = 0
        var severity = ServedFinding.Severity.warning
    }

    private var list: [ServedFinding] = []
    private var counts: [Group: Int] = [:]
    private var omissions: [Group: Omission] = [:]
    /// The groups with omissions, in order.
    private var order: [Group] = []
    private var omittedInAll = Omission()

    /// Adds a finding, or counts it if a limit is reached.
    mutating func add(_ finding: ServedFinding) {
        let group = Group(host: finding.host, file: finding.file, code: finding.code)
        if list.count < Self.maximum, counts[group, default: 0] < Self.maximumOfACode {
            counts[group, default: 0] += 1
            list.append(finding)
        } else {
            omit(1, finding.severity, group)
        }
    }

    /// Adds to the count without creating findings.
    mutating func omit(
        _ count: Int, _ severity: ServedFinding.Severity, code: ServedFinding.Code, of file: ServedFile
    ) {
        guard count > 0 else { return }
        omit(count, severity, Group(host: file.host, file: file.kind, code: code))
    }

    private mutating func omit(_ count: Int, _ severity: ServedFinding.Severity, _ group: Group) {
        // Once the total limit is reached, there may be as many groups as hosts.
        guard omissions[group] != nil || order.count < Self.maximumOfACode else {
            omittedInAll.count += count
            if severity == .error { omittedInAll.severity = .error }
            return
        }
        if omissions[group] == nil { order.append(group) }
        omissions[group, default: Omission()].count += count
        if severity == .error { omissions[group]?.severity = .error }
    }

    /// The findings, and one for each group with omissions.
    var all: [ServedFinding] {
        var all = list
        for group in order {
            guard let omission = omissions[group] else { continue }
            all.append(
                ServedFinding(
                    group.code, omission.severity, host: group.host, file: group.file,
                    "\(omission.count.grouped) more of these are not shown", hint: "fix those shown first"))
        }
        if omittedInAll.count > 0, let last = order.last {
            all.append(
                ServedFinding(
                    last.code, omittedInAll.severity, host: last.host,
                    "\(omittedInAll.count.grouped) more findings for this and other hosts are not shown",
                    hint: "select one host with --host"))
        }
        return all
    }
}
