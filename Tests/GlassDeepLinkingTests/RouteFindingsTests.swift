@testable import GlassDeepLinking
import Testing

@Suite struct RouteFindingsTests {
    @Test func routeWithAllWordsCoveredIsUnreachable() throws {
        let table = try RouteTable(patterns: ["x/:l(en|fr)/:id", "x/en/:id", "x/FR/:id", "y/:l(en|fr)", "y/en"])
        #expect(
            table.findings().map(\.description) == [
                "r0: no link reaches \"x/:l(en|fr)/:id\": \"x/en/zq7700013x\" matches \"x/en/:id\" of r1 instead; "
                    + "remove it or the more specific routes"
            ])
    }

    @Test func routeAfterTypedRouteIsReachable() throws {
        #expect(try RouteTable(patterns: ["x/:a(slug)", "x/:b", "y/:a(int)", "y/:b"]).findings() == [])
    }

    @Test func standardRoutesAreReachable() throws {
        #expect(try DeepLinkRouter.standard().table.findings() == [])
    }

    @Test func changesComparedWithBaseAreFound() throws {
        let base = try RouteTable([
            RouteDeclaration(pattern: "account", routableID: "account"),
            RouteDeclaration(pattern: "ip/:id(int)", routableID: "item"),
            RouteDeclaration(pattern: "cart", routableID: "cart"),
        ])
        let here = try RouteTable([
            RouteDeclaration(pattern: "myaccount", routableID: "account"),
            RouteDeclaration(pattern: "ip/:slug", routableID: "browse"),
            RouteDeclaration(pattern: "CART", routableID: "cart"),
        ])
        #expect(
            here.findings(against: base).map(\.description) == [
                "\"account\" opens account in the base market and nothing here; add \"account\" if this is unintended",
                "\"ip/7700013\" opens item in the base market and browse here; change \"ip/:slug\" if this is unintended",
            ])
    }
}
