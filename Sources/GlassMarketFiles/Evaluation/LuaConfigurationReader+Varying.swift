import GlassBase
import GlassMarkets
import GlassSchema
import LuaBridge

extension LuaConfigurationReader {
    /// The alternatives of `vary`: `{ when = …, value = … }` in order, and `default = …`.
    ///
    /// All that is wrong with its form is one finding, and then its values are unknown.
    mutating func choices(
        _ table: LuaTable, _ path: ConfigurationPath, _ position: SourcePosition
    ) throws(WorkBudget.Exceeded) -> [MergeDirective.Choice] {
        var choices: [MergeDirective.Choice] = []
        for (offset, element) in table.array.enumerated() {
            let inner = path.appending(index: offset + 1)
            guard case .table(let choice) = element, let value = choice["value"], let when = choice["when"],
                choice.count == 2
            else { return try reportForm(of: table, at: inner, below: path) }
            choices.append(
                MergeDirective.Choice(
                    when: try read(when, at: inner.appending("when")),
                    value: try read(value, at: inner.appending("value"))))
        }
        for entry in table.fields {
            guard case .string(let name) = entry.key, name.text == "default" else {
                return try reportForm(of: table, at: path, below: path)
            }
            choices.append(
                MergeDirective.Choice(when: nil, value: try read(entry.value, at: path.appending("default"))))
        }
        return choices
    }

    private mutating func reportForm(
        of table: LuaTable, at place: ConfigurationPath, below path: ConfigurationPath
    ) throws(WorkBudget.Exceeded) -> [MergeDirective.Choice] {
        leaveOut(below: path)
        try addFinding(
            Finding(
                .wrongType, at: try self.place(of: place).value, path: place,
                "vary expects a list of { when = …, value = … }, and default = … for all other situations",
                hint: "write \(Self.varied(table) ?? "vary { { when = …, value = … }, default = … }")"))
        return []
    }

    /// How `vary` is written with the values of a table that has another form: values without `value =`, a default
    /// without `default =`, or conditions as keys. nil if the table does not say which value is which, or is large.
    private static func varied(_ table: LuaTable) -> String? {
        guard table.count <= 8 else { return nil }
        var parts: [String] = []
        var other = table["default"]
        for (offset, element) in table.array.enumerated() {
            guard case .table(let choice) = element, let when = choice["when"] ?? choice.array.first else {
                // A last value without a condition is the default.
                guard other == nil, offset == table.array.count - 1 else { return nil }
                other = element
                if case .table(let inner) = element, inner.count == 1, let only = inner["default"] ?? inner["value"] {
                    other = only
                }
                continue
            }
            let values = choice.array.dropFirst(choice["when"] == nil ? 1 : 0)
            guard let value = choice["value"] ?? values.first, choice.count == 2 else { return nil }
            parts.append("{ when = \(when.literal), value = \(value.literal) }")
        }
        if let when = table["when"], let value = table["value"] {
            parts.append("{ when = \(when.literal), value = \(value.literal) }")
        }
        for entry in table.fields {
            guard let name = entry.key.stringValue else { return nil }
            if ["default", "when", "value"].contains(name) { continue }
            parts.append("{ when = \(name.quotedForMessage), value = \(entry.value.literal) }")
        }
        // The order of keys is not that of the file.
        let names = table.fields.count { !["default", "when", "value"].contains($0.key.stringValue) }
        guard !parts.isEmpty, names <= 1 else { return nil }
        if let other { parts.append("default = \(other.literal)") }
        let text = "vary { \(parts.joined(separator: ", ")) }"
        return text.utf8.count <= 200 && !text.contains("…") && !text.contains("an object") ? text : nil
    }

    /// The alternatives of `perLocale`, the more specific locales first, and the default last.
    mutating func choicesByLocale(
        _ table: LuaTable, _ path: ConfigurationPath, _ position: SourcePosition
    ) throws(WorkBudget.Exceeded) -> [MergeDirective.Choice] {
        if table.entries.contains(where: { $0.key.stringValue == nil }) {
            leaveOut(below: path)
            try addFinding(
                Finding(
                    .unrepresentable, at: position, path: path, "perLocale expects a value for each locale",
                    hint: "write \(byLocale(table))"))
            return []
        }
        var choices: [(name: String, choice: MergeDirective.Choice)] = []
        for entry in table.entries {
            guard let name = entry.key.stringValue, try isShort(name, path, position) else { continue }
            let inner = path.appending(name)
            let value = try read(entry.value, at: inner)
            guard name != "default" else {
                choices.append((name, MergeDirective.Choice(when: nil, value: value)))
                continue
            }
            let place = try place(of: inner).key
            let when = ConfigurationNode(
                .map(["locale": ConfigurationNode(.string(name), position: place)]), position: place)
            choices.append((name, MergeDirective.Choice(when: when, value: value)))
        }
        return choices.sorted { left, right in
            let (one, two) = (left.choice.when == nil, right.choice.when == nil)
            if one || two { return two && !one }
            let count = (left.name.count { $0 == "-" }, right.name.count { $0 == "-" })
            return count.0 != count.1 ? count.0 > count.1 : left.name.precedesInUTF8(right.name)
        }.map(\.choice)
    }

    /// How `perLocale` is written with the values of a list, and the languages of the market in their order.
    private func byLocale(_ table: LuaTable) -> String {
        let languages = languages.isEmpty ? ["en", "fr"] : languages
        let values = table.array.prefix(8).map(\.literal)
        let isWhole = table.fields.isEmpty && table.array.count == languages.count && values.count == languages.count
        let parts = languages.prefix(4).enumerated().map { offset, language in
            "\(language.luaKey) = \(isWhole ? values[offset] : "…")"
        }
        let text = "perLocale { \(parts.joined(separator: ", ")) }"
        return text.utf8.count <= 200 ? text : "perLocale { \(languages[0].luaKey) = … }"
    }
}
