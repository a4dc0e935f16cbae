import CommandTesting
import Foundation
import Testing

/// The same files give the same bytes, regardless of process, time and memory addresses.
@Suite(.timeLimit(.minutes(2)))
struct SameResultTests {
    /// Each reports its result in an error: values through which Lua's hash seed, the clock or an address could show.
    static let programs = [
        """
        local a = {}
        for i = 1, 2000 do a[i] = { k = 10 + i % 3, id = i } end
        a[1].k, a[2000].k, a[500].k = 1, 3, 2
        table.sort(a, function(x, y) return x.k < y.k end)
        local h = 0
        for _, x in ipairs(a) do h = (h * 31 + x.id) % 1000000007 end
        error("sorted " .. h)
        """,
        """
        local t, s = {}, {}
        for i = 1, 300 do t["key" .. i * 7919 % 1000] = i t[i * 31 % 97 + 0.5] = i end
        for k, v in pairs(t) do s[#s + 1] = k .. "=" .. v end
        for k in pairs({ pairs = 1, next = 2, [true] = 3 }) do s[#s + 1] = tostring(k) end
        error("visited " .. table.concat(s, " "))
        """,
        "error('shown ' .. tostring({}) .. tostring(print) .. math.random(1000000) .. string.format('%s', {}))",
        "local f = {} for i = 1, 50 do f['k' .. i] = {} end return { id = 'zz', locales = f, unknown = f }",
        "return { id = 'zz', locales = { 'en-US', nil, 'fr-FR', nil, nil, 'de-DE' } }",
    ]

    @Test(arguments: programs)
    func marketGivesSameResultInEachProcess(_ program: String) throws {
        let folder = try TestFolder()
        let markets = try folder.smallMarkets()
        try program.write(to: markets.appending(path: "zz.lua"), atomically: true, encoding: .utf8)
        var outputs: Set<String> = []
        for turn in 0..<8 {
            let run = try HostRun(
                ["check", "zz", "--markets", markets.path],
                environment: ["PADDING": String(repeating: "x", count: turn * 997)])
            #expect(run.status == 1, "\(run.errors)")
            outputs.insert(run.output + run.errors)
        }
        #expect(outputs.count == 1, "\(outputs.sorted().joined(separator: "\n---\n"))")
    }
}
