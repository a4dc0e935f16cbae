/// More attacks, in the same classes as the files.
enum HostileScripts {
    static let all: [Attack] = texts.flatMap { Attack.both($0.0, $0.1, Array($0.2.utf8)) }

    private static let texts: [(String, String, String)] = [
        // Time
        ("repeat", "config=timeout script=timeout", "repeat until false"),
        ("goto", "config=timeout script=timeout", "::again:: goto again"),
        ("recursion-tail", "config=timeout script=timeout", "local function f() return f() end return f()"),
        ("while-error", "config=timeout script=timeout", "while true do pcall(error, 'x') end"),
        ("pcall-of-pcall", "config=timeout script=timeout", "while true do pcall(pcall, pcall, error) end"),
        (
            "xpcall-handler", "config=timeout script=timeout",
            "xpcall(function() error('x') end, function() while true do end end)"
        ),
        (
            "xpcall-nested", "config=timeout script=timeout",
            "local function h() while true do end end local function f() error(h) end while true do xpcall(f, h) end"
        ),
        (
            "sort-less", "config=timeout script=timeout",
            "local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function(a, b) while true do end end)"
        ),
        (
            "sort-native", "config=timeout|runtime script=timeout|runtime",
            "local t = {} for i = 1, 50000 do t[i] = tostring(i) end while true do table.sort(t, math.ult) end"
        ),
        (
            "gsub-callback", "config=timeout script=timeout",
            "return (('x'):gsub('.', function() while true do end end))"
        ),
        ("gsub-anchors", "config=timeout script=timeout", "while true do (('x'):rep(1000)):gsub('', 'y') end"),
        (
            "match-nested", "config=timeout script=timeout",
            "return { x = ('a'):rep(2000):match(('a*'):rep(12) .. 'b') }"
        ),
        (
            "match-optional", "config=timeout|runtime script=timeout|runtime",
            "return { x = ('a'):rep(60):match(('a?'):rep(60) .. ('a'):rep(61)) }"
        ),
        (
            "match-balance", "config=timeout script=timeout",
            "local s = ('('):rep(100000) while true do s:find('%b()') end"
        ),
        (
            "match-set", "config=timeout script=timeout",
            "local s = ('a'):rep(60000) return { x = s:find('[' .. ('b'):rep(50000) .. ']') }"
        ),
        (
            "match-frontier", "config=timeout script=timeout",
            "local s = ('a'):rep(100000) while true do s:find('%f[%d]') end"
        ),
        ("match-reference", "config=timeout script=timeout", "return { x = ('a'):rep(20000):find('(.-)(.-)%1%2b') }"),
        (
            "gmatch-empty", "config=timeout script=timeout",
            "while true do for w in (('x'):rep(5000)):gmatch('.-y') do end end"
        ),
        (
            "find-plain", "config=timeout script=timeout",
            "local s, p = ('a'):rep(500000), ('a'):rep(250000) .. 'b' while true do s:find(p, 1, true) end"
        ),
        (
            "rep-separator", "config=timeout|memory script=timeout|memory",
            "while true do local s = (''):rep(1e9, 'xy') end"
        ),
        (
            "concat-numbers", "config=timeout script=timeout",
            "local t = {} for i = 1, 100000 do t[i] = i end while true do local s = table.concat(t, ',') end"
        ),
        (
            "insert-front", "config=timeout script=timeout",
            "local t = {} while true do table.insert(t, 1, 1) if #t > 100000 then t = {} end end"
        ),
        (
            "remove-front", "config=timeout script=timeout",
            "local t = {} for i = 1, 100000 do t[i] = i end while true do table.remove(t, 1) t[#t + 1] = 1 end"
        ),
        (
            "unpack-again", "config=timeout|runtime script=timeout|runtime",
            "local t = {} for i = 1, 200000 do t[i] = i end while true do select('#', table.unpack(t)) end"
        ),
        (
            "select-negative", "config=timeout script=timeout",
            "local function f(...) while true do local x = select(-1, ...) end end f(1, 2, 3)"
        ),
        (
            "next-quadratic", "config=timeout script=timeout",
            "local t = {} for i = 1, 30000 do t['k' .. i] = i end while true do local k = next(t) while k do k = next(t, k) end end"
        ),
        (
            "pairs-again", "config=timeout script=timeout",
            "local t = {} for i = 1, 50000 do t['k' .. i] = i end while true do for _ in pairs(t) do break end end"
        ),
        (
            "tostring-numbers", "config=timeout script=timeout",
            "local i = 0.5 while true do i = i + 1 local s = tostring(i) end"
        ),
        (
            "format-floats", "config=timeout script=timeout",
            "while true do local s = string.format('%99.99f%99.99f', 1e308, 1e308) end"
        ),
        (
            "tonumber-long", "config=timeout script=timeout",
            "local s = ('1'):rep(1000000) while true do local n = tonumber(s, 10) end"
        ),
        (
            "upper-long", "config=timeout script=timeout",
            "local s = ('x'):rep(1000000) while true do local t = s:upper() end"
        ),
        (
            "reverse-long", "config=timeout script=timeout",
            "local s = ('x'):rep(1000000) while true do local t = s:reverse() end"
        ),
        (
            "byte-long", "config=timeout|runtime script=timeout|runtime",
            "local s = ('x'):rep(100000) while true do local n = select('#', s:byte(1, -1)) end"
        ),
        (
            "utf8-codes", "config=timeout script=timeout",
            "local s = ('é'):rep(100000) while true do for _, c in utf8.codes(s) do end end"
        ),
        (
            "compare-long", "config=timeout script=timeout",
            "local a, b = ('x'):rep(2000000), ('x'):rep(2000000) .. 'y' while true do local c = a < b end"
        ),
        ("print-empty", "config=timeout|output script=timeout|output", "while true do print() end"),
        (
            "print-tostring", "config=denied script=timeout",
            "print(setmetatable({}, { __tostring = function() while true do end end }))"
        ),
        (
            "index-loop", "config=denied script=timeout",
            "local t = setmetatable({}, { __index = function(t, k) return t[k + 1] end }) while true do pcall(function() return t[1] end) end"
        ),
        (
            "close-in-coroutine", "config=denied script=timeout",
            """
            local co = coroutine.wrap(function()
              local x <close> = setmetatable({}, { __close = function() while true do end end })
              error('x')
            end)
            pcall(co) while true do end
            """
        ),
        (
            "coroutine-tree", "config=denied script=timeout|memory|runtime",
            "local function f() while true do coroutine.wrap(f)() end end f()"
        ),
        (
            "coroutine-close-deep", "config=denied script=runtime|memory|timeout|ok",
            """
            local function nest(n)
              local co = coroutine.create(function()
                local x <close> = setmetatable({}, { __close = function() if n > 0 then nest(n - 1) end end })
                coroutine.yield()
              end)
              coroutine.resume(co) coroutine.close(co)
            end
            nest(10000) return {}
            """
        ),
        (
            "load-loop", "config=denied script=timeout|memory",
            "while true do load('return ' .. ('1+'):rep(5000) .. '1') end"
        ),
        (
            "load-nested", "config=denied script=runtime|memory|timeout|source",
            "local s = 'return 1' while true do s = 'return load(' .. string.format('%q', s) .. ')()' load(s)() end"
        ),
        // Library loops without an instruction in between
        (
            "sort-converting", "config=timeout script=timeout",
            "local s, t = (' '):rep(7000000) .. '1', {} for i = 1, 20000 do t[i] = s end table.sort(t, math.tointeger)"
        ),
        (
            "print-near-memory", "config=timeout|output|memory script=timeout|output|memory",
            "local t = {} for i = 1, 200000 do t[i] = i + 0.5 end while true do pcall(print, table.unpack(t)) end"
        ),
        (
            "move-index-chain", "config=denied script=runtime|timeout",
            chain("__index", "table.move(c, 1, 1000000, 1, {})")
        ),
        (
            "move-newindex-chain", "config=denied script=runtime|timeout",
            chain("__newindex", "table.move({}, 1, 1000000, 1, c)")
        ),
        (
            "concat-chain", "config=denied script=runtime|timeout",
            "local c = {} for i = 1, 300000 do c[i] = 1 end "
                + chain("__index", "return { table.concat(c, '', 1, 300000) }", from: "c")
        ),
        (
            "unpack-chain", "config=denied script=runtime|timeout",
            chain("__index", "return { table.unpack(c, 1, 200000) }")
        ),
        (
            "unpack-length-chain", "config=denied script=runtime|timeout",
            chain(
                "__index",
                "return { table.unpack(setmetatable({}, { __index = c, __len = function() return 200000 end })) }")
        ),
        (
            "insert-chain", "config=denied script=runtime|timeout",
            chain("__index", "table.insert(setmetatable(t, { __index = c }), 1, 1)", holes: true)
        ),
        (
            "remove-chain", "config=denied script=runtime|timeout",
            chain("__index", "table.remove(setmetatable(t, { __index = c }), '1')", holes: true)
        ),
        (
            "gsub-chain", "config=denied script=timeout",
            chain("__index", "while true do local s = ('x'):rep(100000):gsub('.', c) end")
        ),
        ("time-chain", "config=denied script=timeout", chain("__index", "while true do pcall(os.time, c) end")),
        (
            "move-next", "config=denied script=timeout",
            "local t = {} for i = 1, 400000 do t[i] = 1 end for i = 1, 400000 do t[i] = nil end "
                + "setmetatable(t, { __index = next }) table.move(t, 1, 400000, 1, {})"
        ),
        (
            "gsub-pairs-next", "config=denied script=timeout",
            "local t = {} for i = 1, 400000 do t[i] = 1 end for i = 1, 400000 do t[i] = nil end "
                + "setmetatable(t, { __index = (pairs({})) }) return { ('x'):rep(300000):gsub('()', t) }"
        ),
        (
            "date-format", "config=denied script=timeout|runtime",
            "local s = ('%n'):rep(3000000) while true do os.date(s) end"
        ),
        (
            "iterator-of-anything", "config=runtime script=runtime",
            "local f = pairs({ 1, 2 }) for _, v in ipairs({ 5, 'x', true, print }) do pcall(f, v) end f(5)"
        ),
        // Empty table slots, millions of which one step skips
        ("next-emptied", "config=timeout script=timeout", emptied("while true do next(t) end")),
        (
            "sort-pairs-emptied", "config=timeout script=ok|timeout",
            emptied("local l = {} for i = 1, 4000 do l[i] = t end table.sort(l, pairs) return {}")
        ),
        (
            "sort-next-emptied", "config=timeout|runtime script=timeout|runtime",
            emptied("local l = {} for i = 1, 16000 do l[i] = t end table.sort(l, function(a) next(a) end)")
        ),
        (
            "gsub-next-emptied", "config=timeout|ok script=timeout|ok",
            emptied("return { x = ('x'):rep(100000):gsub('()', function() next(t) end) }")
        ),
        (
            "return-emptied", "config=timeout script=timeout",
            emptied("local l = {} for i = 1, 50000 do l[i] = t end return l")
        ),
        // Sorting
        ("sort-errors", "config=timeout script=timeout", "while true do pcall(table.sort, { 3, 2, 1 }, error) end"),
        ("sort-hole", "config=runtime script=runtime", "table.sort({ 1, nil, nil, 4 })"),
        (
            "sort-no-order", "config=ok script=ok",
            "local t = {} for i = 1, 5000 do t[i] = i end table.sort(t, function() return true end) return {}"
        ),
        (
            "sort-nested", "config=timeout|runtime script=timeout|runtime",
            "local t = {} for i = 1, 300 do t[i] = -i end local function f(a, b) table.sort({ 2, 1, 3 }, f) return a < b end table.sort(t, f)"
        ),
        (
            "sort-growing", "config=timeout|memory script=timeout|memory",
            "local t = { 2, 1 } while true do table.sort(t) for i = 1, #t do t[#t + 1] = -i end end"
        ),
        // Names in errors
        ("name-chain-z", "config=source script=source", "local s = '\\z\n' local t = {} return t" + names(1500)),
        ("name-chain-crlf", "config=source script=source", "local s = '\\\r\n' local t = {} return t" + names(1500)),
        ("name-chain-hash", "config=source script=source", "#--[[\nlocal t = {} return t" + names(1500)),
        (
            "name-tree", "config=source script=source",
            "local t = {} return t" + String(repeating: "[t\(names(900))]", count: 30)
        ),
        (
            "name-loop", "config=timeout script=timeout",
            "local t = {} t.b = t local x = 1 if x ~= 1 then " + String(repeating: "x = 1 ", count: 2_000)
                + " end local function f() return t\(names(900)).c.d end while true do pcall(f) end"
        ),
        (
            "name-frames", "config=timeout script=timeout",
            "local t = {} t.b = t function t.f(n) if n == 0 then return t.c.d end return 1 + t\(names(400)).f(n - 1) end "
                + "while true do pcall(t.f, 100) end"
        ),
        (
            "name-close", "config=timeout script=timeout",
            "local t = {} t.b = t local m = { __close = function() return t\(names(900)).c.d end } "
                + "local function f(n) local x <close> = setmetatable({}, m) if n > 0 then f(n - 1) end end "
                + "while true do pcall(f, 100) end"
        ),
        // Calls of values that are not functions
        (
            "call-itself", "config=denied script=runtime",
            "local t = {} setmetatable(t, { __call = t }) select('#', table.unpack({}, 1, 200000)) t()"
        ),
        (
            "call-chain", "config=denied script=runtime",
            "local t = print for i = 1, 100000 do t = setmetatable({}, { __call = t }) end t()"
        ),
        (
            "call-later", "config=denied script=runtime",
            "local m = {} local t = setmetatable({}, m) m.__call = t t()"
        ),
        (
            "call-in-sort", "config=denied script=runtime",
            "local t = {} setmetatable(t, { __call = t }) table.sort({ 2, 1 }, t)"
        ),
        // Memory
        (
            "string-keys", "config=memory|timeout script=memory|timeout",
            "local t, i = {}, 0 while true do i = i + 1 t['key' .. i] = i end"
        ),
        (
            "closures", "config=memory script=memory",
            "local t = {} while true do local x = #t t[#t + 1] = function() return x end end"
        ),
        ("pcall-memory", "config=memory script=memory", "while true do pcall(string.rep, 'x', 1 << 30) end"),
        (
            "table-pack", "config=memory|runtime script=memory|runtime",
            "local t = {} while true do t[#t + 1] = table.pack(('x'):rep(200):byte(1, -1)) end"
        ),
        (
            "gsub-growth", "config=memory|timeout script=memory|timeout",
            "local s = 'x' while true do s = s:gsub('.', '%0%0') end"
        ),
        (
            "handler-memory", "config=memory script=memory",
            "xpcall(error, function() local s = 'x' while true do s = s .. s end end)"
        ),
        ("upper-growth", "config=memory script=memory", "local s = 'x' while true do s = s:upper() .. s end"),
        (
            "utf8-char", "config=memory|timeout script=memory|timeout",
            "local s = '' while true do s = s .. utf8.char(0x10FFFF):rep(100000) end"
        ),
        // Stacks
        (
            "mutual-recursion", "config=runtime|memory script=runtime|memory",
            "local f, g function f() return 1 + g() end function g() return 1 + f() end return { f() }"
        ),
        (
            "gsub-recursion", "config=runtime script=runtime",
            "local function f(s) return (('x'):gsub('x', f)) end return { f('x') }"
        ),
        (
            "sort-recursion", "config=runtime script=runtime",
            "local function f() local t = { 3, 2, 1 } table.sort(t, function(a, b) f() return a < b end) end f()"
        ),
        ("parse-parentheses", "config=syntax script=syntax", "return " + String(repeating: "(", count: 30_000)),
        ("parse-tables", "config=syntax script=syntax", "return " + String(repeating: "{", count: 30_000)),
        (
            "parse-unary", "config=syntax|ok|runtime script=syntax|ok|runtime",
            "return " + String(repeating: "not ", count: 15_000) + "1"
        ),
        ("parse-concat", "config=syntax script=syntax", "return 'a'" + String(repeating: "..'a'", count: 10_000)),
        ("parse-functions", "config=syntax script=syntax", String(repeating: "local function f() ", count: 3_000)),
        (
            "parse-upvalues", "config=syntax script=syntax",
            (0..<199).map { "local a\($0) = 0 " }.joined() + "return function() local function g() return "
                + (0..<199).map { "a\($0)" }.joined(separator: ",") + " end " + "goto x end"
        ),
        // Escapes
        (
            "meta-of-string", "config=denied script=ok|runtime",
            "getmetatable('').__index = nil return { n = ('x'):rep(2) }"
        ),
        ("env-through-load", "config=denied script=denied", "return load('return io', 'x', 't', _G)()"),
        ("env-raw", "config=denied script=ok", "return { x = rawget(_G, 'io') == nil and rawget(_G, 'debug') == nil }"),
        ("env-metatable", "config=denied script=ok|runtime|denied", "setmetatable(_G, nil) return { x = io }"),
        ("load-binary-mode", "config=denied script=denied", "return load('return 1', 'x', 'b')()"),
        (
            "gc-later", "config=denied script=ok",
            """
            local mt = {} local t = setmetatable({}, mt) mt.__gc = function() while true do end end t = nil
            for i = 1, 100000 do local x = {} end return {}
            """
        ),
        (
            "mode-later", "config=denied script=ok",
            "local mt = {} local t = setmetatable({}, mt) mt.__mode = 'kv' return {}"
        ),
        ("close-host", "config=denied script=denied", "return os.exit"),
        ("require-absolute", "config=denied script=denied", "return require('/etc/passwd')"),
        ("require-null", "config=denied script=denied", "return require('a\\0b')"),
        ("require-dots", "config=denied script=denied", "return require('a..b')"),
        // Decoding
        ("wide-table", "config=decode script=decode", "local t = {} for i = 1, 100001 do t[i] = true end return t"),
        ("shared-tree", "config=decode script=decode", "local t = {} for i = 1, 30 do t = { t, t } end return t"),
        ("long-key", "config=decode script=decode", "return { [('k'):rep(2000000)] = 1 }"),
        ("cycle-list", "config=decode script=decode", "local t = {} t[1] = { { t } } return t"),
    ]
    /// A program that works on `t`, whose slots were filled and emptied.
    private static func emptied(_ work: String) -> String {
        "local t = {} for i = 1, 131072 do t[i] = true t[i + 0.5] = true end "
            + "for i = 1, 131072 do t[i] = nil t[i + 0.5] = nil end " + work
    }

    private static func names(_ count: Int) -> String { String(repeating: ".b", count: count) }

    /// A program that works on `c`, which has a chain of 1,990 metatables.
    private static func chain(_ event: String, _ work: String, from start: String = "{}", holes: Bool = false) -> String
    {
        let table = "local t = {} for i = 1, 262144 do t[i] = 1 end for i = 2, 262143 do t[i] = nil end "
        return (holes ? table : "")
            + "local c = \(start) for i = 1, 1990 do c = setmetatable({}, { \(event) = c }) end \(work)"
    }
}
