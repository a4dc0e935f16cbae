import LuaSyntax
import Testing

/// What is found in a text that is being written.
struct LuaRecoveryTests {
    /// With one brace too few or too many, almost all keys stay where they were.
    @Test(arguments: ["us", "ca", "mx"], [true, false])
    func oneWrongBraceLosesFewKeys(market: String, isMissing: Bool) throws {
        let text = try Corpus.market(market)
        let whole = KeyPaths(text)
        let paths = whole.all
        var (asked, found) = (0, 0)
        for token in whole.tree.tokens where token.kind == .rightBrace {
            var changed = text
            if isMissing {
                changed.removeSubrange(token.range)
            } else {
                changed.insert(UInt8(ascii: "}"), at: token.upperBound)
            }
            asked += paths.count
            found += paths.intersection(KeyPaths(changed).all).count
        }
        #expect(Double(found) >= 0.99 * Double(asked), "\(found) of \(asked)")
    }

    @Test(arguments: [
        ("return { a = 1 b = 2 }", "a b"),
        ("return { a = \n b = 2 }", "a b"),
        ("return { a = { b = 1, \n c = 2 }", "a a.b a.c"),
        ("return {\n  a = {\n    b = {\n      c = 1,\n  },\n  d = 2,\n}", "a a.b a.b.c d"),
        ("return {\n  a = {\n    b = {},\n    },\n  },\n  c = 1,\n}", "a a.b c"),
        ("return {\n  a = {\n    f = function()\n      if x then\n    end,\n  },\n  c = 1,\n}", "a a.f c"),
        ("return a = 1, b = 2", "a b"),
        ("{ a = 1 }", "a"),
        ("local m = { a = 1 }\nreturn m", "a"),
        ("return extend('us', { a = 1 })", ""),
        ("return market { a = { 1, { b = 2 } } }", "a a[1] a[2] a[2].b"),
        ("return { a: 1, 'b' = 2, c => 3, end = 4, [5] = 6 }", "a b c end [5]"),
        ("return { // none\n a = 1, -- some\n b = 2 /* c */ }", "a b"),
        ("return { a = \"x\nb = 1 }", "a b"),
        ("return { “a” = 1, b = 2 }", "“a” b"),
    ])
    func keysAreFoundInBrokenText(text: String, keys: String) {
        #expect(KeyPaths(Array(text.utf8)).names == keys)
    }
}

/// The paths of the keys in the returned table.
private struct KeyPaths {
    let tree: LuaTree
    private var entries: [(path: [LuaTree.Field.Key], range: Range<Int>)] = []

    init(_ text: [UInt8]) {
        tree = LuaTree(text)
        if let table = tree.returnedTable { add(table, []) }
    }

    private mutating func add(_ table: LuaTree.NodeID, _ path: [LuaTree.Field.Key]) {
        for field in tree.fields(of: table) {
            entries.append((path + [field.key], tree.range(of: field.node)))
            if let value = field.value, let table = tree.table(in: value) { add(table, path + [field.key]) }
        }
    }

    var all: Set<[LuaTree.Field.Key]> { Set(entries.map(\.path)) }

    var names: String {
        entries.map { entry in
            entry.path.reduce("") { path, key in
                switch key {
                case .name(let name): path.isEmpty ? name : "\(path).\(name)"
                case .integer(let number): "\(path)[\(number)]"
                case .element(let number): "\(path)[\(number)]"
                case .computed: "\(path)[…]"
                }
            }
        }.joined(separator: " ")
    }
}
