@testable import GlassSchema
import Testing

/// How often a key may vary with the situation.
struct KeyPaceTests {
    struct Inner: ConfigurationSection {
        var text = ""
        var group = ""
        var limit = 1
        var scheme = ""
        var slow = 1
        static let keys: [ConfigurationKey<Self>] = [
            .init("text", \.text, "Text."),
            .init("group", \.group, "Group.").identifying(.appGroup),
            .init("limit", \.limit, remote: true, "Limit."),
            .init("scheme", \.scheme, "Scheme.").identifying(.app).varying(.fixed),
            .init("slow", \.slow, remote: true, "Slow.").varying(.start),
        ]
    }

    struct Outer: ConfigurationSection {
        var plain = Inner()
        var lively = Inner()
        var list: [Inner] = []
        var map: [String: Inner] = [:]
        var currency = ""
        static let keys: [ConfigurationKey<Self>] = [
            .init("plain", \.plain, "Plain."), .init("lively", \.lively, "Lively.").varying(.live),
            .init("list", \.list, "List.").varying(.live),
            .init("map", \.map, .map(of: Inner.valueType, keys: .identifier), "Map.").varying(.build),
            .init("currency", \.currency, "Currency.").identifying(.market),
        ]
    }

    @Test(
        arguments: [
            ("", .start), ("plain", .start), ("plain.text", .start), ("plain.group", .build), ("plain.limit", .live),
            ("plain.scheme", .fixed), ("plain.slow", .start), ("lively", .live), ("lively.text", .live),
            ("lively.group", .build), ("lively.slow", .start), ("list[2]", .live), ("list[2].text", .live),
            ("list[2].group", .build), ("map.a", .build), ("map.a.text", .build), ("map.a.limit", .live),
            ("currency", .start), ("lively.unknown", .live),
        ] as [(ConfigurationPath, ContextPace)])
    func nearestKeyWithPaceDecides(path: ConfigurationPath, pace: ContextPace) {
        #expect(Outer.declaration.pace(at: path) == pace)
    }

    @Test(
        arguments: [
            ("plain", "Plain."), ("lively", "Lively. May vary at any time."), ("map", "Map. May vary by build."),
            ("currency", "Currency."), ("plain.text", "Text."), ("plain.group", "Group. May vary by build."),
            ("plain.limit", "Limit. Remote configuration may change it."), ("plain.scheme", "Scheme. Never varies."),
            ("plain.slow", "Slow. Remote configuration may change it. May vary at start."),
        ] as [(ConfigurationPath, String)])
    func generatedPagesSayPace(path: ConfigurationPath, text: String) throws {
        let page = Outer.declaration.referencePage(title: "Keys", summary: "A test.")
        #expect(page.contains("| \(text) |"))
        let schema = ConfigurationNode(Outer.declaration.jsonSchema(title: "Keys", summary: "A test."))
        let place = path.elements.flatMap { [.key("properties"), $0] } + [.key("description")]
        #expect(schema.node(at: ConfigurationPath(place))?.value == .string(text))
    }
}
