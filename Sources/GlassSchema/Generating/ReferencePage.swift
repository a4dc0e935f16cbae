import GlassBase

extension SectionDeclaration {
    /// The reference of all keys in Markdown: a heading for each section, and a table row for each key.
    package func referencePage(title: String, summary: String) -> String {
        var page = "# \(title)\n\n\(summary)\n"
        append(to: &page, path: "")
        return page
    }

    /// The table of the keys in Markdown, ending with a line break.
    package var referenceTable: String {
        "| key | accepts | default | for |\n|---|---|---|---|\n"
            + (keys + (others.map { [$0] } ?? [])).map(\.row).joined()
    }

    /// The table of the keys of a section that a market writes as a whole, where nothing stands for a key that it leaves
    /// out.
    package var formTable: String {
        "| key | accepts | for |\n|---|---|---|\n"
            + keys.map { key in
                let accepts = key.type.referenceText + (key.isRequired ? "; **required**" : "")
                let texts = [accepts, key.documentation].map(Markdown.cell(markup:))
                return Markdown.row([Markdown.code(key.name)] + texts) + "\n"
            }.joined()
    }

    private func append(to page: inout String, path: String) {
        page += "\n" + referenceTable
        for key in keys + (others.map { [$0] } ?? []) {
            let inner = path.isEmpty ? key.name : "\(path).\(key.name)"
            for (section, suffix) in key.type.innerSections {
                page += "\n## \(inner + suffix)\n\n\(key.documentation)\n"
                if !suffix.isEmpty { page += "\nEach entry has these keys:\n" }
                section.append(to: &page, path: inner + suffix)
            }
        }
    }
}

extension KeyDeclaration {
    fileprivate var row: String {
        let fallback: String =
            if isRequired { "**required**" } else if case .section = type { "" } else {
                defaultValue.map { Markdown.code($0.sourceText) } ?? "none"
            }
        let texts = [type.referenceText, documentation + notes].map(Markdown.cell(markup:))
        return Markdown.row([Markdown.code(name), texts[0], fallback, texts[1]]) + "\n"
    }
}

extension ValueType {
    /// The accepted values, without an article, for a reference table.
    fileprivate var referenceText: String {
        switch self {
        case .boolean: "`true` or `false`"
        case .integer, .number, .string:
            String(expectation.drop { $0 != " " }.dropFirst()).withoutArticle(of: expectation)
        case .percent: "number from 0 to 100, at most 3 decimal places"
        case .choice(let names): names.map { "`\"\($0)\"`" }.joined(separator: ", ")
        case .secret: "`secret \"NAME\"`"
        case .scalar: "boolean, number or string"
        case .list(let element, let count, let unique):
            "list\(unique ? " (no duplicates)" : "")\(Self.countText(count)), each: \(element.referenceText)"
        case .row(_, let description): "list of \(description)"
        case .map(let element, let keys, let count):
            "table\(Self.countText(count)); keys: \(keys.keyText); values: \(element.referenceText)"
        case .section: "table, see below"
        case .function: "function"
        case .condition: "condition"
        case .test: "test of the attribute"
        case .enclosing: "value of the key"
        case .data: "boolean, number, string, list or table"
        case .either(let types): types.map(\.referenceText).joined(separator: "; or ")
        }
    }

    private static func countText(_ count: ClosedRange<Int>) -> String {
        switch (count.lowerBound > 0, count.upperBound < Int.max) {
        case (true, true) where count.count == 1: " of \(count.lowerBound)"
        case (true, true): " of \(count.lowerBound) to \(count.upperBound)"
        case (true, false): " of at least \(count.lowerBound)"
        case (false, true): " of at most \(count.upperBound)"
        case (false, false): ""
        }
    }

    /// The sections that a value of this type contains, with the suffixes of their paths, without those that have a
    /// heading of their own because markets write them as a whole.
    package var innerSections: [(section: SectionDeclaration, suffix: String)] {
        switch self {
        case .section(let section): section.isWhole ? [] : [(section, "")]
        case .list(let element, _, _): element.innerSections.map { ($0.section, "[n]" + $0.suffix) }
        case .map(let element, _, _): element.innerSections.map { ($0.section, ".*" + $0.suffix) }
        case .either(let types): types.flatMap(\.innerSections)
        default: []
        }
    }
}

extension StringFormat {
    /// The keys of a table, in the plural if they can be any names.
    fileprivate var keyText: String {
        referent != nil && pattern == nil ? "names" : ValueType.string(self).referenceText
    }
}

extension String {
    /// This tail if the text has an article; otherwise the whole text.
    fileprivate func withoutArticle(of text: String) -> String {
        ["a ", "an ", "the "].contains(where: text.hasPrefix) ? self : text
    }
}
