@testable import GlassDeepLinking
import TestSupport
import Testing

@Suite struct LinkBuildingTests {
    @Test func typedParametersBuildLink() throws {
        let table = try DeepLinkRouter.standard().table
        #expect(
            try table.link(to: "item", parameters: ItemParameters(itemID: 42), form: .scheme("walmart"))
                == "walmart://ip/42")
        #expect(
            try table.link(
                to: "item", parameters: ItemParameters(itemID: 42, slug: "red shoes"),
                form: .universal(host: "www.walmart.com")) == "https://www.walmart.com/ip/red%20shoes/42")
        #expect(
            try table.link(to: "account", parameters: ["tab": "a&b"], form: .scheme("walmart"))
                == "walmart://account?tab=a%26b")
    }

    @Test func errorsNameMissingParameters() throws {
        let table = try RouteTable([RouteDeclaration(pattern: "ip/:id(int)", routableID: "item")])
        func text(_ id: String, _ parameters: [String: String]) -> String? {
            let error = #expect(throws: LinkBuildingError.self) {
                try table.link(to: id, parameters: parameters, form: .scheme("w"))
            }
            return error?.description
        }
        #expect(text("x", [:]) == "no route leads to \"x\"; register the routable or use another id")
        #expect(text("item", [:]) == "no link to \"item\" can be built: \"ip/:id(int)\" requires \"id\"")
        #expect(
            text("item", ["id": "a"]) == "no link to \"item\" can be built: \"ip/:id(int)\": \"a\" is not of type int")
    }

    @Test(arguments: 0..<20)
    func builtLinksRouteBack(seed: Int) throws {
        var random = SplitMix64(state: UInt64(seed))
        let patterns = [
            "a/:x", "b/:x/:y(int)", "c/*rest", "d/:x?", "e/:l(en|fr)/:x??q", ":x/f", "Größe/:x", "50 off/:x(slug)", "",
        ]
        let table = try RouteTable(patterns: patterns)
        let values = ["1", "red shoes", "a/b", "é", "%41", "a+b", "&=?#", "-5", "en", "x-y_z", "😀", "A"]
        var built = 0
        for _ in 0..<200 {
            let ordinal = Int.random(in: 0..<patterns.count, using: &random)
            var parameters: [String: String] = [:]
            for name in table.patterns[ordinal].parameterNames + table.patterns[ordinal].requiredQuery + ["extra"] {
                parameters[name] = values.randomElement(using: &random)!
            }
            let form: LinkPrefix = Bool.random(using: &random) ? .scheme("w") : .universal(host: "h.example")
            guard let text = try? table.link(to: "r\(ordinal)", parameters: parameters, form: form) else { continue }
            built += 1
            let link = try DeepLink(text)
            let match = try #require(table.bestMatch(for: link), "seed \(seed): \(text)")
            #expect(match.ordinal == ordinal, "seed \(seed): \(text)")
            for (name, value) in parameters {
                #expect((match.parameters[name] ?? link.queryValue(name)) == value, "seed \(seed): \(text)")
            }
        }
        #expect(built > 60)
    }

    @Test func linksAreTranslatedBetweenMarkets() throws {
        let us = try DeepLinkRouter.standard()
        let canadian = DeepLinkConfiguration(schemes: ["walmart.ca"], universalLinks: ["www.walmart.ca"])
        let canada = try DeepLinkRouter.standard(
            canadian, paths: ["account": ["myaccount"], "item": ["en/ip/:slug/:itemID(int)"]], without: ["pharmacy"])
        #expect(try us.translate("walmart://account", to: canada) == "walmart.ca://myaccount")
        #expect(try canada.translate("walmart.ca://myaccount", to: us) == "walmart://account")
        #expect(
            try us.translate("https://www.walmart.com/ip/milk/7?ref=x", to: canada)
                == "https://www.walmart.ca/en/ip/milk/7?ref=x")
        #expect(throws: LinkBuildingError.unknownRoutable("pharmacy")) {
            try us.translate("walmart://pharmacy", to: canada)
        }
        #expect(throws: LinkBuildingError.unroutable("walmart://nowhere")) {
            try us.translate("walmart://nowhere", to: canada)
        }
    }
}
