import GlassBase
import GlassMarkets
import GlassSchema
import LuaSyntax

/// Finds mistakes in the names of a market's files that would otherwise appear only when a link is opened, or never.
struct MarketNameCheck {
    /// The names in the market's files that were read, by the files' names in findings.
    let names: [String: LuaNames]
    /// The files of the market and its base markets, without the files that they include.
    let chain: Set<String>
    /// Whether a global exists after the files have run.
    let isGlobal: (String) -> Bool
    /// The budget for suggestions.
    let budget: WorkBudget

    /// The globals that every market file has, so that they need not be looked up.
    static let known: Set<String> = Set(Finding.marketNames).union([
        "_G", "_VERSION", "assert", "error", "next", "pcall", "print", "select", "type", "xpcall",
    ])

    /// Lua's names that are not available in market files; the message says so.
    private static let unavailable: Set<String> = [
        "collectgarbage", "coroutine", "debug", "dofile", "getfenv", "getmetatable", "io", "load", "loadfile",
        "loadstring", "module", "os", "package", "rawequal", "rawget", "rawlen", "rawset", "require", "setfenv",
        "setmetatable", "unpack", "warn",
    ]

    /// The members of each parameter of `handle`.
    private static let parameters: [[String]] = ["glass.Link", "glass.Navigation"].map { name in
        let type = LuaInterface.classes.first { $0.name == name }
        // An optional field has a question mark.
        return (type?.fields.map { $0.name.filter { $0 != "?" } } ?? []) + (type?.methods.map(\.name) ?? [])
    }

    /// Reports the findings about the names in a file.
    func report(
        _ file: String, told: Set<SourcePosition>, in findings: inout FindingList
    ) throws(WorkBudget.Exceeded) {
        guard let names = names[file] else { return }
        for duplicate in names.duplicates {
            let first = position(duplicate.first, file)
            try findings.add(
                .duplicate, at: position(duplicate.place, file),
                "this table already has the key \(duplicate.key.quotedForMessage) (\(first))",
                advice: Advice("keep one of them: Lua uses the last one", .repeated(first: first)),
                related: Finding.RelatedPosition(first, ofClashWith: "the first one"))
        }
        // A file that does not return a table already has a finding for the same mistake.
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
            let budget = budget  // copied for the autoclosure of the hint
            try findings.add(
                .denied, at: position(member.place, file),
                "\(member.parameter == 0 ? "a link" : "the navigation state") has no \(member.name.quotedForMessage)",
                advice: try .nearest(to: member.name, in: members, budget: budget)
                    ?? Advice("it has \(members.joined(separator: ", "))"))
        }
    }

    /// Reports the globals that a market's file sets and nothing reads: most are keys outside the table. The globals of
    /// an included file are not reported, because they may be for other markets that include it.
    private func reportUnread(
        _ names: LuaNames, _ file: String, in findings: inout FindingList
    ) throws(WorkBudget.Exceeded) {
        // These give access to all globals, so it is unknown which of them are read.
        guard !self.names.values.contains(where: { !$0.read.isDisjoint(with: ["_G", "_ENV"]) }) else { return }
        for (name, place) in names.settings where !self.names.values.contains(where: { $0.read.contains(name) }) {
            try budget.spend(self.names.count, on: .positions)
            try findings.add(
                .unusedGlobal, severity: .warning, at: position(place, file), subject: name,
                "the global \(name.quotedForMessage) is set but never read",
                hint: "if it is a key of the market, move it into the table that the file returns; if it is a "
                    + "variable of this file, write local \(name)")
        }
    }

    private func reportAssignment(
        of global: LuaNames.Global, at place: SourcePosition, in findings: inout FindingList
    ) throws(WorkBudget.Exceeded) {
        let budget = budget  // copied for the autoclosure of the hint
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
            // An assignment in a function has a finding of its own.
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
