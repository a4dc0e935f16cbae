import GlassBase
import GlassMarkets
import GlassSchema

extension MarketInspectorDataSource {
    /// A key that a market can set, and the markets whose own file sets it, or a key in it.
    private struct SchemaRow {
        /// The path, with `*` for names that a market chooses, and `[n]` for the elements of a list.
        let path: String
        let key: KeyDeclaration
        var usedBy: Set<String> = []
        /// The same in the default situation.
        var usedByDefault: Set<String> = []

        var json: JSONObject {
            var fallback = key.defaultValue.map(\.written)
            if case .section = key.type { fallback = nil }
            return [
                "key": path,
                "accepts": key.type.expectation,
                "documentation": key.documentation,
                "isRequired": key.isRequired,
                "defaultText": fallback,
                "appliesOn": key.appliesOn.rawValue,
                "isRemote": key.isRemote,
                "formerNames": key.formerNames,
                "usedBy": usedBy.sorted(),
                "otherwise": usedBy == usedByDefault ? nil : usedByDefault.sorted(),
            ]
        }
    }

    /// Each key that a market can set, and which markets set it.
    func schema(_ markets: PageMarkets) throws -> JSONObject {
        let budget = session.budget()
        var rows: [SchemaRow] = []
        let declaration = MarketSchema(module).declaration
        try Self.list(declaration, below: "", into: &rows, budget)
        let places = Dictionary(rows.enumerated().map { ($1.path, $0) }, uniquingKeysWith: { first, _ in first })
        func addOwners(of markets: [Market], _ usedBy: WritableKeyPath<SchemaRow, Set<String>>) throws {
            let matrix = try MarketMatrix(markets, budget: budget)
            for row in matrix.rows {
                let owners = zip(matrix.markets, row.cells).filter { $1.state.isOwn }.map(\.0)
                for pattern in Self.patterns(of: row.path, in: declaration) {
                    guard let place = places[pattern] else { continue }
                    rows[place][keyPath: usedBy].formUnion(owners)
                }
            }
        }
        let all = try markets.all()
        try addOwners(of: all.map(\.own), \.usedBy)
        if all.contains(where: { $0.otherwise != nil }) {
            try addOwners(of: all.map(\.byDefault), \.usedByDefault)
        } else {
            for place in rows.indices { rows[place].usedByDefault = rows[place].usedBy }
        }
        return ["keys": rows.map(\.json)]
    }

    private static func list(
        _ section: SectionDeclaration, below path: String, into rows: inout [SchemaRow], _ budget: WorkBudget
    ) throws(WorkBudget.Exceeded) {
        for key in section.keys + [section.others].compactMap(\.self) {
            try budget.spend(1 + path.utf8.count / 16, on: .listing)
            let name = path.isEmpty ? key.name : "\(path).\(key.name)"
            rows.append(SchemaRow(path: name, key: key))
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
