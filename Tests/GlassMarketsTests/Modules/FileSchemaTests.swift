import GlassSchema
import Testing

@testable import GlassMarkets

/// The declaration of a whole market file, in a module with one section and without the platform.
struct FileSchemaTests {
    private struct Shop: MarketSection {
        static let key = "shop"
        static let summary = "The shop."
        var retries = 1
        static let keys: [ConfigurationKey<Self>] = [
            .init("retries", \.retries, .integer(0...5), "How often a request is tried again.")
        ]
    }

    private static let schema = MarketSchema(MarketModule("shop", sections: [Shop.self]))

    /// What a path of a file accepts, in overlays, conditions, and flags as elsewhere.
    @Test(arguments: [
        ("overlays[2].shop.retries", "an integer from 0 to 5"), ("overlays[2].beats[1]", "the name of an overlay"),
        ("overlays[2].when.build", "a test of the attribute"), ("overlays[2].id", nil), ("overlays[2].nothing", nil),
        ("flags.a.rules[1].rollout.by", "an attribute"),
        ("flags.a.rules[1].rollout.percent", "a percentage from 0 to 100"),
        ("flags.a.rules[1].split.weights[1]", "a list of a variant and its percentage"),
        ("flags.a.rules[1].split.weights[1][1]", "the name of a variant"),
        ("flags.a.rules[1].split.weights[1][2]", "a percentage from 0 to 100"),
        ("flags.a.rules[1].split.weights[1][3]", nil), ("conditions.b.rollout.salt", "a string"),
        ("conditions.b.any[2].no.all[1]", "a condition"),
        ("conditions.b.build[1]", "a test of the attribute"), ("conditions.b.tenant.anyCase", "true or false"),
        ("attributes.tier.values[1]", "a non-empty string"), ("abstract", "true or false"),
    ])
    func typeIsDeclared(path: String, expected: String?) throws {
        let path = try #require(ConfigurationPath(parsing: path))
        #expect(Self.schema.file.type(at: path)?.expectation == expected)
    }

    @Test func overlaysHaveAllKeysButTheFixedOnes() {
        let fixed: Set = [
            "abstract", "attributes", "conditions", "extends", "flags", "id", "layers", "locales", "overlays",
        ]
        #expect(Self.schema.notInOverlays == fixed)
        let keys = Self.schema.overlay.keys.map(\.name)
        #expect(keys == ["name", "when", "beats", "currency", "deepLinking", "preconditions", "shop", "routables"])
    }

    @Test func wholeTablesAreDefinedOnce() throws {
        let json = Self.schema.jsonSchema(title: "Markets")
        let definitions = ConfigurationNode(json).node(at: "$defs")?.value.entries.keys.sorted()
        #expect(definitions == ["condition", "rollout", "split"])
        let rule = try #require(
            ConfigurationPath(
                parsing: "properties.flags.additionalProperties.properties.rules.items.properties.rollout"))
        #expect(ConfigurationNode(json).node(at: rule)?.value.entries["$ref"]?.value == "#/$defs/rollout")
    }

    /// The sections that a market inherits as a whole are where values of the market have no key of their own.
    @Test func wholeSectionIsTheInnermostAroundAPath() throws {
        func name(_ path: String) throws -> String? {
            Self.schema.file.whole(at: try #require(ConfigurationPath(parsing: path)))?.section.form?.name
        }
        #expect(try name("flags.a.rules[1].rollout.percent") == "rollout")
        #expect(try name("flags.a.rules[1].rollout") == "rollout")
        #expect(try name("flags.a.rules[1].value") == nil)
        #expect(try name("overlays[1].shop.retries") == "overlay")
        #expect(try name("shop.retries") == nil)
    }
}
