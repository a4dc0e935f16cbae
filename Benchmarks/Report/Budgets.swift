/// What a piece of work may take: a multiple of its floor, and nanoseconds on top for each operation.
struct Budget {
    let id: String
    let work: String
    let floor: String
    let times: Double
    let plus: Double

    init(_ id: String, _ work: String, floor: String, times: Double, plus: Double = 0) {
        self.id = id
        self.work = work
        self.floor = floor
        self.times = times
        self.plus = plus
    }

    /// The budget as the table prints it.
    var text: String { "<= \(times)x" + (plus > 0 ? " + \(Int(plus)) ns" : "") }

    /// Every budget, in the order of the table.
    static let all = [
        Budget("container-get", "get() of a kept service", floor: "mutex + dictionary + box", times: 1),
        Budget("container-property", "the same through a cached property", floor: "the same", times: 1.5),
        Budget("container-unique", "resolve a unique property", floor: "closure + new object", times: 2),
        Budget("link-hit", "parse and match a link, 239 routes", floor: "one byte scan", times: 3, plus: 100),
        Budget("link-query", "the same with a query", floor: "one byte scan", times: 3, plus: 100),
        Budget("link-miss", "the same, a miss", floor: "one byte scan", times: 3, plus: 100),
        Budget("link-100k-hit", "the same, 100,000 routes, a hit", floor: "one byte scan", times: 3, plus: 100),
        Budget("link-100k-miss", "the same, 100,000 routes, a miss", floor: "one byte scan", times: 3, plus: 100),
        Budget("lua-call", "call Lua from Swift, 2 integers", floor: "C", times: 3),
        Budget("lua-host", "call Swift from Lua, 2 integers", floor: "C", times: 3),
        Budget("lua-decode", "decode a table of 60 fields", floor: "C walk", times: 8),
        Budget("lua-market", "200-line market, fresh state, close", floor: "C", times: 2.5),
    ]
}
