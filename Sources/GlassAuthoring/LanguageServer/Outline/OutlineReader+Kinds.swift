import GlassSchema
import LuaBridge

extension ValueType {
    /// Whether the type accepts a list but no table with keys.
    var isList: Bool {
        switch self {
        case .list: true
        case .either(let types): types.contains { $0.isList } && types.allSatisfy { $0.section == nil }
        default: false
        }
    }
}

extension LuaToken {
    /// The name, if the token is one.
    var name: String? { if case .name(let name) = kind { name } else { nil } }

    /// Whether the token is a string.
    var isText: Bool { if case .string = kind { true } else { false } }

    /// Whether the token is a symbol.
    func `is`(_ symbol: Symbol) -> Bool { kind == .symbol(symbol) }
}
