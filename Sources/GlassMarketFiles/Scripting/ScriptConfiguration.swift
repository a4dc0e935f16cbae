import GlassBase
import GlassSchema
import LuaBridge

/// A market's configuration in a script: tables that report keys which their section does not have, so that a misspelt
/// name is an error at its line and not nil.
enum ScriptConfiguration {
    /// A section, with its path, for the errors.
    private typealias Section = (path: ConfigurationPath, declaration: SectionDeclaration)

    /// Converts a configuration.
    static func luaValue(
        _ value: ConfigurationValue, of declaration: SectionDeclaration, in context: LuaContext
    ) throws(LuaError) -> LuaValue {
        let root = ConfigurationPath()
        var sections: [Section] = []
        collect(value, as: .section(declaration), at: root, into: &sections)
        let function = try context.function("config") { [sections] _, arguments in
            guard let number = arguments.first?.integerValue, sections.indices.contains(number),
                let key = arguments.dropFirst().first?.stringValue, sections[number].declaration.key(key) == nil
            else { return [.nil] }
            throw unknown(key, in: sections[number])
        }
        guard case .function(let check) = function else { return .nil }
        var count: UInt32 = 0
        return try luaValue(value, as: .section(declaration), check, &count, in: context)
    }

    /// Lists the sections of a value in the order in which they are numbered.
    private static func collect(
        _ value: ConfigurationValue, as type: ValueType?, at path: ConfigurationPath, into sections: inout [Section]
    ) {
        switch value {
        case .list(let nodes):
            for (index, node) in nodes.enumerated() {
                collect(node.value, as: type?.elementType, at: path.appending(index: index + 1), into: &sections)
            }
        case .map(let entries):
            if let section = type?.section { sections.append((path, section)) }
            for (key, node) in entries.inOrder {
                collect(node.value, as: self.type(of: key, in: type), at: path.appending(key), into: &sections)
            }
        case .emptyTable:
            if let section = type?.section { sections.append((path, section)) }
        default: break
        }
    }

    private static func luaValue(
        _ value: ConfigurationValue, as type: ValueType?, _ check: LuaFunction, _ count: inout UInt32,
        in context: LuaContext
    ) throws(LuaError) -> LuaValue {
        switch value {
        case .list(let nodes):
            var elements: [LuaValue] = []
            for node in nodes {
                elements.append(try luaValue(node.value, as: type?.elementType, check, &count, in: context))
            }
            return .table(LuaTable(array: elements))
        case .map(let entries):
            let number = count
            let isSection = type?.section != nil
            if isSection { count += 1 }
            var fields: [(String, LuaValue)] = []
            for (key, node) in entries.inOrder {
                let type = self.type(of: key, in: type)
                fields.append((key, try luaValue(node.value, as: type, check, &count, in: context)))
            }
            let table = LuaTable(fields: fields)
            return .table(isSection ? table.checkingKeys(with: check, number: number) : table)
        case .emptyTable where type?.section != nil:
            defer { count += 1 }
            return .table(LuaTable().checkingKeys(with: check, number: count))
        default: return try ScriptConversion.luaValue(ScriptValue(value), in: context)
        }
    }

    private static func type(of key: String, in type: ValueType?) -> ValueType? {
        if let section = type?.section { section.key(key)?.type } else { type?.elementType }
    }

    private static func unknown(_ key: String, in section: Section) -> ScriptAssertion {
        let names = section.declaration.keys.map(\.name)
        let path = section.path.elements.isEmpty ? "" : ".\(section.path)"
        let cure =
            Suggestion.nearest(to: key, in: names).map { "did you mean \"\($0)\"?" }
            ?? "it has \(names.prefix(20).joined(separator: ", "))"
        return ScriptAssertion("config\(path) has no key \(key.quotedForMessage); \(cure)")
    }
}
