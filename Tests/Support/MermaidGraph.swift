/// A drawing in the part of Mermaid that graphs of services are written in, read strictly: whatever Mermaid could take for
/// something other than the text of a label is an error.
public struct MermaidGraph {
    /// What is wrong with a drawing.
    public struct Malformed: Error, CustomStringConvertible {
        /// What was expected, or what may not stand there, and the line.
        public let description: String
    }

    /// The labels of the nodes, in their order.
    public private(set) var labels: [String] = []
    /// The nodes that the edges lead from and to, by number.
    public private(set) var edges: [[Int]] = []

    /// Reads a drawing.
    ///
    /// - Parameter text: The drawing, without a line feed at its end.
    /// - Throws: ``Malformed`` with the line.
    public init(parsing text: String) throws {
        // By scalars, as a lexer does: a quote before an accent is a quote.
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

        /// A label up to its quote. A number sign begins an entity; markup of Markdown and HTML, which labels are read as,
        /// may stand in entities only, and so may percent signs, two of which begin a comment or a directive anywhere.
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
