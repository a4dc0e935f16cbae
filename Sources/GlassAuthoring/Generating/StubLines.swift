import GlassBase
import GlassMarkets
import GlassSchema
import GlassMarketFiles

/// The lines of a stub file.
struct StubLines {
    /// Each is a single line, so that no comment ends before its text does.
    private var lines: [DisplayText] = []
    private var variables = 0

    /// Whether a class describes the keys that a file writes, or those that a script reads.
    enum Use {
        /// Every key is optional, and no others are allowed. A language server looks up unknown keys in the declared
        /// key type of the table; it takes a class alone to describe only some of the keys.
        case written
        /// The required keys exist, because a file writes the table as a whole.
        case whole
        /// Every key exists: the market has a value for it, or its default.
        case read
    }

    /// The text of the file.
    var text: String { lines.joined(separator: "\n").plain + "\n" }

    mutating func add(_ lines: DisplayText...) { self.lines += lines }

    /// Declares the table variable for the methods of a class.
    mutating func variable(for name: String) -> String {
        variables += 1
        lines.append("local class\(variables) = {}")
        return "class\(variables)"
    }

    /// A name for one of several strings, or for any string if there are none.
    mutating func enumeration(_ name: String, of texts: [String], isOpen: Bool = false, _ summary: String) {
        let literals = texts.map(\.luaLiteral) + (isOpen || texts.isEmpty ? ["string"] : [])
        add("", "---\(summary)", "---@alias \(name) \(literals.joined(separator: "|"))")
    }

    /// A field of a class.
    struct Field {
        let name: String
        let line: DisplayText
    }

    /// Adds the class of a section, after the classes of the sections within it.
    mutating func section(
        _ section: SectionDeclaration, named name: String, _ summary: String, types: [String: String] = [:],
        for use: Use = .written
    ) {
        let fields = fields(of: section, named: name, types: types, for: use)
        if let others = section.others {
            add(name, of: fields, summary, ": table<string, \(luaType(of: others, named: "\(name).Other", for: use))>")
        } else if use == .written, !section.keys.isEmpty {
            table(name, fields, summary)
        } else {
            add(name, of: fields, summary, "")
        }
    }

    /// Adds the class of a section with a form.
    ///
    /// - Parameter others: Fields of the section around an open one.
    mutating func form(_ section: SectionDeclaration, types: [String: String] = [:], and others: [Field] = []) {
        guard let form = section.form else { return }
        let use = section.isWhole ? Use.whole : .written
        let own = fields(of: section, named: form.className, types: types, for: use)
        table(form.className, own + others.filter { section.key($0.name) == nil }, form.summary)
    }

    /// Adds the field of a key to the class before it.
    mutating func add(_ key: KeyDeclaration) {
        lines += fields(of: SectionDeclaration(name: "", keys: [key]), named: "", for: .written).map(\.line)
    }

    /// Adds the class of a table that has only these fields.
    mutating func table(_ name: String, _ fields: [Field], _ summary: String) {
        add(name, of: fields, summary, ": table<\(fields.map(\.name.luaLiteral).joined(separator: "|")), any>")
    }

    private mutating func add(_ name: String, of fields: [Field], _ summary: String, _ parent: String) {
        add("", "---\(summary)", "---@class (exact) \(name)\(parent)")
        lines += fields.map(\.line)
    }

    /// The fields of the keys of a section. Adds the classes of the sections within it.
    mutating func fields(
        of section: SectionDeclaration, named name: String, types: [String: String] = [:], for use: Use = .written
    ) -> [Field] {
        var fields: [Field] = []
        for key in section.keys {
            let capitalised = key.name.prefix(1).uppercased() + key.name.dropFirst()
            let type = types[key.name] ?? luaType(of: key, named: "\(name).\(capitalised)", for: use)
            let fallback = key.defaultText.map { " Default: `\($0)`." } ?? ""
            let mark = use == .read || use == .whole && key.isRequired ? "" : "?"
            fields.append(
                Field(
                    name: key.name,
                    line: "---@field \(key.name)\(mark) \(type) \(key.documentation)\(fallback)\(key.notes)"))
        }
        if use == .written, section.canInherit {
            fields.append(
                Field(
                    name: MarketDecisions.inherit,
                    line: "---@field \(MarketDecisions.inherit)? true \(MarketDecisions.meaning)"))
        }
        return fields
    }

    /// Adds a function with its annotations.
    mutating func function(_ function: LuaInterface.Function, owner: String?, overloads: [String] = []) {
        add("", "---\(function.summary)")
        for parameter in function.parameters {
            let summary = parameter.summary.isEmpty ? "" : " \(parameter.summary)"
            add("---@param \(parameter.name) \(parameter.type)\(summary)")
        }
        if let returns = function.returns { add("---@return \(returns)") }
        for overload in overloads { add("---@overload \(overload)") }
        let names = function.parameters.map { $0.name.last == "?" ? String($0.name.dropLast()) : $0.name }
        add("function \(owner ?? "")\(function.name)(\(names.joined(separator: ", "))) end")
    }

    /// The annotation for a key; sections become classes with the given name and the documentation of the key.
    private mutating func luaType(of key: KeyDeclaration, named name: String, for use: Use) -> String {
        luaType(of: key.type, named: name, key.documentation, for: use)
    }

    private mutating func luaType(
        of type: ValueType, named name: String, _ summary: String, for use: Use
    ) -> String {
        switch type {
        case .boolean: return "boolean"
        case .integer: return "integer"
        case .number, .percent: return "number"
        case .string: return "string"
        case .choice(let names): return names.map(\.luaLiteral).joined(separator: "|")
        // A script sees a secret as its name, and a function as a description.
        case .secret: return use != .read ? "glass.Secret" : "string"
        case .function:
            return use != .read ? "(fun(link: glass.Link, state: glass.Navigation): boolean?)" : "string"
        case .scalar: return "boolean|number|string"
        case .condition: return use != .read ? "glass.Condition" : "any"
        case .data, .test, .enclosing: return "any"
        case .list(let element, _, _):
            let inner = luaType(of: element, named: name, summary, for: use)
            return inner.contains("|") && !inner.hasSuffix(")[]") ? "(\(inner))[]" : "\(inner)[]"
        case .row(let types, _):
            return "(\(types.map { luaType(of: $0, named: name, summary, for: use) }.joined(separator: "|")))[]"
        case .map(let element, _, _): return "table<string, \(luaType(of: element, named: name, summary, for: use))>"
        case .section(let inner):
            if let form = inner.form, use != .read || inner.isWhole { return use == .read ? "any" : form.className }
            section(inner, named: name, summary, for: use)
            return name
        case .either(let types):
            return types.map { luaType(of: $0, named: name, summary, for: use) }.joined(separator: "|")
        }
    }
}

extension KeyDeclaration {
    /// The default as a market file would write it; nil for a required key, a section, or a key without a default.
    fileprivate var defaultText: String? {
        if case .section = type { return nil }
        return defaultValue?.sourceText
    }
}

extension SectionForm {
    /// The class of its tables: `glass.Rollout`.
    fileprivate var className: String { "glass.\(name.prefix(1).uppercased())\(name.dropFirst())" }
}
