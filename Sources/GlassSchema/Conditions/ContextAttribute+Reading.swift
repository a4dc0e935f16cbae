package import GlassBase

/// Why a value does not suit an attribute.
package struct ContextValueError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The rule that the value violates.
    package var code: FindingCode
    /// The problem.
    package var message: String
    /// What to do, if that is known.
    package var hint: String?
    /// The word that may be misspelled.
    package var word: String?
    /// The words that are possible instead.
    package var candidates: [String]

    init(
        _ message: String, code: FindingCode = .invalidTest, hint: String? = nil, word: String? = nil,
        candidates: [String] = []
    ) {
        self.code = code
        self.message = message
        self.hint = hint
        self.word = word
        self.candidates = candidates
    }

    /// The problem.
    package var description: String { message }

    /// The hint, or the nearest candidate.
    package func advice(budget: WorkBudget) throws(WorkBudget.Exceeded) -> Advice? {
        if let word, let nearest = try Advice.nearest(to: word, in: candidates, budget: budget) { return nearest }
        return hint.map { Advice($0) }
    }
}

extension ContextAttribute {
    /// The largest size of a text, in bytes.
    package static let maximumTextLength = 256
    /// The largest number of names in a set.
    package static let maximumSetSize = 64

    /// Reads the value that the attribute has in a situation, from data.
    ///
    /// A set is a list of names, or a single one. A date can name a time zone.
    package func value(
        from data: ConfigurationValue, zones: ZoneRules
    ) throws(ContextValueError) -> ContextValue {
        switch (type, data) {
        case (.set(let known), .list(let nodes)):
            guard nodes.count <= Self.maximumSetSize else {
                throw ContextValueError("\(name) contains more than \(Self.maximumSetSize) names")
            }
            var names: Set<String> = []
            for node in nodes { names.insert(try name(from: node.value, known: known)) }
            return .set(names)
        case (.set, .emptyTable):
            return .set([])
        case (.set(let known), _):
            return .set([try name(from: data, known: known)])
        case (.locale(let offered), .string(let text)) where !offered.isEmpty:
            guard offered.contains(text) else {
                throw ContextValueError(
                    "expected \(ValueType.choice(offered).expectation), got \(text.quotedForMessage)",
                    code: .invalidChoice, word: text, candidates: offered)
            }
            return .text(text)
        default:
            return try literal(from: data, zones: zones)
        }
    }

    /// Reads the value that the attribute has in a situation, from the text of a command: `true`, `3`, `24.3`. A set has
    /// its names separated by plus signs, and is empty if the text is.
    package func value(from text: String, zones: ZoneRules) throws(ContextValueError) -> ContextValue {
        switch type {
        case .boolean:
            return try value(from: Bool(text).map { .boolean($0) } ?? .string(text), zones: zones)
        case .integer, .number, .bucket:
            return try value(
                from: Int(text).map { .integer($0) } ?? Double(text).map { .number($0) } ?? .string(text), zones: zones)
        case .set:
            let names = text.split(separator: "+").map { ConfigurationValue.string(String($0)) }
            return try value(from: .list(values: names), zones: zones)
        case .choice, .text, .version, .date, .localDate, .locale, .region:
            return try value(from: .string(text), zones: zones)
        }
    }

    /// The text of a value for a command, which ``value(from:zones:)`` reads back.
    package static func commandText(of value: ContextValue) -> String {
        switch value {
        case .text(let text): text
        case .set(let names): names.sorted().joined(separator: "+")
        default: value.description
        }
    }

    private func name(from data: ConfigurationValue, known: [String]?) throws(ContextValueError) -> String {
        guard case .string(let name) = data else { throw unexpected(data) }
        try checkLength(name)
        if let known, !known.contains(name) {
            throw ContextValueError(
                "expected \(ValueType.choice(known).expectation), got \(name.quotedForMessage)",
                code: .invalidChoice, word: name, candidates: known)
        }
        return name
    }

    /// Reads a value with which a condition compares. For a set, it is one of its names.
    func literal(from data: ConfigurationValue, zones: ZoneRules) throws(ContextValueError) -> ContextValue {
        switch (type, data) {
        case (.boolean, .boolean(let value)):
            return .boolean(value)
        case (.integer, .integer), (.integer, .number), (.number, .integer), (.number, .number), (.bucket, .integer):
            return try number(data)
        case (.choice(let names), .string(let text)):
            guard names.contains(where: { $0.hasSameBytes(as: text) }) else {
                if text.beginsWithComparator { throw ContextValueError("\(name) does not support comparators") }
                throw ContextValueError(
                    "expected \(ValueType.choice(names).expectation), got \(text.quotedForMessage)",
                    code: .invalidChoice, word: text, candidates: names)
            }
            return .text(text)
        case (.text, .string(let text)):
            try checkLength(text)
            return .text(text)
        case (.version, .string(let text)):
            guard let version = ContextVersion(text) else {
                throw ContextValueError("\(text.quotedForMessage) is not a version", hint: Self.versionHint(for: text))
            }
            return .version(version)
        case (.version, .number(let number)):
            throw ContextValueError("expected a version, got \(number.written)", hint: "write \"\(number.written)\"")
        case (.version, .integer(let number)):
            throw ContextValueError("expected a version, got \(number)", hint: "write \"\(number)\"")
        case (.date, .string(let text)):
            return .date(try date(text, zones))
        case (.localDate, .string(let text)):
            guard let date = ContextLocalDate(text) else {
                throw DateText(text) != nil
                    ? ContextValueError("\(text) has a time zone, but \(name) does not support one")
                    : ContextValueError(
                        "\(text.quotedForMessage) is not a date",
                        hint: DateText.hint(for: text) ?? "write it as in 2026-11-27T00:00")
            }
            return .localDate(date)
        case (.set(let known), .string(let text)):
            if text.beginsWithComparator { throw ContextValueError("\(name) does not support comparators") }
            return .text(try name(from: .string(text), known: known))
        case (.locale, .string(let text)):
            guard text.isLocaleRange else { throw noCode(text, "locale", "write it as in \"fr\" or \"fr-CA\"") }
            return .text(text)
        case (.region, .string(let text)):
            guard text.isRegion else {
                throw noCode(text, "region", "write a code of ISO 3166, as in \"CA\" or \"CA-QC\"")
            }
            return .text(text)
        default:
            if case .string(let text) = data, text.beginsWithComparator {
                throw ContextValueError("\(name) does not support comparators")
            }
            throw unexpected(data)
        }
    }

    private func number(_ data: ConfigurationValue) throws(ContextValueError) -> ContextValue {
        let number: Double
        switch data {
        case .integer(let value):
            // A greater integer would silently become another number.
            guard abs(Double(value)) <= 0x1p53 else {
                throw ContextValueError("\(value) is too large for an attribute")
            }
            number = Double(value)
        case .number(let value): number = value
        default: throw unexpected(data)
        }
        let isInRange =
            switch type {
            case .integer: number.rounded() == number && abs(number) <= 0x1p53
            case .bucket: number.rounded() == number && (0..<100_000).contains(number)
            default: number.isFinite
            }
        guard isInRange else { throw unexpected(data) }
        return .number(number == 0 ? 0 : number)  // without the sign of -0
    }

    private func date(_ text: String, _ zones: ZoneRules) throws(ContextValueError) -> ContextDate {
        let example = "write the zone, as in 2026-11-27T00:00 America/New_York"
        guard let date = DateText(text) else {
            throw ContextValueError("\(text.quotedForMessage) is not a date", hint: DateText.hint(for: text) ?? example)
        }
        switch date.zone {
        case .none:
            throw ContextValueError("\(text) has no time zone", hint: example)
        case .offset(let seconds):
            return ContextDate(secondsSince1970: date.wallClock - seconds)
        case .name(let zone):
            switch zones.instant(zone, date.wallClock) {
            case .instant(let seconds):
                return ContextDate(secondsSince1970: seconds)
            case .gap:
                let first = zones.firstTime(after: date.wallClock, in: zone)
                throw ContextValueError(
                    "\(date.time) does not exist in \(zone) that day",
                    hint: first.map { "write the first moment after it: \(DateText.written($0).dropLast(3)) \(zone)" })
            case .fold:
                throw ContextValueError(
                    "\(date.time) occurs twice in \(zone) that day",
                    hint: "write the offset, as in 2026-11-01T01:30:00-04:00"
                )
            case .unknownZone:
                let names = zones.names()
                let ends = names.filter { $0.hasSuffix("/\(zone)") }
                throw ContextValueError(
                    "unknown time zone \(zone.quotedForMessage)",
                    hint: ends.count == 1
                        ? "write \(ends[0])" : "write a name such as America/New_York, or UTC",
                    // A word without a slash is at most the end of a name.
                    word: ends.isEmpty && zone.contains("/") ? zone : nil, candidates: names)
            }
        }
    }

    private func checkLength(_ text: String) throws(ContextValueError) {
        guard text.utf8.count <= Self.maximumTextLength else {
            throw ContextValueError("expected at most \(Self.maximumTextLength) bytes, got \(text.utf8.count.grouped)")
        }
    }

    private func noCode(_ text: String, _ kind: String, _ hint: String) -> ContextValueError {
        text.beginsWithComparator
            ? ContextValueError("\(name) does not support comparators")
            : ContextValueError("\(text.quotedForMessage) is not a \(kind)", hint: hint)
    }

    private func unexpected(_ data: ConfigurationValue) -> ContextValueError {
        ContextValueError("expected \(expectation), got \(data.found)")
    }

    private static func versionHint(for text: String) -> String {
        let rest = text.dropFirst()
        if text.first == "v" || text.first == "V", ContextVersion(String(rest)) != nil { return "write \"\(rest)\"" }
        return "write one to four numbers, as in \"24.3\""
    }

    /// The accepted values, with an article, for messages that begin with "expected".
    package var expectation: String {
        switch type {
        case .boolean: "true or false"
        case .integer: "a whole number"
        case .number: "a number"
        case .choice(let names): ValueType.choice(names).expectation
        case .text: "a string"
        case .version: "a version"
        case .date: "a date"
        case .localDate: "a date"
        case .set: "a name"
        case .locale: "a locale"
        case .region: "a region"
        case .bucket: "a whole number from 0 to 99999"
        }
    }

    /// Whether values of the attribute can be compared.
    package var isOrdered: Bool {
        switch type {
        case .integer, .number, .version, .date, .localDate, .bucket: true
        case .boolean, .choice, .text, .set, .locale, .region: false
        }
    }
}

extension String {
    /// Whether the text begins with `<`, `>` or `=`.
    var beginsWithComparator: Bool {
        let blank = UInt8(ascii: " ")
        return switch utf8.first(where: { $0 != blank }) {
        case UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "="): true
        case _: false
        }
    }

    /// Whether the text is a language, with a script and a region or not: `fr`, `zh-Hant`, `fr-CA`.
    fileprivate var isLocaleRange: Bool {
        var parts = utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)[...]
        guard let language = parts.popFirst(), (2...3).contains(language.count),
            language.allSatisfy({ $0.isASCIILetter && $0 == $0.lowercasedASCII })
        else { return false }
        if let script = parts.first, script.count == 4, script.allSatisfy(\.isASCIILetter),
            script.first != script.first?.lowercasedASCII, script.dropFirst().allSatisfy({ $0 == $0.lowercasedASCII })
        {
            parts.removeFirst()
        }
        if let region = parts.first,
            region.count == 2 && region.allSatisfy({ $0.isASCIILetter && $0 != $0.lowercasedASCII })
                || region.count == 3 && region.allSatisfy(\.isASCIIDigit)
        {
            parts.removeFirst()
        }
        return parts.isEmpty
    }

    /// Whether the text is a country of ISO 3166-1, or a part of one in the form of ISO 3166-2.
    fileprivate var isRegion: Bool {
        let parts = split(separator: "-", omittingEmptySubsequences: false)
        guard let country = parts.first, ISOCodes.countries.contains(String(country)), parts.count <= 2 else {
            return false
        }
        guard let part = parts.dropFirst().first else { return true }
        return (1...3).contains(part.utf8.count)
            && part.utf8.allSatisfy { $0.isASCIIDigit || $0.isASCIILetter && $0 != $0.lowercasedASCII }
    }
}
