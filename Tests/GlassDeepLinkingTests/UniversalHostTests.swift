import GlassBase
import Testing

@testable import GlassDeepLinking

/// Hosts of universal links, with and without a wildcard.
@Suite struct UniversalHostTests {
    @Test(
        arguments: [
            ("www.shop.example", "www.shop.example", true), ("WWW.Shop.example", "www.shop.example", true),
            ("www.shop.example", "shop.example", false), ("www.shop.example", "a.www.shop.example", false),
            ("*.shop.example", "a.shop.example", true), ("*.Shop.example", "a.b.shop.example", true),
            ("*.shop.example", "shop.example", false), ("*.shop.example", ".shop.example", false),
            ("*.shop.example", "evilshop.example", false), ("*.shop.example", "a.shop.example.evil", false),
            // Not wildcards, and not hosts.
            ("*", "shop.example", false), ("*shop.example", "evilshop.example", false), ("", "shop.example", false),
        ])
    func coversHostsAsSystemsDo(entry: String, host: String, isCovered: Bool) {
        #expect(UniversalHost(entry).covers(host) == isCovered)
        #expect(DeepLinkConfiguration(universalLinks: [entry]).isUniversal(host: host) == isCovered)
    }

    private func router(_ hosts: String..., schemes: [String] = ["shop"]) throws -> DeepLinkRouter {
        let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: schemes, universalLinks: hosts))
        router.addRoute("buy", waitForPreconditions: false) { _, _ in true }
        return router
    }

    @Test func linksOfAWildcardAreRoutedAndExplained() throws {
        let router = try router("*.stores.shop.example", "*.shop.example")
        #expect(router.open("https://berlin.stores.shop.example/buy").outcome == .routed)
        #expect(router.open("http://berlin.stores.shop.example/buy").outcome.reason == "cleartext")
        #expect(router.open("https://shop.example/buy").outcome == .unroutable(.unknownHost("shop.example")))
        // The gate sees hosts first, so a host that two parsers read differently has no wildcard.
        #expect(router.open("https://evil.example%2F.shop.example/buy").outcome.reason == "hostEscape")
        #expect(
            router.explain("https://berlin.stores.shop.example/buy", others: []).host
                == "berlin.stores.shop.example (universal link of *.stores.shop.example)")
        #expect(router.explain("https://a.shop.example/buy", others: []).host.hasSuffix(" of *.shop.example)"))
    }

    @Test func nestedLinksOfAWildcardMayOpen() throws {
        var configuration = DeepLinkConfiguration(schemes: ["shop"], universalLinks: ["*.shop.example"])
        configuration.linkParameters = ["u"]
        let router = DeepLinkRouter(configuration: configuration)
        router.addRoute("buy", waitForPreconditions: false) { _, _ in true }
        #expect(router.open("shop://buy?u=https://a.shop.example/x").outcome == .routed)
        #expect(router.open("shop://buy?u=https://shop.example/x").outcome.reason == "nestedLink")
    }

    @Test func linkIsNotBuiltWithAWildcard() throws {
        let plain = try router("www.other.example")
        let both = try router("*.shop.example", "www.shop.example")
        let wild = try router("*.shop.example")
        let none = try router("*.shop.example", schemes: [])
        #expect(try plain.translate("https://www.other.example/buy", to: both) == "https://www.shop.example/buy")
        #expect(try plain.translate("https://www.other.example/buy", to: wild) == "shop://buy")
        #expect(throws: LinkBuildingError.noSchemeOrHost) {
            try plain.translate("https://www.other.example/buy", to: none)
        }
        #expect(try wild.translate("https://a.shop.example/buy", to: plain) == "https://www.other.example/buy")
    }
}
