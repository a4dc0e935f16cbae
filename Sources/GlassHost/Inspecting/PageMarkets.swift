import GlassBase
import GlassInspector
import GlassMarketFiles
import GlassMarkets
import GlassSchema

/// A market in the situation of a page.
struct PageMarket {
    /// The market in that situation.
    let own: Market
    /// The market in the default situation; nil if it is the same one.
    let otherwise: Market?

    /// Creates the market of a page.
    init(_ own: Market, otherwise: Market? = nil) {
        self.own = own
        self.otherwise = otherwise
    }

    /// The market in the default situation.
    var byDefault: Market { otherwise ?? own }

    /// The differences between the situation and the default one; nil if the market is the same in both.
    func change(_ budget: WorkBudget) throws(WorkBudget.Exceeded) -> MarketDifference? {
        guard let otherwise else { return nil }
        return try MarketDifference(
            from: own, to: otherwise, labels: (before: "here", after: "otherwise"), budget: budget)
    }
}

/// The markets in use at one moment, in the situation of a page and in the default one.
///
/// The default situation is that of the store, which comes from the options of the command. Nothing keeps the markets of
/// another situation after the response, because the situation may be personal.
struct PageMarkets {
    /// The markets in the default situation, by id.
    let byDefault: [String: Market]
    /// The attributes that conditions of some market can test, each with the values of all markets.
    let attributes: [ContextAttribute]
    /// The attributes that the page sets in each market, by id: those that the market has.
    private let contexts: [String: MarketContext]
    /// The names of the attributes that the page sets.
    let chosen: [String]

    /// Reads the situation of a page.
    ///
    /// - Parameter shared: The attributes of a market that does not load.
    /// - Throws: A failure that names the attribute, if no market accepts its value.
    init(
        _ markets: [String: Market], sharing shared: [ContextAttribute], in situation: InspectorSituation
    ) throws(InspectorFailure) {
        var attributes: [ContextAttribute] = []
        let declared = markets.sorted { $0.key.precedesInUTF8($1.key) }.map(\.value.attributes)
        for attribute in declared.isEmpty ? shared : declared.flatMap(\.self) {
            if let index = attributes.firstIndex(where: { $0.name == attribute.name }) {
                attributes[index].type.formUnion(attribute.type)
                attributes[index].isPersonal = attributes[index].isPersonal || attribute.isPersonal
            } else {
                attributes.append(attribute)
            }
        }
        var contexts: [String: MarketContext] = [:]
        for (name, text) in situation.attributes.sorted(by: { $0.key < $1.key }) {
            var isAccepted = false
            for (id, market) in markets {
                guard let value = try? market.attributes.value(of: name, from: text, zones: .system) else {
                    continue  // another market may accept it; if none does, the error below says why
                }
                contexts[id, default: MarketContext()][name] = value
                isAccepted = true
            }
            guard !isAccepted else { continue }
            do throws(MarketContextError) {
                _ = try attributes.value(of: name, from: text, zones: .system)
            } catch {
                throw InspectorFailure(error.description, attribute: name)
            }
            guard markets.isEmpty else {
                throw InspectorFailure("\(name): no market accepts this value", attribute: name)
            }
        }
        byDefault = markets
        self.attributes = attributes
        self.contexts = contexts
        chosen = situation.attributes.keys.sorted()
    }

    /// A market of the page; nil if it is not in use.
    func market(_ id: String) throws -> PageMarket? {
        guard let market = byDefault[id] else { return nil }
        guard let context = contexts[id], market.dependsOnSituation else { return PageMarket(market) }
        do {
            return PageMarket(try market.with(context), otherwise: market)
        } catch let error as MarketError {
            throw InspectorFailure("\(error)")
        }
    }

    /// All markets of the page: those without an abstract base, and then those of each base, ordered by id.
    func all() throws -> [PageMarket] {
        try Array(byDefault.values).groupedByBase.compactMap { try market($0.id) }
    }

    /// The attributes that the page sets, each with the markets that ignore it, if there are any.
    var ignored: [(attribute: String, markets: [String])] {
        chosen.compactMap { name in
            let ids = byDefault.keys.filter { contexts[$0]?[name] == nil }
            return ids.isEmpty ? nil : (name, ids.sorted { $0.precedesInUTF8($1) })
        }
    }
}

extension ContextType {
    /// Adds the names that the attribute has in another market.
    fileprivate mutating func formUnion(_ other: ContextType) {
        func union(_ one: [String], _ two: [String]) -> [String] { one + two.filter { !one.contains($0) } }
        switch (self, other) {
        case (.choice(let one), .choice(let two)): self = .choice(union(one, two))
        case (.locale(let one), .locale(let two)): self = .locale(union(one, two))
        case (.set(let one), .set(let two)): self = .set(one.flatMap { one in two.map { union(one, $0) } })
        default: break
        }
    }
}
