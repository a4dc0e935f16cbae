import LuaSyntax
import Testing

/// What is wrong with a text, and at which token.
struct LuaSyntaxErrorTests {
    @Test(arguments: [
        ("return { a = 1 }", ""),
        // What is missing.
        ("return { a = 1 b = 2 }", "missingSeparator b"),
        ("return { a = , b = 2 }", "missingValue ,"),
        ("return { a = \n b = 2 }", "missingValue b"),
        ("return { a = 1,, b = 2 }", "missingValue ,"),
        ("f(1 2)", "missingSeparator 2"),
        ("{ a = 1 }", "missingReturn {"),
        ("return a = 1", "missingBrace a"),
        ("return { a = { 1 }", "unclosed(until: 7) {"),
        ("function f() return 1", "unclosed(until: 6) function"),
        ("if a b() end", "missing(then) b"),
        ("while a b() end", "missing(do) b surplus end"),
        ("for i = 1 do end", "missing(comma) do"),
        ("for i 1, 2 do end", "missing(in) 1"),
        ("local = 1", "missing(name) ="),
        ("x = 1 +", "missingValue "),
        ("a.b: = 1", "missing(name) ="),
        ("a:b = 1", "missing(leftParenthesis) ="),
        ("function () end", "missing(name) ("),
        ("return function end", "missing(leftParenthesis) end"),
        // What closes nothing.
        ("return { a = 1 }}", "surplus }"),
        ("end", "surplus end"),
        ("return { a = (1]) }", "surplus ]"),
        // What other languages have.
        ("return { a: 1 }", "colonForAssign :"),
        ("return { a => 1, b -> 2 }", "arrowForAssign = arrowForAssign -"),
        ("if a = 1 then end", "assignForEqual ="),
        ("return { 'a' = 1, 2 = 3, end = 4 }", "keyInQuotes 'a' keyIsNumber 2 keyIsKeyword end"),
        ("return { 'a': 1 }", "colonForAssign :"),
        ("return { a.b = 1, a-b = 2 }", "keyNeedsBrackets a keyNeedsBrackets a"),
        ("return { a = [1, 2] }", "listInBrackets ["),
        ("return { // none\n a = 1 }", "foreignComment //"),
        ("return { /* none */\n a = 1 }", "foreignComment /"),
        ("return {\n# none at all\n a = 1 }", "foreignComment #"),
        ("return a && b", "foreignOperator &"),
        ("x += 1", "foreignOperator +"),
        ("x++", "foreignOperator +"),
        // Lua's own rules.
        ("return { a = “USD” }", "invalidToken “USD”"),
        ("return { währung = 1 }", "invalidToken währung"),
        ("return 3x", "invalidToken 3x"),
        ("return \"a\nb", "invalidToken \"a statementAfterReturn b"),
        ("--[[ a", "invalidToken "),
        ("1 = 2", "unexpectedToken 1 unexpectedToken = unexpectedToken 2"),
        ("a.b", "notStatement a"),
        ("f() = 1", "notAssignable )"),
        ("return 1 return 2", "statementAfterReturn return"),
        ("break", "breakOutsideLoop break"),
        ("while true do local f = function() break end end", "breakOutsideLoop break"),
        ("function f() return ... end", "varargsOutsideFunction ..."),
        ("local a <constant> = 1", "unknownAttribute constant"),
        ("local a <close>, b <close> = 1", "unknownAttribute close"),
    ])
    func errorIsAtItsToken(text: String, errors: String) {
        let tree = LuaTree(Array(text.utf8))
        let found = tree.errors.map { "\($0.kind) \(tree.text(of: $0.token))" }.joined(separator: " ")
        #expect(found.replacing("LuaSyntax.LuaTokenKind.", with: "") == errors)
        #expect(tree.defect(comparedWith: SystemParser()) == nil)
    }

    @Test func spellingsAreThoseOfTheTokens() {
        let text = "and break do while + // <<  ~= = :: .. ... name 1"
        let tree = LuaTree(Array(text.utf8))
        let spellings = tree.tokens.map(\.kind.spelling)
        let words = text.split(separator: " ").map(String.init)
        #expect(spellings == words.dropLast(2) + [nil, nil, nil])
    }
}
