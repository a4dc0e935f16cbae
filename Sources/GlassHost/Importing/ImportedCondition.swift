import GlassBase
import GlassMarkets
import GlassSchema

/// Conditions in the words of other services, as conditions of a market.
struct ImportedCondition {
    /// Why a condition has no counterpart, and what to write instead.
    struct Mismatch: Error {
        let message: String
        var hint: String?
    }

    /// The attributes that the market must declare, with their types.
    private(set) var attributes: [String: String] = [:]
    /// What to know about the conditions, for those that say less than the service's.
    var notes: [String] = []

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
        "key", "userid", "sessionid", "email", "name", "ip", "anonymous", "remoteaddress",
    ]

    /// The test of an attribute.
    mutating func test(_ name: String, _ test: Test) throws(Mismatch) -> ConfigurationValue {
        let word = ImportKeys.word(name)
        guard !Self.people.contains(word) else {
            throw Mismatch(
                message: "a condition cannot name people by \(name.quotedForMessage)",
                hint: "let the app set an audience, and test { audience = \"…\" }")
        }
        let attribute: String
        if let known = Self.names[word] {
            attribute = known
        } else {
            attribute = MarketImport.identifier([Substring(name)])
            guard StringFormat.identifier.matches(attribute) else {
                throw Mismatch(message: "\(name.quotedForMessage) cannot be the name of an attribute")
            }
            try declare(attribute, as: Self.type(of: test))
        }
        return .map(values: [attribute: try Self.value(of: test, for: attribute)])
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
            guard names.values.contains(attribute) == false else {
                throw Mismatch(message: "\(attribute) cannot be tested by a part of its text")
            }
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
            let known = ["iOS", "macOS", "watchOS", "tvOS", "visionOS", "linux"]
            guard let name = known.first(where: { $0.lowercased() == text.lowercased() }) else {
                throw Mismatch(
                    message: "the condition is about \(text.quotedForMessage), which is not a platform of markets")
            }
            return name
        case "date":
            guard text.utf8.count >= 16, text.contains("T") else {
                throw Mismatch(message: "\(text.quotedForMessage) is not a date with a time")
            }
            return text
        default: return text
        }
    }

    // MARK: Combining

    static func negated(_ condition: ConfigurationValue) -> ConfigurationValue {
        if case .map(let entries) = condition, entries.count == 1, let inner = entries["no"] { return inner.value }
        return .map(values: ["no": condition])
    }

    /// All of the conditions: as one table, if each tests another attribute.
    static func all(_ conditions: [ConfigurationValue]) -> ConfigurationValue {
        let conditions = conditions.filter { $0 != .boolean(true) }
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
