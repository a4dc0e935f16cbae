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
    /// The values of each file, beginning with the root of the chain.
    let layers: [ConfigurationNode]
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

    /// The parameters of `handle`.
    private static let parameters: [(phrase: String, fields: [String], methods: [String])] = [
        ("a link", LuaInterface.link), ("the navigation state", LuaInterface.navigation),
    ].map { phrase, type in
        // An optional field has a question mark.
        (phrase, type.fields.map { $0.name.filter { $0 != "?" } }, type.methods.map(\.name))
    }

    /// The members of each parameter of `handle`.
    static let members = parameters.map { $0.fields + $0.methods }

    /// Reports the findings about the names in a file.
    func report(
        _ file: String, reported: Set<SourcePosition>, in findings: FindingList
    ) throws(WorkBudget.Exceeded) {
        guard let names = names[file] else { return }
        for duplicate in names.duplicates {
            let first = position(duplicate.first, file)
            try findings.add(
                .duplicate, at: position(duplicate.place, file),
                "this table already has the key \(duplicate.key.quotedForMessage) (\(first))",
                advice: Advice(
                    duplicate.areTables
                        ? "move its entries into the first one: Lua uses only the last one"
                        : "keep one of them: Lua uses the last one", .repeated(first: first)),
                related: Finding.RelatedPosition(first, ofClashWith: "the first one"))
        }
        // A file that does not return a table already has a finding for the same mistake.
        if chain.contains(file), !findings.has(.notATable, in: file) { try reportUnread(names, file, in: findings) }
        var reported = reported
        for global in names.globals {
            let cause = global.cause.flatMap { $0.names.contains(where: isDefined) ? nil : $0.mistake }
            let place = position(cause?.place ?? global.place, file)
            guard !reported.contains(place), global.isAssigned || !isDefined(global.name) else { continue }
            if global.isAssigned {
                try reportAssignment(of: global, at: place, in: findings)
            } else if let cause {
                reported.insert(place)
                findings.append(cause.finding(.denied, at: place))
            } else {
                try findings.add(.denied, at: place, Self.message(of: global.name), advice: try advice(for: global))
            }
        }
        for mistake in names.swappedParameters { add(mistake, .denied) }
        for mistake in names.sums { add(mistake, .runtime) }
        func add(_ mistake: LuaSyntaxMistake, _ code: FindingCode) {
            guard let place = mistake.place.map({ position($0, file) }), !reported.contains(place) else { return }
            findings.append(mistake.finding(code, at: place))
        }
        for member in names.members where member.parameter < Self.parameters.count {
            try report(member, in: file, findings)
        }
        // The path of an entry in an included file is not known.
        if chain.contains(file) { try reportIneffectiveEntries(of: names, file, in: findings) }
    }

    /// Reports a member of a `handle` parameter that does not exist, or a method that is used as a field.
    private func report(
        _ member: LuaNames.Member, in file: String, _ findings: FindingList
    ) throws(WorkBudget.Exceeded) {
        let (phrase, fields, methods) = Self.parameters[member.parameter]
        let members = Self.members[member.parameter]
        let name = member.name.quotedForMessage
        guard members.contains(member.name) else {
            let budget = budget  // copied for the autoclosure of the hint
            return try findings.add(
                .denied, at: position(member.place, file), "\(phrase) has no \(name)",
                advice: try .nearest(to: member.name, in: members, budget: budget)
                    ?? Advice(Self.hint(forMember: member) ?? "it has \(members.joined(separator: ", "))"))
        }
        let sign: String
        switch member.use {
        case .dotCall where methods.contains(member.name): sign = ":"
        case .methodCall where fields.contains(member.name): sign = "."
        default: return
        }
        try findings.add(
            .denied, at: position(member.sign.place, file), subject: member.name,
            "\(name) is a \(sign == ":" ? "method" : "field") of \(phrase)",
            advice: Advice(
                "write \(member.variable)\(sign)\(member.name)",
                // A call of a field remains a mistake.
                .text([Correction.Edit(member.sign.bytes, sign)], isUnambiguous: sign == ":")))
    }

    /// The hint for a member that the other parameter has.
    private static func hint(forMember member: LuaNames.Member) -> String? {
        guard let owner = members.firstIndex(where: { $0.contains(member.name) }), owner != member.parameter else {
            return nil
        }
        let (phrase, number) = (parameters[owner].phrase, owner == 0 ? "first" : "second")
        return "it belongs to \(phrase), the \(number) parameter: write function(link, state)"
    }

    /// Reports entries of a market's tables that set nothing: `nil` where a value is inherited, and the result of
    /// `print`.
    private func reportIneffectiveEntries(
        of names: LuaNames, _ file: String, in findings: FindingList
    ) throws(WorkBudget.Exceeded) {
        if let layer = layers.firstIndex(where: { $0.position?.file == file }) {
            for entry in names.nilKeys {
                try budget.spend(layers.count, on: .positions)
                let inherited = layers[..<layer].reversed().lazy.compactMap { $0.node(at: entry.path) }.first
                guard let inherited, let place = inherited.position else { continue }
                if inherited.value.isUnset { continue }
                try findings.add(
                    .noEffect, severity: .warning, at: position(entry.place, file), path: entry.path,
                    "nil has no effect: the key keeps its inherited value (\(place))",
                    advice: Self.advice(forNil: entry),
                    related: Finding.RelatedPosition(place, ofClashWith: "the inherited value"))
            }
        }
        for entry in names.prints where findings.pathsWithErrors?.contains(entry.path) != true {
            try findings.add(
                // Without another entry, the table is empty, which would be reported once more.
                .noEffect, severity: entry.isAlone ? .error : .warning, at: position(entry.place, file),
                path: entry.path, "print returns nothing, so it is not an element",
                advice: Advice(
                    "move it before return", .text([Correction.Edit(entry.bytes, "")], isUnambiguous: false)))
        }
    }

    /// What to write instead of `nil`. A routable that is unset would have its standard paths again.
    private static func advice(forNil entry: LuaNames.Entry) -> Advice {
        let isRoutable = entry.path.elements.count == 2 && entry.path.elements[0] == .key("routables")
        let word = isRoutable ? "false" : "unset"
        return Advice(
            isRoutable
                ? "write false to disable the routable, or remove \(entry.path.lastKey ?? "this") = nil"
                : "write unset to remove the key, or remove \(entry.path.lastKey ?? "this") = nil",
            .text([Correction.Edit(entry.bytes, word)], isUnambiguous: false))
    }

    /// Reports the globals that a market's file sets and nothing reads: most are keys outside the table. The globals of
    /// an included file are not reported, because they may be for other markets that include it.
    private func reportUnread(
        _ names: LuaNames, _ file: String, in findings: FindingList
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
        of global: LuaNames.Global, at place: SourcePosition, in findings: FindingList
    ) throws(WorkBudget.Exceeded) {
        let budget = budget  // copied for the autoclosure of the hint
        try findings.add(
            .denied, at: place, "a function cannot set the global \(global.name.quotedForMessage)",
            advice: try .nearest(to: global.name, in: global.visible, budget: budget)
                ?? Advice("write local \(global.name) = …", .local))
    }

    private func advice(for global: LuaNames.Global) throws(WorkBudget.Exceeded) -> Advice {
        if let advice = Advice(forForeign: global.name) { return advice }
        let candidates = global.visible + Finding.suggestedNames + Finding.luaWords
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
            ? "'\(name)' is not available in market files" : "undefined global '\(name)'"
    }

    private func position(_ place: LuaNames.Place, _ file: String) -> SourcePosition {
        SourcePosition(file: file, line: place.line, column: place.column)
    }
}

extension LuaSyntaxMistake {
    /// The position of the mistake, if it has a column.
    fileprivate var place: LuaLines.Position? {
        guard let line, let column else { return nil }
        return LuaLines.Position(line: line, column: column)
    }

    /// The finding about the mistake; `message` replaces one that it lacks.
    func finding(_ code: FindingCode, at position: SourcePosition?, message other: String = "") -> Finding {
        Finding(
            code, at: position, subject: subject, message ?? other,
            advice: Advice(hint, edits.isEmpty ? nil : .text(edits, isUnambiguous: isUnambiguous)))
    }
}
