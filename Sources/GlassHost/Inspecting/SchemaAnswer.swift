import GlassBase
import GlassMarkets
import GlassSchema

/// Each key that a market can set, and which markets set it.
struct SchemaAnswer: Encodable {
    struct Row: Encodable {
        /// The key, with `*` for names that a market chooses, and `[n]` for the elements of a list.
        let key: String
        let accepts: String
        let documentation: String
        let isRequired: Bool
        @Nullable var defaultText: String?
        let appliesOn: String
        let isRemote: Bool
        let formerNames: [String]
        /// The markets whose own file sets the key, or a key in it.
        fileprivate(set) var usedBy: [String]
    }

    let keys: [Row]

    /// Lists the keys.
    init(_ module: MarketModule, _ markets: [Market], _ budget: WorkBudget) throws(WorkBudget.Exceeded) {
        var rows: [Row] = []
        let declaration = MarketSchema(module).declaration
        try Self.list(declaration, below: "", into: &rows, budget)
        let places = Dictionary(rows.enumerated().map { ($1.key, $0) }, uniquingKeysWith: { first, _ in first })
        let matrix = try MarketMatrix(markets, budget: budget)
        for row in matrix.rows {
            let owners = zip(matrix.markets, row.cells).filter { $1.state.isOwn }.map(\.0)
            for pattern in Self.patterns(of: row.path, in: declaration) {
                guard let place = places[pattern] else { continue }
                rows[place].usedBy += owners.filter { !rows[place].usedBy.contains($0) }
            }
        }
        keys = rows.map { row in
            var row = row
            row.usedBy.sort()
            return row
        }
    }

    private static func list(
        _ section: SectionDeclaration, below path: String, into rows: inout [Row], _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        for key in section.keys + [section.others].compactMap(\.self) {
            try budget.spend(1 + path.utf8.count / 16, on: .listing)
            let name = path.isEmpty ? key.name : "\(path).\(key.name)"
            var fallback = key.defaultValue.map(\.written)
            if case .section = key.type { fallback = nil }
            rows.append(
                Row(
                    key: name, accepts: key.type.expectation, documentation: key.documentation,
                    isRequired: key.isRequired, defaultText: fallback, appliesOn: key.appliesOn.rawValue,
                    isRemote: key.isRemote, formerNames: key.formerNames, usedBy: []))
            for (inner, suffix) in key.type.innerSections {
                try list(inner, below: name + suffix, into: &rows, budget)
            }
        }
    }

    /// The listed keys that apply to a path: its own key, and those that contain it.
    private static func patterns(of path: ConfigurationPath, in declaration: SectionDeclaration) -> [String] {
        var found: [String] = []
        var (section, type): (SectionDeclaration?, ValueType?) = (declaration, nil)
        var text = ""
        for element in path.elements {
            if let inner = section, case .key(let name) = element {
                guard let key = inner.key(name) ?? inner.others else { return found }
                text += text.isEmpty ? key.name : ".\(key.name)"
                type = key.type
                found.append(text)
            } else {
                guard let element = type?.elementType else { return found }
                text += type?.isList == true ? "[n]" : ".*"
                type = element
            }
            section = type?.section
        }
        return found
    }
}

extension MarketMatrix.State {
    /// Whether the market's own file sets or removes the key.
    fileprivate var isOwn: Bool {
        switch self {
        case .declared, .overridden, .repeated, .removed: true
        case .inherited, .missing: false
        }
    }
}

extension ValueType {
    fileprivate var isList: Bool {
        switch self {
        case .list: true
        case .either(let types): types.contains(where: \.isList)
        default: false
        }
    }
}
