import Foundation
import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import SchemaTesting
import ShopMarkets
import TestSupport
import Testing
import MarketTesting

/// A check proves a rule only for the keys that the rule declares to read. If the result depended on another key, a market
/// could contradict itself in a situation that no check has seen.
struct RuleReadsTests {
    /// The modules with the folders of their markets.
    enum App: String, CaseIterable {
        case platform = "markets"
        case shop = "Tests/ShopApp/markets"

        /// The guides' examples, which this target compiles too, have a module of the same name as the app's.
        var module: MarketModule { self == .platform ? .platformInMemory : .ShopMarkets::shop }

        /// The values of its markets.
        func markets() throws -> [ConfigurationValue] {
            let folder = MarketFolder(path: MarketFixture.repository.appending(path: rawValue).path)
            let loader = MarketLoader(module, folder: folder, limits: MarketFixture.patientLimits) { _ in "s3cret" }
            return try loader.marketIDs().map { try loader.load($0).source.value }
        }
    }

    /// Keys of the United States, each with a value that contradicts another key.
    private static let contradictions: [(key: ConfigurationPath, value: ConfigurationValue)] = [
        ("deepLinking.allowedDomains", tables("allowSubdomains", [.boolean(true), .boolean(false)], ["name": "a.b"])),
        (
            "deepLinking.queryParameters",
            tables("qualifiesTracking", [.boolean(true), .boolean(false)], ["value": "a", "eventName": "b"])
        ),
        ("platform.networking.defaultService", "orchestar"),
        ("platform.networking.retry.initialDelaySeconds", .integer(50)),
        ("platform.networking.retry.initialDelaySeconds", .integer(0)),
        ("platform.networking.media.memoryCacheMegabytes", .integer(512)),
        (
            "platform",
            .map(values: [
                "networking": .map(values: [
                    "retry": .map(values: [
                        "maxRetries": .integer(10), "initialDelaySeconds": .integer(5),
                        "maximumDelaySeconds": .integer(20), "multiplier": .integer(2),
                    ])
                ]),
                "urlSession": .map(values: [
                    "requestTimeoutSeconds": .integer(10), "resourceTimeoutSeconds": .integer(100),
                ]),
            ])
        ),
        ("platform.urlSession.resourceTimeoutSeconds", .integer(10)),
        (
            "platform.urlSession",
            .map(values: ["requestTimeoutSeconds": .integer(2), "resourceTimeoutSeconds": .integer(3)])
        ),
        ("platform.urlSession.memoryCacheMegabytes", .integer(512)),
        ("platform.quimby.refreshSeconds", .integer(2)),
        ("platform.cookieStorage.cookies", tables("lifetimeSeconds", [.integer(30)], ["name": "a", "domain": ".a.b"])),
        ("platform.analytics.collector.service", "orchestar"),
        ("platform.analytics.sinks", .list(values: ["log"])),
        ("platform.analytics", .map(values: ["sinks": .list(values: ["collector"])])),
        ("platform.environment.default", "prodution"),
        ("platform.environment.environments.staging.services", .map(values: ["orchestra": "https://a.b"])),
        ("platform.address.fieldOrder", .list(values: ["street", "neighborhood"])),
        ("platform.address.requiredFields", .list(values: AddressField.allCases.map { .string($0.rawValue) })),
        ("platform.address.lines", .list(values: ["{recipient}"])),
        ("platform.address.lines", .list(values: ["{recipient}", "{neighborhood}"])),
        ("platform.address.postalCodeExample", "K1A"),
        ("platform.address", address(fields: ["street", "postalCode"], required: ["street"])),
        ("platform.address", address(fields: ["street"], required: ["postalCode"])),
        ("platform.address.regions", tables("name", ["Ontario", "Other"], ["code": "ON"])),
        ("platform.preferences.keys.storeID", .map(values: ["type": "integer", "default": "100"])),
        ("platform.cookieStorage.cookies", tables("value", ["1", "2"], ["name": "a", "domain": ".a.b"])),
        ("platform.permissions.allowsBackgroundLocationUpdates", .boolean(true)),
        ("flags", flags),
        ("loyalty.tiers", tables("name", ["gold", "silver"], ["points": .integer(10)])),
    ]

    /// An address without a pattern of its postal code.
    private static func address(
        fields: [ConfigurationValue], required: [ConfigurationValue]
    ) -> ConfigurationValue {
        .map(values: [
            "country": "US", "fieldOrder": .list(values: fields), "requiredFields": .list(values: required),
            "regions": .list(values: []),
        ])
    }

    /// Flags without a last day or slots, and with rules that give too much, or nothing.
    private static let flags = ConfigurationValue.map(values: [
        "endless": .map(values: ["kind": "release", "default": .boolean(false), "layer": "search"]),
        "rules": .map(values: [
            "kind": "operations", "default": .boolean(false),
            "rules": .list(values: [
                .map(values: ["name": "nothing"]),
                .map(values: ["name": "both", "value": .boolean(true), "variant": "a"]),
                .map(values: ["name": "shares", "split": "a", "rollout": "b"]),
            ]),
        ]),
    ])

    /// A list of tables that differ in one key.
    private static func tables(
        _ key: String, _ values: [ConfigurationValue], _ common: [String: ConfigurationValue]
    ) -> ConfigurationValue {
        .list(values: values.map { .map(values: common.merging([key: $0]) { _, value in value }) })
    }

    /// A routable whose destination is defined three times, with a deprecated path that is not a pattern.
    private static let routable = ConfigurationValue.map(values: [
        "show": .map(values: ["screen": "a"]), "handler": "openA",
        "handle": .opaque(OpaqueValue(kind: "a function", payload: Unused())),
        "deprecated": .map(values: ["paths": .list(values: ["a/:b(", "c"]), "expires": "2027-01-31"]),
    ])

    /// The app's module includes the platform's.
    @Test(arguments: runsAllRounds ? App.allCases : [.shop])
    func rulesReadTheirDeclaredKeysAndNoOthers(app: App) throws {
        let declaration = MarketSchema(app.module).declaration
        let routables = try #require(declaration.key("routables")?.type.section)
        let markets = try app.markets()
        let base = try #require(markets.last)
        #expect(ConfigurationNode(base).node(at: "id")?.value == "us")
        let wrong =
            Self.contradictions.filter { declaration.key(at: $0.key) != nil }
            .map { base.replacing($0.key, with: $0.value) }
            + (["cart"] + routables.keys.map(\.name)).map {
                base.replacing(ConfigurationPath([.key("routables"), .key($0)]), with: Self.routable)
            }

        var rules: [String: RuleExamination] = [:]
        var seen: [String: Set<ConfigurationValue>] = [:]
        for (section, value) in (markets + wrong).flatMap({ declaration.sections(in: $0) })
        where !section.rules.isEmpty && seen[section.name, default: []].insert(value).inserted {
            let changes = section.changes(of: value)
            let changed = Set(changes.map(\.path))
            #expect(section.keys.allSatisfy { changed.contains(ConfigurationPath([.key($0.name)])) }, "\(section.name)")
            for (number, rule) in section.rules.enumerated() {
                rules["\(section.name) \(number)", default: RuleExamination()].examine(rule, in: value, changes)
            }
        }
        for section in declaration.allSections {
            for (number, rule) in section.rules.enumerated() {
                let name = "\(section.name) \(number)"
                let examination = try #require(rules[name], "\(name) has no sample")
                #expect(examination.undeclared.isEmpty, "\(name) reads more than \(rule.reads)")
                #expect(examination.read == Set(rule.reads), "\(name) does not need all of \(rule.reads)")
                #expect(examination.hasFound, "\(name) finds nothing in any sample")
            }
        }
        #expect(rules.count >= 15)
    }

    @Test(
        arguments: [
            (["low"], ["low"], ["inner.high"]), (["inner.high"], ["inner.high"], ["low"]),
            (["low", "inner.high"], ["low", "inner.high"], []),
            (["low", "inner"], ["low", "inner"], []),
            (["low", "inner.high", "inner.other"], ["low", "inner.high"], []),
        ] as [([ConfigurationPath], Set<ConfigurationPath>, Set<ConfigurationPath>)])
    func wrongDeclarationIsNoticed(
        declared: [ConfigurationPath], read: Set<ConfigurationPath>, undeclared: Set<ConfigurationPath>
    ) {
        let rule = SectionRule(ConfigurationRule<Limits>(reads: declared, Limits.order))
        let value = ConfigurationValue.map(values: ["low": .integer(1), "inner": .map(values: ["high": .integer(2)])])
        var examination = RuleExamination()
        examination.examine(rule, in: value, Limits.declaration.changes(of: value))
        #expect(!examination.hasFound)
        #expect(examination.read == read)
        // A change of the inner section as a whole also changes the key that the rule reads.
        #expect(examination.undeclared.subtracting(["inner"]) == undeclared)
    }

    /// A section whose rule is declared by the test.
    struct Limits: ConfigurationSection {
        var low = 1
        var inner = Inner()

        struct Inner: ConfigurationSection {
            var high = 2
            var other = 3

            static let keys: [ConfigurationKey<Self>] = [
                .init("high", \.high, .integer(0...9), "The upper end."),
                .init("other", \.other, .integer(0...9), "Another number."),
            ]
        }

        static let keys: [ConfigurationKey<Self>] = [
            .init("low", \.low, .integer(0...9), "The lower end."), .init("inner", \.inner, "The rest."),
        ]

        @Sendable static func order(_ limits: Self) -> [Inconsistency] {
            limits.low > limits.inner.high ? [Inconsistency("low", "\(limits.low) is too high")] : []
        }
    }
}

private final class Unused: Sendable {}
