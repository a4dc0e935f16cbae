import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension Market {
    /// Reads a key path that the user wrote and checks that the market has it. The end of a path is enough if only one
    /// path ends that way.
    func knownPath(
        _ text: String, budget: WorkBudget, takingDropped: Bool = false
    ) throws -> ConfigurationPath {
        guard let path = ConfigurationPath(parsing: text) else {
            throw CommandFailure(
                noKey: text, "\"\(text)\" is not a key path", hint: "use the form platform.networking.retry")
        }
        var known = effective
        guard known.node(at: path) == nil else { return path }
        if takingDropped, !path.elements.isEmpty,
            try history(of: path, value: nil, budget: budget).dropped != nil
        {
            return path
        }
        let ends = try paths(endingWith: path, budget: budget, takingDropped)
        if ends.count == 1 { return ends[0] }
        guard ends.isEmpty else {
            throw CommandFailure(
                noKey: text,
                "market \"\(id)\" has several keys that end that way: \(ends.map(\.description).sorted().listed)")
        }
        var walked = ConfigurationPath()
        for element in path.elements {
            guard let node = known.node(at: ConfigurationPath([element])) else { break }
            known = node
            walked = ConfigurationPath(walked.elements + [element])
        }
        let place: DisplayText = walked.elements.isEmpty ? "market \"\(id)\"" : "\(walked) of market \"\(id)\""
        guard case .map(let entries) = known.value, case .key(let missing) = path.elements[walked.elements.count] else {
            throw CommandFailure(noKey: text, "\(place) has no value at \(path)")
        }
        let renamed = schema.declaration.key(formerlyAt: walked.appending(missing))
            .map { "it was renamed to \($0.name)" as DisplayText }
        let far = try walked.elements.isEmpty ? nearestPath(to: path, budget: budget) : nil
        let near = try Suggestion.nearest(to: missing, in: entries.keys.sorted(), budget: budget).map {
            "did you mean \"\($0)\"?" as DisplayText
        }
        throw CommandFailure(
            noKey: text, "\(place) has no key \"\(missing)\"",
            hint: renamed ?? near ?? far ?? "it has \(entries.keys.sorted().listed)")
    }

    /// The keys of the effective configuration whose paths end with a given path.
    private func paths(
        endingWith end: ConfigurationPath, budget: WorkBudget, _ takingDropped: Bool
    ) throws(WorkBudget.Exceeded) -> [ConfigurationPath] {
        let keys = try keyPaths(budget: budget) + (takingDropped ? droppedPaths : [])
        return keys.filter { $0.elements.suffix(end.elements.count) == end.elements[...] }
    }

    /// The key whose name is most similar to a misspelled one, at any level.
    private func nearestPath(to path: ConfigurationPath, budget: WorkBudget) throws(WorkBudget.Exceeded) -> DisplayText?
    {
        guard case .key(let name)? = path.elements.first, path.elements.count == 1 else { return nil }
        let keys = try keyPaths(budget: budget)
        let names = keys.compactMap { if case .key(let name)? = $0.elements.last { name } else { nil } }
        guard let near = try Suggestion.nearest(to: name, in: names, budget: budget) else { return nil }
        return keys.first { $0.elements.last == .key(near) }.map { "did you mean \"\($0)\"?" }
    }

    /// The paths of the keys of all tables, in key order.
    func keyPaths(budget: WorkBudget) throws(WorkBudget.Exceeded) -> [ConfigurationPath] {
        var found: [ConfigurationPath] = []
        var open: [(path: ConfigurationPath, node: ConfigurationNode)] = [(ConfigurationPath(), effective)]
        while let (path, node) = open.popLast() {
            guard case .map(let entries) = node.value else { continue }
            try budget.spend(1 + entries.count, on: .explaining)
            for (key, entry) in entries.inOrder.reversed() { open.append((path.appending(key), entry)) }
            found += entries.inOrder.map { path.appending($0.key) }
        }
        return found
    }
}

extension CommandFailure {
    /// Creates the failure for a key that a market does not have.
    fileprivate init(noKey key: String, _ message: DisplayText, hint: DisplayText? = nil) {
        self.init(status: .no, message + (hint.map { "; \($0)" } ?? ""))
        findings = [
            Finding(
                .unknownKey, at: nil, path: ConfigurationPath(parsing: key) ?? ConfigurationPath(), message.plain,
                hint: hint?.plain)
        ]
    }
}
