package import GlassBase
package import GlassDeepLinking
package import GlassSchema

/// Operations on a loaded market, within a budget. Loading limits the size of a market; the budget limits what is
/// computed from it.
extension Market {
    /// An effective value: the values of the files and every default, without positions.
    package func effective(
        at path: ConfigurationPath, spending budget: WorkBudget, on phase: WorkBudget.Phase
    ) throws(WorkBudget.Exceeded) -> ConfigurationNode? {
        try budget.look(in: phase)
        let node = effective.node(at: path)
        try node?.value.spend(budget, on: phase)
        return node
    }

    /// Explains how a link is routed, without opening it. Other markets are not considered.
    package func explain(_ link: String, budget: WorkBudget) throws(WorkBudget.Exceeded) -> LinkExplanation {
        try deepLinker.explain(link, budget: budget)
    }

    /// The services of the market, created if necessary.
    package func services(
        budget: WorkBudget
    ) throws(WorkBudget.Exceeded) -> [(service: Service, instance: Any?)] {
        let effective = effective
        var services: [(service: Service, instance: Any?)] = []
        for service in module.services {
            try budget.spend(on: .resolving)
            for path in service.configuredBy { try effective.node(at: path)?.value.spend(budget, on: .resolving) }
            services.append((service, service.resolve(in: container)))
            try budget.look(in: .resolving)
        }
        return services
    }
}

extension ConfigurationValue {
    /// Charges the value and everything in it.
    package func spend(_ budget: WorkBudget, on phase: WorkBudget.Phase) throws(WorkBudget.Exceeded) {
        try budget.spend(weight, on: phase)
        switch self {
        case .list(let nodes): for node in nodes { try node.value.spend(budget, on: phase) }
        case .map(let entries): for node in entries.values { try node.value.spend(budget, on: phase) }
        default: break
        }
    }
}

extension ConfigurationNode {
    /// Calls `body` with each value below this node that has no values below it, in the order of the keys.
    package func forEachLeaf(
        at path: ConfigurationPath, budget: WorkBudget, _ body: (ConfigurationPath, ConfigurationValue) throws -> Void
    ) throws {
        try visit(.lists, at: path) { visited in
            let value = visited.node.value
            try budget.spend(value.weight + visited.path.elements.count, on: .listing)
            switch value {
            case .map(let entries) where !entries.isEmpty: return true
            case .list(let nodes) where !nodes.isEmpty: return true
            case .map, .list: try body(visited.path, .emptyTable)
            default: try body(visited.path, value)
            }
            return false
        }
    }
}
