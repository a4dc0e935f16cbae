import GlassBase

/// The registrations of a container and its parents, connected by their declared requirements.
struct DeclaredGraph {
    struct Node {
        let level: Int
        let info: RegistrationInfo
        /// The nodes that the registration declares as requirements.
        var requirements: [Int] = []
        /// The nodes that the factory resolved when it last ran.
        var recorded: [Int] = []
    }

    /// A container, and the nodes of its services.
    private struct Level {
        let container: Container
        var ids = InternTable<ServiceID>()
        /// The node of each ID, indexed by the ID's number; the last one if several registrations share an ID.
        var nodes: [Int] = []

        mutating func set(_ node: Int, for id: ServiceID) {
            let (isNew, number) = ids.insert(id)
            if isNew { nodes.append(node) } else { nodes[number] = node }
        }

        func node(for id: ServiceID) -> Int? { ids.number(of: id).map { nodes[$0] } }
    }

    private var levels: [Level] = []
    private(set) var nodes: [Node] = []
    var findings: [ValidationFinding] = []

    init(_ container: Container) {
        var next: Container? = container
        while let container = next {
            let level = levels.count
            levels.append(Level(container: container))
            for info in container.ownRegistrations(isInherited: level > 0) {
                levels[level].set(nodes.count, for: info.id)
                nodes.append(Node(level: level, info: info))
            }
            for (id, site, replaced) in container.duplicates {
                findings.append(
                    ValidationFinding(
                        kind: .duplicate, services: [id], site: site,
                        message: "\(id) is already registered at \(replaced)",
                        hint: "the last registration wins; remove one, or override it in a child container"))
            }
            next = container.parent
        }
        for index in nodes.indices { connect(index) }
        findCycles()
        findCaptives()
    }

    /// Looks up a key as a factory at `level` would.
    private func find(_ id: ServiceID, from level: Int) -> Int? {
        for level in levels[level...] {
            if let node = level.node(for: id) { return node }
        }
        return nil
    }

    private mutating func connect(_ index: Int) {
        let node = nodes[index]
        for id in node.info.requires ?? [] {
            guard let target = find(id, from: node.level) else {
                findings.append(missing(id, from: node.level, "\(node.info.id) requires \(id), which", node.info.site))
                continue
            }
            nodes[index].requirements.append(target)
        }
        for (id, origin) in zip(node.info.dependencies, node.info.origins) {
            // A dependency without a level belongs to a container that the factory created for itself.
            guard let level = levels.firstIndex(where: { ObjectIdentifier($0.container.store) == origin }),
                let target = levels[level].node(for: id)
            else { continue }
            nodes[index].recorded.append(target)
        }
    }

    mutating func require(_ ids: [ServiceID], _ site: RegistrationSite) {
        for id in ids where find(id, from: 0) == nil {
            findings.append(missing(id, from: 0, "\(id) is required but", site))
        }
    }

    /// Adds a finding for each registered value that does not work here. A value is not created if anything is missing.
    mutating func checkValues(in container: Container) {
        guard !findings.contains(where: { $0.kind == .missing || $0.kind == .cyclic }) else { return }
        func problem<Value: SelfChecking>(of type: Value.Type) -> (message: String, hint: String?)? {
            // A factory that throws says so at its first use.
            let value = try? container.require(type)  // see above
            return value?.problem()
        }
        for node in nodes where node.info.id.name == nil {
            guard let type = node.info.id.type as? any SelfChecking.Type, find(node.info.id, from: 0) != nil,
                let problem = problem(of: type)
            else { continue }
            findings.append(
                ValidationFinding(
                    kind: .unusable, services: [node.info.id], site: node.info.site, message: problem.message,
                    hint: problem.hint))
        }
    }

    private func missing(_ id: ServiceID, from level: Int, _ who: String, _ site: RegistrationSite) -> ValidationFinding
    {
        let near = nearest(to: id, among: levels[level...].flatMap(\.ids.values))
        let others = near.isEmpty ? "" : "; nearest: \(near.map(\.description).joined(separator: ", "))"
        return ValidationFinding(
            kind: .missing, services: [id], site: site, message: "\(who) is not registered",
            hint: "register(\(id.source)) { … }\(others)")
    }

    /// Reports one cycle for each group of services that require one another: a shortest cycle through the service of
    /// the group that comes first in the source.
    private mutating func findCycles() {
        for group in StrongComponents(nodes.map(\.requirements)).groups {
            guard
                let first = group.min(by: {
                    (nodes[$0].info.site, $0) < (nodes[$1].info.site, $1)
                }), let cycle = shortestCycle(from: first, within: Set(group))
            else { continue }
            let ids = cycle.map { nodes[$0].info.id }
            let places = cycle.dropFirst().dropLast().map { "\(nodes[$0].info.id) at \(nodes[$0].info.site)" }
            findings.append(
                ValidationFinding(
                    kind: .cyclic, services: ids, site: nodes[first].info.site,
                    message: ids.map(\.description).joined(separator: " → ") + " is a cycle"
                        + (places.isEmpty ? "" : " (\(places.joined(separator: ", ")))"),
                    hint: "resolve one of them lazily, or move the shared part to a third service"))
        }
    }

    private func shortestCycle(from start: Int, within group: Set<Int>) -> [Int]? {
        var previous: [Int: Int] = [:]
        var queue = [start]
        var head = 0
        while head < queue.count {
            let node = queue[head]
            head += 1
            for target in nodes[node].requirements where group.contains(target) {
                if target == start {
                    var cycle = [start, node]
                    while let last = cycle.last, last != start, let before = previous[last] { cycle.append(before) }
                    return node == start ? [start, start] : cycle.reversed()
                }
                if previous[target] == nil {
                    previous[target] = node
                    queue.append(target)
                }
            }
        }
        return nil
    }

    var report: ValidationReport {
        ValidationReport(
            findings: findings.sorted { ($0.site, $0.message) < ($1.site, $1.message) },
            notChecked: nodes.map(\.info).filter { $0.requires == nil })
    }
}
