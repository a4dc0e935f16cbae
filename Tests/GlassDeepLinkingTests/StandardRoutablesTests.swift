import GlassContainer
import Testing

@testable import GlassDeepLinking

@Suite struct StandardRoutablesTests {
    private func makeRouter(_ container: Container) throws -> DeepLinkRouter {
        let router = DeepLinkRouter(configuration: .us)
        router.register(routables: StandardFeature.all.map { $0.routable(container, .init()) })
        return router
    }

    @Test func catalogHasAllTwentyTwoFeatures() {
        #expect(
            StandardFeature.all.map(\.feature.id) == [
                "home", "account", "cart", "checkout", "item", "search", "browse", "orders", "orderDetail", "reorder",
                "lists", "registry", "storeFinder", "storeDetail", "pharmacy", "scan", "membership", "deals", "help",
                "notifications", "returns", "giftCards",
            ])
        for standard in StandardFeature.all {
            #expect(standard.routable(Container(), .init()).id == standard.feature.id)
            #expect(standard.feature.summary.hasSuffix("."))
        }
    }

    @Test func defaultPathsFormOneTable() throws {
        let container = Container()
        let table = try makeRouter(container).table
        #expect(table.declarations.count == 36)
        #expect(table.worstVisits == 5)
    }

    struct Opened: Sendable {
        let link: String
        let id: String
        let tab: String
        var screen: String?
        var parameters: [String: String] = [:]
    }

    @Test(arguments: [
        Opened(link: "walmart://", id: "home", tab: "home"),
        Opened(link: "https://www.walmart.com/", id: "home", tab: "home"),
        Opened(link: "walmart://home", id: "home", tab: "home"),
        Opened(link: "walmart://?sourceid=button&veh=aff", id: "home", tab: "home"),
        Opened(link: "walmart://account", id: "account", tab: "account", screen: "account"),
        Opened(link: "walmart://cart", id: "cart", tab: "cart", screen: "cart"),
        Opened(link: "walmart://checkout", id: "checkout", tab: "cart", screen: "checkout"),
        Opened(link: "walmart://ip/42", id: "item", tab: "shop", screen: "item", parameters: ["itemID": "42"]),
        Opened(
            link: "https://www.walmart.com/ip/Great-Milk/42?from=mail", id: "item", tab: "shop", screen: "item",
            parameters: ["itemID": "42", "slug": "Great-Milk"]),
        Opened(link: "walmart://search", id: "search", tab: "shop", screen: "search"),
        Opened(
            link: "https://www.walmart.com/search?q=red+shoes", id: "search", tab: "shop", screen: "search",
            parameters: ["q": "red shoes"]),
        Opened(link: "walmart://search?q=", id: "search", tab: "shop", screen: "search"),
        Opened(link: "walmart://browse", id: "browse", tab: "shop", screen: "browse"),
        Opened(
            link: "walmart://browse/food/fruit", id: "browse", tab: "shop", screen: "browse",
            parameters: ["category": "food/fruit"]),
        Opened(
            link: "https://www.walmart.com/cp/toys/4171", id: "browse", tab: "shop", screen: "browse",
            parameters: ["categoryID": "4171"]),
        Opened(link: "walmart://orders", id: "orders", tab: "account", screen: "orders"),
        Opened(
            link: "walmart://orders/2000117-1234", id: "orderDetail", tab: "account", screen: "orderDetail",
            parameters: ["orderID": "2000117-1234"]),
        Opened(link: "walmart://reorder", id: "reorder", tab: "shop", screen: "reorder"),
        Opened(
            link: "walmart://orders/7/reorder", id: "reorder", tab: "shop", screen: "reorder",
            parameters: ["orderID": "7"]),
        Opened(link: "walmart://lists", id: "lists", tab: "account", screen: "lists"),
        Opened(link: "walmart://lists/a b", id: "", tab: "home"),
        Opened(
            link: "walmart://lists/a%20b", id: "lists", tab: "account", screen: "lists", parameters: ["listID": "a b"]),
        Opened(link: "walmart://registry", id: "registry", tab: "account", screen: "registry"),
        Opened(
            link: "walmart://registry/X1", id: "registry", tab: "account", screen: "registry",
            parameters: ["registryID": "X1"]),
        Opened(link: "walmart://store-finder", id: "storeFinder", tab: "shop", screen: "storeFinder"),
        Opened(
            link: "walmart://store-finder/72712", id: "storeFinder", tab: "shop", screen: "storeFinder",
            parameters: ["postalCode": "72712"]),
        Opened(
            link: "walmart://store/100", id: "storeDetail", tab: "shop", screen: "storeDetail",
            parameters: ["storeID": "100"]),
        Opened(link: "walmart://pharmacy", id: "pharmacy", tab: "services", screen: "pharmacy"),
        Opened(
            link: "walmart://pharmacy/refill", id: "pharmacy", tab: "services", screen: "pharmacy",
            parameters: ["section": "refill"]),
        Opened(link: "walmart://scan", id: "scan", tab: "shop", screen: "scan"),
        Opened(link: "walmart://plus", id: "membership", tab: "account", screen: "membership"),
        Opened(
            link: "walmart://plus/join", id: "membership", tab: "account", screen: "membership",
            parameters: ["section": "join"]),
        Opened(link: "walmart://deals", id: "deals", tab: "shop", screen: "deals"),
        Opened(
            link: "walmart://deals/toys", id: "deals", tab: "shop", screen: "deals", parameters: ["category": "toys"]),
        Opened(link: "walmart://help", id: "help", tab: "account", screen: "help"),
        Opened(
            link: "walmart://help/orders/late", id: "help", tab: "account", screen: "help",
            parameters: ["topic": "orders/late"]),
        Opened(link: "walmart://notifications", id: "notifications", tab: "account", screen: "notifications"),
        Opened(link: "walmart://returns", id: "returns", tab: "account", screen: "returns"),
        Opened(
            link: "walmart://returns/7", id: "returns", tab: "account", screen: "returns", parameters: ["orderID": "7"]),
        Opened(link: "walmart://gift-cards", id: "giftCards", tab: "account", screen: "giftCards"),
    ])
    func linkOpensScreen(row: Opened) throws {
        let container = Container()
        let result = try makeRouter(container).open(row.link)
        #expect(result.routableID ?? "" == row.id)
        let screens = row.screen.map { [NavigationSnapshot.Screen(name: $0, parameters: row.parameters)] } ?? []
        #expect(result.navigation == NavigationSnapshot(tab: row.tab, screens: screens))
    }

    @Test func everyDefaultPathRoutesToItsRoutable() throws {
        let container = Container()
        let router = try makeRouter(container)
        for feature in StandardFeature.all.map(\.feature) {
            for path in feature.paths {
                let link = "walmart:/" + path.replacingPlaceholders
                let result = router.open(link)
                #expect(result.routableID == feature.id, "\(link)")
                #expect(result.pattern == path, "\(link)")
                #expect(result.outcome == .routed, "\(link)")
            }
        }
    }

    @Test func configurationReplacesAndAddsPaths() {
        let container = Container()
        let standard = StandardAccountRoutable(container: container)
        #expect(standard.actionRoutes == ["account"])
        #expect(standard.waitForPreconditions)
        let replaced = StandardAccountRoutable(container: container, configuration: .init(paths: ["myaccount"]))
        #expect(replaced.actionRoutes == ["myaccount"])
        let added = StandardAccountRoutable(container: container, configuration: .init(customPath: "me"))
        #expect(added.actionRoutes == ["account", "me"])
        let both = StandardAccountRoutable(
            container: container, configuration: .init(paths: ["a"], customPaths: ["b"], waitForPreconditions: false))
        #expect(both.actionRoutes == ["a", "b"])
        #expect(!both.waitForPreconditions)
        let named = StandardAccountRoutable(
            container: container, configuration: .init(waitForPreconditions: ["signedIn"]))
        #expect(named.waitForPreconditions)
        #expect(named.requiredPreconditions == .named(["signedIn"]))
    }

    @Test func customPathWithoutRequiredParameterIsReported() throws {
        let feature = ItemParameters.feature
        #expect(try feature.missingParameters(in: RoutePattern("en/ip/:slug/:itemID")) == [])
        #expect(try feature.missingParameters(in: RoutePattern("item?itemID")) == [])
        #expect(try feature.missingParameters(in: RoutePattern("p/:slug")) == ["itemID"])
        #expect(try feature.missingParameters(in: RoutePattern("p/:itemID?")) == ["itemID"])
        for feature in StandardFeature.all.map(\.feature) {
            for path in feature.paths {
                #expect(try feature.missingParameters(in: RoutePattern(path)).isEmpty, "\(path)")
            }
        }
    }

    /// A feature reads exactly the values it declares; otherwise a listing or a warning would be wrong.
    @Test(arguments: StandardFeature.all)
    func featureDeclaresTheValuesItReads(standard: StandardFeature) throws {
        let feature = standard.feature
        let link = "walmart://p?" + (feature.requires + feature.takes).map { "\($0)=7" }.joined(separator: "&")
        let router = DeepLinkRouter(configuration: .us)
        let container = Container()
        router.register(routables: [standard.routable(container, .init(paths: ["p"]))])
        let all = router.open(link)
        #expect(Set(all.navigation.screens.flatMap(\.parameters.keys)) == Set(feature.requires + feature.takes))
        #expect(all.navigation.screens.allSatisfy { $0.parameters.values.allSatisfy { $0 == "7" } })
        let bare = router.open("walmart://p")
        #expect(bare.outcome == (feature.requires.isEmpty ? .routed : .unroutable(.declined)))
    }

    @Test func featureWithoutTabStaysInCurrentTab() throws {
        struct BadgeParameters: FeatureParameters {
            static let feature = Feature(id: "badge", screen: "badge", paths: ["badge/:level(int)"], "The badge.")
            let level: Int64?

            init(_ link: DeepLink) { level = link.integer("level") }
        }
        let router = DeepLinkRouter(configuration: .us)
        let container = Container()
        router.register(
            routables: [
                StandardRoutable<BadgeParameters>(container: container), StandardCartRoutable(container: container),
            ])
        router.open("walmart://cart")
        // Nor does it show values: `texts` stays empty.
        #expect(
            router.open("walmart://badge/3").navigation
                == NavigationSnapshot(tab: "cart", screens: [.init(name: "cart"), .init(name: "badge")]))
    }

    @Test func pathParameterTakesPrecedenceOverQuery() throws {
        let container = Container()
        let result = try makeRouter(container).open("walmart://ip/1?itemID=2")
        #expect(result.navigation.screens.first?.parameters["itemID"] == "1")
    }

    @Test func parameterOfWrongTypeIsDeclined() throws {
        let container = Container()
        let router = DeepLinkRouter(configuration: .us)
        router.register(routables: [
            StandardItemRoutable(container: container, configuration: .init(paths: ["p/:itemID"]))
        ])
        #expect(router.open("walmart://p/abc").outcome == .unroutable(.declined))
    }

    @Test func variantARegistersObjects() throws {
        let container = Container()
        let deepLinker = DeepLinkRouter(configuration: .us)
        deepLinker.register(
            routables: [
                StandardAccountRoutable(container: container, configuration: .init(customPath: "customFeaturePath")),
                StandardCartRoutable(container: container),
            ]
        )
        #expect(deepLinker.open("walmart://customFeaturePath").routableID == "account")
        #expect(deepLinker.open("walmart://cart").routableID == "cart")
    }

    @Test func variantBRegistersCases() throws {
        struct FlyersRoutable: Routable {
            let actionRoutes = ["flyers/:week"]
            func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool { true }
        }
        /// An app's own implementation of a feature: only `open` is required.
        struct MyAccountRoutable: AccountRoutable {
            let actionRoutes = ["myaccount"]
            func open(_ parameters: AccountParameters, state: DeepLinkNavigationState) -> Bool {
                state.show("mine")
                return true
            }
        }
        let container = Container()
        let deepLinker = DeepLinkRouter(configuration: .us)
        deepLinker.register(
            routes: [
                .account(MyAccountRoutable()),
                .item(StandardItemRoutable(container: container)),
                .custom(FlyersRoutable()),
            ],
            using: container
        )
        #expect(deepLinker.routables.map(\.id) == ["account", "item", "FlyersRoutable"])
        #expect(deepLinker.open("walmart://myaccount").navigation.screens.map(\.name) == ["mine"])
        #expect(deepLinker.open("walmart://flyers/12").parameters["week"] == "12")
    }

    @Test func everyRouteCaseCarriesItsFeature() {
        let c = Container()
        let routes: [Route] = [
            .home(StandardHomeRoutable(container: c)), .account(StandardAccountRoutable(container: c)),
            .cart(StandardCartRoutable(container: c)), .checkout(StandardCheckoutRoutable(container: c)),
            .item(StandardItemRoutable(container: c)), .search(StandardSearchRoutable(container: c)),
            .browse(StandardBrowseRoutable(container: c)), .orders(StandardOrdersRoutable(container: c)),
            .orderDetail(StandardOrderDetailRoutable(container: c)), .reorder(StandardReorderRoutable(container: c)),
            .lists(StandardListsRoutable(container: c)), .registry(StandardRegistryRoutable(container: c)),
            .storeFinder(StandardStoreFinderRoutable(container: c)),
            .storeDetail(StandardStoreDetailRoutable(container: c)),
            .pharmacy(StandardPharmacyRoutable(container: c)), .scan(StandardScanRoutable(container: c)),
            .membership(StandardMembershipRoutable(container: c)), .deals(StandardDealsRoutable(container: c)),
            .help(StandardHelpRoutable(container: c)), .notifications(StandardNotificationsRoutable(container: c)),
            .returns(StandardReturnsRoutable(container: c)), .giftCards(StandardGiftCardsRoutable(container: c)),
        ]
        #expect(routes.map(\.routable.id) == StandardFeature.all.map(\.feature.id))
    }

    @Test func variantBHandlersSeeContainerAsShared() throws {
        struct Probe: Routable {
            let actionRoutes = ["probe"]
            let seen: Recorder<ObjectIdentifier>
            func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
                seen.append(ObjectIdentifier(Container.shared))
                return true
            }
        }
        let container = Container()
        let router = DeepLinkRouter(configuration: .us)
        let seen = Recorder<ObjectIdentifier>()
        router.register(routes: [.custom(Probe(seen: seen))], using: container)
        router.open("walmart://probe")
        #expect(seen.elements == [ObjectIdentifier(container)])
    }

    @Test func unreferencedContainerIsFreed() throws {
        weak var container: Container?
        weak var router: DeepLinkRouter?
        do {
            let strong = Container()
            strong.registerProvidingChild((any DeepLinker).self) { _ in DeepLinkRouter(configuration: .us) }
            let linker = strong.deepLinker
            linker.register(routables: StandardFeature.all.map { $0.routable(strong, .init()) })
            #expect(linker.open("walmart://account").outcome.name == "routed")
            container = strong
            router = linker as? DeepLinkRouter
            #expect(router != nil)
        }
        #expect(container == nil)
        #expect(router == nil)
    }

    @Test func routableRegistersWithContainersDeepLinker() throws {
        let container = Container()
        container.registerProvidingChild((any DeepLinker).self) { _ in DeepLinkRouter(configuration: .us) }
        StandardAccountRoutable(container: container).registerRoutes()
        #expect(container.deepLinker.routables.map(\.id) == ["account"])
        #expect(container.deepLinker.canRoute(deepLink: "walmart://account"))
    }
}

extension String {
    /// Turns a pattern into a link that it matches.
    fileprivate var replacingPlaceholders: String {
        let parts = split(separator: "?", maxSplits: 1)
        let path = (parts.first ?? "").split(separator: "/").map { part -> String in
            if part.contains("(int)") { return "7" }
            if let open = part.firstIndex(of: "("), part.contains("|") {
                return String(part[part.index(after: open)...].prefix { $0 != "|" })
            }
            return part.hasPrefix(":") || part.hasPrefix("*") ? "x" : String(part)
        }
        return path.joined(separator: "/") + (parts.count == 2 ? "?\(parts[1])=1" : "")
    }
}
