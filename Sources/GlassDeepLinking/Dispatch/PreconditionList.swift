/// The names of a router's preconditions, and the handlers of those that have one.
struct PreconditionList {
    typealias Handler = @Sendable () -> Bool

    /// The state of a precondition before its handler runs.
    struct PreconditionQuery {
        let name: String
        let answer: Bool
        let handler: Handler?
    }

    /// A handler, and whether the app has marked the precondition as satisfied, which overrides the handler.
    private struct Answering {
        let handler: Handler
        var isSatisfied = false
    }

    private(set) var names: [String] = []
    private var answering: [String: Answering] = [:]

    mutating func declare(_ name: String) {
        if !names.contains(name) { names.append(name) }
    }

    func hasHandler(_ name: String) -> Bool { answering[name] != nil }

    /// Sets whether a precondition is satisfied regardless of its handler. Returns whether this is a change.
    mutating func override(_ name: String, isSatisfied: Bool) -> Bool {
        if answering[name]?.isSatisfied == isSatisfied { return false }
        answering[name]?.isSatisfied = isSatisfied
        return true
    }

    /// Sets a handler and returns the previous one, so that a caller with a lock can release it outside the lock.
    mutating func setHandler(_ name: String, _ handler: @escaping Handler) -> Handler? {
        declare(name)
        return answering.updateValue(Answering(handler: handler), forKey: name)?.handler
    }

    /// Removes a precondition and returns its handler, so that a caller with a lock can release it outside the lock.
    mutating func remove(_ name: String) -> Handler? {
        names.removeAll { $0 == name }
        return answering.removeValue(forKey: name)?.handler
    }

    /// The preconditions of a requirement. The caller runs the handlers outside the lock.
    func questions(for requirement: PreconditionRequirement, _ registry: PreconditionRegistry) -> [PreconditionQuery] {
        let asked =
            switch requirement {
            case .all: names
            case .none: [String]()
            case .named(let names): names
            }
        if asked.isEmpty { return [] }
        let satisfied = registry.satisfied
        return asked.map { name in
            if let entry = answering[name] {
                return PreconditionQuery(
                    name: name, answer: entry.isSatisfied, handler: entry.isSatisfied ? nil : entry.handler)
            }
            return PreconditionQuery(name: name, answer: satisfied.contains(name), handler: nil)
        }
    }
}

extension [PreconditionList.PreconditionQuery] {
    /// The names of the unmet preconditions, in order.
    var unmet: [String] {
        filter { !($0.handler?() ?? $0.answer) }.map(\.name)
    }
}
