import CommandTesting
import Foundation
import GlassBase
import GlassInspector
import GlassMarkets
import GlassSchema
import TestSupport
import Testing

@testable import GlassHost

/// The situation of a page of `inspect`, which belongs to the page and not to the server.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct InspectSituationTests {
    private typealias Page = InspectCommandTests.Page

    private static let debug = ["build": "debug"]
    private static let blackFriday = ["date": "2029-11-24T12:00Z"]
    private static let retries = "platform.networking.retry.maxRetries"

    /// A page about the real markets, with values that depend on the situation.
    private static func page(_ options: String...) throws -> Page {
        let page = try Page({ try addConditions(to: $0) }, options: options)
        // Loading is over once a market is in use.
        #expect(page.answers.store.markets.count == 3)
        return page
    }

    private static func addConditions(to markets: URL) throws {
        try removeAllConditions(from: markets)
        try replace(
            "    deals = {},", in: markets.appending(path: "us.lua"),
            with: """
                    deals = vary {
                      { when = { date = ">= 2029-11-23T00:00Z < 2029-11-27T00:00Z" },
                        value = { customPaths = { "black-friday" } } },
                      default = {},
                    },
                """)
        try replace(
            "  preconditions = {},", in: markets.appending(path: "us.lua"),
            with: """
                  preconditions = {},
                  attributes = {
                    tier = { type = "choice", values = { "none", "gold" }, personal = true, doc = "The tier." },
                  },
                  overlays = {
                    { name = "debugBuild", when = { build = "debug" },
                      platform = {
                        environment = { default = "staging" },
                        networking = { retry = { maxRetries = 0 }, headers = { ["WM-Debug"] = "yes" } },
                      } },
                    { name = "gold", when = { tier = "gold" },
                      platform = { networking = { retry = { multiplier = 3 } } } },
                  },
                """)
        try replace(
            "currency = \"CAD\",", in: markets.appending(path: "ca.lua"),
            with: """
                currency = "CAD",
                  overlays = {
                    { name = "canadianDebug", when = { build = "debug" },
                      platform = { networking = { retry = { jitter = 0.1 } } } },
                  },
                """)
        try replace(
            "language = { default = \"fr\" }", in: markets.appending(path: "ca.lua"),
            with: "language = { default = perLocale { en = \"en\", fr = \"fr\" } }")
    }

    private static func removeAllConditions(from markets: URL) throws {
        for id in ["us", "ca", "mx"] { try removeConditions(of: markets.appending(path: "\(id).lua")) }
        try replace(
            "perLocale { en = \"en\", fr = \"fr\" }", in: markets.appending(path: "ca.lua"), with: "\"fr\"")
    }

    private static func replace(_ old: String, in file: URL, with new: String) throws {
        let text = try String(contentsOf: file, encoding: .utf8)
        try #require(text.contains(old))
        try Data(text.replacing(old, with: new).utf8).write(to: file)
    }

    private static func rows(
        _ page: Page, _ market: String = "us", in situation: [String: String] = [:]
    ) throws -> [String: [String: Any]] {
        let rows = try page.object(.values(market: market), in: situation)["values"] as? [[String: Any]] ?? []
        return Dictionary(rows.map { ($0["key"] as? String ?? "", $0) }) { first, _ in first }
    }

    private static func attributes(
        _ page: Page, in situation: [String: String] = [:]
    ) throws -> [(name: String, attribute: [String: Any])] {
        let state = try page.object(.state, in: situation)["situation"] as? [String: Any] ?? [:]
        let attributes = state["attributes"] as? [[String: Any]] ?? []
        return attributes.map { ($0["name"] as? String ?? "", $0) }
    }

    @Test func valuesAreThoseOfTheSituationAndMarked() throws {
        let page = try Self.page()
        let rows = try Self.rows(page, in: Self.debug)
        #expect(rows[Self.retries]?["text"] as? String == "0")
        let otherwise = rows[Self.retries]?["otherwise"] as? [String: Any]
        #expect(otherwise?["text"] as? String == "3")
        #expect((otherwise?["position"] as? String)?.contains("us.lua:") == true)
        // A key that exists only here, and one that is the same.
        let debug = rows["platform.networking.headers.WM-Debug"] ?? rows["platform.networking.headers[\"WM-Debug\"]"]
        #expect((debug?["otherwise"] as? [String: Any])?["text"] is NSNull)
        #expect(rows["platform.networking.retry.multiplier"]?["otherwise"] is NSNull)
        let about = try page.object(.value(market: "us", key: "maxRetries"), in: Self.debug)
        #expect(about["found"] as? String == "0")
        #expect((about["otherwise"] as? [String: Any])?["text"] as? String == "3")
        // Another page, which asks at the same time, has its own situation.
        #expect(try Self.rows(page)[Self.retries]?["text"] as? String == "3")
        #expect(try Self.rows(page)[Self.retries]?["otherwise"] is NSNull)
        #expect(try page.object(.value(market: "us", key: "maxRetries"))["otherwise"] is NSNull)
    }

    @Test func keysOfTheDefaultSituationAloneAreListed() throws {
        let page = try Self.page("--context", "build=debug")
        let answer = try page.object(.values(market: "us"), in: ["build": "release"])
        let absent = try #require((answer["absent"] as? [[String: Any]])?.first)
        #expect((absent["key"] as? String)?.contains("WM-Debug") == true)
        #expect((absent["otherwise"] as? [String: Any])?["text"] as? String == "\"yes\"")
        // An empty bar is the situation of --context.
        #expect(try Self.rows(page)[Self.retries]?["text"] as? String == "0")
    }

    @Test func matrixAndComparisonMarkWhatDiffers() throws {
        let page = try Self.page()
        let rows = try page.object(.matrix, in: Self.debug)["rows"] as? [[String: Any]] ?? []
        let row = try #require(rows.first { $0["key"] as? String == Self.retries })
        let cells = try #require(row["cells"] as? [[String: Any]])
        #expect(cells.map { $0["value"] as? Int } == [4, 5, 0])
        #expect(cells.map { ($0["otherwise"] as? [String: Any])?["value"] as? Int } == [nil, nil, 3])
        let debug = try #require(rows.first { ($0["key"] as? String)?.contains("WM-Debug") == true })
        let states = (debug["cells"] as? [[String: Any]] ?? []).map { ($0["otherwise"] as? [String: Any])?["state"] }
        #expect(states as? [String] == ["missing", "missing", "missing"])
        let comparison = try page.object(.comparison("us", "ca"), in: Self.debug)
        let keys = comparison["keys"] as? [[String: Any]] ?? []
        let sides = try #require(
            keys.first { $0["key"] as? String == Self.retries }?["sides"] as? [[String: Any]])
        #expect(sides.map { $0["value"] as? Int } == [0, 4])
        #expect(sides.map { ($0["otherwise"] as? [String: Any])?["value"] as? Int } == [3, nil])
        // In French, the languages differ; in English, they do not.
        let key = "platform.preferences.keys.language.default"
        let only = try page.object(.comparison("us", "ca"), in: ["locale": "fr-CA"])
        #expect((only["keys"] as? [[String: Any]])?.contains { $0["key"] as? String == key } == true)
        let other = try Self.page("--context", "locale=fr-CA").object(.comparison("us", "ca"), in: ["locale": "en-CA"])
        #expect(other["onlyByDefault"] as? [String] == [key])
    }

    @Test func servicesAndSchemaMarkWhatDiffers() throws {
        let page = try Self.page()
        func changed(_ situation: [String: String]) throws -> [String: [String]] {
            let services = try page.object(.services(market: "us"), in: situation)["services"] as? [[String: Any]] ?? []
            return Dictionary(
                services.map {
                    (($0["service"] as? [String: Any])?["name"] as? String ?? "", $0["changed"] as? [String] ?? [])
                }
            ) { first, _ in first }
        }
        #expect(try changed(Self.debug)["Networking"]?.contains(Self.retries) == true)
        #expect(try changed(Self.debug)["AppInfoAPI"] == [])
        #expect(try changed([:]).values.allSatisfy(\.isEmpty))
        let picture = try page.answers.answer(.picture(market: "us"), in: InspectorSituation(Self.debug))
        let text = String(decoding: picture.bytes, as: UTF8.self)
        #expect(text.contains("class=\"service changed\" data-service=\"Networking\""))
        #expect(text.contains(">◑ Networking<") && !text.contains(">◑ AppInfoAPI<"))
        let byDefault = try page.answers.answer(.picture(market: "us")).bytes
        #expect(!String(decoding: byDefault, as: UTF8.self).contains("◑"))
        let rows = try page.object(.schema, in: Self.debug)["keys"] as? [[String: Any]] ?? []
        let keys = Dictionary(rows.map { ($0["key"] as? String ?? "", $0) }) { first, _ in first }
        #expect(keys["platform.networking.retry.jitter"]?["usedBy"] as? [String] == ["ca", "us"])
        #expect(keys["platform.networking.retry.jitter"]?["otherwise"] as? [String] == ["us"])
        #expect(keys[Self.retries]?["otherwise"] is NSNull)
    }

    @Test func linkIsOpenedInTheSituation() throws {
        let page = try Self.page()
        let us = try #require(try page.columns("walmart://black-friday", in: Self.blackFriday)["us"])
        #expect((us["dispatch"] as? [String: Any])?["routable"] as? String == "deals")
        #expect((us["otherwise"] as? [String: Any])?["outcome"] as? String == "unroutable")
        let byDefault = try #require(try page.columns("walmart://black-friday")["us"])
        #expect(byDefault["dispatch"] is NSNull && byDefault["otherwise"] is NSNull)
        // What is the same is not marked.
        let home = try #require(try page.columns("walmart://home", in: Self.blackFriday)["us"])
        #expect(home["dispatch"] is [String: Any] && home["otherwise"] is NSNull)
        // The situation of the command also opens links.
        let given = try Self.page("--context", "date=2029-11-24T12:00Z").columns("walmart://black-friday")["us"]
        #expect((given?["dispatch"] as? [String: Any])?["routable"] as? String == "deals")
    }

    @Test(arguments: [
        ("bulid", "debug", "there is no attribute \"bulid\"; did you mean \"build\"?"),
        ("build", "debgu", "did you mean \"debug\"?"),
        ("osVersion", "new", "osVersion: \"new\" is not a version; write one to four numbers, as in \"24.3\""),
        ("date", "2029-11-24", "date: 2029-11-24 has no time zone"),
        ("signedIn", "maybe", "signedIn: expected true or false, got \"maybe\""),
        ("locale", "de-DE", "\"fr-CA\""), ("locale", "de-DE", "\"es-US\""),
        ("tier", "platinum", "tier: expected one of \"none\", \"gold\", got \"platinum\""),
        ("region", "Quebec", "region: \"Quebec\" is not a region"),
        ("audience", "a" + String(repeating: "b", count: 256), "256"),
    ])
    func rejectedAttributeIsNamed(name: String, text: String, message: String) throws {
        let page = try Self.page()
        for question in [InspectorRequest.state, .values(market: "us"), .matrix, .link("walmart://home", held: [])] {
            let failure = #expect(throws: InspectorFailure.self) {
                try page.object(question, in: [name: text, "platform": "macOS"])
            }
            #expect(failure?.attribute == name)
            #expect(failure?.message.contains(message) == true, "\(failure?.message ?? "")")
        }
    }

    @Test func marketThatLacksAValueKeepsItsDefault() throws {
        let page = try Self.page()
        let situation = ["locale": "fr-CA"]
        let key = "platform.preferences.keys.language.default"
        #expect(try Self.rows(page, "ca", in: situation)[key]?["text"] as? String == "\"fr\"")
        #expect(try Self.rows(page, "us", in: situation)[key]?["otherwise"] is NSNull)
        let state = try page.object(.state, in: situation)["situation"] as? [String: Any]
        let ignored = try #require((state?["ignored"] as? [[String: Any]])?.first)
        #expect(ignored["attribute"] as? String == "locale" && ignored["markets"] as? [String] == ["mx", "us"])
    }

    @Test func testedAttributesComeFirst() throws {
        let page = try Self.page()
        let attributes = try Self.attributes(page)
        let tested = attributes.prefix { $0.attribute["isTested"] as? Bool == true }.map(\.name)
        #expect(tested.sorted() == ["build", "date", "locale", "tier"])
        #expect(attributes.dropFirst(tested.count).allSatisfy { $0.attribute["isTested"] as? Bool == false })
        let byName = Dictionary(uniqueKeysWithValues: attributes.map { ($0.name, $0.attribute) })
        #expect(byName["build"]?["choices"] as? [String] == ["debug", "beta", "release"])
        #expect(byName["build"]?["default"] as? String == "release")
        #expect(byName["signedIn"]?["choices"] as? [String] == ["true", "false"])
        #expect(byName["locale"]?["choices"] as? [String] == ["en-CA", "fr-CA", "es-MX", "en-US", "es-US"])
        #expect(byName["locale"]?["default"] is NSNull)
        #expect(byName["osVersion"]?["choices"] is NSNull && byName["osVersion"]?["example"] as? String == "24.3")
        #expect(
            byName["tier"]?["isPersonal"] as? Bool == true && byName["tier"]?["documentation"] as? String == "The tier."
        )
        // A default that depends on the page's situation.
        #expect(byName["environment"]?["default"] as? String == "production")
        let debug = try Self.attributes(page, in: Self.debug).first { $0.name == "environment" }
        #expect(debug?.attribute["default"] as? String == "staging")
        let situation = try page.object(.state)["situation"] as? [String: Any]
        #expect(situation?["dependsOnSituation"] as? Bool == true)
        let plain = try Page({ try Self.removeAllConditions(from: $0) }).object(.state)["situation"] as? [String: Any]
        #expect(plain?["dependsOnSituation"] as? Bool == false)
    }

    @Test func flagsHaveTheirValuesInTheSituation() throws {
        let page = try Page()
        func row(_ situation: [String: String]) throws -> [String: Any]? {
            try Self.rows(page, "ca", in: situation)["flags.newCheckout"]
        }
        let plain = try row([:])
        #expect(plain?["text"] as? String == "false (DEFAULT, installID is missing)")
        #expect(plain?["otherwise"] is NSNull)
        let quebec = try row(["region": "CA-QC"])
        #expect(quebec?["text"] as? String == "false (TARGETING_MATCH by quebec)")
        #expect((quebec?["position"] as? String)?.contains("ca.lua:") == true)
        let otherwise = quebec?["otherwise"] as? [String: Any]
        #expect(otherwise?["text"] as? String == "false (DEFAULT, installID is missing)")
    }

    @Test func personalValuesStayInTheirPage() async throws {
        let page = try Self.page("--context", "customerID=of-the-command")
        let situation = [
            "customerID": "of-the-page", "audience": "people-of-the-page", "tier": "gold", "signedIn": "true",
        ]
        let questions: [InspectorRequest] = [
            .state, .values(market: "us"), .value(market: "us", key: "platform.networking.retry.multiplier"), .matrix,
            .comparison("us", "ca"), .services(market: "us"), .picture(market: "us"), .schema,
            .link("walmart://home", held: []),
        ]
        #expect(try Self.rows(page, in: situation)["platform.networking.retry.multiplier"]?["text"] as? String == "3.0")
        let before = page.answers.store.context
        for question in questions { _ = try page.answers.answer(question, in: InspectorSituation(situation)) }
        // The shared store still has the situation of the command.
        #expect(page.answers.store.context == before)
        try page.change("us", "maxRetries = 3", "maxRetries = 2")
        while page.events.withLock({ $0.count }) < 4 { try await Task.sleep(for: .milliseconds(5)) }
        var texts = page.events.withLock { $0 }
        for question in questions {
            texts.append(String(decoding: try page.answers.answer(question).bytes, as: UTF8.self))
        }
        // Reasons name the attribute and not its value, even for the page that set it.
        for question in questions {
            texts.append(
                String(
                    decoding: try page.answers.answer(question, in: InspectorSituation(situation)).bytes, as: UTF8.self)
            )
        }
        for text in texts { #expect(!text.contains("of-the-page") && !text.contains("of-the-command")) }
        let customer = try #require(try Self.attributes(page).first { $0.name == "customerID" }).attribute
        #expect(customer["isHidden"] as? Bool == true && customer["default"] is NSNull)
    }

    @Test func attributeThatASaveRemovesIsRejected() throws {
        let page = try Self.page()
        #expect(
            try Self.rows(page, in: ["tier": "gold"])["platform.networking.retry.multiplier"]?["text"] as? String
                == "3.0")
        try page.change("us", "tier = {", "rank = {")
        // The file has an error, so the last valid version answers.
        #expect(throws: Never.self) { try page.object(.state, in: ["tier": "gold"]) }
        try page.change("us", "when = { tier = ", "when = { rank = ")
        for id in ["ca", "mx"] { page.answers.store.reload(id) }
        let failure = #expect(throws: InspectorFailure.self) { try page.object(.state, in: ["tier": "gold"]) }
        #expect(failure?.attribute == "tier")
    }
}
