import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge
import GlassMarketFiles

/// The `glass` module of policy files, which collects the declarations of a file.
final class PolicyModule: Sendable {
    /// The declarations of a file.
    struct Contents: Sendable {
        var policies: [Policy] = []
        /// By the names of the policies.
        var functions: [String: LuaFunction] = [:]
        fileprivate var places: [String: SourcePosition] = [:]
        var severities: [(rule: String, severity: Change.Severity, position: SourcePosition)] = []
        var acceptances: [PolicyAcceptance] = []
    }

    /// The maximum size of a policy's name, and of a reason, in bytes.
    private static let maximumTextLength = 200
    /// The maximum number of declarations. A file with more is stopped by an error.
    private static let maximumDeclarations = 10_000

    private let file: String
    private let shownFile: String
    private let contents = Lock(Contents())

    /// Creates the module for one run of a file.
    init(file: String, shownFile: String) {
        self.file = file
        self.shownFile = shownFile
    }

    /// The declarations so far.
    var declared: Contents { contents.withLock { $0 } }

    /// Releases the functions, which keep their Lua state alive.
    func forgetFunctions() { contents.withLock { $0.functions = [:] } }

    /// Defines the global `glass` in a state.
    func install(in context: LuaContext) throws(LuaError) {
        let functions: [(String, LuaValue)] = [
            ("policy", try context.function("glass.policy") { [self] in try policy($1, in: $0) }),
            ("severity", try context.function("glass.severity") { [self] in try severity($1, in: $0) }),
            ("accept", try context.function("glass.accept") { [self] in try accept($1, in: $0) }),
        ]
        try context.setGlobal("glass", .table(LuaTable(fields: functions)))
    }

    private func place(in context: LuaContext) -> SourcePosition {
        let caller = context.callerPosition
        return SourcePosition(file: caller?.chunk ?? shownFile, line: caller?.line ?? 1)
    }

    private func policy(_ arguments: [LuaValue], in context: LuaContext) throws -> [LuaValue] {
        guard let name = arguments.first?.stringValue, !name.isEmpty, arguments.count > 1,
            case .function(let function)? = arguments.last
        else {
            throw ScriptAssertion(
                "glass.policy expects a name, a table of options and a function, such as "
                    + "glass.policy(\"a rule\", { severity = \"breaking\" }, function(market, deny) … end)")
        }
        guard name.utf8.count <= Self.maximumTextLength, !name.unicodeScalars.contains(where: \.needsEscape) else {
            throw ScriptAssertion(
                "the name of a policy must be one line of at most \(Self.maximumTextLength) bytes, "
                    + "got \(LuaValue(name).literal)"
            )
        }
        let options = try Options(arguments.count > 2 ? arguments[1] : nil, of: "glass.policy")
        let policy = Policy(
            name: name, severity: try options.choice("severity", Change.Severity.self) ?? .risky,
            subject: try options.choice("on", Policy.Subject.self) ?? .market, position: place(in: context), file: file)
        try options.finish(["severity", "on"])
        try contents.withLock { contents in
            if let first = contents.places[name] {
                throw ScriptAssertion(PolicySet.duplicate(name, first))
            }
            guard contents.policies.count < PolicySet.maximumPolicies else {
                throw ScriptAssertion(
                    "a project may have at most \(PolicySet.maximumPolicies.grouped) policies")
            }
            try Self.checkRoom(contents)
            contents.places[name] = policy.position
            contents.policies.append(policy)
            contents.functions[name] = function
        }
        return []
    }

    private func severity(_ arguments: [LuaValue], in context: LuaContext) throws -> [LuaValue] {
        guard case .table(let table)? = arguments.first, table.array.isEmpty else {
            throw ScriptAssertion("glass.severity expects a table, such as { [\"handle.changed\"] = \"note\" }")
        }
        let options = try Options(arguments.first, of: "glass.severity")
        let position = place(in: context)
        for field in table.fields {
            guard let rule = field.key.stringValue else {
                throw ScriptAssertion("glass.severity expects rule names, got \(field.key.literal)")
            }
            guard let severity = try options.choice(rule, Change.Severity.self) else { continue }
            try contents.withLock { contents in
                try Self.checkRoom(contents)
                contents.severities.append((rule, severity, position))
            }
        }
        return []
    }

    private func accept(_ arguments: [LuaValue], in context: LuaContext) throws -> [LuaValue] {
        let options = try Options(arguments.first, of: "glass.accept")
        let fingerprint = try options.text("fingerprint", "the 12 digits that `check` or `review` shows") {
            $0.wholeMatch(of: /[0-9a-f]{12}/) != nil
        }
        let reason = try options.text("reason", "a sentence that says why, of at most \(Self.maximumTextLength) bytes")
        {
            $0.utf8.count <= Self.maximumTextLength && $0.contains { !$0.isWhitespace }
        }
        let expires = try options.text("expires", "the last day, such as \"2026-12-31\"", StringFormat.date.matches)
        let subject = try options.choice("on", Policy.Subject.self)
        try options.finish(["fingerprint", "reason", "expires", "on"])
        let acceptance = PolicyAcceptance(
            fingerprint: fingerprint, reason: reason, expires: expires, subject: subject, position: place(in: context))
        try contents.withLock { contents in
            try Self.checkRoom(contents)
            contents.acceptances.append(acceptance)
        }
        return []
    }

    private static func checkRoom(_ contents: Contents) throws {
        let count = contents.policies.count + contents.severities.count + contents.acceptances.count
        guard count < maximumDeclarations else {
            throw ScriptAssertion(
                "a file may declare at most \(maximumDeclarations) policies, severities and accepts")
        }
    }
}

/// The named options of a call.
private struct Options {
    private let table: LuaTable
    private let function: String

    init(_ value: LuaValue?, of function: String) throws {
        self.function = function
        switch value {
        case .table(let table): self.table = table
        case .nil, nil: table = LuaTable(fields: [])
        case let other?: throw ScriptAssertion("\(function) expects a table of options, got \(other.literal)")
        }
    }

    /// The value of an option with a fixed set of choices; nil if it is not given.
    func choice<Choice: RawRepresentable & CaseIterable>(
        _ name: String, _ type: Choice.Type
    ) throws -> Choice? where Choice.RawValue == String {
        guard let value = table[name], value != .nil else { return nil }
        if let choice = value.stringValue.flatMap(Choice.init(rawValue:)) { return choice }
        let names = Choice.allCases.map(\.rawValue)
        let near = value.stringValue.flatMap { Suggestion.nearest(to: $0, in: names) }
        throw ScriptAssertion(
            "\(function): \(name) must be one of \(names.map { "\"\($0)\"" }.joined(separator: ", ")), "
                + "got \(value.literal)"
                + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
    }

    /// The value of a required string option.
    func text(_ name: String, _ expected: String, _ isValid: (String) -> Bool) throws -> String {
        guard let value = table[name], value != .nil else {
            throw ScriptAssertion("\(function) needs \(name): \(expected)")
        }
        guard let text = value.stringValue, isValid(text) else {
            throw ScriptAssertion("\(function): \(name) must be \(expected), got \(value.literal)")
        }
        return text
    }

    /// Rejects unknown options.
    func finish(_ names: [String]) throws {
        for entry in table.entries {
            guard let name = entry.key.stringValue, names.contains(name) else {
                let near = entry.key.stringValue.flatMap { Suggestion.nearest(to: $0, in: names) }
                throw ScriptAssertion(
                    "\(function) has no option \(entry.key.literal)"
                        + (near.map { "; did you mean \"\($0)\"?" } ?? "; it has \(names.joined(separator: ", "))"))
            }
        }
    }
}
