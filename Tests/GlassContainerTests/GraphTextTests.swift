import GlassContainer
import Testing

/// Names of services that would end a label, or be markup in it.
struct GraphTextTests {
    private static let name = "a\"];\nx\\N<b>&#quot;`*_\u{1B}\u{202E}"

    private func graph() -> ContainerGraph {
        let container = Container()
        container.register(Int.self, name: Self.name) { _ in 1 }
        _ = container.get(Int.self, name: Self.name)
        return container.graph
    }

    @Test func aLabelOfGraphvizIsOneString() {
        #expect(
            graph().dot == """
                digraph services {
                  n0 [label="Int named \\"a\\"];\\\\nx\\\\N<b>&#quot;`*_\\\\u{1b}\\\\u{202e}\\"\\ncached"];
                }
                """)
    }

    @Test func aLabelOfMermaidIsPlainText() {
        #expect(
            graph().mermaid == """
                graph TD
                  n0["Int named #quot;a#quot;];#92;nx#92;N#60;b#62;#38;#35;quot;#96;#42;#95;#92;u{1b}#92;u{202e}#quot; · cached"]
                """)
    }
}
