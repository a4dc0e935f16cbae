import Foundation

/// What a piece of work may take, against its floor in the same run.
struct Budget {
    enum Limit {
        /// At most a multiple of the floor, and nanoseconds on top for each operation.
        case times(Double, plus: Double)
        /// At most so many nanoseconds; the floor is for comparison.
        case nanoseconds(Double)
        /// At most so many milliseconds on a machine where the floor takes the milliseconds behind it, and in proportion on
        /// slower and faster ones: the first moments of a process differ by more than half between machines that run
        /// arithmetic equally fast.
        case milliseconds(Double, whereFloorTakes: Double)
        /// At least so many times the floor's throughput, by two threads that do what the floor's one does.
        case throughput(Double)
        /// Asks for no memory.
        case noAllocation
        /// At most so many of a unit that is not nanoseconds, without a floor.
        case most(Double, String)
    }

    let id: String
    let work: String
    let floor: String
    let limit: Limit

    init(_ id: String, _ work: String, floor: String, times: Double, plus: Double = 0) {
        self.init(id, work, floor: floor, .times(times, plus: plus))
    }

    init(_ id: String, _ work: String, floor: String = "", _ limit: Limit) {
        self.id = id
        self.work = work
        self.floor = floor
        self.limit = limit
    }

    /// The budget as the table prints it.
    var text: String {
        switch limit {
        case .times(let times, let plus): "<= \(times)x" + (plus > 0 ? " + \(Int(plus)) ns" : "")
        case .milliseconds(let limit, let floor):
            "<= \(String(format: "%.1f", limit / floor))x: \(Int(limit)) ms where it takes \(floor)"
        case .nanoseconds(let limit) where limit >= 1_000_000: "<= \(Int(limit / 1_000_000)) ms"
        case .nanoseconds(let limit): "<= \(Int(limit)) ns"
        case .throughput(let times): ">= \(times)x"
        case .noAllocation: "0"
        case .most(let limit, let unit): "<= \(Int(limit)) \(unit)"
        }
    }

    /// The unit of what is measured without a floor; nil for what has one.
    var unit: String? {
        switch limit {
        case .noAllocation: ""
        case .most(_, let unit): " \(unit)"
        default: nil
        }
    }

    /// How ours compares with the floor, as the table prints it: a ratio of times, or of throughputs.
    func ratio(floor: Double, ours: Double) -> Double {
        if case .throughput = limit { return 2 * floor / ours }
        return ours / floor
    }

    /// Whether the budget is met. For `noAllocation`, `ours` is how often one operation allocates.
    func isMet(floor: Double, ours: Double) -> Bool {
        switch limit {
        case .times(let times, let plus): ours <= times * floor + plus
        case .milliseconds(let limit, let usual): ours * usual <= limit * floor
        case .nanoseconds(let limit): ours <= limit
        case .throughput(let times): ratio(floor: floor, ours: ours) >= times
        case .noAllocation: ours == 0
        case .most(let limit, _): ours <= limit
        }
    }

    /// Every budget, in the order of the table. A budget has room for noise: it is for a regression that somebody would feel.
    static let all = [
        Budget("container-get", "get() of a kept service", floor: "mutex + dictionary + box", times: 1.5),
        Budget("container-property", "the same through a cached property", floor: "the same", times: 2),
        Budget("container-singleton", "the same through a singleton property", floor: "the same", times: 2),
        Budget("container-define", "define a factory property", floor: "closure", .nanoseconds(20)),
        Budget("container-unique", "resolve a unique property", floor: "closure + new object", times: 2.5),
        Budget("container-unique-get", "get() of a unique service", floor: "closure + new object", times: 2.5),
        Budget("container-child", "get() of a kept service in a child", floor: "closure", .nanoseconds(80)),
        Budget("container-weak", "a property in the scope shared", floor: "closure", .nanoseconds(120)),
        Budget("container-shared-get", "Container.shared.get(), kept", floor: "closure", .nanoseconds(80)),
        Budget(
            "container-shared-unique", "a unique property of Container.shared", floor: "closure + new object",
            .nanoseconds(90)),
        Budget("container-follow-get", "get() of the active market's service", floor: "closure", .nanoseconds(80)),
        Budget(
            "container-follow-unique", "a unique property while a market is active", floor: "closure + new object",
            .nanoseconds(90)),
        Budget("container-threads", "two threads, one kept service", floor: "shared refcount", times: 2.5),
        Budget("container-threads-shared", "the same, Container.shared", floor: "two shared refcounts", times: 2.5),
        Budget("container-threads-each", "two threads, a container each", floor: "one thread", .throughput(1.6)),
        Budget("container-get-allocations", "allocations of get(), kept", .noAllocation),
        Budget("container-child-allocations", "allocations of get() in a child", .noAllocation),
        Budget("container-shared-allocations", "allocations of Container.shared.get()", .noAllocation),
        Budget("container-property-allocations", "allocations of a cached property", .noAllocation),
        Budget("container-capture-allocations", "the same, whose closure captures self", .noAllocation),
        Budget("container-singleton-allocations", "allocations of a singleton property", .noAllocation),
        Budget("container-define-allocations", "allocations of defining a property", .noAllocation),
        Budget("link-hit", "parse and match a link, 239 routes", floor: "one byte scan", times: 3, plus: 250),
        Budget("link-query", "the same with a query", floor: "one byte scan", times: 3, plus: 250),
        Budget("link-miss", "the same, a miss", floor: "one byte scan", times: 3, plus: 250),
        Budget(
            "link-1k-flat-hit", "the same, 1,000 routes, flat, a hit", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-1k-flat-miss", "the same, 1,000 routes, flat, a miss", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-1k-tree-hit", "the same, 1,000 routes, tree, a hit", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-1k-tree-miss", "the same, 1,000 routes, tree, a miss", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-10k-flat-hit", "the same, 10,000 routes, flat, a hit", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-10k-flat-miss", "the same, 10,000 routes, flat, a miss", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-10k-tree-hit", "the same, 10,000 routes, tree, a hit", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-10k-tree-miss", "the same, 10,000 routes, tree, a miss", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-100k-flat-hit", "the same, 100,000 routes, flat, a hit", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-100k-flat-miss", "the same, 100,000 routes, flat, a miss", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-100k-tree-hit", "the same, 100,000 routes, tree, a hit", floor: "one byte scan", times: 3,
            plus: 250),
        Budget(
            "link-100k-tree-miss", "the same, 100,000 routes, tree, a miss", floor: "one byte scan", times: 3,
            plus: 250),
        Budget("link-100k-flat-growth", "a hit, 100,000 routes, flat", floor: "a hit, 239 routes", times: 2),
        Budget(
            "link-100k-flat-build", "build 100,000 routes, flat, prove no conflict", floor: "one byte scan",
            .nanoseconds(1_000_000_000)),
        Budget("link-100k-tree-growth", "a hit, 100,000 routes, tree", floor: "a hit, 239 routes", times: 2),
        Budget(
            "link-100k-tree-build", "build 100,000 routes, tree, prove no conflict", floor: "one byte scan",
            .nanoseconds(1_000_000_000)),
        Budget(
            "link-hostile", "a hostile table's worst link, for each visit", floor: "one byte scan", .nanoseconds(100)),
        Budget("link-hit-allocations", "allocations of parse and match, a hit", .noAllocation),
        Budget("link-query-allocations", "the same with a query", .noAllocation),
        Budget("link-miss-allocations", "the same, a miss", .noAllocation),
        Budget("lua-call", "call Lua from Swift, 2 integers", floor: "C", times: 4),
        Budget("lua-host", "call Swift from Lua, 2 integers", floor: "C", times: 4),
        Budget("lua-decode", "decode a table of 60 fields", floor: "C walk", times: 10),
        Budget(
            "compiled-cold", "compiled market from its file, first of a process", floor: "lua5.4 -e ''",
            .milliseconds(10.4, whereFloorTakes: 1.3)),
        Budget(
            "delivered-cold", "market of a store, verified, first of a process", floor: "lua5.4 -e ''",
            .milliseconds(10.4, whereFloorTakes: 1.3)),
        Budget(
            "open-cold", "glass-host open, a whole process", floor: "lua5.4 -e ''",
            .milliseconds(60, whereFloorTakes: 1.3)),
        Budget(
            "delivered-verify", "prove the metadata of a refresh, warm, CPU", floor: "read the file",
            .nanoseconds(1_000_000)),
        Budget(
            "completion-market", "complete a market in a shell, a process", floor: "complete a service",
            .nanoseconds(60_000_000)),
        Budget(
            "completion-key", "complete a key path, a process", floor: "complete a service", .nanoseconds(60_000_000)),
        Budget(
            "completion-reference", "complete a branch, a process and git's", floor: "complete a service",
            .nanoseconds(60_000_000)),
        Budget(
            "check-303", "check of 303 markets, a whole process", floor: "git --version", .nanoseconds(1_500_000_000)),
        Budget(
            "review-3", "review of 3 markets, a whole process", floor: "git --version", .nanoseconds(150_000_000)),
        Budget(
            "review-200", "review of 200 markets that the change reaches", floor: "git --version",
            .nanoseconds(3_000_000_000)),
        Budget(
            "review-links", "what 10,000 recorded links add to it", floor: "git --version",
            .nanoseconds(1_000_000_000)),
        Budget("lua-market", "200-line market, fresh state, close", floor: "C", times: 3.5),
        Budget("flags-read", "read a flag of 200", floor: "look-up", times: 1.5),
        Budget("flags-context", "the same in another context, 3 rules and a percentage", floor: "look-up", times: 5),
        Budget("flags-read-allocations", "allocations of reading a flag", .noAllocation),
        Budget("flags-text-allocations", "the same, a text", .noAllocation),
        Budget("flags-check", "check, 200 flags of 3 rules", floor: "check of us", .nanoseconds(150_000_000)),
        Budget("situations-check", "check, 300 varied keys, 64 conditions", floor: "300 plain keys", times: 4),
        Budget(
            "situations-large", "check, 30 conditions, 40 overlays", floor: "300 plain keys", .nanoseconds(150_000_000)),
        Budget("situations-update", "new context that changes nothing", floor: "look-up", .nanoseconds(50_000)),
        Budget("situations-with", "the same market in another situation", floor: "check of it", times: 0.5),
        Budget("lsp-initialize", "lsp: start to the answer to initialize, median", .most(60, "ms")),
        Budget("lsp-edit-p50", "lsp: edit to diagnostics, 3 markets, median", .most(15, "ms")),
        Budget("lsp-edit-p95", "the same, 95 of 100", .most(40, "ms")),
        Budget("lsp-edit-200", "the same, the market that 198 others extend", .most(60, "ms")),
        Budget("lsp-all-200", "lsp: edit to the diagnostics of those 198, median", .most(2000, "ms")),
        Budget("lsp-hover", "lsp: hover while Lua runs, 95 of 100", .most(10, "ms")),
        Budget("lsp-completion", "lsp: completion while Lua runs, 95 of 100", .most(10, "ms")),
        Budget("lsp-definition", "lsp: definition while Lua runs, 95 of 100", .most(10, "ms")),
        Budget("lsp-memory", "lsp: memory after 10,000 edits, 3 markets", .most(80, "MB")),
        Budget("lsp-growth", "its growth after the first 1,000", .most(5, "MB")),
        Budget("lsp-memory-200", "lsp: memory with 200 markets", .most(200, "MB")),
        Budget("lsp-idle", "lsp: processor time when nothing happens", .most(0, "%")),
    ]
}
