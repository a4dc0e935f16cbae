import LuaBridge
import Testing

@Suite(.timeLimit(.minutes(5)))
struct LuaPatternTests {
    static let results: [(String, [LuaValue])] = [
        ("return ('key = value'):match('^(%w+)%s*=%s*(%w+)$')", ["key", "value"]),
        ("return ('hello'):find('l')", [3, 3]), ("return ('hello'):find('l', -1)", [.nil]),
        ("return ('a.b'):find('.', 1, true)", [2, 2]), ("return ('hello'):find('()ll()')", [3, 4, 3, 5]),
        ("return ('f(a(b)c)d'):match('%b()')", ["(a(b)c)"]),
        ("return ('THE (quick) fox'):find('%f[%a]%a+%f[%A]')", [1, 3]),
        ("return ('hello world'):gsub('o', '0')", ["hell0 w0rld", 2]),
        ("return ('abc'):gsub('', '-')", ["-a-b-c-", 4]), ("return ('abc'):gsub('%w', '%0%0', 2)", ["aabbc", 2]),
        ("return ('$x $y'):gsub('%$(%w)', { x = 1 })", ["1 $y", 2]),
        ("return ('ab'):gsub('.', function(c) return c:upper() end)", ["AB", 2]),
        (
            "local t = {} for k, v in ('a=1, b=2'):gmatch('(%w)=(%w)') do t[#t + 1] = k .. v end return t",
            [["a1", "b2"]]
        ),
        // An item that matches the empty string does not nest.
        ("return ('aaa'):find(('a*'):rep(300))", [1, 3]), ("return ('bbb'):find(('a-'):rep(300))", [1, 0]),
        ("return (''):find(('[ab]*'):rep(300) .. '$')", [1, 0]),
        ("return ('xaax'):match('(a)%1')", ["a"]), ("return ('a-]'):match('[]-]+')", ["-]"]),
    ]

    @Test(arguments: results)
    func patternsMatch(_ text: String, _ values: [LuaValue]) throws {
        #expect(try run(text) == values)
    }

    static let malformed: [(String, String)] = [
        ("('a'):find('%')", "malformed pattern (ends with '%')"),
        ("('a'):find('[a')", "malformed pattern (missing ']')"),
        ("('a'):find('%b')", "malformed pattern (missing arguments to '%b')"),
        ("('a'):find('%f')", "missing '[' after '%f' in pattern"), ("('a'):match('a)')", "invalid pattern capture"),
        ("('a'):find('(a')", "unfinished capture"), ("('a'):find('%1')", "invalid capture index %1"),
        ("('a'):gsub('a', '%2')", "invalid capture index %2"),
        ("('a'):gsub('a', '%')", "invalid use of '%' in replacement string"),
        ("('a'):gsub('a', function() return {} end)", "invalid replacement value (a table)"),
        ("('a'):rep(40):find(('(a'):rep(40))", "too many captures"),
        ("('a'):rep(300):find(('a?'):rep(300))", "pattern too complex"),
        ("('a'):rep(300):find(('a-'):rep(300) .. 'b')", "pattern too complex"),
        ("string.gsub('a', 'a')", "bad argument #3 to 'gsub' (string/function/table expected, got no value)"),
    ]

    @Test(arguments: malformed)
    func malformedPatternsAreExplained(_ text: String, _ message: String) throws {
        #expect(try #require(failure("return " + text)).message == message)
    }

    /// A pattern that takes quadratic time ends with the time limit rather than with the user's patience.
    @Test func backtrackingIsLimited() {
        let limits = LuaLimits(cpuTime: .milliseconds(30), memory: 16 << 20)
        guard case .timeLimit = failure("return ('x'):rep(1000000):match('x*y')", limits: limits) else {
            Issue.record("expected the time limit")
            return
        }
    }
}
