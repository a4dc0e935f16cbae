/// A name for the tables of a section, for generated files.
///
/// Without a form, a generated file describes a section again at each key that has it, under the name of the key.
package struct SectionForm: Sendable {
    /// How a file writes the tables of a section. Editors and generated files use it; merging does not.
    package enum Extent: Sendable {
        /// Key by key, if a base market has the table.
        case parts
        /// As a whole. Nothing merges such a table.
        case whole
        /// As a whole, with any keys of the section around it as well.
        case open
    }

    /// The name in lower camel case: `rollout` is `glass.Rollout` in stubs and, if it is written as a whole,
    /// `#/$defs/rollout` in a JSON Schema.
    package let name: String
    /// What a table of the section is, in one or two sentences of Markdown.
    package let summary: String
    /// How a file writes it.
    package let extent: Extent

    /// Creates a form.
    package init(_ name: String, _ extent: Extent, _ summary: String) {
        self.name = name
        self.extent = extent
        self.summary = summary
    }
}

/// A section with a form. Its declaration is built once, since many keys have it.
package protocol FormSection: ConfigurationSection {
    /// The declaration with the form.
    static var form: SectionDeclaration { get }
}

extension FormSection {
    /// The section with its form.
    package static var valueType: ValueType { .section(form) }
}

extension ConfigurationSection {
    /// The declaration of the section with a form.
    package static func declaration(as form: SectionForm) -> SectionDeclaration {
        let plain = declaration
        return SectionDeclaration(name: plain.name, keys: plain.keys, rules: plain.rules, form: form)
    }
}

extension SectionDeclaration {
    /// Whether editors and generated files treat a table of this section as written as a whole.
    package var isWhole: Bool { form.map { $0.extent != .parts } ?? false }

    /// The innermost section around a value, or of the value itself, that a market writes as a whole, with its path; nil if
    /// there is none.
    package func whole(at path: ConfigurationPath) -> (section: SectionDeclaration, path: ConfigurationPath)? {
        var type = ValueType.section(self)
        var found = isWhole ? (self, ConfigurationPath()) : nil
        for (offset, element) in path.elements.enumerated() {
            guard let next = type.part(at: element) else { return found }
            type = next.type
            if let section = type.section, section.isWhole {
                found = (section, ConfigurationPath(Array(path.elements[...offset])))
            }
        }
        return found
    }

    /// The sections of the values of this section that have a form with an extent, each once, in the order of their
    /// declarations.
    package func forms(_ extent: SectionForm.Extent) -> [SectionDeclaration] {
        var found: [SectionDeclaration] = []
        var hasVisitedCondition = false
        func visit(_ type: ValueType) {
            switch type {
            case .section(let section):
                if let form = section.form, form.extent == extent {
                    guard !found.contains(where: { $0.form?.name == form.name }) else { return }
                    found.append(section)
                }
                for key in section.keys + (section.others.map { [$0] } ?? []) { visit(key.type) }
            case .list(let element, _, _), .map(let element, _, _): visit(element)
            case .row(let types, _), .either(let types): types.forEach(visit)
            case .condition where !hasVisitedCondition:
                hasVisitedCondition = true  // conditions contain conditions
                visit(.section(.condition))
            default: break
            }
        }
        visit(.section(self))
        return found
    }
}
