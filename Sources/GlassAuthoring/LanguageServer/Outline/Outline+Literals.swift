import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

extension Outline {
    /// The findings about literal keys and values, for text that Lua cannot parse.
    ///
    /// Ignores computed, incomplete and missing values, and reports nothing if the nesting was guessed.
    func findings(against schema: SectionDeclaration, file: String, budget: WorkBudget) -> [Finding] {
        guard !isGuessed, !entries.isEmpty, let root = node(of: 0, file) else { return [] }
        var findings = FindingList()
        do throws(WorkBudget.Exceeded) {
            try ConfigurationValidator.validate(root, as: .section(schema), into: &findings, budget: budget)
        } catch {
            return []  // partial findings could be misleading
        }
        let told: Set<FindingCode> = [
            .unknownKey, .renamedKey, .wrongType, .outOfRange, .invalidFormat, .invalidChoice,
        ]
        return findings.sorted().filter { told.contains($0.code) }
    }

    /// The literal value of an entry; nil if it isn't literal.
    private func node(of entry: Int, _ file: String) -> ConfigurationNode? {
        let found = entries[entry]
        let value: ConfigurationValue
        switch found.value {
        case .boolean(let flag): value = .boolean(flag)
        case .integer(let number): value = .integer(Int(number))
        case .number(let number): value = .number(number)
        case .string(let text): value = .string(text)
        case .table:
            var keys: [String: ConfigurationNode] = [:]
            var elements: [ConfigurationNode] = []
            for child in found.children {
                guard let node = node(of: child, file) else {
                    // The length of a list is unknown if an element is.
                    if entries[child].keyToken == nil, !isBareName(child) { return nil }
                    continue
                }
                switch entries[child].key {
                case .key(let name): keys[name] = node
                case .index: elements.append(node)
                }
            }
            if !keys.isEmpty, !elements.isEmpty { return nil }
            // An empty table may have unknown contents or be incomplete.
            if keys.isEmpty, elements.isEmpty, entry != 0 { return nil }
            value = elements.isEmpty ? .map(keys) : .list(elements)
        case .missing, .name, .word, .function, .other: return nil
        }
        return ConfigurationNode(
            value, position: found.tokens.isEmpty ? nil : position(of: found.tokens.lowerBound, in: file),
            keyPosition: found.keyToken.map { position(of: $0, in: file) })
    }
}
