import GlassBase
import GlassDeepLinking
import GlassMarketFiles
package import GlassMarkets
package import GlassPlatform
import GlassSchema

/// The choice of a market for a command whose user did not name one.
struct MarketChoice {
    /// The ids of the folder's markets.
    let ids: [String]
    /// The default of the program's module.
    let ofModule: String?

    /// The default of the module if the folder has it, or the only market; nil if there are several.
    var usual: String? {
        if let ofModule, ids.contains(ofModule) { return ofModule }
        return ids.count == 1 ? ids.first : nil
    }

    /// The markets that a link belongs to, by its scheme or its host. Those that list the host precede those with a
    /// wildcard that covers it, as they do on Apple's systems, and those precede the ones that only allow the domain.
    ///
    /// - Parameter markets: The folder's markets that load.
    func fitting(_ link: DeepLink, among markets: [Market]) -> [Market] {
        guard link.isWebLink else { return markets.filter { $0.definition.deepLinking.hasScheme(link.scheme) } }
        let all = markets.compactMap { market -> (market: Market, precedence: Int)? in
            let links = market.definition.deepLinking
            if let host = links.universalHost(covering: link.host) { return (market, host.precedence) }
            return links.isAllowed(host: link.host) ? (market, -1) : nil
        }
        let highest = all.map(\.precedence).max()
        return all.filter { $0.precedence == highest }.map(\.market)
    }

    /// One of several markets that a link belongs to: the usual one, otherwise one that the others extend, otherwise the
    /// first.
    func chosen(of fitting: [Market]) -> Market? {
        if let usual, let market = fitting.first(where: { $0.id == usual }) { return market }
        let base = fitting.first { base in
            fitting.allSatisfy { $0 === base || $0.origin.bases.contains(base.id) }
        }
        return base ?? fitting.first
    }

    /// The failure of a command that cannot choose.
    ///
    /// - Parameter reason: Why the link does not decide, if there is one.
    func failure(_ reason: String? = nil) -> CommandFailure {
        CommandFailure(
            status: .impossible,
            "\(reason ?? "there are several markets"); choose one with -m: \(ids.listed)")
    }
}

extension SessionMarkets {
    /// The choice of a market in the folder.
    func choice(_ program: HostSettings) throws -> MarketChoice {
        let ids = try marketIDs()
        guard !ids.isEmpty else { throw isEmptyFailure }
        return MarketChoice(ids: ids, ofModule: program.module.defaultMarket)
    }
}

extension Session {
    /// The id of the market that a command uses: the one that the user named, the default of the module, or the only
    /// one.
    ///
    /// If there are several markets, a note names the default.
    ///
    /// - Parameter isNamed: Whether the result itself names the market, so that no note is needed.
    package func marketID(isNamed: Bool = false) throws -> String {
        if let named = options.namedMarket { return named }
        return try reporting {
            let choice = try markets().choice(program)
            guard let usual = choice.usual else { throw choice.failure() }
            if choice.ids.count > 1, !isNamed {
                console.introduceResult(
                    with: "using \(usual), the default of \(choice.ids.count) markets; choose another with -m")
            }
            return usual
        }
    }

    /// Loads the market for a link, and keeps it until the command ends: the one that the user named, the one with the
    /// link's scheme or host, the default of the module, or the only one.
    ///
    /// If the link belongs to several markets, a note names them.
    ///
    /// - Parameter services: The services of the market, if they are not those that the options name.
    package func market(
        for link: String?, opener: URLOpener? = nil, services: ServiceSet? = nil
    ) throws -> Market {
        func market(_ id: String? = nil) throws -> Market {
            try self.market(id, opener: opener, services: services)
        }
        guard options.namedMarket == nil, let link else { return try market() }
        let choice = try reporting { try markets().choice(program) }
        guard choice.ids.count > 1 else { return try market(choice.ids.first) }
        guard let parsed = Self.beginning(of: link) else { return try market() }
        // With mocks, so that the link can be tried in each of them.
        let source = try self.markets(services: .mock)
        var broken: [(id: String, ownsLink: Bool)] = []
        var loaded: [Market] = []
        // Of its own, so that enough is left for the market that is chosen.
        let budget = WorkBudget.ofCommand(options, markets: choice.ids.count)
        let unread = try forEach(choice.ids, of: source, "loading", within: budget) { id, check in
            guard let check = try? check() else { return broken.append((id, false)) }  // named below
            if let market = check.market {
                tried.add(market)
                // Markets that cannot answer are released if they are too many to be kept.
                if !choice.fitting(parsed, among: [market]).isEmpty { loaded.append(market) }
            } else {
                let links = check.validValues?.definition.deepLinking
                broken.append((id, links.map { $0.owns(parsed) } ?? false))
            }
        }
        let limit = UnreadMarkets(unread, budget)
        let fitting = choice.fitting(parsed, among: loaded)
        let what =
            parsed.isWebLink ? "host \(parsed.host.quotedForMessage)" : "scheme \(parsed.scheme.quotedForMessage)"
        guard let chosen = choice.chosen(of: fitting) else {
            // No other market answers for one with errors.
            if let owner = broken.first(where: \.ownsLink) { return try market(owner.id) }
            if let limit {
                throw CommandFailure(
                    status: .impossible, .limit,
                    "none of the loaded markets has the \(what), and \(limit.text); name a market with -m, or \(limit.hint)"
                )
            }
            guard broken.isEmpty, choice.usual != nil else {
                let others = broken.isEmpty ? "" : ", and \(broken.map(\.id).listed) cannot be loaded"
                throw choice.failure("no market has the \(what)\(others)")
            }
            return try market()
        }
        if let limit, !console.isQuiet { console.error("\("note", .dim): \(limit.text); \(limit.hint)") }
        if fitting.count > 1, !console.isQuiet, !console.isJSON {
            console.error(
                "\("note", .dim): \(fitting.map(\.id).listed) have the \(what); using \(chosen.id), choose another with -m"
            )
        }
        // Again if its services are others, or if the attributes of the situation must be those of this market.
        guard services == .mock, try requestedContext().isEmpty else { return try market(chosen.id) }
        keep(chosen)
        return chosen
    }

    /// A link that begins like another one, which may be refused: the command reports why. Nil for a text that is none.
    private static func beginning(of link: String) -> DeepLink? {
        if let parsed = try? DeepLink(link) { return parsed }  // the common case
        let scheme = link.prefix { $0 != ":" }
        guard scheme.count < link.count, scheme.count <= 64, scheme != "http", scheme != "https" else { return nil }
        return try? DeepLink("\(scheme)://x")  // nil for what is no scheme
    }
}

extension DeepLinkConfiguration {
    /// Whether a link has one of the market's schemes or hosts, or a domain that it allows.
    fileprivate func owns(_ link: DeepLink) -> Bool {
        link.isWebLink ? isUniversal(host: link.host) || isAllowed(host: link.host) : hasScheme(link.scheme)
    }
}
