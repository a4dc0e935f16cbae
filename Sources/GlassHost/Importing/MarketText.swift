import GlassBase
import GlassSchema

/// The values of a market file, written as people write them: keys in the order of their declaration, short tables on
/// one line, examples in `undecided`.
struct MarketText {
    /// A value of the file.
    indirect enum Node: Equatable {
        case value(ConfigurationValue)
        /// Elements after those of the inherited list.
        case appended(ConfigurationValue)
        case table([String: Node])
    }

    private var root: [String: Node]
    private var examples: Set<ConfigurationPath>
    private var comments: [ConfigurationPath: String] = [:]
    private let schema: SectionDeclaration
    private let heading: DisplayText

    /// Creates a text from the values of a file.
    ///
    /// - Parameters:
    ///   - node: The values.
    ///   - examples: Which of them are examples.
    ///   - schema: The declaration of the keys.
    ///   - heading: The comment at the top, without its dashes.
    init(
        _ node: ConfigurationNode, examples: [ConfigurationPath], schema: SectionDeclaration, heading: DisplayText
    ) {
        if case .table(let entries) = Self.node(node.value) { root = entries } else { root = [:] }
        self.examples = Set(examples)
        self.schema = schema
        self.heading = heading
    }

    private static func node(_ value: ConfigurationValue) -> Node {
        guard case .map(let entries) = value else { return .value(value) }
        return .table(entries.mapValues { node($0.value) })
    }

    /// Sets a key. It and what is around it are no longer examples.
    mutating func set(_ node: Node, at path: ConfigurationPath, comment: String?) {
        let names = path.elements.compactMap { if case .key(let name) = $0 { name } else { nil } }
        var node = node
        if case .value(let value) = node { node = Self.node(value) }
        Self.set(node, names[...], in: &root)
        examples = examples.filter { !$0.overlaps(path) }
        if let comment { comments[path] = comment }
    }

    private static func set(_ node: Node, _ names: ArraySlice<String>, in entries: inout [String: Node]) {
        guard let name = names.first else { return }
        if names.count == 1 {
            entries[name] = node
            return
        }
        var inner: [String: Node] = [:]
        if case .table(let known)? = entries[name] { inner = known }
        set(node, names.dropFirst(), in: &inner)
        entries[name] = .table(inner)
    }

    // MARK: Writing

    private static let width = 110

    /// The keys that identify the market.
    private static let head = ["id", "name", "extends", "abstract", "locales", "currency"]

    /// The file.
    var text: DisplayText {
        var lines: [DisplayText] = ["-- \(heading)", "", "return market {"]
        let first = Self.head.prefix(3).filter { root[$0] != nil }.map { field($0, ConfigurationPath(), root[$0]) }
        if !first.isEmpty { lines.append("  \(first.joined(separator: ", ")),") }
        let second = Self.head.dropFirst(3).filter { root[$0] != nil }
        if !second.isEmpty {
            let fields = second.map { field($0, ConfigurationPath(), root[$0]) }.joined(separator: ", ")
            lines.append("  \(fields),\(comment(second.map { ConfigurationPath([.key($0)]) }))")
        }
        let known = schema.keys.map(\.name)
        let order = ["deepLinking"] + known.filter { $0 != "deepLinking" }
        let rest = root.keys.filter { !Self.head.contains($0) }
        let sorted = order.filter(rest.contains) + rest.filter { !order.contains($0) }.sorted()
        for key in sorted {
            guard let node = root[key] else { continue }
            lines.append("")
            lines += statement(key, node, ConfigurationPath(), indent: 2, isTop: true)
        }
        lines += ["}", ""]
        return lines.joined(separator: "\n")
    }

    private func comment(_ paths: [ConfigurationPath]) -> DisplayText {
        let known = paths.compactMap { comments[$0] }
        return known.isEmpty ? "" : "  -- \(known.joined(separator: "; "))"
    }

    /// A key with its value, on one line if it fits.
    private func statement(
        _ key: String, _ node: Node, _ path: ConfigurationPath, indent: Int, isTop: Bool = false
    ) -> [DisplayText] {
        let inner = path.appending(key)
        let margin = String(repeating: " ", count: indent)
        let hasNotes = comments.keys.contains { $0 != inner && $0.elements.starts(with: inner.elements) }
        let line: DisplayText = "\(margin)\(field(key, path, node)),"
        // One table in another reads well on a line, several do not.
        let isNested =
            if case .table(let entries) = node { entries.count > 1 && entries.values.contains(where: \.isTable) } else {
                false
            }
        if !hasNotes, !(isTop && node.isTable), !isNested, line.count <= Self.width {
            return ["\(line)\(comment([inner]))"]
        }
        let opening: DisplayText =
            "\(margin)\(key.luaKey) = \(isExample(inner) ? "undecided {" : "{")\(comment([inner]))"
        switch node {
        case .table(let entries):
            let names = ordered(Array(entries.keys), schema.type(at: inner))
            let fields = names.flatMap { statement($0, entries[$0] ?? .table([:]), inner, indent: indent + 2) }
            return [opening] + fields + ["\(margin)},"]
        case .value(.list(let nodes)):
            let element = schema.type(at: inner)?.elementType
            return [opening] + elements(nodes, element, indent: indent + 2) + ["\(margin)},"]
        case .appended(.list(let nodes)):
            let element = schema.type(at: inner)?.elementType
            return ["\(margin)\(key.luaKey) = append {\(comment([inner]))"]
                + elements(nodes, element, indent: indent + 2) + ["\(margin)},"]
        case .value, .appended: return ["\(line)\(comment([inner]))"]
        }
    }

    /// Elements of a list, as many on a line as fit.
    private func elements(_ nodes: [ConfigurationNode], _ type: ValueType?, indent: Int) -> [DisplayText] {
        let margin = String(repeating: " ", count: indent)
        var lines: [DisplayText] = []
        var isOpen = false
        for node in nodes {
            let text: DisplayText = "\(inline(node.value, type)),"
            if text.count + indent > Self.width, case .map(let entries) = node.value {
                lines.append("\(margin){")
                for name in ordered(Array(entries.keys), type) {
                    guard let entry = entries[name] else { continue }
                    let inner = type?.section?.key(name)?.type
                    lines += block("\(name.luaKey) = ", entry.value, inner, indent: indent + 2)
                }
                lines.append("\(margin)},")
                isOpen = false
            } else if isOpen, let last = lines.last, last.count + text.count + 1 <= Self.width {
                lines[lines.count - 1] = "\(last) \(text)"
            } else {
                lines.append("\(margin)\(text)")
                // Long tables are read one by one.
                isOpen = nodes.allSatisfy { !$0.value.isTable } || text.count <= 50
            }
        }
        return lines
    }

    /// A value of a list's table, on one line if it fits.
    private func block(
        _ start: DisplayText, _ value: ConfigurationValue, _ type: ValueType?, indent: Int
    ) -> [DisplayText] {
        let margin = String(repeating: " ", count: indent)
        let line: DisplayText = "\(margin)\(start)\(inline(value, type)),"
        guard line.count > Self.width else { return [line] }
        switch value {
        case .list(let nodes):
            return ["\(margin)\(start){"] + elements(nodes, type?.elementType, indent: indent + 2) + ["\(margin)},"]
        case .map(let entries):
            let fields = ordered(Array(entries.keys), type).flatMap { name -> [DisplayText] in
                guard let entry = entries[name] else { return [] }
                return block("\(name.luaKey) = ", entry.value, type?.section?.key(name)?.type, indent: indent + 2)
            }
            return ["\(margin)\(start){"] + fields + ["\(margin)},"]
        default: return [line]
        }
    }

    private func field(_ key: String, _ path: ConfigurationPath, _ node: Node?) -> DisplayText {
        let inner = path.appending(key)
        let text = node.map { inline($0, inner) } ?? "{}"
        guard isExample(inner) else { return "\(key.luaKey) = \(text)" }
        let takesNoParentheses = text.plain.hasPrefix("{") || text.plain.hasPrefix("\"")
        return "\(key.luaKey) = \(takesNoParentheses ? "undecided \(text)" : "undecided(\(text))")"
    }

    private func isExample(_ path: ConfigurationPath) -> Bool { examples.contains(path) }

    private func inline(_ node: Node, _ path: ConfigurationPath) -> DisplayText {
        switch node {
        case .value(let value): return inline(value, schema.type(at: path))
        case .appended(let value): return "append \(inline(value, schema.type(at: path)))"
        case .table(let entries):
            if entries.isEmpty { return "{}" }
            let fields = ordered(Array(entries.keys), schema.type(at: path)).map { field($0, path, entries[$0]) }
            return "{ \(fields.joined(separator: ", ")) }"
        }
    }

    private func inline(_ value: ConfigurationValue, _ type: ValueType?) -> DisplayText {
        switch value {
        case .list(let nodes) where !nodes.isEmpty:
            return "{ \(nodes.map { inline($0.value, type?.elementType) }.joined(separator: ", ")) }"
        case .map(let entries) where !entries.isEmpty: return table(entries, type)
        default: return "\(value.sourceText)"
        }
    }

    private func table(_ entries: [String: ConfigurationNode], _ type: ValueType?) -> DisplayText {
        let fields = ordered(Array(entries.keys), type).compactMap { name -> DisplayText? in
            guard let entry = entries[name] else { return nil }
            let inner = type?.section?.key(name)?.type ?? type?.elementType
            return "\(name.luaKey) = \(inline(entry.value, inner))"
        }
        return "{ \(fields.joined(separator: ", ")) }"
    }

    /// Names in the order of their declaration; those without one are sorted.
    private func ordered(_ names: [String], _ type: ValueType?) -> [String] {
        let order = type?.section?.keys.map(\.name) ?? []
        return order.filter(names.contains) + names.filter { !order.contains($0) }.sorted()
    }
}

extension MarketText.Node {
    fileprivate var isTable: Bool {
        switch self {
        case .table: true
        case .value(let value): value.isTable
        case .appended: false
        }
    }
}

extension ConfigurationValue {
    fileprivate var isTable: Bool { if case .map = self { true } else { false } }
}
