import GlassBase
import GlassMarkets
import GlassSchema

/// Expressions of Remote Config templates, which are read completely or not at all.
extension ImportedCondition {
    /// The largest expression in bytes.
    private static let maximumBytes = 8_192
    /// The deepest nesting of parentheses.
    private static let maximumDepth = 16

    /// Reads an expression of a Remote Config template.
    mutating func condition(ofFirebase expression: String) throws(Mismatch) -> ConfigurationValue {
        guard expression.utf8.count <= Self.maximumBytes else { throw Mismatch(message: "the expression is too long") }
        var rest = try FirebaseExpression(expression)
        let condition = try alternatives(&rest, depth: 0)
        guard rest.isEmpty else { throw rest.mismatch }
        return condition
    }

    private mutating func alternatives(
        _ rest: inout FirebaseExpression, depth: Int
    ) throws(Mismatch) -> ConfigurationValue {
        guard depth < Self.maximumDepth else { throw Mismatch(message: "the parentheses are nested too deeply") }
        var parts: [ConfigurationValue] = []
        repeat { parts.append(try conjunction(&rest, depth: depth)) } while rest.skip("||")
        return Self.any(parts)
    }

    private mutating func conjunction(
        _ rest: inout FirebaseExpression, depth: Int
    ) throws(Mismatch) -> ConfigurationValue {
        var parts: [ConfigurationValue] = []
        repeat {
            let isNegated = rest.skip("!")
            if rest.skip("(") {
                let part = try alternatives(&rest, depth: depth + 1)
                try rest.expect(")")
                parts.append(isNegated ? Self.negated(part) : part)
            } else {
                guard !isNegated else { throw rest.mismatch }
                parts.append(try clause(&rest))
            }
        } while rest.skip("&&")
        return Self.all(parts)
    }

    private mutating func clause(_ rest: inout FirebaseExpression) throws(Mismatch) -> ConfigurationValue {
        guard let name = rest.word else { throw rest.mismatch }
        rest.advance()
        switch name {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "percent": throw Self.percentage(&rest)
        case "device.os": return try equality("platform", &rest)
        case "device.country":
            let test = try equality("region", &rest)
            note("the market's region is that of the store or address, and not always the country of the device")
            return test
        case "device.language":
            let test = try equality("locale", &rest)
            note("the market's locale is not always the language of the device")
            return test
        case "dateTime", "device.dateTime": return try date(&rest)
        case "app.id": return try app(&rest)
        case "app.userProperty": return try property(&rest)
        default: break
        }
        if name.hasPrefix("app.version") { return try version(name.dropFirst("app.version".count), &rest) }
        if name.hasPrefix("app.audiences.") { return try audience(name.dropFirst("app.audiences.".count), &rest) }
        throw Mismatch(message: "a condition cannot depend on \(name.quotedForMessage)")
    }

    // MARK: Clauses

    private mutating func equality(
        _ attribute: String, _ rest: inout FirebaseExpression
    ) throws(Mismatch) -> ConfigurationValue {
        let (values, isNegated) = try rest.equality()
        let test = try test(attribute, .oneOf(values.map { .string($0) }))
        return isNegated ? negatedIfPresent(test) : test
    }

    /// The id of an app tells the platform: `1:482910573321:ios:9f1c`.
    private mutating func app(_ rest: inout FirebaseExpression) throws(Mismatch) -> ConfigurationValue {
        let (ids, isNegated) = try rest.equality()
        var platforms: [StrictJSON] = []
        for id in ids {
            let parts = id.split(separator: ":")
            guard !isNegated, parts.count == 4 else {
                throw Mismatch(message: "a condition cannot depend on the id of an app")
            }
            platforms.append(.string(String(parts[2])))
        }
        let test = try test("platform", .oneOf(platforms))
        note("it depends on the platform, and not on the id of the app")
        return test
    }

    private mutating func date(_ rest: inout FirebaseExpression) throws(Mismatch) -> ConfigurationValue {
        guard let comparator = rest.comparator else { throw rest.mismatch }
        rest.advance()
        guard rest.word == "dateTime" else { throw rest.mismatch }
        rest.advance()
        try rest.expect("(")
        let time = try rest.value()
        // Without a time zone, Firebase takes GMT.
        var zone = "Z"
        if rest.skip(",") {
            let name = try rest.value()
            zone = " \(name)"
        }
        try rest.expect(")")
        let short = time.hasSuffix(":00") && time.utf8.count == 19 ? String(time.dropLast(3)) : time
        return try test("date", .compared(comparator, short + zone, type: "date"))
    }

    private mutating func version(
        _ suffix: Substring, _ rest: inout FirebaseExpression
    ) throws(Mismatch) -> ConfigurationValue {
        guard suffix.isEmpty || suffix.first == "." else {
            throw Mismatch(message: "a condition cannot depend on \("app.version\(suffix)".quotedForMessage)")
        }
        let (name, values) = try rest.operation(suffix.dropFirst())
        switch name {
        case ">=", ">", "<=", "<":
            guard let version = values.first, values.count == 1 else { break }
            return try test("appVersion", .compared(name, version, type: "version"))
        case "==", "exactlyMatches": return try test("appVersion", .oneOf(values.map { .string($0) }))
        case "!=", "notExactlyMatches":
            return Self.negated(try test("appVersion", .oneOf(values.map { .string($0) })))
        default: break
        }
        throw Mismatch(message: "the version is not compared as a whole, but with \(name.quotedForMessage)")
    }

    private mutating func audience(
        _ suffix: Substring, _ rest: inout FirebaseExpression
    ) throws(Mismatch) -> ConfigurationValue {
        let (name, values) = try rest.operation(suffix)
        let each = values.map { ConfigurationValue.map(values: ["audience": .string($0)]) }
        guard !each.isEmpty else { throw Mismatch(message: "it names no audience") }
        note("the app must set the audiences that Google Analytics has for Firebase")
        switch name {
        case "inAtLeastOne": return Self.any(each)
        case "notInAtLeastOne": return Self.negated(Self.all(each))
        case "inAll": return Self.all(each)
        case "notInAll": return Self.negated(Self.any(each))
        default: throw Mismatch(message: "an audience cannot be tested with \(name.quotedForMessage)")
        }
    }

    private mutating func property(_ rest: inout FirebaseExpression) throws(Mismatch) -> ConfigurationValue {
        try rest.expect("[")
        let property = try rest.value()
        try rest.expect("]")
        var suffix: Substring = ""
        if let word = rest.word, word.hasPrefix(".") {
            suffix = word.dropFirst()
            rest.advance()
        }
        let (name, values) = try rest.operation(suffix)
        switch name {
        case "exactlyMatches": return try test(property, .oneOf(values.map { .string($0) }))
        // Firebase does not say what these are without the property. They must not hold for more people.
        case "notExactlyMatches": return negatedIfPresent(try test(property, .oneOf(values.map { .string($0) })))
        case "contains": return try test(property, .text("contains", values, anyCase: false))
        case "notContains": return negatedIfPresent(try test(property, .text("contains", values, anyCase: false)))
        case "<", "<=", ">", ">=":
            guard let number = values.first, values.count == 1, Double(number) != nil else { break }
            return try test(property, .compared(name, number, type: "number"))
        default: break
        }
        throw Mismatch(
            message: "the user property \(property.quotedForMessage) is tested in a way that conditions lack")
    }

    /// Why a share has no condition, and which rule has the same share.
    private static func percentage(_ rest: inout FirebaseExpression) -> Mismatch {
        var (numbers, isAbove) = ([Double](), false)
        while !rest.isEmpty, !rest.isAt("&&"), !rest.isAt("||") {
            isAbove = isAbove || rest.isAt(">") || rest.isAt(">=")
            if let number = rest.word.flatMap(Double.init) { numbers.append(number) }
            rest.advance()
        }
        let share =
            switch numbers.count {
            case 0: 10.0
            case 1: isAbove ? 100 - numbers[0] : numbers[0]
            default: abs(numbers[1] - numbers[0])
            }
        // The difference of two decimals has more digits than they have.
        let rounded = share.isFinite ? (share * 10_000).rounded() / 10_000 : 10
        let text = Int(exactly: rounded).map(String.init) ?? "\(rounded)"
        return Mismatch(
            message: "Firebase decides percentages on its server, so that no rule gives the same people the same side",
            hint:
                "write rollout = { percent = \(text), by = \"installID\" }: the share stays the same, the people do not"
        )
    }
}
