/// The names of a router's preconditions, and the handlers of those that the app answers when it is asked.
struct PreconditionList {
    typealias Handler = @Sendable () -> Bool

    /// What is known without asking a handler.
    struct PreconditionQuery {
        let name: String
        let answer: Bool
        let handler: Handler?
    }

    /// A handler, and whether the app has said meanwhile that the precondition holds, which overrides it.
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

    /// Sets whether a precondition with a handler holds whatever the handler says.
    mutating func override(_ name: String, isSatisfied: Bool) -> Bool {
        if answering[name]?.isSatisfied == isSatisfied { return false }
        answering[name]?.isSatisfied = isSatisfied
        return true
    }

    /// Sets a handler, and returns the one before: whoever calls this under a lock releases it without.
    mutating func setHandler(_ name: String, _ handler: @escaping Handler) -> Handler? {
        declare(name)
        return answering.updateValue(Answering(handler: handler), forKey: name)?.handler
    }

    /// Removes a precondition, and returns its handler: whoever calls this under a lock releases it without.
    mutating func remove(_ name: String) -> Handler? {
        names.removeAll { $0 == name }
        return answering.removeValue(forKey: name)?.handler
    }

    /// The preconditions of a requirement. The caller asks the handlers, outside the lock.
    func questions(for requirement: PreconditionRequirement, _ board: PreconditionRegistry) -> [PreconditionQuery] {
        let asked =
            switch requirement {
            case .all: names
            case .none: [String]()
            case .named(let names): names
            }
        if asked.isEmpty { return [] }
        let satisfied = board.satisfied
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
    /// The names of those that do not hold, in order.
    var unmet: [String] {
        filter { !($0.handler?() ?? $0.answer) }.map(\.name)
    }
}
