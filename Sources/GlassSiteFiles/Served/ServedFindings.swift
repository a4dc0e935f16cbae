import GlassBase

/// The findings about served files. Of each kind so many are kept for a file, and the others counted: a file of others can
/// be wrong in any number of places.
struct ServedFindings {
    /// How many findings of a code are kept for a file.
    static let maximumOfACode = 25
    /// How many are kept in all.
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
    /// The groups with omissions, in their order.
    private var order: [Group] = []
    private var omittedInAll = Omission()

    /// Adds a finding, or counts it.
    mutating func add(_ finding: ServedFinding) {
        let group = Group(host: finding.host, file: finding.file, code: finding.code)
        if list.count < Self.maximum, counts[group, default: 0] < Self.maximumOfACode {
            counts[group, default: 0] += 1
            list.append(finding)
        } else {
            omit(1, finding.severity, group)
        }
    }

    /// Counts findings that nobody made.
    mutating func omit(
        _ count: Int, _ severity: ServedFinding.Severity, code: ServedFinding.Code, of file: ServedFile
    ) {
        guard count > 0 else { return }
        omit(count, severity, Group(host: file.host, file: file.kind, code: code))
    }

    private mutating func omit(_ count: Int, _ severity: ServedFinding.Severity, _ group: Group) {
        // Past the limit there may be as many groups as there are hosts.
        guard omissions[group] != nil || order.count < Self.maximumOfACode else {
            omittedInAll.count += count
            if severity == .error { omittedInAll.severity = .error }
            return
        }
        if omissions[group] == nil { order.append(group) }
        omissions[group, default: Omission()].count += count
        if severity == .error { omissions[group]?.severity = .error }
    }

    /// Those that are kept, and for those that are not their number.
    var all: [ServedFinding] {
        var all = list
        for group in order {
            guard let omission = omissions[group] else { continue }
            all.append(
                ServedFinding(
                    group.code, omission.severity, host: group.host, file: group.file,
                    "\(omission.count.grouped) more of these are not shown", hint: "start with those that are shown"))
        }
        if omittedInAll.count > 0, let last = order.last {
            all.append(
                ServedFinding(
                    last.code, omittedInAll.severity, host: last.host,
                    "\(omittedInAll.count.grouped) more findings of this and other hosts are not shown",
                    hint: "name one host with --host"))
        }
        return all
    }
}
