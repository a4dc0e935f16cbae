import GlassBase
import GlassMarkets
import GlassSchema
package import LuaBridge
package import GlassMarketFiles

/// Test fixtures for policies: markets and changes that a test defines.
package struct PolicyTestHarness: Sendable {
    /// The policies to test.
    let policies: PolicySet
    /// The markets that fixtures can extend.
    let markets: MarketLoader

    package init(policies: PolicySet, markets: MarketLoader) {
        self.policies = policies
        self.markets = markets
    }

    /// The functions that a script for tests of policies has: `glass.fixture` and `glass.change`.
    package var functions: [String: @Sendable (LuaContext, [LuaValue]) throws -> LuaValue] {
        ["fixture": { try fixture($1.first, in: $0) }, "change": { try change($1.first, in: $0) }]
    }

    /// The default id of a fixture.
    private static let usualID = "fixture"

    /// Implements `glass.fixture(values)`: a market that is in no folder.
    private func fixture(_ value: LuaValue?, in context: LuaContext) throws -> LuaValue {
        let (id, text) = try Self.market(value)
        let loader = markets.replacing(["\(id).lua": text])
        let check = try loader.check(id, within: context.timeLeft)
        context.charge(cpuTime: check.cost.cpuTime)
        guard let market = check.market else {
            try context.checkTime()
            let errors = check.findings.filter { $0.severity == .error }.map(\.description)
            throw ScriptAssertion("the fixture cannot be loaded:\n\(errors.joined(separator: "\n"))")
        }
        let fixture = PolicyFixture(policies) { time in policies.verdict(on: market, within: time) }
        return try fixture.luaValue(in: context, holding: market.footprint)
    }

    /// Implements `glass.change(values)`: a change as it is passed to a policy for changes.
    private func change(_ value: LuaValue?, in context: LuaContext) throws -> LuaValue {
        guard case .table(let table)? = value, table["rule"]?.stringValue != nil else {
            throw ScriptAssertion("glass.change expects a table with at least a rule, such as { rule = \"link.lost\" }")
        }
        let change = try ScriptConversion.scriptValue(.table(table), path: "change")
        let path = table["path"]?.stringValue.flatMap { ConfigurationPath(parsing: $0) }
        let fixture = PolicyFixture(policies) { [policies] time in
            let verdict = policies.verdict(onChanges: [change], within: time)
            let findings = verdict.denials.map { _, policy, denial in
                var finding = Finding(
                    .policy, severity: policy.severity.ofFinding, at: nil,
                    path: denial.path ?? path ?? ConfigurationPath(), denial.text)
                finding.policy = policy.name
                return finding
            }
            var result = PolicySet.Verdict()
            (result.findings, result.failures) = (findings, verdict.failures)
            return result
        }
        return try fixture.luaValue(in: context, holding: value?.footprint ?? 0)
    }

    /// The id and the file of a market that a test defines.
    private static func market(_ value: LuaValue?) throws -> (id: String, text: [UInt8]) {
        switch value {
        case .string(let text): return (usualID, text.bytes)
        case .table(let table):
            let id = table["id"] ?? LuaValue(usualID)
            guard let name = id.stringValue, StringFormat.identifier.matches(name) else {
                throw ScriptAssertion("the id of a fixture must be a name such as \"fixture\", got \(id.literal)")
            }
            var writer = MarketText()
            try writer.write(table, withID: name)
            return (name, Array(writer.text.utf8))
        default:
            throw ScriptAssertion(
                "glass.fixture expects the values of a market, such as { extends = \"us\" }, or the text of a market file"
            )
        }
    }
}

/// A market or a change to which a test applies the policies.
final class PolicyFixture: Sendable {
    private let policies: PolicySet
    private let judge: @Sendable (Duration?) -> PolicySet.Verdict

    init(_ policies: PolicySet, _ judge: @escaping @Sendable (Duration?) -> PolicySet.Verdict) {
        self.policies = policies
        self.judge = judge
    }

    /// The Lua type of a fixture.
    static let type = LuaObjectType(
        name: "fixture",
        methods: [
            "denials": { context, object, arguments in
                guard let fixture = object as? PolicyFixture else { return [] }
                return [try fixture.denials(of: arguments.first ?? .nil, in: context)]
            }
        ])

    func luaValue(in context: LuaContext, holding bytes: Int) throws(LuaError) -> LuaValue {
        try context.object(self, Self.type, holding: bytes)
    }

    /// The denials of all policies, or of one.
    private func denials(of name: LuaValue, in context: LuaContext) throws -> LuaValue {
        if name != .nil {
            let names = policies.policies.map(\.name)
            guard let wanted = name.stringValue, names.contains(wanted) else {
                let near = name.stringValue.flatMap { Suggestion.nearest(to: $0, in: names) }
                throw ScriptAssertion(
                    "there is no policy \(name.literal)" + (near.map { "; did you mean \"\($0)\"?" } ?? ""))
            }
        }
        if let failure = policies.failures.first { throw ScriptAssertion(failure.description) }
        let verdict = judge(context.timeLeft)
        // They ran on other threads, so the clock of this one has not measured them.
        context.charge(cpuTime: verdict.cpuTime)
        try context.checkTime()
        if let failure = verdict.failures.first { throw ScriptAssertion(failure.description) }
        let denied = verdict.findings.filter { name == .nil || $0.policy == name.stringValue }
        return .table(
            LuaTable(
                array: denied.map { finding in
                    var fields: [(String, LuaValue)] = [
                        ("policy", LuaValue(finding.rule)), ("message", LuaValue(finding.message)),
                        ("severity", LuaValue(Change.Severity(finding.severity).rawValue)),
                    ]
                    if !finding.path.elements.isEmpty { fields.append(("key", LuaValue(finding.path.description))) }
                    return .table(LuaTable(fields: fields))
                }))
    }
}

/// Writes a market file with the values of a table.
private struct MarketText {
    private(set) var text = "return "
    private var path = ConfigurationPath()
    /// The maximum depth of a market file. Values that come from Lua are no deeper.
    private static let maximumLevels = 64

    /// Writes the table of the market.
    mutating func write(_ table: LuaTable, withID id: String) throws {
        let others = table.fields.filter { $0.key != LuaValue("id") }
        try write(
            .table(
                LuaTable(
                    array: table.array, entries: [LuaTable.Field(key: LuaValue("id"), value: LuaValue(id))] + others)))
    }

    private mutating func write(_ value: LuaValue) throws {
        switch value {
        case .boolean(let flag): text += "\(flag)"
        case .integer(let number): text += number == .min ? "math.mininteger" : "\(number)"
        case .number(let number):
            text += number.isFinite ? "\(number)" : number.isNaN ? "(0/0)" : number < 0 ? "-1e999" : "1e999"
        case .string(let string):
            // Byte by byte, so that the market gets exactly the same bytes.
            text += "\""
            for byte in string.bytes {
                switch byte {
                case 0x22, 0x5C: text += "\\" + String(UnicodeScalar(byte))
                case 0x20..<0x7F: text.unicodeScalars.append(UnicodeScalar(byte))
                default: text += "\\" + String("00\(byte)".suffix(3))
                }
            }
            text += "\""
        case .table(let table):
            guard path.elements.count < Self.maximumLevels else {
                throw ScriptAssertion("the fixture is nested deeper than \(Self.maximumLevels) tables")
            }
            text += "{\n"
            for entry in table.entries {
                text += "["
                try write(entry.key)
                text += "] = "
                path = path.appending(entry.key.stringValue ?? entry.key.literal)
                try write(entry.value)
                path.elements.removeLast()
                text += ",\n"
            }
            text += "}"
        default:
            throw ScriptAssertion(
                "\(path): a fixture cannot contain a value of type \(value.typeName); write the market as text instead")
        }
    }
}
