import GlassContainer
import GlassMarkets
import GlassSchema
import Loyalty
import Search

// Ten services for each department: like a large app's services for each feature, one type each.

struct Endpoint<D: Department>: Sendable { let path = "catalog/\(D.name)" }
struct Cache<D: Department>: Sendable { let limit: Int }
struct Mapper<D: Department>: Sendable { let currency: String }
struct Source<D: Department>: Sendable {
    let endpoint: Endpoint<D>
    let cache: Cache<D>
}
struct Repository<D: Department>: Sendable {
    let source: Source<D>
    let mapper: Mapper<D>
}
struct Ranking<D: Department>: Sendable { let boost: Double }
struct Pricing<D: Department>: Sendable { let loyalty: any LoyaltyAPI }
struct Stock<D: Department>: Sendable { let repository: Repository<D> }
struct Finder<D: Department>: Sendable {
    let ranking: Ranking<D>
    let search: any SearchAPI
}

/// The service that a department's screens use: a structure, which scripts can call like an object.
struct Storefront<D: Department>: ScriptCallable {
    private let repository: Repository<D>
    private let pricing: Pricing<D>
    private let stock: Stock<D>
    private let finder: Finder<D>

    init(repository: Repository<D>, pricing: Pricing<D>, stock: Stock<D>, finder: Finder<D>) {
        self.repository = repository
        self.pricing = pricing
        self.stock = stock
        self.finder = finder
    }

    /// The department with its currency, its index and the points per dollar.
    var title: String {
        "\(D.name) \(repository.mapper.currency) \(finder.search.index) \(pricing.loyalty.points(forCents: 100))"
    }

    var scriptTypeName: String { "Storefront<\(D.name)>" }
    var scriptMethods: [ScriptMethod] {
        [ScriptMethod("title", [], "The department with its currency and index.") { [self] _ in .string(title) }]
    }
}

extension Service {
    /// The services of all departments.
    static let departments: [Service] = ShopMarkets.departments.flatMap { parts(of: $0) }

    private static func parts<D: Department>(of _: D.Type) -> [Service] {
        [
            Service(Endpoint<D>.self, "Where the department is asked for.") { _ in Endpoint() },
            Service(Cache<D>.self, requires: [StoresConfiguration.self], "What is kept of it.") { c in
                Cache(limit: c.get(StoresConfiguration.self).cacheLimit)
            },
            Service(Mapper<D>.self, requires: [MarketDefinition.self], "Reads answers.") { c in
                Mapper(currency: c.get(MarketDefinition.self).currency)
            },
            Service(Source<D>.self, requires: [Endpoint<D>.self, Cache<D>.self], "Asks for it.") { c in
                Source(endpoint: c.get(), cache: c.get())
            },
            Service(Repository<D>.self, requires: [Source<D>.self, Mapper<D>.self], "Its items.") { c in
                Repository(source: c.get(), mapper: c.get())
            },
            Service(
                Ranking<D>.self, requires: [SearchConfiguration.self], configuredBy: ["searching.boosts"],
                "The order of its items."
            ) { c in Ranking(boost: c.get(SearchConfiguration.self).boosts[D.name] ?? 1) },
            Service(Pricing<D>.self, requires: [(any LoyaltyAPI).self], "Its prices.") { c in
                Pricing(loyalty: c.get())
            },
            Service(Stock<D>.self, requires: [Repository<D>.self], "What is there.") { c in
                Stock(repository: c.get())
            },
            Service(Finder<D>.self, requires: [Ranking<D>.self, (any SearchAPI).self], "Finds items.") { c in
                Finder(ranking: c.get(), search: c.get())
            },
            Service(
                Storefront<D>.self,
                requires: [Repository<D>.self, Pricing<D>.self, Stock<D>.self, Finder<D>.self],
                "What the screens of the department ask."
            ) { c in Storefront(repository: c.get(), pricing: c.get(), stock: c.get(), finder: c.get()) },
        ]
    }
}
