extension ValueType {
    /// The type of a part of a value, one step into it, and the declaration of the key if a section declares it; nil if a
    /// value of this type has no such part.
    package func part(at element: ConfigurationPath.Element) -> (key: KeyDeclaration?, type: ValueType)? {
        switch (self, element) {
        case (.section(let section), .key(let name)): (section.key(name) ?? section.others).map { ($0, $0.type) }
        case (.list(let element, _, _), .index), (.map(let element, _, _), .key): (nil, element)
        case (.row(let types, _), .index(let index)): types.indices.contains(index - 1) ? (nil, types[index - 1]) : nil
        // Any other key is the name of an attribute.
        case (.condition, .key(let name)): SectionDeclaration.condition.key(name).map { ($0, $0.type) } ?? (nil, .test)
        case (.test, .index): (nil, .test)
        case (.test, .key): ValueType.section(.textTest).part(at: element)
        case (.either(let types), _): types.lazy.compactMap { $0.part(at: element) }.first
        default: nil
        }
    }

    /// What a text of this type names, if it is a name.
    package var referent: Referent? {
        switch self {
        case .string(let format): format.referent
        case .either(let types): types.lazy.compactMap(\.referent).first
        default: nil
        }
    }

    /// What the keys of this table name, if they are free and names.
    package var referentOfKeys: Referent? { if case .map(_, let keys, _) = self { keys.referent } else { nil } }
}
