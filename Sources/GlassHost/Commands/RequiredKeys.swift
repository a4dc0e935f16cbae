import GlassBase
import GlassMarkets
import GlassSchema

/// The keys that a market must set, as Lua, each with a valid example in `undecided` for the author to replace.
struct RequiredKeys {
    /// The prefix of the names of the market's secrets.
    let secretPrefix: String

    /// The fields of a table with exactly the required keys of a section.
    func fields(
        of section: SectionDeclaration, omitting omitted: Set<String> = [], path: [String] = [], indent: Int
    ) -> DisplayText {
        section.keys.filter { $0.isRequired && !omitted.contains($0.name) }.reduce(into: "") { text, key in
            let path = path + [key.name]
            let margin = String(repeating: " ", count: indent)
            let value = undecided(key.type, value(of: key.type, path, indent))
            text += "\(margin)\(key.name) = \(value),  -- \(key.documentation)\n"
        }
    }

    /// Marks the value of a key as an example. In a section, each key is marked, and a secret is named by its key.
    private func undecided(_ type: ValueType, _ value: DisplayText) -> DisplayText {
        switch type {
        case .section, .secret: value
        case .string, .choice, .scalar, .list, .map: "undecided \(value)"
        default: "undecided(\(value))"
        }
    }

    /// The fields of a table with the keys at certain paths, besides the links.
    func fields(
        of section: SectionDeclaration, among paths: Set<String>, path: [String] = [], indent: Int
    ) -> DisplayText {
        section.keys.filter { $0.name != "deepLinking" || !path.isEmpty }.reduce(into: "") { text, key in
            let path = path + [key.name]
            let name = path.joined(separator: ".")
            let margin = String(repeating: " ", count: indent)
            if paths.contains(name) {
                text +=
                    "\(margin)\(key.name) = \(undecided(key.type, value(of: key.type, path, indent))),  -- \(key.documentation)\n"
            } else if let inner = key.type.section, paths.contains(where: { $0.hasPrefix(name + ".") }) {
                let own = fields(of: inner, among: paths, path: path, indent: indent + 2)
                text += "\(margin)\(key.name) = \(table(own, indent)),\n"
            }
        }
    }

    /// A value of a type. If no valid string is known for a format, `check` rejects the value and says what is
    /// expected.
    private func value(of type: ValueType, _ path: [String], _ indent: Int) -> DisplayText {
        switch type {
        case .secret: "secret \((secretPrefix + path.joined(separator: "_").uppercased()).luaLiteral)"
        case .list(let element, let count, _):
            table(Array(repeating: value(of: element, path, indent), count: shortest(count)))
        case .map(let element, let keys, let count):
            table(shortest(count) == 0 ? [] : ["\(keys.example.luaKey) = \(value(of: element, path, indent))"])
        case .section(let section): table(fields(of: section, path: path, indent: indent + 2), indent)
        case .either(let types): types.first.map { value(of: $0, path, indent) } ?? "nil"
        default: "\(type.example)"
        }
    }

    /// The number of elements to write: the minimum of the list, but not all if there are very many.
    private func shortest(_ count: ClosedRange<Int>) -> Int { min(count.lowerBound, 16) }

    private func table(_ elements: [DisplayText]) -> DisplayText {
        elements.isEmpty ? "{}" : "{ \(elements.joined(separator: ", ")) }"
    }

    private func table(_ fields: DisplayText, _ indent: Int) -> DisplayText {
        fields.isEmpty ? "{}" : "{\n\(fields)\(String(repeating: " ", count: indent))}"
    }
}
