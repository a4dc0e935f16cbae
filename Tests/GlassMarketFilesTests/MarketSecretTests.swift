import GlassPlatform
import Foundation
@testable import GlassMarketFiles
import GlassMarkets
import GlassPlatform
import GlassSchema
import Synchronization
import Testing
import MarketTesting

@Suite(.timeLimit(.minutes(1)))
struct MarketSecretTests {
    private static let planted = "planted-value-of-a-secret"

    private func fixture(_ secret: String) throws -> MarketFixture {
        try MarketFixture([
            "zz.lua": """
            return { id = "zz", name = "Z", extends = "us",
              platform = { networking = { consumerKey = \(secret) } } }
            """
        ])
    }

    /// Checks a market, and records the names of the secrets that are looked up.
    private func check(
        _ secret: String, prefixes: [String]? = nil
    ) throws -> (findings: [Finding], asked: Set<String>) {
        let fixture = try fixture(secret)
        let asked = Mutex<Set<String>>([])
        return try withExtendedLifetime(fixture) {
            let folder = MarketFolder(path: fixture.folder.path)
            let lookup: @Sendable (String) -> String? = { name in
                asked.withLock { _ = $0.insert(name) }
                return Self.planted
            }
            var module = MarketModule.platformInMemory
            if let prefixes { module.secretPrefixes = prefixes }
            let loader = MarketLoader(module, folder: folder, secrets: lookup)
            return (try loader.check("zz").findings, asked.withLock { $0 })
        }
    }

    @Test(arguments: ["DEPLOY_TOKEN", "PATH", "glass_key", "XGLASS_KEY"])
    func secretWithoutPrefixIsErrorAndNotLookedUp(_ name: String) throws {
        let (findings, asked) = try check("secret \"\(name)\"")
        let finding = try #require(findings.first { $0.code == .secretNotAllowed })
        #expect(finding.severity == .error)
        #expect(finding.message == "a market cannot use the secret \(name): names must begin with GLASS_")
        #expect(finding.hint == "rename it here and in the host's environment, for example to GLASS_\(name)")
        #expect(finding.position?.line == 2 && finding.position?.column == 45)
        #expect(!asked.contains(name))
    }

    @Test(
        arguments: [
            ("hunter2\nSECRET", "contains a line break"), ("hunter2\n", "contains a line break"),
            ("hunter2\r\n", "contains a line break"),
            ("hunter2\u{2028}", "contains a line break"), (" hunter2", "begins or ends with a space or a tab"),
            ("hunter2\t", "begins or ends with a space or a tab"),
            ("hunter2\u{A0}", "begins or ends with a space or a tab"),
            ("hun\u{1}ter2", "contains a control character"), ("hun\tter2", "contains a control character"),
            ("hunter2\u{7F}", "contains a control character"),
            ("\u{FEFF}hunter2", "begins or ends with an invisible character"),
            ("", "is empty"), ("hunter2", nil), ("two words", nil),
            ("pässwörd", "contains a character outside ASCII"), ("hunter2€", "contains a character outside ASCII"),
            ("hunter2\u{FFFD}\u{FFFD}", "is not valid UTF-8"),
        ] as [(String, String?)])
    func valueUnfitForHeaderIsReportedWithoutValue(value: String, flaw: String?) throws {
        let fixture = try fixture("secret \"GLASS_ZZ_KEY\"")
        let loader = MarketLoader(
            .platformInMemory, folder: MarketFolder(path: fixture.folder.path), secrets: { _ in value })
        let check = try withExtendedLifetime(fixture) { try loader.check("zz") }
        let findings = check.findings.filter { $0.code == .secretMalformed && $0.message.contains("GLASS_ZZ_KEY") }
        let hint =
            switch flaw {
            case "is empty": "set GLASS_ZZ_KEY to a value, or remove it from the environment"
            case "is not valid UTF-8":
                "set GLASS_ZZ_KEY to printable ASCII text: a request cannot carry such a value in a header"
            default: "set GLASS_ZZ_KEY without it: a request cannot carry such a value in a header"
            }
        #expect(findings.count == (flaw == nil ? 0 : 1))
        for finding in findings {
            #expect(finding.severity == .warning && finding.path == "platform.networking.consumerKey")
            #expect(finding.message == "the value of GLASS_ZZ_KEY in the environment \(flaw ?? "")")
            #expect(finding.hint == hint)
        }
        // A value that a header cannot contain does not invalidate the market.
        #expect(check.market != nil)
        #expect(!"\(check.findings)".contains("hunter"))
    }

    @Test func hostChoosesPrefixes() throws {
        #expect(try check("secret \"SHOP_KEY\"", prefixes: ["GLASS_", "SHOP_"]).findings.isEmpty)
        let none = try check("secret \"GLASS_KEY\"", prefixes: [])
        #expect(none.asked.isEmpty)
        #expect(
            none.findings.contains {
                $0.message == "a market cannot use the secret GLASS_KEY: this host allows no secrets in markets"
            })
    }

    @Test func secretNamedByBaseIsResolved() throws {
        let fixture = try MarketFixture([
            "aa.lua": """
            return { id = "aa", extends = "us", platform = { networking = { consumerKey = secret "FOREIGN" } } }
            """,
            "zz.lua": """
            return { id = "zz", extends = "aa", platform = { networking = { consumerKey = secret "GLASS_Z" } } }
            """,
        ])
        #expect(try fixture.loader().check("zz").findings.contains { $0.code == .secretNotAllowed })
    }

    @Test func valueIsOnlyInDeclaredSection() throws {
        let fixture = try fixture("secret \"GLASS_ZZ_KEY\"")
        let loader = MarketLoader(
            .platformInMemory, folder: MarketFolder(path: fixture.folder.path), secrets: { _ in Self.planted })
        let market = try loader.load("zz")
        #expect(try market.config.networking.consumerKey?.reveal() == Self.planted)

        func secrets(_ node: ConfigurationNode) -> [Secret] {
            switch node.value {
            case .secret(let secret): [secret]
            case .map(let entries): entries.values.flatMap(secrets)
            case .list(let nodes): nodes.flatMap(secrets)
            default: []
            }
        }
        for tree in [market.source, market.effective, ConfigurationNode(market.config.configurationValue)] {
            #expect(!secrets(tree).isEmpty)
            #expect(secrets(tree).allSatisfy { !$0.isSet })
        }
        var dumped = ""
        dump(market, to: &dumped)
        dump(market.source, to: &dumped)
        dump(market.definition, to: &dumped)
        for text in [dumped, "\(market.definition)", String(reflecting: market.definition), "\(market.warnings)"] {
            #expect(!text.contains(Self.planted))
        }
        // The other market reads a different value under the same name, and the comparison does not show it.
        let other = try MarketLoader(.platformInMemory, folder: loader.folder, secrets: { _ in "another" }).load("zz")
        #expect(!"\(MarketDifference(from: market, to: other).lines)".contains(Self.planted))
    }
}
