@testable import GlassSchema
import Testing

struct ConfigurationPathTests {
    @Test(
        arguments: [
            ("", []),
            ("a", [.key("a")]),
            ("a.b[2].c", [.key("a"), .key("b"), .index(2), .key("c")]),
            ("a[\"x-y\"].b", [.key("a"), .key("x-y"), .key("b")]),
        ] as [(String, [ConfigurationPath.Element])])
    func writtenFormRoundTrips(text: String, elements: [ConfigurationPath.Element]) {
        #expect(ConfigurationPath(parsing: text)?.elements == elements)
        #expect(ConfigurationPath(elements).description == text)
    }

    @Test(arguments: ["a..b", ".a", "a.", "a[", "a[x]", "a[\"x"])
    func malformedPathIsRejected(text: String) {
        #expect(ConfigurationPath(parsing: text) == nil)
    }

    @Test func nodeIsFoundByPath() {
        let root = ConfigurationNode(
            .map(values: ["a": .list(values: [.integer(1), .map(values: ["b": .boolean(true)])])]))
        #expect(root.node(at: "a[2].b")?.value == .boolean(true))
        #expect(root.node(at: "a[3]") == nil)
        #expect(root.node(at: "a.b") == nil)
        #expect(root.node(at: "")?.value == root.value)
    }
}
