/// The named preconditions of a router and whether they hold.
struct PreconditionBoard {
    typealias Handler = @Sendable () -> Bool

    /// What is known without asking a handler.
    struct Question {
        let name: String
        let answer: Bool
        let handler: Handler?
    }

    private struct Entry {
        /// What was set last; it overrides the handler.
        var isSatisfied: Bool?
        var handler: Handler?
    }

    private(set) var names: [String] = []
    private var entries: [String: Entry] = [:]

    mutating func declare(_ name: String) {
        if entries[name] != nil { return }
        names.append(name)
        entries[name] = Entry()
    }

    mutating func set(_ name: String, isSatisfied: Bool?) -> Bool {
        declare(name)
        if entries[name]?.isSatisfied == isSatisfied { return false }
        entries[name]?.isSatisfied = isSatisfied
        return true
    }

    mutating func setHandler(_ name: String, _ handler: @escaping Handler) {
        declare(name)
        entries[name] = Entry(isSatisfied: nil, handler: handler)
    }

    mutating func remove(_ name: String) {
        entries[name] = nil
        names.removeAll { $0 == name }
    }

    /// The preconditions of a requirement. The caller asks the handlers, outside the lock.
    func questions(for requirement: PreconditionRequirement) -> [Question] {
        let asked =
            switch requirement {
            case .all: names
            case .none: [String]()
            case .named(let names): names
            }
        return asked.map { name in
            let entry = entries[name]
            let handler = entry?.isSatisfied == nil ? entry?.handler : nil
            return Question(name: name, answer: entry?.isSatisfied ?? false, handler: handler)
        }
    }
}

extension [PreconditionBoard.Question] {
    /// The names of those that do not hold, in order.
    var unmet: [String] {
        filter { !($0.handler?() ?? $0.answer) }.map(\.name)
    }
}
