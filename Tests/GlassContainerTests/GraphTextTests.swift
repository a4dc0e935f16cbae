import GlassBase
import GlassContainer
import TestSupport
import Testing

/// Service names that would end a label, or be markup in it.
struct GraphTextTests {
    private static let name = "a\"];\nx\\N<b>&#quot;`*_\u{1B}\u{202E}"

    /// Names that a diagram would not read as plain names.
    static let names =
        [
            name, "\"]\n  n9[\"", "\"] --> n0", "#quot;", "#35;", "#", "#;", ";", "%%", "%%{init: {'theme': 'dark'}}%%",
            "\"\u{301}];", "\\\u{301}\"];", "`\u{301}`a`", "<script>", "[x](y)", "**a**", "\\", "\\\"", "\r\n",
            "\u{2028}", "🛒", "",
        ] + (UInt8(0x20)..<0x7F).map { "a\(Unicode.Scalar($0))b" }

    private func graph(_ name: String = name) -> ContainerGraph {
        let container = Container()
        container.register(Int.self, name: name) { _ in 1 }
        _ = container.get(Int.self, name: name)
        return container.graph
    }

    /// The label of a graph's only node, as diagram readers display it.
    private func label(_ graph: ContainerGraph, separator: String) -> String {
        graph.nodes.map { DisplayText("\($0.id)\(separator)\($0.scope)").plain }.joined()
    }

    @Test(arguments: names) func mermaidDiagramRoundTrips(name: String) throws {
        let graph = graph(name)
        let read = try MermaidGraph(parsing: graph.mermaid)
        #expect(read.labels.map { Array($0.unicodeScalars) } == [Array(label(graph, separator: " · ").unicodeScalars)])
        #expect(read.edges.isEmpty)
    }

    /// Graphviz ends a string at the first quote without a backslash before it, whatever follows the quote.
    @Test(arguments: names) func dotDiagramRoundTrips(name: String) throws {
        let graph = graph(name)
        let lines = graph.dot.unicodeScalars.split(separator: "\n").map(Array.init)
        let (start, end) = (Array("  n0 [label=\"".unicodeScalars), Array("\"];".unicodeScalars))
        #expect(lines.count == 3 && lines[1].starts(with: start) && lines[1].suffix(3) == end[...])
        var read = ""
        var scalars = lines[1].dropFirst(start.count).dropLast(end.count)[...]
        while let scalar = scalars.popFirst() {
            #expect(scalar != "\"", "the string ends in the middle: \(graph.dot)")
            guard scalar == "\\", let next = scalars.popFirst() else {
                read.unicodeScalars.append(scalar)
                continue
            }
            // An escape of a quote or a backslash, or the line break between name and scope.
            #expect(["\"", "\\", "n"].contains(next))
            read.unicodeScalars.append(next == "n" ? "\n" : next)
        }
        let expected = graph.nodes.map { "\(DisplayText("\($0.id)").plain)\n\($0.scope)" }.joined()
        #expect(Array(read.unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test func graphvizLabelIsOneString() {
        #expect(
            graph().dot == """
                digraph services {
                  n0 [label="Int named \\"a\\"];\\\\nx\\\\N<b>&#quot;`*_\\\\u{1b}\\\\u{202e}\\"\\ncached"];
                }
                """)
    }

    @Test func mermaidLabelIsPlainText() {
        #expect(
            graph().mermaid == """
                graph TD
                  n0["Int named #quot;a#quot;];#92;nx#92;N#60;b#62;#38;#35;quot;#96;#42;#95;#92;u{1b}#92;u{202e}#quot; · cached"]
                """)
    }
}
