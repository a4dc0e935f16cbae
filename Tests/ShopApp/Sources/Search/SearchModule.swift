public import GlassContainer
import GlassDeepLinking
public import GlassMarkets
public import GlassSchema

/// What a market says about searching. It must name its index, so each market has the section.
public struct SearchConfiguration: MarketSection {
    /// The index that is searched.
    public var index = ""
    /// How much more a department counts, by name.
    public var boosts: [String: Double] = [:]
    /// What is offered while someone types.
    public var suggestions = Suggestions()

    /// The key at the top of a market file.
    public static let key = "searching"
    /// What the section is for.
    public static let summary = "What is searched."
    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("index", \.index, .string(.identifier), required: true, "The index that is searched."),
        .init(
            "boosts", \.boosts, .map(of: .number(0...10), keys: .identifier),
            "How much more a department counts, by name."),
        .init("suggestions", \.suggestions, "What is offered while someone types."),
    ]

    /// Creates it with the defaults.
    public init() {}

    /// What is offered while someone types.
    public struct Suggestions: ConfigurationSection {
        /// How many at most.
        public var limit = 8
        /// Words that are never offered.
        public var hidden: [String] = []

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("limit", \.limit, .integer(0...20), "How many at most."),
            .init("hidden", \.hidden, .set(of: .string(.nonEmpty), count: 0...100), "Words that are never offered."),
        ]

        /// Creates it with the defaults.
        public init() {}
    }
}

/// Finds what the shop sells.
public protocol SearchAPI: ScriptCallable {
    /// The index that is searched.
    var index: String { get }
    /// Whether the index can be searched.
    var isReady: Bool { get }
    /// What begins with a text.
    func suggestions(for text: String) async throws -> [String]
}

extension SearchAPI {
    /// The name under which errors of scripts speak of the service.
    public var scriptTypeName: String { "SearchAPI" }
    /// What scripts call.
    public var scriptMethods: [ScriptMethod] {
        [
            ScriptMethod("index", [], "The index that is searched.") { [self] _ in .string(index) },
            ScriptMethod(
                "suggestions", ["text"], "What begins with a text.",
                waiting: { [self] arguments in
                    .list(try await suggestions(for: try arguments.string(0, "text")).map { .string($0) })
                }),
        ]
    }
}

extension Container {
    /// Finds what the shop sells.
    public var search: Factory<any SearchAPI> { registered() }
}

extension MarketModule {
    /// What the search feature gives to markets.
    public static let search = MarketModule(
        "search", sections: [SearchConfiguration.self], asyncRoutables: [SuggestRoutable.self],
        services: [
            Service(
                (any SearchAPI).self, requires: [SearchConfiguration.self], configuredBy: ["searching"],
                isExternal: true, "Finds what the shop sells."
            ) { c in RemoteSearch(configuration: c.get()) }
        ],
        preconditions: [
            Precondition("indexReady", requires: [(any SearchAPI).self], "The index can be searched.") { container in
                container.search().isReady
            }
        ])
}

/// Shows what begins with a text; it asks the index first.
struct SuggestRoutable: AsyncMarketRoutable {
    /// What a market says about the routable.
    struct Configuration: ConfigurationSection {
        /// The shortest text that is asked for.
        var shortestText = 2

        static let keys: [ConfigurationKey<Self>] = [
            .init("shortestText", \.shortestText, .integer(1...10), "The shortest text that is asked for.")
        ]
    }

    static let feature = Feature(
        id: "suggest", tab: "search", screen: "suggestions", paths: ["suggest/:text"], requires: ["text"],
        "What begins with a text.")
    static let requires: [Any.Type] = [(any SearchAPI).self]
    private let configuration: Configuration
    private let search: any SearchAPI

    init(container: Container, configuration: Configuration) {
        self.configuration = configuration
        search = container.get()
    }

    func handleDeepLink(_ link: DeepLink, state: DeepLinkNavigationState) async throws -> Bool {
        guard let text = link.value("text"), text.count >= configuration.shortestText else { return false }
        let found = try await search.suggestions(for: text)
        state.show("suggestions", parameters: ["first": found.first ?? "", "count": "\(found.count)"])
        return true
    }
}

/// Stands for a client of the index.
final class RemoteSearch: SearchAPI {
    let index: String
    let isReady = true
    private let suggestions: SearchConfiguration.Suggestions

    init(configuration: SearchConfiguration) {
        index = configuration.index
        suggestions = configuration.suggestions
    }

    func suggestions(for text: String) async throws -> [String] {
        ["\(text)", "\(text)s", "\(text) deals"].filter { !suggestions.hidden.contains($0) }
            .prefix(suggestions.limit).map { $0 }
    }
}
