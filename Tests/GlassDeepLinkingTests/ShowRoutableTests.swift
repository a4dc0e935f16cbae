@testable import GlassDeepLinking
import Testing

@Suite struct ShowRoutableTests {
    private func router(_ routable: ShowRoutable) throws -> DeepLinkRouter {
        let router = DeepLinkRouter(configuration: .us)
        try router.add(routables: [routable])
        return router
    }

    struct Opened: Sendable {
        let link: String
        let parameters: [String: String]
    }

    @Test(arguments: [
        Opened(link: "walmart://coupons", parameters: ["code": "all", "market": "ca"]),
        Opened(link: "walmart://coupons/X1", parameters: ["code": "X1", "market": "ca"]),
        Opened(
            link: "walmart://coupons/X1?utm_source=mail&market=mx",
            parameters: ["code": "X1", "source": "mail", "market": "ca"]),
        Opened(link: "walmart://coupons?code=q&utm_source=", parameters: ["code": "all", "market": "ca"]),
    ])
    func templatesFillScreenParameters(row: Opened) throws {
        let router = try router(
            ShowRoutable(
                id: "coupons", configuration: .init(paths: ["coupons"], customPaths: ["coupons/:code"]), tab: "deals",
                screen: "coupons",
                parameters: ["code": "{code|all}", "source": "{?utm_source}", "market": "ca"]))
        let result = router.open(row.link)
        #expect(result.routableID == "coupons")
        #expect(
            result.navigation
                == NavigationSnapshot(tab: "deals", screens: [.init(name: "coupons", parameters: row.parameters)]))
    }

    @Test func pathParametersPassThroughByDefault() throws {
        let router = try router(
            ShowRoutable(id: "help", configuration: .init(paths: ["help/:lang(en|fr)/*topic"]), screen: "help"))
        router.navigationState.select(tab: "account")
        #expect(
            router.open("walmart://help/fr/a/b%20c?x=1").navigation
                == NavigationSnapshot(
                    tab: "account",
                    screens: [.init(name: "help", parameters: ["lang": "fr", "topic": "a/b c"])]))
    }

    @Test func emptyParametersPassNothing() throws {
        let router = try router(
            ShowRoutable(
                id: "help", configuration: .init(paths: ["help/:topic"]), tab: "account", screen: "help",
                parameters: [:]))
        #expect(router.open("walmart://help/x").navigation.screens == [.init(name: "help")])
    }

    @Test func tabWithoutScreenShowsItsRoot() throws {
        let router = try router(
            ShowRoutable(id: "deals", configuration: .init(paths: ["deals"]), tab: "deals"))
        router.navigationState.show("cart")
        #expect(router.open("walmart://deals").navigation == NavigationSnapshot(tab: "deals"))
    }

    @Test func linkWithoutRequiredParameterIsDeclined() throws {
        let templates = try router(
            ShowRoutable(
                id: "pay", configuration: .init(paths: ["pay", "pay/:code"]), tab: "services", screen: "pay",
                parameters: ["code": "{code}", "amount": "{?amount}"], requires: ["code", "amount"]))
        #expect(templates.open("walmart://pay/7?amount=3").outcome == .routed)
        let before = templates.navigationState.snapshot
        for link in ["walmart://pay/7", "walmart://pay/7?amount=", "walmart://pay?amount=3", "walmart://pay"] {
            #expect(templates.open(link).outcome == .unroutable(.declined), "\(link)")
        }
        #expect(templates.navigationState.snapshot == before)

        let plain = try router(
            ShowRoutable(
                id: "pay", configuration: .init(paths: ["pay/:code?"]), tab: "services", screen: "pay",
                requires: ["code"]))
        #expect(plain.open("walmart://pay/7").outcome == .routed)
        #expect(plain.open("walmart://pay").outcome == .unroutable(.declined))
    }

    @Test func preconditionsComeFromConfiguration() throws {
        func routable(_ wait: PreconditionRequirement) throws -> ShowRoutable {
            try ShowRoutable(
                id: "x", configuration: .init(paths: ["x"], waitForPreconditions: wait), screen: "x")
        }
        #expect(try routable(.all).waitForPreconditions)
        #expect(try !routable(.none).waitForPreconditions)
        #expect(try routable(["signedIn"]).requiredPreconditions == .named(["signedIn"]))
        let router = try router(routable(["signedIn"]))
        #expect(router.open("walmart://x").outcome.name == "waiting")
        router.satisfyPrecondition("signedIn")
        #expect(router.navigationState.snapshot.screens == [.init(name: "x")])
    }

    @Test func allIssuesAreNamedTogether() {
        let error = #expect(throws: ShowRoutableError.self) {
            try ShowRoutable(
                id: "coupons", configuration: .init(paths: ["coupons/:code"]),
                parameters: ["a": "{cod} {cod} {?cod}", "b": "{}", "c": "{other}", "d": "{code}"],
                requires: ["d", "cc", "nothing"])
        }
        #expect(
            error?.description == """
                coupons: parameter "a": no pattern has a parameter "cod"; did you mean "code"?
                coupons: parameter "b": template "{}": the placeholder has no name; write one, such as "{id}"
                coupons: parameter "c": no pattern has a parameter "other"; write {?other} for a query item
                coupons: requires "cc", but no shown parameter has this name; did you mean "c"?
                coupons: requires "nothing", but no shown parameter has this name; add it to the parameters, or \
                remove it here
                coupons: neither a tab nor a screen is set; set one
                coupons: parameters have no effect without a screen; add a screen, or remove them
                """)
        #expect(error?.issues.first == .unknownName("cod", parameter: "a", names: ["code"]))
    }

    @Test func unknownRequiredNameListsPathParameters() {
        let error = #expect(throws: ShowRoutableError.self) {
            try ShowRoutable(id: "x", configuration: .init(paths: ["x/:code"]), screen: "x", requires: ["kode"])
        }
        #expect(error?.issues == [.unknownRequirement("kode", names: ["code"])])
    }

    @Test func namesAreNotCheckedIfPatternIsInvalid() throws {
        let routable = try ShowRoutable(
            id: "x", configuration: .init(paths: ["x/:code", "y/:(int)"]), screen: "x",
            parameters: ["a": "{other}"], requires: ["a"])
        #expect(throws: RouteTableError.self) { try router(routable) }
    }

    @Test func numberOfParametersIsLimited() throws {
        func routable(_ count: Int) throws -> ShowRoutable {
            try ShowRoutable(
                id: "x", configuration: .init(paths: ["x"]), screen: "x",
                parameters: Dictionary(uniqueKeysWithValues: (0..<count).map { ("p\($0)", "\($0)") }))
        }
        #expect(try router(routable(64)).open("walmart://x").navigation.screens.first?.parameters.count == 64)
        let error = #expect(throws: ShowRoutableError.self) { try routable(65) }
        #expect(error?.issues == [.tooManyParameters(65)])
    }
}
