/// Writes valid Lua functions in many variations, from a seed.
///
/// Every name is in scope where it is used; the functions do nothing useful.
struct ValidHandlers {
    private var state: UInt64
    private var scopes: [[String]] = []
    private var count = 0

    init(seed: UInt64) {
        state = seed
    }

    /// A `handle` function.
    mutating func next() -> String {
        count = 0
        scopes = [["link", "state"]]
        return "function(link, state)\n" + block(depth: 3) + "return true\nend"
    }

    private mutating func random(_ limit: Int) -> Int {
        // SplitMix64
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = (state ^ (state >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(limit))
    }

    private mutating func pick(_ texts: [String]) -> String { texts[random(texts.count)] }

    private mutating func declare() -> String {
        // Repeated names shadow each other.
        count += 1
        let name = random(4) == 0 ? pick(["a", "b", "append", "string", "self"]) : "v\(count)"
        scopes[scopes.count - 1].append(name)
        return name
    }

    /// A local of the handler; fields of parameters are not used here.
    private mutating func local() -> String {
        let names = scopes.joined().filter { $0 != "link" && $0 != "state" }
        return names.isEmpty ? "nil" : pick(names)
    }

    private mutating func block(depth: Int) -> String {
        scopes.append([])
        defer { scopes.removeLast() }
        return (0...random(4)).map { _ in
            statement(depth: depth) + pick(["\n", " ", ";\n", " -- not a name: undefined\n"])
        }
        .joined()
    }

    private mutating func expression(depth: Int) -> String {
        guard depth > 0 else { return pick([local(), "1", "\"x\"", "nil", "true", "[[long\ntext]]", "0x1p4", "'y'"]) }
        let (left, right) = (expression(depth: depth - 1), expression(depth: depth - 1))
        switch random(14) {
        case 0: return "(\(left)) .. (\(right))"
        case 1: return "not \(left) and \(right) or nil"
        case 2: return "{ \(left), key = \(right), [\"a b\"] = 1, [2 + 1] = \(left); }"
        case 3: return "-(#{ \(left) }) // 1"
        case 4: return "link.parameters.item"
        case 5: return "(link.query.a or \"\"):upper()"
        case 6: return "tostring(\(left))"
        case 7: return "string.format(\"%s\", tostring(\(right)))"
        case 8: return "type { \(left) } == type \"x\""
        case 9: return closure(depth: depth - 1)
        case 10: return "({ f = \(left) }).f"
        case 11: return "select('#', \(left), \(right))"
        case 12: return "(\(left) == \(right))"
        default: return left
        }
    }

    private mutating func closure(depth: Int) -> String {
        scopes.append([])
        defer { scopes.removeLast() }
        let (first, second) = (declare(), declare())
        return
            "function(\(first), \(second), ...)\nlocal rest = { ... }\n\(block(depth: depth))return \(first), #rest\nend"
    }

    private mutating func statement(depth: Int) -> String {
        guard depth > 0 else { return "state:show(\"x\", { a = \"1\" })" }
        switch random(13) {
        case 0:
            let value = expression(depth: depth - 1)
            return "local \(declare()) = \(value)"
        case 1:
            let value = expression(depth: 1)
            let (first, second) = (declare(), declare())
            return "local \(first), \(second) <const> = \(value), \(value)"
        case 2:
            return "if \(expression(depth: 1)) then\n\(block(depth: depth - 1))elseif \(expression(depth: 1)) then\n"
                + "\(block(depth: depth - 1))else\n\(block(depth: depth - 1))end"
        case 3: return "while \(expression(depth: 1)) do\n\(block(depth: depth - 1))break\nend"
        case 4:
            let limit = expression(depth: 1)
            scopes.append([])
            defer { scopes.removeLast() }
            return "for \(declare()) = 1, #{ \(limit) } do\n\(block(depth: depth - 1))end"
        case 5:
            scopes.append([])
            defer { scopes.removeLast() }
            return "for \(declare()), \(declare()) in pairs { a = 1 } do\n\(block(depth: depth - 1))end"
        case 6:
            scopes.append([])
            defer { scopes.removeLast() }
            let value = expression(depth: 1)
            let name = declare()
            return "repeat local \(name) = \(value) until \(name) == nil or \(name) ~= 0"
        case 7:
            let name = declare()
            scopes.append(["n"])
            defer { scopes.removeLast() }
            return "local function \(name)(n)\n\(block(depth: depth - 1))return n and \(name)\nend"
        case 8:
            let name = declare()
            return
                "local \(name) = {}\nfunction \(name).f(a) return a end\nfunction \(name):m() return self, \(name).f(1) end"
        case 9:
            return "do\ngoto done\n\(pick(["::again::", ""]))\ndo end\n::done::\nend"
        case 10: return "do\n\(block(depth: depth - 1))end"
        case 11: return "state:select(\"home\"); (function() state:reset() end)()"
        default: return "state:show(\"x\")"
        }
    }
}
