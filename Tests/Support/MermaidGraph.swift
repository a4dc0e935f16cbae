/// A diagram in the subset of Mermaid that service graphs use, parsed strictly: anything that Mermaid could interpret
/// as other than label text is an error.
public struct MermaidGraph {
    /// An error in a diagram.
    public struct Malformed: Error, CustomStringConvertible {
        /// The expected or the disallowed text, and the line.
        public let description: String
    }

    /// The labels of the nodes, in order.
    public private(set) var labels: [String] = []
    /// The start and end nodes of the edges, by number.
    public private(set) var edges: [[Int]] = []

    /// Parses a diagram.
    ///
    /// - Parameter text: The diagram, without a final line feed.
    /// - Throws: ``Malformed`` with the line.
    public init(parsing text: String) throws {
        // By scalars, like a lexer: a quote before a combining accent is a quote.
        let lines = text.unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        guard let head = lines.first, head.elementsEqual("graph TD".unicodeScalars) else {
            throw Malformed(description: "no head")
        }
        for line in lines.dropFirst() {
            var reader = Line(rest: line)
            do {
                try reader.take("  n")
                let node = try reader.takeNumber()
                if reader.rest.first == "[" {
                    guard node == labels.count, edges.isEmpty else { throw Malformed(description: "out of order") }
                    try reader.take("[\"")
                    labels.append(try reader.takeLabel())
                    try reader.take("\"]")
                } else {
                    try reader.take(" --> n")
                    let other = try reader.takeNumber()
                    guard node < labels.count, other < labels.count else { throw Malformed(description: "no node") }
                    edges.append([node, other])
                }
                guard reader.rest.isEmpty else { throw Malformed(description: "more than a statement") }
            } catch let error as Malformed {
                throw Malformed(description: "\(error) in \(String(String.UnicodeScalarView(line)).debugDescription)")
            }
        }
    }

    private struct Line {
        var rest: Substring.UnicodeScalarView.SubSequence

        mutating func take(_ text: String) throws {
            guard rest.starts(with: text.unicodeScalars) else { throw Malformed(description: "expected \(text)") }
            rest = rest.dropFirst(text.unicodeScalars.count)
        }

        mutating func takeNumber() throws -> Int {
            let digits = rest.prefix { "0123456789".unicodeScalars.contains($0) }
            guard let number = Int(String(String.UnicodeScalarView(digits))) else {
                throw Malformed(description: "no number")
            }
            rest = rest.dropFirst(digits.count)
            return number
        }

        /// A label up to its quote. A number sign starts an entity; Markdown and HTML markup, which labels may contain,
        /// is only allowed as entities, and so are percent signs, two of which start a comment or a directive anywhere.
        mutating func takeLabel() throws -> String {
            var label = ""
            while let scalar = rest.first, scalar != "\"" {
                rest = rest.dropFirst()
                switch scalar {
                case "#":
                    let name = String(String.UnicodeScalarView(rest.prefix { $0 != ";" && $0 != "\"" }))
                    try take(name)
                    try take(";")
                    let value = name == "quot" ? "\"" : UInt32(name).flatMap(Unicode.Scalar.init)
                    guard let value else { throw Malformed(description: "no entity \(name)") }
                    label.unicodeScalars.append(value)
                case "&", "<", ">", "`", "*", "_", "\\", "%":
                    throw Malformed(description: "a raw \(scalar)")
                case _ where scalar.properties.generalCategory == .control || scalar.properties.isBidiControl:
                    throw Malformed(description: "a control")
                default: label.unicodeScalars.append(scalar)
                }
            }
            return label
        }
    }
}
