public import GlassContainer
import GlassDeepLinking
public import GlassMarkets
public import GlassSchema

/// A market's settings for search. The index is required, so each market has the section.
public struct SearchConfiguration: MarketSection {
    /// The index to search.
    public var index = ""
    /// The weights of departments, by name.
    public var boosts: [String: Double] = [:]
    /// The suggestions shown during typing.
    public var suggestions = Suggestions()

    /// The top-level key in a market file.
    public static let key = "searching"
    /// A summary of the section.
    public static let summary = "What is searched."
    /// The keys of the section.
    public static let keys: [ConfigurationKey<Self>] = [
        .init("index", \.index, .string(.identifier), required: true, "The index that is searched."),
        .init(
            "boosts", \.boosts, .map(of: .number(0...10), keys: .identifier),
            "How much more a department counts, by name."),
        .init("suggestions", \.suggestions, "What is offered while someone types."),
    ]

    /// Creates a configuration with the defaults.
    public init() {}

    /// The suggestions shown during typing.
    public struct Suggestions: ConfigurationSection {
        /// The maximum number.
        public var limit = 8
        /// Words that are never suggested.
        public var hidden: [String] = []

        /// The keys of the section.
        public static let keys: [ConfigurationKey<Self>] = [
            .init("limit", \.limit, .integer(0...20), "How many at most."),
            .init("hidden", \.hidden, .set(of: .string(.nonEmpty), count: 0...100), "Words that are never offered."),
        ]

        /// Creates a configuration with the defaults.
        public init() {}
    }
}

/// Searches the shop's products.
public protocol SearchAPI: AnyObject, ScriptCallable {
    /// The index to search.
    var index: String { get }
    /// Whether the index can be searched.
    var isReady: Bool { get }
    /// The suggestions that start with a text.
    func suggestions(for text: String) async throws -> [String]
}

extension SearchAPI {
    /// The name of the service in script errors.
    public var scriptTypeName: String { "SearchAPI" }
    /// The methods for scripts.
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
    /// Searches the shop's products.
    public var search: Factory<any SearchAPI> { registered() }
}

extension MarketModule {
    /// The search feature's part of a market.
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

/// Shows suggestions that start with a text, after querying the index.
struct SuggestRoutable: AsyncMarketRoutable {
    /// A market's settings for the routable.
    struct Configuration: ConfigurationSection {
        /// The minimum length of the text.
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

/// Represents a client of the index.
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
