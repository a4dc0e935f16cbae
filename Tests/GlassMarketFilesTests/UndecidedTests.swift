import Foundation
import GlassContainer
import GlassDeepLinking
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Testing
import MarketTesting
import GlassAuthoring

/// Keys that a market inherits but should set, and lists that start from a default.
@Suite(.timeLimit(.minutes(2)))
struct UndecidedTests {
    private static func check(_ lines: String) throws -> MarketCheck {
        try MarketFixture(["xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\",\n\(lines) }"])
            .loader(limits: MarketFixture.patientLimits).check("xx")
    }

    @Test(
        arguments: [
            (
                "",
                "currency, locales, deepLinking.schemes, deepLinking.universalLinks, platform.appInfo.bundleIdentifier, platform.cookieStorage.sharedGroup, platform.preferences.suite and platform.userDefaultsRegistration.suite are inherited from \"us\""
            ),
            // The signing certificate is required of a market with its own Android app.
            (
                "currency = \"CAD\", locales = { \"en-CA\" }, deepLinking = { schemes = { \"xx\" }, universalLinks = {} }, platform = { appInfo = { bundleIdentifier = \"x.x\", android = { package = \"x.x\" } }, preferences = { suite = \"group.x\" }, userDefaultsRegistration = { suite = \"group.x\" } }",
                "platform.cookieStorage.sharedGroup and platform.appInfo.android.certificateDigests are inherited from \"us\""
            ),
            (
                "currency = \"CAD\", locales = { \"en-CA\" }, deepLinking = { schemes = { \"xx\" }, universalLinks = {} }, platform = { appInfo = { bundleIdentifier = \"x.x\", android = unset }, preferences = { suite = \"group.x\" }, userDefaultsRegistration = { suite = \"group.x\" }, cookieStorage = { sharedGroup = unset } }",
                nil
            ),
        ] as [(String, String?)])
    func everyInheritedIdentifierIsReported(lines: String, message: String?) throws {
        let check = try Self.check(lines)
        #expect(check.market != nil, "\(check.findings)")
        #expect(check.undecided().map(\.message) == (message.map { [$0] } ?? []))
    }

    @Test(arguments: ["us", "ca", "mx"])
    func shippedMarketsSetAllIdentifiers(id: String) throws {
        #expect(try MarketFixture().loader(limits: MarketFixture.patientLimits).check(id).undecided().isEmpty)
    }

    @Test func missingAndroidAppIsDeclared() throws {
        let market = try #require(try Self.check("platform = { appInfo = { android = unset } }").market)
        #expect(market.config.appInfo.android == nil)
        let info = try #require(market.container.getIfRegistered((any AppInfoAPI).self))
        #expect(info.androidPackage == nil && info.androidCertificateDigests.isEmpty)
        // If there is an app, its required keys are still reported.
        let half = try Self.check("platform = { appInfo = { android = { package = unset } } }")
        #expect(half.findings.map(\.path.description).contains("platform.appInfo.android.package"))
    }

    @Test(arguments: [
        ("append { \"fax\" }", ["tel", "mailto", "sms", "maps", "itms-apps", "app-settings", "fax"]),
        ("remove { \"sms\", \"maps\" }", ["tel", "mailto", "itms-apps", "app-settings"]),
    ])
    func listDirectiveStartsFromDefault(word: String, schemes: [String]) throws {
        let fixture = try MarketFixture()
        let us = try String(contentsOf: fixture.folder.appending(path: "us.lua"), encoding: .utf8)
        let changed = us.replacing(/outboundSchemes = \{[^}]*\}/, with: "outboundSchemes = \(word)")
        #expect(changed != us)
        try fixture.write(changed, to: "us.lua")
        let check = try fixture.loader(limits: MarketFixture.patientLimits).check("us")
        #expect(check.market?.definition.deepLinking.outboundSchemes == schemes, "\(check.findings)")
    }

    @Test(arguments: [
        (
            "outboundSchemes = remove { \"fax\" }",
            "remove: \"fax\" is not in the default list"
        ),
        (
            "linkParameters = append { \"u\" }",
            "append{…}: no base market sets this key, and its default is an empty list"
        ),
    ])
    func removingElementNotInDefaultIsReported(lines: String, message: String) throws {
        let fixture = try MarketFixture()
        let us = try String(contentsOf: fixture.folder.appending(path: "us.lua"), encoding: .utf8)
        let key = try #require(lines.split(separator: " ").first)
        let changed = us.replacing(try Regex("\(key) = \\{[^}]*\\}"), with: lines)
        #expect(changed != us)
        try fixture.write(changed, to: "us.lua")
        let findings = try fixture.loader(limits: MarketFixture.patientLimits).check("us").findings
        #expect(findings.filter { $0.code == .misplacedDirective }.map(\.message) == [message])
    }
}

/// `undecided` and `inherit` in market files.
@Suite(.timeLimit(.minutes(2)))
struct DecisionTests {
    private static func check(_ lines: String) throws -> MarketCheck {
        try MarketFixture(["xx.lua": "return { id = \"xx\", name = \"X\", extends = \"us\",\n\(lines) }"])
            .loader(limits: MarketFixture.patientLimits).check("xx")
    }

    @Test func exampleIsValueAndListed() throws {
        let check = try Self.check(
            """
            inherit = true, currency = undecided "CAD",
            locales = undecided(append { "fr-US" }),
            platform = {
              networking = { retry = undecided { maxRetries = undecided(5) } },
              appInfo = { name = vary { { when = { build = "debug" }, value = undecided "X debug" }, default = "X" } },
            },
            """)
        let market = try #require(check.market, "\(check.findings)")
        #expect(market.definition.currency == "CAD")
        #expect(market.definition.locales == ["en-US", "es-US", "fr-US"])
        #expect(market.config.networking.retry.maxRetries == 5)
        let finding = try #require(check.undecided().first)
        #expect(check.undecided().count == 1)
        #expect(
            finding.message
                == "currency, locales, platform.networking.retry, platform.networking.retry.maxRetries and "
                + "platform.appInfo.name[1].value are undecided")
        #expect(finding.hint == "replace each undecided example with the market's own value")
        #expect(finding.position.map { ($0.line, $0.column) } ?? (0, 0) == (2, 28))
        // Neither the word nor the key is part of the values.
        #expect(market.source.node(at: "inherit") == nil)
        #expect(market.effective.node(at: "currency")?.value == .string("CAD"))
    }

    @Test(
        arguments: [
            ("inherit = true,", nil),
            (
                "platform = { inherit = true },",
                "currency, locales, deepLinking.schemes and deepLinking.universalLinks are inherited from \"us\""
            ),
            (
                "currency = \"USD\", locales = { \"en-US\" }, deepLinking = { inherit = true }, platform = { appInfo = { inherit = true }, preferences = { inherit = true }, cookieStorage = { inherit = true } },",
                "platform.userDefaultsRegistration.suite is inherited from \"us\""
            ),
        ] as [(String, String?)])
    func inheritedSectionIsNotReported(lines: String, message: String?) throws {
        let check = try Self.check(lines)
        #expect(check.market != nil, "\(check.findings)")
        #expect(check.undecided().map(\.message) == (message.map { [$0] } ?? []))
        #expect(check.market?.source.node(at: "platform.inherit") == nil)
    }

    @Test func baseDoesNotDecideForOthers() throws {
        let fixture = try MarketFixture([
            "aa.lua":
                "return { id = \"aa\", name = \"A\", extends = \"us\", inherit = true, currency = undecided \"CAD\" }",
            "bb.lua": "return { id = \"bb\", name = \"B\", extends = \"aa\", deepLinking = { schemes = { \"bb\" } } }",
        ])
        let undecided = try fixture.loader(limits: MarketFixture.patientLimits).check("bb").undecided()
        #expect(undecided.map(\.message).joined().hasPrefix("currency, locales, deepLinking.universalLinks, "))
        #expect(undecided.allSatisfy { !$0.message.contains("undecided") })
    }

    @Test(arguments: [
        ("inherit = \"yes\",", "inherit: expected true"),
        ("platform = { appInfo = { inherit = false } },", "platform.appInfo.inherit: expected true"),
        // A section without such a key has nothing to say.
        ("platform = { networking = { inherit = true } },", "platform.networking.inherit: unknown key"),
        // A map of the market's own names is left alone.
        (
            "platform = { networking = { headers = { inherit = true } } },",
            "platform.networking.headers.inherit: expected"
        ),
    ])
    func wrongInheritIsReported(lines: String, text: String) throws {
        let check = try Self.check(lines)
        #expect(check.market == nil)
        #expect(check.findings.filter { $0.severity == .error }.count == 1)
        #expect(check.findings.contains { $0.description.contains(text) }, "\(check.findings)")
    }

    @Test func undecidedNeedsValue() throws {
        let check = try Self.check("currency = undecided(),")
        #expect(
            check.findings.first?.message
                == "undecided expects a value, such as undecided \"https://api.example.com\"")
    }
}
