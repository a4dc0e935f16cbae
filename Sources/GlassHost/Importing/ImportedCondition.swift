import GlassBase
import GlassMarkets
import GlassSchema

/// Conditions in the words of other services, as conditions of a market.
struct ImportedCondition {
    /// Why a condition has no counterpart, and what to write instead.
    struct Mismatch: Error {
        let message: String
        var hint: String?
        /// Whether it is about another platform than those of markets, so that no app of a market meets it.
        var isForeign = false
    }

    /// The attributes that the market must declare, with their types.
    private(set) var attributes: [String: String] = [:]
    /// What to know about the conditions, for those that say less than the service's, or maybe something else.
    private(set) var notes: [String] = []
    /// The attributes that every market of the module has, by name.
    private let known: [String: ContextAttribute]

    init(_ known: [ContextAttribute]) {
        self.known = Dictionary(known.map { ($0.name, $0) }) { first, _ in first }
    }

    /// Adds something to know, once.
    mutating func note(_ note: String) {
        if !notes.contains(note) { notes.append(note) }
    }

    /// What a value is compared with.
    enum Test {
        /// It is one of these.
        case oneOf([StrictJSON])
        /// It compares so, as a `version`, a `number` or a `date`.
        case compared(String, String, type: String)
        /// It has one of these strings at a place: `prefix`, `suffix` or `contains`.
        case text(String, [String], anyCase: Bool)
    }

    /// The attributes of every market, by the names that services give them.
    private static let names = [
        "country": "region", "countrycode": "region", "region": "region", "locale": "locale", "language": "locale",
        "version": "appVersion", "appversion": "appVersion", "osversion": "osVersion", "os": "platform",
        "platform": "platform", "environment": "environment", "date": "date", "currenttime": "date", "build": "build",
    ]
    private static let people: Set<String> = [
        "key", "userid", "sessionid", "email", "name", "ip", "remoteaddress",
    ]
    /// The attributes of every market that are only similar to those of services, with the difference.
    private static let differences = [
        "country": "the market's region is that of the store or address, and not always this country",
        "countrycode": "the market's region is that of the store or address, and not always this country",
        "language": "the market's locale is not always the language of the device",
    ]

    /// The test of an attribute.
    mutating func test(_ name: String, _ test: Test) throws(Mismatch) -> ConfigurationValue {
        let word = ImportKeys.word(name)
        guard word != "anonymous" else {
            throw Mismatch(message: "anonymous has no equivalent", hint: "test signedIn = false instead")
        }
        let standard = Self.names[word]
        let attribute = standard ?? MarketImport.identifier([Substring(name)])
        let own = known[attribute]
        guard !Self.people.contains(word), own?.isUnitOnly != true else {
            throw Mismatch(
                message: "a condition cannot name people by \(name.quotedForMessage)",
                hint: "let the app set an audience, and test { audience = \"…\" }")
        }
        guard StringFormat.identifier.matches(attribute) else {
            throw Mismatch(message: "\(name.quotedForMessage) cannot be the name of an attribute")
        }
        if let own { try Self.check(test, fits: own) }
        let value = try Self.value(of: test, for: attribute)
        if let difference = Self.differences[word] {
            note(difference)
        } else if standard == nil, own != nil {
            note("it uses the built-in attribute \(attribute): check that it means the same")
        } else if own == nil {
            try declare(attribute, as: Self.type(of: test))
        }
        return .map(values: [attribute: value])
    }

    /// Refuses a test that an attribute of every market does not take, so that only what it decides is lost.
    private static func check(_ test: Test, fits attribute: ContextAttribute) throws(Mismatch) {
        let fits: Bool
        switch (attribute.type, test) {
        case (.text, .text): fits = true
        case (_, .text): throw Mismatch(message: "\(attribute.name) cannot be tested by a part of its text")
        case (.boolean, .oneOf(let values)): fits = values.allSatisfy { $0.boolValue != nil }
        case (.integer, .oneOf(let values)), (.number, .oneOf(let values)):
            fits = values.allSatisfy { $0.doubleValue != nil }
        case (.date, .oneOf), (.localDate, .oneOf), (.bucket, .oneOf): fits = false
        case (_, .oneOf(let values)): fits = values.allSatisfy { $0.stringValue != nil }
        case (.integer, .compared(_, _, let type)), (.number, .compared(_, _, let type)): fits = type == "number"
        case (.version, .compared(_, _, let type)): fits = type == "version"
        case (.date, .compared(_, _, let type)), (.localDate, .compared(_, _, let type)): fits = type == "date"
        case (_, .compared): fits = false
        }
        guard fits else {
            throw Mismatch(message: "the built-in attribute \(attribute.name) cannot be compared in this way")
        }
    }

    private mutating func declare(_ attribute: String, as type: String) throws(Mismatch) {
        guard attributes[attribute] ?? type == type else {
            throw Mismatch(message: "the attribute \(attribute) is used as two types")
        }
        attributes[attribute] = type
    }

    private static func type(of test: Test) -> String {
        switch test {
        case .oneOf(let values):
            if values.allSatisfy({ $0.boolValue != nil }) { return "boolean" }
            return values.allSatisfy { $0.doubleValue != nil } ? "number" : "text"
        case .compared(_, _, let type): return type
        case .text: return "text"
        }
    }

    private static func value(of test: Test, for attribute: String) throws(Mismatch) -> ConfigurationValue {
        switch test {
        case .oneOf(let values):
            guard !values.isEmpty else { throw Mismatch(message: "the list of values is empty") }
            let texts = values.compactMap(\.stringValue)
            if attribute == "platform", texts.count == values.count, texts.allSatisfy({ platform($0) == nil }) {
                throw Mismatch(message: foreign(texts[0]), isForeign: true)
            }
            var made: [ConfigurationValue] = []
            for value in values {
                switch value {
                case .boolean(let flag): made.append(.boolean(flag))
                case .integer(let integer):
                    guard let number = integer.value else { throw Mismatch(message: "the number is too large") }
                    made.append(.integer(number))
                case .number(let number): made.append(.number(number))
                case .string(let text): made.append(.string(try spelled(text, for: attribute)))
                default: throw Mismatch(message: "expected a list of strings, numbers or Booleans")
                }
            }
            return made.count == 1 ? made[0] : .list(values: made)
        case .compared(let comparator, let text, _):
            return .string("\(comparator) \(try spelled(text, for: attribute))")
        case .text(let place, let parts, let anyCase):
            var entries: [String: ConfigurationValue] = [
                place: parts.count == 1 ? .string(parts[0]) : .list(values: parts.map { .string($0) })
            ]
            if anyCase { entries["anyCase"] = .boolean(true) }
            return .map(values: entries)
        }
    }

    /// A value in the spelling of an attribute.
    private static func spelled(_ text: String, for attribute: String) throws(Mismatch) -> String {
        switch attribute {
        case "region": return text.uppercased()
        case "platform":
            guard let name = platform(text) else { throw Mismatch(message: foreign(text)) }
            return name
        case "date":
            guard text.utf8.count >= 16, text.contains("T") else {
                throw Mismatch(message: "\(text.quotedForMessage) is not a date with a time")
            }
            return text
        default: return text
        }
    }

    /// The platform of markets with a name in any case.
    private static func platform(_ name: String) -> String? {
        ["iOS", "macOS", "watchOS", "tvOS", "visionOS", "linux"].first { $0.lowercased() == name.lowercased() }
    }

    private static func foreign(_ platform: String) -> String {
        "the condition is about \(platform.quotedForMessage), which is not a platform of markets"
    }

    // MARK: Combining

    /// The negation of an attribute's test in services whose tests all fail without the attribute.
    ///
    /// LaunchDarkly's Go SDK has a test for it, `TestClauseForMissingAttributeIsFalseEvenIfNegated`. A market's `no`
    /// holds without the attribute.
    func negatedIfPresent(_ test: ConfigurationValue) -> ConfigurationValue {
        let negated = Self.negated(test)
        guard case .map(let entries) = test, entries.count == 1, let name = entries.keys.first,
            known[name]?.isAlwaysPresent != true
        else { return negated }
        return Self.all([.map(values: [name: .map(values: ["is": .string("present")])]), negated])
    }

    static func negated(_ condition: ConfigurationValue) -> ConfigurationValue {
        if case .map(let entries) = condition, entries.count == 1, let inner = entries["no"] { return inner.value }
        return .map(values: ["no": condition])
    }

    /// All of the conditions: as one table, if each tests another attribute.
    static func all(_ conditions: [ConfigurationValue]) -> ConfigurationValue {
        let conditions = conditions.flatMap { condition -> [ConfigurationValue] in
            guard case .map(let entries) = condition, entries.count == 1, case .list(let parts)? = entries["all"]?.value
            else { return [condition] }
            return parts.map(\.value)
        }.filter { $0 != .boolean(true) }
        guard conditions.count > 1 else { return conditions.first ?? .boolean(true) }
        var entries: [String: ConfigurationNode] = [:]
        for condition in conditions {
            guard case .map(let tests) = condition, tests["no"] == nil, tests["all"] == nil, tests["any"] == nil else {
                return .map(values: ["all": .list(values: conditions)])
            }
            for (name, test) in tests {
                guard let other = entries[name] else {
                    entries[name] = test
                    continue
                }
                // Two comparisons are a range.
                guard case .string(let one) = other.value, case .string(let two) = test.value,
                    "<>".contains(one.first ?? " "), "<>".contains(two.first ?? " "), one.first != two.first
                else { return .map(values: ["all": .list(values: conditions)]) }
                entries[name] = ConfigurationNode(.string("\(one) \(two)"))
            }
        }
        return .map(entries)
    }

    static func any(_ conditions: [ConfigurationValue]) -> ConfigurationValue {
        conditions.count == 1 ? conditions[0] : .map(values: ["any": .list(values: conditions)])
    }
}
