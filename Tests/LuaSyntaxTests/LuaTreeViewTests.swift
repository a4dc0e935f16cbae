import LuaSyntax
import Testing

/// The parts of nodes and tokens.
struct LuaTreeViewTests {
    private static func tree(_ text: String) -> LuaTree { LuaTree(Array(text.utf8)) }

    private static func text(_ range: Range<Int>, in tree: LuaTree) -> String {
        String(decoding: tree.bytes[range], as: UTF8.self)
    }

    private static func text(_ node: LuaTree.NodeID?, in tree: LuaTree) -> String? {
        node.map { text(tree.range(of: $0), in: tree) }
    }

    @Test(arguments: [
        ("a = 1", "name(\"a\")|a|1|"), ("['a\\n'] = 1,", "name(\"a\\n\")|['a\\n']|1|,"),
        ("[0x10] = {};", "integer(16)|[0x10]|{}|;"), ("[f(1)[2]] = 3", "computed|[f(1)[2]]|3|"),
        ("f(1),", "element(1)||f(1)|,"), ("a = ,", "name(\"a\")|a|-|,"), ("[1] = ", "integer(1)|[1]|-|"),
        ("[] = 1", "computed|[]|1|"), ("a.b = 1", "computed|a.b|1|"), ("end = 1", "name(\"end\")|end|1|"),
        ("[1.5] = 1", "computed|[1.5]|1|"), ("['a' .. 'b'] = 1", "computed|['a' .. 'b']|1|"),
    ])
    func fieldHasItsParts(field: String, parts: String) throws {
        let tree = Self.tree("return { \(field) }")
        let table = try #require(tree.returnedTable)
        let found = try #require(tree.fields(of: table).first { _ in true })
        let key = Self.text(tree.range(of: found.keyTokens), in: tree)
        let separator = found.separator.map { tree.text(of: $0) }
        let value = Self.text(found.value, in: tree)
        #expect("\(found.key)|\(found.keyTokens.isEmpty ? "" : key)|\(value ?? "-")|\(separator ?? "")" == parts)
    }

    @Test func elementsAreCounted() throws {
        let tree = Self.tree("return { 'a', b = 1, { 2 }, [7] = 'c', nil }")
        let keys = tree.fields(of: try #require(tree.returnedTable)).map(\.key)
        #expect(keys == [.element(1), .name("b"), .element(2), .integer(7), .element(3)])
    }

    @Test(arguments: [
        ("return { {} }", "}"), ("return { {}", nil), ("return { { }\n", nil), ("return {", nil), ("return {}", "}"),
    ])
    func closingBraceIsThatOfTheTable(text: String, brace: String?) throws {
        let tree = Self.tree(text)
        let closing = tree.closingBrace(of: try #require(tree.returnedTable))
        #expect(closing.map { tree.text(of: $0) } == brace)
    }

    @Test(arguments: [
        ("append { 1 }", "append|{ 1 }"), ("include 'x'", "include|'x'"), ("include('x')", "include|'x'"),
        ("f()", "f|-"), ("f(1, 2)", "none"), ("a.f {}", "none"), ("a:f {}", "none"), ("f {} {}", "none"), ("f", "none"),
        ("(f)()", "none"),
    ])
    func callHasNameAndArgument(text: String, parts: String) throws {
        let tree = Self.tree("return \(text)")
        let value = try #require(tree.children(of: tree.children(of: tree.root).last!).first)
        let call = tree.call(value).map {
            "\(tree.text(of: $0.name))|\(Self.text($0.argument, in: tree) ?? "-")"
        }
        #expect(call ?? "none" == parts)
    }

    @Test(arguments: [
        ("function a.b:c(x, y, ...) return 1 end", "a.b:c|x y|true|return 1"), ("local function f() end", "f||false|"),
        ("return function(link) local x end", "-|link|false|local x"), ("function f(a, b", "f|a b|false|"),
    ])
    func functionHasItsParts(text: String, parts: String) throws {
        let tree = Self.tree(text)
        let function = try #require(tree.allNodes.lazy.compactMap { tree.function($0) }.first)
        let parameters = function.parameters.map { tree.text(of: $0) }.joined(separator: " ")
        let body = Self.text(function.body, in: tree) ?? ""
        let name = Self.text(function.name, in: tree) ?? "-"
        #expect("\(name)|\(parameters)|\(function.isMethod)|\(body)" == parts)
    }

    @Test(arguments: [
        ("return 1", "nil"), ("return 'x'", "nil"), ("return {}", "{}"), ("return market { a = 1 }", "{ a = 1 }"),
        ("return market({ a = 1 })", "{ a = 1 }"), ("local m = {}\nm.x = {}\nreturn m", "{}"),
        ("m = { 1 }\nreturn m", "{ 1 }"), ("if a then return { 1 } end\nreturn { 2 }", "{ 2 }"),
        ("local function f() return { 1 } end\nreturn { 2 }", "{ 2 }"), ("do return { 1 } end", "{ 1 }"), ("", "nil"),
    ])
    func returnedTableIsFound(text: String, table: String) {
        let tree = Self.tree(text)
        #expect(Self.text(tree.returnedTable, in: tree) ?? "nil" == table)
    }

    @Test func nodesAroundTokenAreNested() {
        let tree = Self.tree("return { a = { f(1) } }")
        let token = tree.tokens.firstIndex { $0.kind == .integer }!
        let kinds = tree.nodes(around: token).map { tree.kind($0) }
        #expect(kinds == [.block, .return, .table, .field, .table, .chain, .arguments, .literal])
        #expect(tree.nodes(around: tree.tokens.count - 1).isEmpty)
    }

    @Test func operationsAreFlat() throws {
        let tree = Self.tree("return -a + b * (c) .. d.e")
        let operation = try #require(tree.allNodes.first { tree.kind($0) == .operation })
        let operands = tree.children(of: operation).map { tree.kind($0) }
        #expect(operands == [.name, .name, .parenthesis, .chain])
    }

    @Test(arguments: [
        ("#!lua --no\n--yes\nreturn 1", 0, ["--yes"]),
        ("\u{FEFF}-- a\n--[[ b\n ]] -- c\nreturn 1", 0, ["-- a", "--[[ b\n ]]", "-- c"]),
        ("return 1 --[==[ ]] ]==]--x", 2, ["--[==[ ]] ]==]", "--x"]), ("return 1 --[[ x\n--y", 2, ["--[[ x\n--y"]),
        ("return 1 --[=x\n--y", 2, ["--[=x", "--y"]), ("return 1 - 2", 2, []),
    ])
    func commentsAreFoundInGaps(text: String, token: Int, comments: [String]) {
        let tree = Self.tree(text)
        #expect(tree.comments(before: token).map { Self.text($0.range, in: tree) } == comments)
        #expect(
            tree.comments(before: token).map(\.isLong) == comments.map { $0.hasPrefix("--[[") || $0.hasPrefix("--[==") }
        )
    }

    @Test func valuesAreThoseOfLua() {
        let tree = Self.tree(
            "return '\\65\\z  b', [[\nx]], 0xff, 9223372036854775807, 0x.8, 1e2, 0xA, 9223372036854775808")
        func token(_ number: Int) -> Int { 2 * number + 1 }
        #expect(tree.value(ofString: token(0)) == Array("Ab".utf8))
        #expect(tree.value(ofString: token(1)) == Array("x".utf8))
        #expect(tree.value(ofInteger: token(2)) == 255)
        #expect(tree.value(ofInteger: token(3)) == .max)
        #expect(tree.value(ofFloat: token(4)) == 0.5)
        #expect(tree.value(ofFloat: token(5)) == 100)
        #expect(tree.value(ofInteger: token(6)) == 10)
        #expect(tree.value(ofFloat: token(7)) == 9_223_372_036_854_775_808)
    }

    @Test func tokensAreFoundByByte() {
        let tree = Self.tree("a  bc")
        #expect((0...6).map { tree.token(endingAfter: $0) } == [0, 1, 1, 1, 1, 2, 2])
        #expect((0...6).map { tree.token(at: $0) } == [0, nil, nil, 1, nil, 2, nil])
    }

    @Test func emptyTextHasNoNodesButItsBlock() {
        let tree = Self.tree("")
        #expect(tree.allNodes.map { tree.kind($0) } == [.block])
        #expect(tree.range(of: tree.root) == 0..<0)
    }
}
