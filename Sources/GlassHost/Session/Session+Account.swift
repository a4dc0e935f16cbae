import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema

extension WorkBudget {
    /// The budget of a command: counted steps, so that the same markets have the same result on every machine, and memory
    /// for the markets that it holds. The clock only catches what the counts miss.
    ///
    /// - Parameter count: The number of markets, unless the user chose a number of steps.
    static func ofCommand(_ options: GlobalOptions, markets count: Int = 1) -> WorkBudget {
        WorkBudget(
            cpuTime: max(.seconds(60), .microseconds(options.maximumSteps ?? 0)), bytes: maximumBytes,
            work: unlimitedPhases, steps: options.maximumSteps ?? steps(forMarkets: count), isOfCommand: true)
    }

    /// The usual number of steps of a command about a number of markets: two markets at their own limit, and for each
    /// market some fifty times what a small one takes.
    static func steps(forMarkets count: Int) -> Int { 2 * stepsOfAJob + count * stepsOfAMarket }

    /// The error for a market when no steps are left.
    var exceededByCommand: Exceeded { Exceeded(phase: .loading, limit: .command(total)) }

    /// The number of steps for each market that a command was asked about.
    static let stepsOfAMarket = 200_000
    /// The number of steps for suggestions from markets that a command was not asked about.
    static let stepsOfSuggestions = 1_000_000
    /// The maximum memory of all markets that a command holds, in bytes; the same as for a script.
    private static let maximumBytes = 256 << 20
}

extension Session {
    /// The same session with a budget of its own, for one of many requests to a program that runs on.
    var forOneRequest: Session {
        var session = self
        session.account = .ofCommand(options)
        return session
    }

    /// Raises the command's budget to that of a number of markets, unless the user chose one.
    func expect(markets count: Int) {
        if options.maximumSteps == nil { account.raise(to: WorkBudget.steps(forMarkets: count)) }
    }

    /// Loads markets in order until the budget is used up, and shows the progress on the terminal. Meanwhile the next ones
    /// are loaded on other threads, one for each processor.
    ///
    /// - Parameters:
    ///   - names: The names.
    ///   - verb: What the command does, for its progress line.
    ///   - budget: The budget, if it is not the command's.
    ///   - cost: The number of steps that an item took.
    ///   - load: Loads the item of a name. Its result must not depend on the other items.
    ///   - body: Uses an item, which it gets from a function that throws the error of `load`.
    /// - Returns: The names that were not loaded, because the steps were used up.
    func forEach<Item: Sendable>(
        _ names: [String], _ verb: DisplayText, within budget: WorkBudget? = nil,
        cost: @escaping @Sendable (Item) -> Int, loading load: @escaping @Sendable (String) throws -> Item,
        _ body: (String, () throws -> Item) throws -> Void
    ) throws -> [String] {
        if budget == nil { expect(markets: names.count) }
        let context = CommandContext.current
        let items = LoadAhead(names.count, account: budget ?? account, cost: cost) { index in
            try CommandContext.$current.withValue(context) { try load(names[index]) }
        }
        defer { items.end() }
        var (index, unread) = (0, [String]())
        _ = try console.map(names, verb) { name in
            defer { index += 1 }
            let item = Result { try items.item(at: index) }
            if case .success(nil) = item { return unread.append(name) }
            try body(name) { try item.get()! }
        }
        return unread
    }

    /// Loads markets in order until the budget is used up.
    func forEach(
        _ names: [String], of markets: SessionMarkets, _ verb: DisplayText, within budget: WorkBudget? = nil,
        _ body: (String, () throws -> MarketCheck) throws -> Void
    ) throws -> [String] {
        try forEach(names, verb, within: budget, cost: \.cost.steps, loading: { try markets.check($0) }, body)
    }

    /// Charges a market that was loaded alone.
    func charged(_ check: MarketCheck) -> MarketCheck {
        account.charge(check.cost.steps)
        return check
    }

    /// Loads markets in order, for a result that needs each of them.
    ///
    /// - Parameter status: The status of a failure for a market with errors.
    /// - Throws: A failure for a market with errors, and if the command's budget is too small for all of them.
    func map<Value>(
        _ names: [String], of markets: SessionMarkets, _ verb: DisplayText, failing status: CommandFailure.Status = .no,
        _ body: (Market) throws -> Value
    ) throws -> [Value] {
        var values: [Value] = []
        let unread = try forEach(names, of: markets, verb) { name, check in
            values.append(try body(market(of: name, failing: status, check)))
        }
        if let unread = UnreadMarkets(unread, account) { throw unread.failure }
        return values
    }
}

extension Session {
    /// The market of a check.
    ///
    /// - Parameter status: The status of a failure for a market with errors.
    func market(
        of id: String, failing status: CommandFailure.Status, _ check: () throws -> MarketCheck
    ) throws -> Market {
        do {
            return try reporting {
                let check = try check()
                guard let market = check.market else { throw MarketError.invalid(id, findings: check.findings) }
                return market
            }
        } catch let failure as CommandFailure where failure.status == .no {
            throw failure.with(status: status)
        }
    }
}

/// Markets that a command loaded with mocks to choose one for a link, for suggestions from the same markets.
final class TriedMarkets: Sendable {
    private let markets = Lock<(byID: [String: Market], bytes: Int)>(([:], 0))

    /// The maximum memory of the markets.
    private static let maximumBytes = 64 << 20

    /// Keeps a market, as long as there is memory.
    func add(_ market: Market) {
        markets.withLock { markets in
            guard markets.bytes + market.footprint <= Self.maximumBytes else { return }
            markets.byID[market.id] = market
            markets.bytes += market.footprint
        }
    }

    /// A market; nil if it was not loaded or not kept.
    subscript(id: String) -> Market? { markets.withLock { $0.byID[id] } }
}

/// The markets that a command did not load because its budget was used up.
struct UnreadMarkets {
    /// Their ids, in order.
    let ids: [String]
    private let limit: Int

    /// Nil if there are none.
    init?(_ ids: [String], _ account: WorkBudget) {
        guard !ids.isEmpty else { return nil }
        self.ids = ids
        limit = account.total
    }

    /// The maximum number of names in a sentence.
    private static let maximumNames = 10

    /// The names of the first ones.
    private var names: String {
        let known = ids.prefix(Self.maximumNames)
        let more = ids.count - known.count
        return more > 0 ? "\(known.joined(separator: ", ")) and \(more) more" : Array(known).inProse()
    }

    /// That they were not loaded, and why.
    var text: String { text("loaded") }

    private func text(_ done: String) -> String {
        "\(names) \(ids.count == 1 ? "was" : "were") not \(done), because the markets before "
            + "\(ids.count == 1 ? "it" : "them") used up the command's limit of \(limit.grouped) steps"
    }

    /// That named markets were not compared with them, and why.
    var textOfComparison: DisplayText {
        "the named markets were not compared with \(names), because earlier comparisons used up their limit of \(limit.grouped) steps"
    }

    /// How to check them.
    var hint: String {
        "raise the limit, for example with --max-steps "
            + "\(limit + ids.count * WorkBudget.stepsOfAJob)"
    }

    /// The failure of a command that needs all markets.
    var failure: CommandFailure { CommandFailure(status: .impossible, .limit, "\(text); \(hint)") }

    /// A finding that keeps a command from having a result.
    var finding: Finding { Finding(.limit, at: nil, subject: "steps", text("checked"), hint: hint) }
}
