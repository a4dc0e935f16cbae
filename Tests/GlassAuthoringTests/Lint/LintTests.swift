import GlassBase
import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing

@testable import GlassAuthoring
import GlassAuthoring

/// What rules of meaning leave in peace, and what a market's files accept.
@Suite(.timeLimit(.minutes(5)))
struct LintTests {
    private static func environments(_ lines: String) -> String {
        "platform = { environment = { environments = { \(lines) } } }"
    }

    /// Markets that may well be meant.
    @Test(arguments: [
        // Certificates, ids, versions, names of headers and texts in other languages are no credentials or placeholders.
        "platform = { networking = { headers = { [\"User-Agent\"] = \"Walmart/24.3.0 (iPhone15,3; iOS 18.1)\" } } }",
        "platform = { networking = { headers = { [\"X-Channel\"] = \"123e4567-e89b-12d3-a456-426614174000\" } } }",
        "platform = { networking = { headers = { Accept = \"application/json;q=0.9, text/plain\" } } }",
        "platform = { networking = { headers = { Basic = \"Basic plan\" } } }",
        "platform = { userDefaultsRegistration = { defaults = { title = \"Todo para tu casa\", sale = \"TODO\\u{2019}S\" } } }",
        "platform = { userDefaultsRegistration = { defaults = { mask = \"XXX-XXX-XXXX\", size = \"XXL\" } } }",
        "platform = { userDefaultsRegistration = { defaults = { debugHost = \"http://localhost:8080\", lan = \"http://192.168.1.5\", mac = \"http://build.local/x\" } } }",
        // A new site of one's own, a sister's site, and other environments.
        "deepLinking = { universalLinks = { \"www.walmart.cl\" }, allowedDomains = { { name = \"walmart.cl\", allowSubdomains = true } } }",
        "platform = { networking = { headers = { Referer = \"https://www.walmart.ca/home\" } } }",
        environments(
            "production = { services = { media = \"https://i6.walmartimages.com\" } }, staging = { services = { media = \"https://i6-stage.walmartimages.com\" } }"
        ),
        // The same URL as in the base market sets nothing apart.
        environments("production = { services = { media = \"https://i5.walmartimages.com\" } }"),
    ])
    func plausibleMarketHasNoFinding(lines: String) throws {
        let fixture = LintFixture(["xx.lua": LintFixture.file(lines)])
        #expect(fixture.text(of: try fixture.findings()) == "")
    }

    /// A cause in a base market's file is reported there, and not again in each market that extends it.
    @Test func causeInBaseIsReportedOnce() throws {
        let base = LintFixture.file(
            "platform = { networking = { headers = { Referer = \"http://www.walmart.com\", [\"WM-Tenant\"] = \"CHANGEME\" } } }"
        )
        let fixture = LintFixture([
            "xx.lua": base, "yy.lua": "return { id = \"yy\", name = \"Y\", extends = \"xx\" }",
        ])
        #expect(try fixture.findings("xx").map(\.code) == [.insecureURL, .placeholderText])
        #expect(try fixture.findings("yy").isEmpty)
    }

    /// A misspelled host of links is none of the allowed domains.
    @Test func misspelledHostOfLinksIsUnlisted() throws {
        let lines = "deepLinking = { universalLinks = { \"www.walmrt.com\" } }"
        let fixture = LintFixture(["xx.lua": LintFixture.file(lines)])
        #expect(try fixture.findings().map(\.code) == [.unlistedHost])
    }

    /// An abstract base is no market, so its values are examined with each market that extends it.
    @Test func causeInAbstractBaseIsReportedOnce() throws {
        let fixture = LintFixture([
            "latam.lua": """
            return { abstract = true, id = "latam", extends = "us",
            platform = { networking = { headers = { Referer = "http://www.walmart.com" } } } }
            """,
            "xx.lua": "return { id = \"xx\", name = \"X\", extends = \"latam\" }",
            "yy.lua": "return { id = \"yy\", name = \"Y\", extends = \"latam\" }",
        ])
        let found = try (fixture.findings("xx") + fixture.findings("yy")).sortedByPosition()
        #expect(found.map(\.code) == [.insecureURL])
        #expect(found.first?.position?.file.hasSuffix("latam.lua") == true)
    }

    /// Two files that include a file have one cause.
    @Test func causeInIncludedFileIsTheSame() throws {
        let lines = "platform = { networking = { headers = include \"shared/headers.lua\" } }"
        let fixture = LintFixture([
            "xx.lua": LintFixture.file(lines),
            "yy.lua": LintFixture.file(lines).replacing("\"xx\"", with: "\"yy\""),
            "shared/headers.lua": "return { Referer = \"http://www.walmart.com\" }",
        ])
        let found = try fixture.findings("xx") + fixture.findings("yy")
        #expect(found.count == 2 && found.sortedByPosition().count == 1)
    }

    /// A finding about several services names those that are not accepted.
    @Test func acceptedServicesAreNotNamed() throws {
        let fixture = LintFixture([
            "xx.lua": LintFixture.file(
                Self.environments(
                    """
                    staging = { services = {
                      media = accept { "https://i5.walmartimages.com", sharedURL = "staging shares it until May" },
                      identity = "https://identity.walmart.com",
                    } }
                    """))
        ])
        let check = try fixture.loader.check("xx")
        var acceptances = FileAcceptances(check.acceptances, today: "2026-01-01")
        let left = check.lintFindings.filter { !acceptances.accepts($0) }
        #expect(left.map(\.message) == ["staging uses the production URL for identity"])
        #expect(check.lintFindings.count == 2)
        #expect(acceptances.findings(isComplete: true).isEmpty)
    }

    /// No output shows the credential, and the fingerprint is not made of it.
    @Test func credentialIsNotShown() throws {
        let token = "ghp_a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
        let found = try ["a", "b"].map { end in
            let lines = "platform = { networking = { headers = { [\"X-Token\"] = \"\(token)\(end)\" } } }"
            return try #require(try LintFixture(["xx.lua": LintFixture.file(lines)]).findings().first)
        }
        #expect(!found[0].description.contains("ghp_") && found[0].line == nil)
        #expect(found[0].fingerprint == found[1].fingerprint)
    }

    /// The editor shows what `check` shows, and no warning that a file accepts.
    @Test func editorHonorsAcceptances() throws {
        let head = "return { id = \"xx\", name = \"X\", extends = \"us\","
        func text(_ value: String) -> String {
            "\(head)\n  platform = { networking = { headers = { Referer = \(value) } } } }"
        }
        let editor = try EditorFixture()
        try editor.open("xx.lua", text("\"http://www.walmart.com\""))
        editor.settle()
        #expect(editor.diagnostics("xx.lua").contains { $0.contains("is not encrypted") })
        editor.change("xx.lua", to: text("accept { \"http://www.walmart.com\", insecureURL = \"why\" }"), version: 2)
        editor.settle()
        #expect(!editor.diagnostics("xx.lua").contains { $0.contains("is not encrypted") || $0.contains("accept") })
        editor.change("xx.lua", to: text("accept { \"https://www.walmart.com\", insecureURL = \"why\" }"), version: 3)
        editor.settle()
        #expect(
            editor.diagnostics("xx.lua").contains {
                $0.contains("the accept for insecureURL (\"why\") matches no finding")
            }
        )
        // A value of another market is found by comparing markets.
        let other = "[\"WM-Market\"] ="
        editor.change("xx.lua", to: text("\"us\"").replacing("Referer =", with: other), version: 4)
        editor.settle()
        #expect(editor.diagnostics("xx.lua").contains { $0.contains("is also the value of the market us") })
        editor.change(
            "xx.lua", to: text("accept { \"us\", foreignName = \"why\" }").replacing("Referer =", with: other),
            version: 5)
        editor.settle()
        #expect(!editor.diagnostics("xx.lua").contains { $0.contains("is also the value") || $0.contains("accept") })
    }

    @Test func editorOffersRulesToAccept() throws {
        let editor = try EditorFixture()
        let head = "return { id = \"xx\", name = \"X\", extends = \"us\",\n  currency = "
        try editor.open("xx.lua", head + "\"USD\" }")
        editor.settle()
        for (text, offered, other) in [
            ("‸ }", "accept", "sharedURL"), ("accept { \"CAD\", ‸ } }", "sharedURL", "wrongType"),
        ] {
            let (text, position) = try EditorFixture.marked(head + text)
            editor.change("xx.lua", to: text, version: 2)
            let items = try editor.request("textDocument/completion", editor.at("xx.lua", position)).arrayValue ?? []
            let labels = items.compactMap { $0["label"]?.stringValue }
            #expect(labels.contains(offered) && !labels.contains(other), "\(labels)")
        }
    }
}
