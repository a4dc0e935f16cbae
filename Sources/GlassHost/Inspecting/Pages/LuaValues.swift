import GlassBase
import GlassMarkets
import GlassSchema

/// The values of a market as Lua, with what it changes in its base marked in words.
struct LuaValues {
    /// The maximum number of lines.
    private static let maximumLines = 20_000
    /// The maximum length of a string, in characters.
    private static let maximumLength = 300
    /// The longest list that stays on one line, in characters.
    private static let maximumWidth = 72

    private let market: Market
    private let paths: PagePaths
    private let budget: WorkBudget
    private var lines: [HTML] = []
    /// The number of lines of all parts.
    private var count = 0
    private var changes = 0
    private var omitted = 0

    /// Prepares the values.
    init(of market: Market, _ paths: PagePaths, _ budget: WorkBudget) {
        self.market = market
        self.paths = paths
        self.budget = budget
    }

    /// A section for each top-level key, open if the market changes something in it.
    mutating func html() throws(WorkBudget.Exceeded) -> HTML {
        guard case .map(let entries) = market.effective.value else { return .empty }
        var parts: [HTML] = []
        var plain: [HTML] = []
        for (key, node) in entries.inOrder {
            (lines, changes) = ([], 0)
            try write(node, ConfigurationPath([.key(key)]), name: "\(ConfigurationPath([.key(key)])) = ", depth: 0)
            guard case .map(let members) = node.value, !members.isEmpty else {
                plain += lines
                continue
            }
            let changed = changes == 0 ? "" : ", \(changes.counted("change"))"
            parts.append(
                .element(
                    "details", ["open": changes == 0 ? nil : ""],
                    .element(
                        "summary", .element("code", "\(key)"),
                        .element("span.note", " \(members.count.counted("key"))\(changed)")),
                    .element("ul.lua", [:], lines)))
        }
        let rest =
            omitted == 0
            ? HTML.empty
            : .element(
                "p.note", "And \(omitted.grouped) more lines: a page shows at most \(Self.maximumLines.grouped).")
        return .group(
            [.element("div.box", .element("ul.lua", [:], plain)), .element("h2", "Sections")] + parts + [rest])
    }

    private mutating func add(_ text: String, depth: Int, _ note: HTML = .empty) {
        count += 1
        guard count <= Self.maximumLines else {
            omitted += 1
            return
        }
        let line: HTML = .group([.element("code", "\(text)"), note])
        lines.append(.element("li", ["class": depth == 0 ? nil : "d\(min(depth, 6))"], line))
    }

    private mutating func write(
        _ node: ConfigurationNode, _ path: ConfigurationPath, name: String, depth: Int
    ) throws(WorkBudget.Exceeded) {
        try budget.spend(1, on: .listing)
        switch node.value {
        case .map(let entries) where !entries.isEmpty:
            add("\(name){", depth: depth)
            for (key, entry) in entries.inOrder {
                try write(entry, path.appending(key), name: "\(ConfigurationPath([.key(key)])) = ", depth: depth + 1)
            }
            add("},", depth: depth)
        case .list(let elements):
            let note = note(at: path)
            let texts = elements.map { Self.text(of: $0.value) }
            let line = "{ \(texts.joined(separator: ", ")) }"
            guard texts.contains("") || line.count > Self.maximumWidth else {
                return add("\(name)\(elements.isEmpty ? "{}" : line),", depth: depth, note)
            }
            add("\(name){", depth: depth, note)
            for (index, element) in elements.enumerated() {
                try write(element, path.appending(index: index + 1), name: "", depth: depth + 1)
            }
            add("},", depth: depth)
        default:
            add("\(name)\(Self.text(of: node.value)),", depth: depth, note(at: path))
        }
    }

    /// A value on one line; empty for a list or a table.
    private static func text(of value: ConfigurationValue) -> String {
        switch value {
        case .string(let text):
            text.count > maximumLength ? "\(text.prefix(maximumLength - 1))…".luaLiteral : text.luaLiteral
        case .emptyTable: "{}"
        case .map(let entries) where entries.isEmpty: "{}"
        case .opaque: "function … end"
        case .list, .map: ""
        case .secret(let secret): "secret \(secret.name.luaLiteral)"
        case .boolean, .integer, .number: value.found
        }
    }

    /// What the market changes at a path, as a comment.
    private mutating func note(at path: ConfigurationPath) -> HTML {
        // A list is marked as a whole, not its elements.
        let isInList = path.elements.contains { if case .index = $0 { true } else { false } }
        guard market.definition.extends != nil, !isInList,
            market.origin.ownLayers.contains(where: { $0.node(at: path) != nil }),
            let node = market.source.node(at: path)
        else { return .empty }
        changes += 1
        let position = node.position.map { " (\(paths.shown($0.description)))" } ?? ""
        guard let base = node.overridden.first else {
            return .group([" ", .element("span.note", .element("span.own", "added"), "\(position)")])
        }
        let owner = base.position.map { " in \(paths.shown($0.description))" } ?? ""
        return .group([
            " ",
            .element(
                "span.note", .element("span.own", "changed"), "\(position), otherwise ",
                .element("code", "\(base.value.summary)"), "\(owner)"),
        ])
    }
}

/// The names of files on pages: relative to the folder of the markets, whatever its path is on this machine.
struct PagePaths {
    private let folder: String

    /// Creates the names of a folder.
    init(_ folder: String) {
        self.folder = folder.hasSuffix("/") ? folder : folder + "/"
    }

    /// A text in which paths of the folder's files begin after the folder. What only contains its name, such as a URL,
    /// is left alone.
    func shown(_ text: String) -> String {
        let text = text.hasPrefix(folder) ? String(text.dropFirst(folder.count)) : text
        return text.replacing(" " + folder, with: " ").replacing("(" + folder, with: "(")
    }
}
