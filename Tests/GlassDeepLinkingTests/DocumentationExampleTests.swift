import GlassContainer
@testable import GlassDeepLinking
import Testing

/// The examples from the documentation, with their printed output as expectations.
@Suite struct DocumentationExampleTests {
    @Test func overview() throws {
        let router = DeepLinkRouter(
            configuration: DeepLinkConfiguration(schemes: ["walmart"], universalLinks: ["www.walmart.com"]))
        router.addRoute("ip/:itemID(int)", waitForPreconditions: false) { link, state in
            state.select(tab: "shop")
            state.show("item", parameters: link.parameters.dictionary)
            return true
        }
        #expect(router.open("walmart://ip/42").outcome.name == "routed")
        #expect(router.open("https://www.walmart.com/ip/42").outcome.name == "routed")
        #expect(router.open("https://www.walmart.com@evil.com/ip/42").reason == "userinfo")
        #expect(router.navigationState.snapshot.screens[0].parameters == ["itemID": "42"])
    }

    @Test func deepLink() throws {
        let link = try DeepLink("walmart://search?q=red+shoes")
        #expect(link.segments == ["search"])
        #expect(link.queryValue("q") == "red shoes")
        #expect(link.description == "walmart://search?q=red+shoes")
    }

    @Test func deepLinkRefusal() {
        do {
            _ = try DeepLink("https://www.walmart.com@evil.com/account")
            Issue.record("not refused")
        } catch {
            #expect(error.rule == .userinfo)
        }
    }

    @Test func routePattern() throws {
        let pattern = try RoutePattern("ip/:slug/:itemID(int)")
        #expect(pattern.parameterNames == ["slug", "itemID"])
        #expect(pattern.description == "ip/:slug/:itemID(int)")
    }

    @Test func routeTable() throws {
        let table = try RouteTable([
            RouteDeclaration(pattern: "ip/:itemID(int)", routableID: "item"),
            RouteDeclaration(pattern: "ip/new", routableID: "deals"),
        ])
        let link = try DeepLink("walmart://ip/new")
        #expect(table.bestMatch(for: link)?.declaration.routableID == "deals")
    }

    @Test func deepLinkRouter() throws {
        let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: ["walmart"]))
        router.addRoute("ip/:itemID(int)") { link, state in
            state.show("item", parameters: link.parameters.dictionary)
            return true
        }
        #expect(router.open("walmart://ip/42").outcome.name == "routed")
    }

    @Test func hooks() throws {
        let lines = Recorder<String>()
        let router = DeepLinkRouter(
            configuration: DeepLinkConfiguration(
                schemes: ["walmart"], allowedDomains: [.init(name: "walmart.com", allowSubdomains: true)]))
        var hooks = DeepLinkHooks()
        hooks.externalURLHandler = { link in lines.append("leaves the app: \(link)") }
        hooks.outcomeHandler = { result in lines.append(result.outcome.name) }
        router.hooks = hooks
        router.open("https://help.walmart.com/")
        #expect(lines.elements == ["leaves the app: https://help.walmart.com/", "external"])
    }

    @Test func navigationState() {
        let state = DeepLinkNavigationState()
        state.select(tab: "shop")
        state.show("item", parameters: ["itemID": "42"])
        #expect(state.snapshot.screens.count == 1)
    }

    @Test func customFeature() throws {
        struct FlyersParameters: FeatureParameters {
            static let feature = Feature(
                id: "flyers", tab: "deals", screen: "flyers", paths: ["flyers/:week(int)"], requires: ["week"],
                "One week's flyer.")
            let week: Int64

            init?(_ link: DeepLink) {
                guard let week = link.integer("week") else { return nil }
                self.week = week
            }

            var texts: [String: String?] { ["week": String(week)] }
        }
        #expect(try FlyersParameters.feature.missingParameters(in: RoutePattern("flyers")) == ["week"])
        let container = Container()
        let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: ["walmart"]))
        router.register(routables: [StandardRoutable<FlyersParameters>(container: container)])
        let result = router.open("walmart://flyers/012")
        #expect(result.routableID == "flyers")
        #expect(
            result.navigation
                == NavigationSnapshot(tab: "deals", screens: [.init(name: "flyers", parameters: ["week": "12"])]))
        let account = StandardAccountRoutable(container: container, configuration: .init(customPath: "myaccount"))
        #expect(account.actionRoutes == ["account", "myaccount"])
    }

    @Test func routableMadeFromData() throws {
        let template = try LinkTemplate("{chain}/{store|any}")
        #expect(template.parameterNames == ["chain", "store"])
        let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: ["walmart"]))
        let coupons = try ShowRoutable(
            id: "coupons", configuration: .init(paths: ["coupons", "coupons/:code"]), tab: "deals", screen: "coupons",
            parameters: ["code": "{code|all}", "source": "{?utm_source}", "market": "ca"])
        router.register(routables: [coupons])
        #expect(
            router.open("walmart://coupons").navigation.screens[0].parameters == ["code": "all", "market": "ca"])
    }

    @Test func routableAndRoute() throws {
        struct FlyersRoutable: Routable {
            let actionRoutes = ["flyers/:week"]

            func handleDeepLink(_ deepLink: DeepLink, state: DeepLinkNavigationState) -> Bool {
                state.show("flyers", parameters: deepLink.parameters.dictionary)
                return true
            }
        }
        let container = Container()
        let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: ["walmart"]))
        router.register(
            routes: [.account(StandardAccountRoutable(container: container)), .custom(FlyersRoutable())],
            using: container)
        #expect(router.open("walmart://flyers/12").navigation.screens.first?.parameters == ["week": "12"])
    }
}
