@testable import GlassSchema

/// A section with a key of every type, for the tests.
struct TestSection: ConfigurationSection {
    var flag = false
    var count = 3
    var ratio = 0.5
    var name = ""
    var kind = Kind.plain
    var token: Secret?
    var codes = [500, 503]
    var limits: [String: Int] = [:]
    var inner = Inner()
    var extra: ConfigurationScalar?

    enum Kind: String, ConfigurationChoice {
        case plain
        case fancy
    }

    struct Inner: ConfigurationSection {
        var low = 1
        var high = 2

        static let keys: [ConfigurationKey<Inner>] = [
            .init("low", \.low, "The lower end."),
            .init("high", \.high, "The upper end."),
        ]

        static let rules: [ConfigurationRule<Inner>] = [
            .init(reads: ["low", "high"]) { range in
                guard range.low > range.high else { return [] }
                return [Inconsistency("low", "\(range.low) is more than high, \(range.high)", hint: "swap them")]
            }
        ]
    }

    static let keys: [ConfigurationKey<TestSection>] = [
        .init("flag", \.flag, "A flag."),
        .init("count", \.count, .integer(0...10), "A count."),
        .init("ratio", \.ratio, .number(0...1), "A ratio."),
        .init("name", \.name, .string(.nonEmpty), required: true, "A name."),
        .init("kind", \.kind, "A kind."),
        .init("token", \.token, "A token."),
        .init("codes", \.codes, .set(of: .integer(400...599), count: 1...3), "Some codes."),
        .init("limits", \.limits, .map(of: .integer(1...9), keys: .identifier), "Limits by name."),
        .init("inner", \.inner, "A range."),
        .init("extra", \.extra, appliesOn: .apple, "Anything."),
    ]
}

/// A section with renamed keys.
struct RenamedSection: ConfigurationSection {
    var name = ""
    var retries = 3
    var inner = Inner()
    var list: [Inner] = []

    struct Inner: ConfigurationSection {
        var name: String?

        static let keys: [ConfigurationKey<Inner>] = [
            .init("name", \.name, formerNames: ["title"], "A name.")
        ]
    }

    static let keys: [ConfigurationKey<RenamedSection>] = [
        .init("name", \.name, required: true, formerNames: ["title"], "A name."),
        .init("retries", \.retries, .integer(0...10), formerNames: ["tries", "attempts"], "How often."),
        .init("inner", \.inner, "A name."),
        .init("list", \.list, "Names."),
    ]
}

/// An invalid declaration: a former name that is a key.
struct TakenName: ConfigurationSection {
    var low = 1
    var high = 2

    static let keys: [ConfigurationKey<TakenName>] = [
        .init("low", \.low, "The lower end."),
        .init("high", \.high, formerNames: ["low"], "The upper end."),
    ]
}

/// An invalid declaration: two keys with the same former name.
struct SharedName: ConfigurationSection {
    var low = 1
    var high = 2

    static let keys: [ConfigurationKey<SharedName>] = [
        .init("low", \.low, formerNames: ["limit"], "The lower end."),
        .init("high", \.high, formerNames: ["limit"], "The upper end."),
    ]
}

/// An invalid declaration: a duplicate former name.
struct DoubledName: ConfigurationSection {
    var low = 1
    var high = 2

    static let keys: [ConfigurationKey<DoubledName>] = [
        .init("low", \.low, formerNames: ["limit", "limit"], "The lower end."),
        .init("high", \.high, "The upper end."),
    ]
}

/// An invalid declaration: a rule that reads a key that does not exist.
struct MisspelledRule: ConfigurationSection {
    var inner = TestSection.Inner()

    static let keys: [ConfigurationKey<MisspelledRule>] = [.init("inner", \.inner, "A range.")]
    static let rules: [ConfigurationRule<MisspelledRule>] = [.init(reads: ["inner.low", "inner.hihg"]) { _ in [] }]
}

/// A section with two rules that report the same key.
struct DoublyWrong: ConfigurationSection {
    var low = 1
    var high = 2
    var highest = 3

    static let keys: [ConfigurationKey<DoublyWrong>] = [
        .init("low", \.low, "The lower end."), .init("high", \.high, "The upper end."),
        .init("highest", \.highest, "The limit of the upper end."),
    ]
    static let rules: [ConfigurationRule<DoublyWrong>] = [
        .init(reads: ["low", "high"]) { section in
            section.low > section.high ? [Inconsistency("low", "more than high", others: ["high"])] : []
        },
        .init(reads: ["low", "highest"]) { section in
            section.low > section.highest ? [Inconsistency("low", "more than highest", others: ["highest"])] : []
        },
    ]
}

extension ConfigurationNode {
    /// A map with each key on its own line, for tests of positions.
    static func file(_ values: KeyValuePairs<String, ConfigurationValue>) -> ConfigurationNode {
        var entries: [String: ConfigurationNode] = [:]
        for (offset, (key, value)) in values.enumerated() {
            entries[key] = ConfigurationNode(
                value, position: SourcePosition(file: "m.lua", line: offset + 2, column: key.count + 6),
                keyPosition: SourcePosition(file: "m.lua", line: offset + 2, column: 3))
        }
        return ConfigurationNode(.map(entries), position: SourcePosition(file: "m.lua", line: 1, column: 8))
    }
}
