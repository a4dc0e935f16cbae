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
                case .integer(let integer): made.append(.integer(integer.value ?? 0))
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

    // MARK: Firebase

    /// Reads an expression of a Remote Config template.
    mutating func condition(ofFirebase expression: String) throws(Mismatch) -> ConfigurationValue {
        guard expression.utf8.count <= 8_192 else { throw Mismatch(message: "the expression is too long") }
        var parts: [ConfigurationValue] = []
        for part in expression.components(separatedOutsideQuotesBy: "&&") {
            parts.append(try clause(part.trimmedOfSpace))
        }
        return Self.all(parts)
    }

    private mutating func clause(_ text: String) throws(Mismatch) -> ConfigurationValue {
        if text.hasPrefix("!("), text.hasSuffix(")") {
            return Self.negated(try clause(String(text.dropFirst(2).dropLast()).trimmedOfSpace))
        }
        if text == "true" { return .boolean(true) }
        if text == "false" { return .boolean(false) }
        if text.hasPrefix("percent") {
            let number = text.split { !($0.isNumber || $0 == ".") }.last.map(String.init) ?? "10"
            throw Mismatch(
                message:
                    "Firebase decides percentages on its server, so that no rule gives the same people the same side",
                hint: "write rollout = { percent = \(number), by = \"installID\" }, with which people change sides once"
            )
        }
        let quoted = text.quotedParts
        let values = quoted.map { StrictJSON.string($0) }
        if text.hasPrefix("app.version.") {
            let name = String(text.dropFirst("app.version.".count).prefix { $0 != "(" })
            switch name {
            case ">=", ">", "<=", "<":
                guard let version = quoted.first, quoted.count == 1 else { break }
                return try test("appVersion", .compared(name, version, type: "version"))
            case "==", "exactlyMatches": return try test("appVersion", .oneOf(values))
            case "!=", "notExactlyMatches": return Self.negated(try test("appVersion", .oneOf(values)))
            default: break
            }
            throw Mismatch(message: "the version is not compared as a whole, but with \(name)")
        }
        if text.hasPrefix("device.os"), let name = quoted.first {
            let test = try test("platform", .oneOf([.string(name)]))
            return text.contains("!=") ? Self.negated(test) : test
        }
        for (start, attribute) in [("device.country", "region"), ("device.language", "locale")] {
            guard text.hasPrefix(start) else { continue }
            let test = try test(attribute, .oneOf(values))
            let isNegated = text.dropFirst(start.count).trimmedOfSpace.hasPrefix("not") || text.contains("!=")
            return isNegated ? Self.negated(test) : test
        }
        if text.hasPrefix("device.dateTime"), let time = quoted.first {
            let comparator = text.dropFirst("device.dateTime".count).trimmedOfSpace.prefix { "<>=".contains($0) }
            // Without a time zone, Firebase takes GMT.
            let zone = quoted.count > 1 ? " \(quoted[1])" : "Z"
            let time = time.hasSuffix(":00") && time.utf8.count == 19 ? String(time.dropLast(3)) : time
            return try test("date", .compared(String(comparator), time + zone, type: "date"))
        }
        if text.hasPrefix("app.audiences.") {
            let name = String(text.dropFirst("app.audiences.".count).prefix { $0 != "(" })
            let each = quoted.map { ConfigurationValue.map(values: ["audience": .string($0)]) }
            guard !each.isEmpty else { throw Mismatch(message: "it names no audience") }
            switch name {
            case "inAtLeastOne": return Self.any(each)
            case "notInAtLeastOne": return Self.negated(Self.all(each))
            case "inAll": return Self.all(each)
            case "notInAll": return Self.negated(Self.any(each))
            default: throw Mismatch(message: "an audience cannot be tested with \(name)")
            }
        }
        if text.hasPrefix("app.userProperty["), let name = quoted.first {
            let rest = text[(text.firstIndex(of: "]") ?? text.startIndex)...].dropFirst().trimmedOfSpace
            let own = Array(values.dropFirst())
            switch rest.prefix(while: { $0 != "(" && $0 != " " }) {
            case ".exactlyMatches": return try test(name, .oneOf(own))
            case ".notExactlyMatches": return Self.negated(try test(name, .oneOf(own)))
            case ".contains": return try test(name, .text("contains", own.compactMap(\.stringValue), anyCase: false))
            case ".notContains":
                return Self.negated(try test(name, .text("contains", own.compactMap(\.stringValue), anyCase: false)))
            case "<", "<=", ">", ">=":
                let comparator = String(rest.prefix { "<>=".contains($0) })
                let number = rest.dropFirst(comparator.count).trimmedOfSpace
                if Double(number) != nil { return try test(name, .compared(comparator, number, type: "number")) }
            default: break
            }
            throw Mismatch(
                message: "the user property \(name.quotedForMessage) is tested in a way that conditions lack")
        }
        let subject = text.prefix { $0.isLetter || $0 == "." }
        throw Mismatch(message: "a condition cannot depend on \(String(subject).quotedForMessage)")
    }
}

extension StringProtocol {
    /// The text without white space at its ends.
    fileprivate var trimmedOfSpace: String {
        var text = self[...].drop(while: \.isWhitespace)
        while text.last?.isWhitespace == true { text = text.dropLast() }
        return String(text)
    }
}

extension String {
    /// The parts in single or double quotes.
    fileprivate var quotedParts: [String] {
        var (parts, current, quote) = ([String](), "", Character?.none)
        for character in self {
            if let open = quote {
                if character == open {
                    parts.append(current)
                    (current, quote) = ("", nil)
                } else {
                    current.append(character)
                }
            } else if character == "'" || character == "\"" {
                quote = character
            }
        }
        return parts
    }

    /// The parts between separators that are not in quotes.
    fileprivate func components(separatedOutsideQuotesBy separator: String) -> [String] {
        var (parts, quote) = ([""], Character?.none)
        for character in self {
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            }
            parts[parts.count - 1].append(character)
            if quote == nil, parts[parts.count - 1].hasSuffix(separator) {
                parts[parts.count - 1].removeLast(separator.count)
                parts.append("")
            }
        }
        return parts
    }
}
