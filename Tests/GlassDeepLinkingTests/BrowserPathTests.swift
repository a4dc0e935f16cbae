import GlassBase
import GlassSchema
import Testing

@testable import GlassDeepLinking

/// Paths whose universal links stay in the browser.
@Suite struct BrowserPathTests {
    @Test(
        arguments: [
            ("help/*", "help", true), ("help/*", "help/a/b", true), ("help/*", "HELP/a", true),
            ("help/*", "helper", false),
            ("help/*", "", false), ("/help/*", "help/a", true), ("store-finder", "store-finder", true),
            ("store-finder/", "store-finder", true), ("store-finder", "store-finder/1", false),
            ("a/b", "a", false), ("a/b", "a/c", false), ("/", "", true), ("/", "a", false),
        ])
    func keepsThePathAndWhatIsBelow(path: String, link: String, isKept: Bool) {
        #expect(BrowserPath.isValid(path))
        #expect(BrowserPath(path).keeps(link.split(separator: "/").map(String.init)) == isKept)
    }

    @Test(arguments: [
        "*", "/*", "", "help/*topic", "help/**", "a/*/b", "ip/:id", "help?q", "a//b", "//a", "https://a.example/b",
        "a/..",
        "50%", "a b\u{1}", "a*", "A-:id", "a?",
    ])
    func otherTextsAreNotPaths(text: String) {
        #expect(!BrowserPath.isValid(text))
    }

    /// Paths, patterns and links over two words: a path keeps a pattern if it keeps all links of the pattern, and
    /// includes another path if it keeps all its links.
    @Test func pathsAreComparedLikeTheirLinks() throws {
        let words = ["a", "b"]
        let lists = (0...3).flatMap { depth in
            (0..<depth).reduce([[]]) { rows, _ in rows.flatMap { row in words.map { row + [$0] } } }
        }
        let paths =
            lists.filter { $0.count < 3 }.map { BrowserPath("/" + $0.joined(separator: "/")) }
            + lists.filter { (1..<3).contains($0.count) }.map { BrowserPath($0.joined(separator: "/") + "/*") }
        let segments = ["a", "b", ":x", ":x(a|b)"]
        var patterns = segments + ["/", "*r", ":x?"]
        for first in segments { patterns += [":y", "b", ":y?", "*r"].map { "\(first)/\($0)" } }
        for text in patterns {
            let table = try RouteTable([RouteDeclaration(pattern: text, routableID: "r")])
            // Other words stand for all values that no path has.
            let links = (lists + [["c"], ["a", "c"], ["b", "c"], ["c", "a"], ["c", "c"]]).filter { link in
                let parsed = try? DeepLink("https://h.example/" + link.joined(separator: "/"))  // all are valid
                return parsed.map { table.bestMatch(for: $0) != nil } ?? false
            }
            for path in paths {
                // A list of words is kept by several paths together at most, and is left out.
                guard !text.contains("|") || !path.keeps(table.patterns[0]) else {
                    Issue.record("\(path.text) keeps \(text)")
                    continue
                }
                guard !text.contains("|") else { continue }
                #expect(path.keeps(table.patterns[0]) == links.allSatisfy(path.keeps), "\(path.text) \(text)")
            }
        }
        for one in paths {
            for other in paths {
                let links = lists.filter(other.keeps) + (other.includesBelow ? [other.segments + ["c", "c", "c"]] : [])
                #expect(one.includes(other) == links.allSatisfy(one.keeps), "\(one.text) \(other.text)")
            }
        }
    }

    private func router(_ browser: String...) throws -> DeepLinkRouter {
        let router = DeepLinkRouter(
            configuration: DeepLinkConfiguration(
                schemes: ["shop"], universalLinks: ["www.shop.example"], browser: browser,
                allowedDomains: [.init(name: "other.example")]))
        router.addRoutes(["help/:topic", "store-finder", "cart", "/"], waitForPreconditions: false) { _, _ in true }
        return router
    }

    @Test func gateRefusesUniversalLinksOnly() throws {
        let router = try router("help/*", "store-finder")
        for link in ["help", "help/returns", "Help/returns?q=1", "help/returns#x", "h%65lp/returns", "store-finder/"] {
            #expect(router.open("https://www.shop.example/\(link)").outcome.reason == "browser", "\(link)")
            #expect(!router.canRoute(deepLink: "https://www.shop.example/\(link)"))
        }
        for link in ["cart", "", "store-finder%2F"] {
            #expect(router.open("https://www.shop.example/\(link)").outcome.reason != "browser", "\(link)")
        }
        #expect(router.open("shop://help/returns").outcome == .routed)
        #expect(router.open("shop://store-finder").outcome == .routed)
        #expect(router.open("http://www.shop.example/help/returns").outcome.reason == "cleartext")
        guard case .refused(let refusal) = router.open("https://www.shop.example/help/returns").outcome else {
            Issue.record("not refused")
            return
        }
        #expect(
            refusal.description
                == "link refused (browser) at byte 0: the market keeps \"help/*\" in the browser; open the link there")
        #expect(router.explain("https://www.shop.example/help/x", others: []).refusal?.rule == .browser)
    }

    @Test func configurationDecidesAtEachLink() throws {
        let router = try router()
        #expect(router.open("https://www.shop.example/cart").outcome == .routed)
        router.configuration.browser = ["cart"]
        #expect(router.open("https://www.shop.example/cart").outcome.reason == "browser")
        // New routes do not bring a link back.
        router.addRoute("cart/:id", waitForPreconditions: false) { _, _ in true }
        #expect(router.open("https://www.shop.example/cart").outcome.reason == "browser")
        #expect(router.open("https://www.shop.example/cart/1").outcome == .routed)
        router.configuration.browser = []
        #expect(router.open("https://www.shop.example/cart").outcome == .routed)
    }

    /// A domain that may open outside the app has no paths of the app.
    @Test func otherDomainsHaveNoPaths() throws {
        #expect(try router("help/*").open("https://other.example/help/1").outcome == .external)
    }
}
