extension DeclaredGraph {
    /// Reports each service that outlives a service it holds.
    ///
    /// A unique service is released with its holder, so it's never captive itself, and what it holds counts as held by
    /// its holder.
    mutating func findCaptives() {
        // The holder that each node was last reached from.
        var reached = [Int](repeating: -1, count: nodes.count)
        for holder in nodes.indices where nodes[holder].info.lifespan.isKept {
            reached[holder] = holder
            var paths = neighbors(of: holder).map { [$0] }
            while !paths.isEmpty {
                let path = paths.removeFirst()
                guard let target = path.last, reached[target] != holder else { continue }
                reached[target] = holder
                if nodes[target].info.lifespan.scope.lifetime == .unique {
                    paths += neighbors(of: target).map { path + [$0] }
                } else if let end = end(of: target, within: holder) {
                    findings.append(captive(holder, path, end))
                }
            }
        }
    }

    private func neighbors(of node: Int) -> [Int] { nodes[node].requirements + nodes[node].recorded }

    /// A phrase for how the target's lifetime ends before its holder's; nil if it doesn't.
    private func end(of target: Int, within holder: Int) -> String? {
        let (long, short) = (nodes[holder].info.lifespan, nodes[target].info.lifespan)
        let isFromChild = nodes[target].level < nodes[holder].level
        switch (long.scope.lifetime, short.scope.lifetime) {
        case (_, .graph): return "lasts for one resolution"
        case (.container, .shared), (.process, .shared): return "is released when nothing else holds it"
        case (.process, .container): return "is released with its container"
        case (.container, .container) where isFromChild: return "is released with its container, a child"
        case (.container, .container) where short.scope.isCustom && !long.scope.isCustom:
            return "is discarded when its scope is reset"
        default: break
        }
        guard let limit = short.timeToLive, limit < long.timeToLive ?? .infinity else { return nil }
        return "expires after \(limit) seconds"
    }

    private func captive(_ holder: Int, _ path: [Int], _ end: String) -> ValidationFinding {
        let (holder, target) = (nodes[holder].info, nodes[path[path.count - 1]].info)
        let way = path.dropLast().map { nodes[$0].info.id.description }.joined(separator: " → ")
        let life =
            switch holder.lifespan.scope.lifetime {
            case .process: "lives as long as the process"
            case .container: "lives as long as its container"
            case .shared, .graph, .unique: "lives as long as something holds it"
            }
        return ValidationFinding(
            kind: .captive, services: [holder.id, target.id], site: holder.site,
            message: "\(holder.id) \(life) and would hold \(target.id)\(way.isEmpty ? "" : " through \(way)"), which "
                + "\(end) (registered at \(target.site))",
            hint: "give both the same scope, or have \(holder.id) resolve \(target.id) each time it uses it")
    }
}

/// The lifetime of an instance, as compared by validation.
struct Lifespan: Sendable, Hashable {
    let scope: Scope
    let timeToLive: Double?

    /// Whether the instance may be returned again after the resolution that created it.
    var isKept: Bool { scope.lifetime > .graph }

    static func == (first: Self, second: Self) -> Bool {
        first.scope === second.scope && first.timeToLive == second.timeToLive
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(scope))
        hasher.combine(timeToLive)
    }
}
