import GlassBase
import GlassMarkets
import GlassSchema

/// What is wrong with the names in a market's files: what would only be seen when a link comes, or never.
struct MarketNameCheck {
    /// The market's files as far as they were read, by their names in diagnostics.
    let names: [String: LuaNames]
    /// The files of the market and of what it extends, without those that they include.
    let chain: Set<String>
    /// Whether there is a global of a name once the files have run.
    let isGlobal: (String) -> Bool
    /// What suggestions may use.
    let budget: WorkBudget

    /// The globals that every market file has: none of them need be looked for.
    static let known: Set<String> = Set(Finding.marketNames).union([
        "_G", "_VERSION", "assert", "error", "next", "pcall", "print", "select", "type", "xpcall",
    ])

    /// Names of Lua that market files do not have, which are told as such.
    private static let unavailable: Set<String> = [
        "collectgarbage", "coroutine", "debug", "dofile", "getfenv", "getmetatable", "io", "load", "loadfile",
        "loadstring", "module", "os", "package", "rawequal", "rawget", "rawlen", "rawset", "require", "setfenv",
        "setmetatable", "unpack", "warn",
    ]

    /// What `handle` is called with: the members of each parameter.
    private static let parameters: [[String]] = ["glass.Link", "glass.Navigation"].map { name in
        let type = LuaInterface.classes.first { $0.name == name }
        // A field that may be absent has a question mark.
        return (type?.fields.map { $0.name.filter { $0 != "?" } } ?? []) + (type?.methods.map(\.name) ?? [])
    }

    /// Adds what is wrong with the names of a file.
    func report(
        _ file: String, told: Set<SourcePosition>, in findings: inout FindingList
    ) throws(WorkBudget.Exceeded) {
        guard let names = names[file] else { return }
        for duplicate in names.duplicates {
            let first = position(duplicate.first, file)
            try findings.add(
                .duplicate, at: position(duplicate.place, file),
                "the key \(duplicate.key.quotedForMessage) is in this table already (\(first))",
                advice: Advice("keep one of them: Lua takes the last one", .repeated(first: first)),
                related: Finding.RelatedPosition(first, ofClashWith: "the first one"))
        }
        // A file that returns no table has that finding for the same slip.
        if chain.contains(file), !findings.has(.notATable, in: file) { try reportUnread(names, file, in: &findings) }
        for global in names.globals {
            let place = position(global.place, file)
            guard !told.contains(place) else { continue }
            if global.isAssigned {
                try reportAssignment(of: global, at: place, in: &findings)
            } else if !isDefined(global.name) {
                try findings.add(.denied, at: place, Self.message(of: global.name), advice: try advice(for: global))
            }
        }
        for member in names.members where member.parameter < Self.parameters.count {
            let members = Self.parameters[member.parameter]
            guard !members.contains(member.name) else { continue }
            let budget = budget  // for the closure of the hint
            try findings.add(
                .denied, at: position(member.place, file),
                "\(member.parameter == 0 ? "a link" : "the navigation state") has no \(member.name.quotedForMessage)",
                advice: try .nearest(to: member.name, in: members, budget: budget)
                    ?? Advice("it has \(members.joined(separator: ", "))"))
        }
    }

    /// Reports the globals that a market's file sets for nobody: most are keys that stand outside of the table. What an
    /// included file sets may be for other markets that include it.
    private func reportUnread(
        _ names: LuaNames, _ file: String, in findings: inout FindingList
    ) throws(WorkBudget.Exceeded) {
        // These stand for all globals, so that which of them are read is not known.
        guard !self.names.values.contains(where: { !$0.read.isDisjoint(with: ["_G", "_ENV"]) }) else { return }
        for (name, place) in names.settings where !self.names.values.contains(where: { $0.read.contains(name) }) {
            try budget.spend(self.names.count, on: .positions)
            try findings.add(
                .unusedGlobal, severity: .warning, at: position(place, file), subject: name,
                "the global \(name.quotedForMessage) is set and never read",
                hint: "move a key of the market into the table that the file returns; write local \(name) for a "
                    + "variable of this file")
        }
    }

    private func reportAssignment(
        of global: LuaNames.Global, at place: SourcePosition, in findings: inout FindingList
    ) throws(WorkBudget.Exceeded) {
        let budget = budget  // for the closure of the hint
        try findings.add(
            .denied, at: place, "a function cannot set the global \(global.name.quotedForMessage)",
            advice: try .nearest(to: global.name, in: global.visible, budget: budget)
                ?? Advice("write local \(global.name) = …", .local))
    }

    private func advice(for global: LuaNames.Global) throws(WorkBudget.Exceeded) -> Advice {
        if let advice = Advice(forForeign: global.name) { return advice }
        let candidates = global.visible + Finding.marketNames + Finding.luaWords
        return try .nearest(to: global.name, in: candidates, budget: budget)
            ?? Advice(Finding.listOfMarketNames)
    }

    private func isDefined(_ name: String) -> Bool {
        names.values.contains { file in
            // What a function sets is told where it does.
            file.assigned.contains(name) || file.globals.contains { $0.name == name && $0.isAssigned }
        } || isGlobal(name)
    }

    private static func message(of name: String) -> String {
        unavailable.contains(name)
            ? "'\(name)' is not available in the config profile" : "undefined global '\(name)'"
    }

    private func position(_ place: LuaNames.Place, _ file: String) -> SourcePosition {
        SourcePosition(file: file, line: place.line, column: place.column)
    }
}
