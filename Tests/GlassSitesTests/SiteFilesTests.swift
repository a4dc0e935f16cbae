import Foundation
import GlassDeepLinking
import Testing

@testable import GlassSites

@Suite struct SiteFilesTests {
    @Test func siteAssociationHasExpectedText() throws {
        let files = try SiteFiles.make("cart", "ip/:id(int)", "help/*topic", ":lang(en|fr)/deals", "search?q")
        #expect(
            try files.siteAssociation(host: "EXAMPLE.com") == """
                {
                  "applinks": {
                    "defaults": { "caseSensitive": false, "percentEncoded": true },
                    "substitutionVariables": {
                      "list1": ["en", "fr"]
                    },
                    "details": [
                      {
                        "appIDs": ["US7W4LMART.com.example.us"],
                        "components": [
                          { "/": "/help/?*" },
                          { "/": "/?*/?*/?*", "exclude": true, "comment": "from here on no route has more than 2 segments" },
                          { "/": "/ip/?*" },
                          { "/": "/$(list1)/deals" },
                          { "/": "/$(list1)/deals/" },
                          { "/": "/cart" },
                          { "/": "/cart/" },
                          { "/": "/search", "?": { "q": "?*" } },
                          { "/": "/search/", "?": { "q": "?*" } }
                        ]
                      }
                    ]
                  }
                }

                """)
    }

    @Test func assetLinksHaveExpectedText() throws {
        let digest = String(repeating: "0A:", count: 31) + "0A"
        #expect(
            try SiteFiles.make("cart").assetLinks(host: "example.com") == """
                [
                  {
                    "relation": ["delegate_permission/common.handle_all_urls"],
                    "target": {
                      "namespace": "android_app",
                      "package_name": "com.example.us.android",
                      "sha256_cert_fingerprints": [
                        "\(digest)"
                      ]
                    }
                  }
                ]

                """)
    }

    @Test func intentFiltersHaveExpectedText() throws {
        #expect(
            try SiteFiles.make("cart", "v1.0/:id").intentFilters(package: "com.example.us.android") == """
                <!-- Below API 31 pathAdvancedPattern is ignored: those links stay in the browser. -->
                <intent-filter android:autoVerify="true">
                    <action android:name="android.intent.action.VIEW" />
                    <category android:name="android.intent.category.DEFAULT" />
                    <category android:name="android.intent.category.BROWSABLE" />
                    <data android:scheme="https" />
                    <data android:host="example.com" />
                    <data android:path="/cart" />
                    <data android:path="/cart/" />
                    <data android:pathAdvancedPattern="/v1\\\\.0/[^/]+/{0,1}" />
                </intent-filter>
                <intent-filter>
                    <action android:name="android.intent.action.VIEW" />
                    <category android:name="android.intent.category.DEFAULT" />
                    <category android:name="android.intent.category.BROWSABLE" />
                    <data android:scheme="example" />
                </intent-filter>

                """)
    }

    @Test func propertyListsAreValid() throws {
        let files = try SiteFiles.make("cart")
        let info = try Self.propertyList(files.infoPlist(bundle: "com.example.us"))
        let types = try #require(info["CFBundleURLTypes"] as? [[String: Any]])
        #expect(types.count == 1)
        #expect(types[0]["CFBundleURLSchemes"] as? [String] == ["example"])
        #expect(types[0]["CFBundleURLName"] as? String == "com.example.us.us")
        let entitlements = try Self.propertyList(files.entitlements(bundle: "com.example.us"))
        #expect(entitlements["com.apple.developer.associated-domains"] as? [String] == ["applinks:example.com"])
    }

    @Test func outboundSchemesAreQueriedOncePerApp() throws {
        var markets = [
            try SiteInput.Market.make("us", hosts: ["a.com"], schemes: ["us"], app: .us, patterns: ["cart"]),
            try .make("pr", hosts: ["b.com"], schemes: ["pr"], app: .us, patterns: ["cart"]),
        ]
        markets[0].outboundSchemes = ["tel", "Mailto"]
        markets[1].outboundSchemes = ["mailto", "what&app"]
        let files = try SiteFiles(SiteInput(markets: markets))
        let info = try Self.propertyList(files.infoPlist(bundle: "com.example.us"))
        #expect(info["LSApplicationQueriesSchemes"] as? [String] == ["tel", "mailto", "what&app"])
        #expect(files.findings == [])
        markets[1].outboundSchemes = (0..<50).map { "s\($0)" }
        let many = try SiteFiles(SiteInput(markets: markets)).findings
        #expect(many.map(\.code) == [.manyQueriedSchemes])
        #expect(many[0].concerns(.infoPlist, host: nil) && !many[0].concerns(.siteAssociation, host: nil))
        #expect(
            many[0].description.contains("queries 52 schemes, but iOS 15 and later consider only the first 50"))
    }

    @Test func markdownHasRowForEachRoute() throws {
        let text = try SiteFiles.make("24/7", "x/:l(en|fr)").supportedLinks()
        #expect(
            text == """
                # Supported links

                ## us

                Hosts: `https://example.com`

                Schemes: `example://`

                | routable | pattern | example | iOS | Android 35+ | Android 31+ |
                |---|---|---|---|---|---|
                | `r0` | `24/7` | `/24/7` | exact | exact | exact |
                | `r1` | `x/:l(en\\|fr)` | `/x/en` | exact | under | under |

                ### Files that differ from the routes

                - android-35, under: paths are case-sensitive, but routes are not, such as `https://example.com/X/en` (`x/:l(en\\|fr)`)
                - android-31, under: paths are case-sensitive, but routes are not, such as `https://example.com/X/en` (`x/:l(en\\|fr)`)

                ## Legend

                - exact: the file opens the app for all links of the route, and for no others
                - over: the file also opens the app for other links, which the app does not route
                - under: the file opens the app for only some of the links; the others stay in the browser
                - impossible: the file opens the app for none of the links, because the format cannot express them
                - Android 35+: devices that read the dynamic rules of assetlinks.json, from API level 35 with Google's services

                """)
    }

    @Test func generatedJSONIsValid() throws {
        let standard = StandardRoutables.parameters.flatMap { $0.feature.paths }
        let files = try SiteFiles.make(standard + ["say/50 off/café's"])
        let data = Data(try files.siteAssociation(host: "example.com").utf8)
        let json = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let applinks = try #require(json["applinks"] as? [String: Any])
        let details = try #require(applinks["details"] as? [[String: Any]])
        let components = try #require(details[0]["components"] as? [[String: Any]])
        #expect(components.contains { $0["/"] as? String == "/say/50%20off/caf%C3%A9's" })
        _ = try JSONSerialization.jsonObject(with: Data(try files.assetLinks(host: "example.com").utf8))
    }

    // MARK: Several markets

    @Test func hostsOfOneAppShareFilterIfPathsAreEqual() throws {
        let markets = [
            try SiteInput.Market.make("us", hosts: ["a.com", "b.com"], app: .us, patterns: ["cart"]),
            try SiteInput.Market.make("ca", hosts: ["c.com"], app: .us, patterns: ["panier"]),
        ]
        let files = try SiteFiles(SiteInput(markets: markets))
        let groups = files.intentFilterGroups(package: "com.example.us.android")
        #expect(groups.map { $0.map(\.unit.host) } == [["a.com", "b.com"], ["c.com"]])
        // The product of a filter's hosts and paths is exactly the hosts' own rules.
        for group in groups {
            for host in group { #expect(Set(host.rules.map(\.rule)) == Set(group[0].rules.map(\.rule))) }
        }
    }

    @Test func marketsOfOneAppAreMergedOnOneHost() throws {
        let markets = [
            try SiteInput.Market.make("us", hosts: ["a.com"], app: .us, patterns: ["cart", "ip/:id"]),
            try SiteInput.Market.make("ca", hosts: ["A.com"], app: .us, patterns: ["cart", "panier"]),
        ]
        let files = try SiteFiles(SiteInput(markets: markets))
        #expect(files.hosts == ["a.com"])
        let text = try files.siteAssociation(host: "a.com")
        #expect(text.components(separatedBy: "\"/cart\"").count == 2 && text.contains("\"/panier\""))
        #expect(
            files.findings.map(\.description).prefix(1) == [
                "a.com: markets us, ca share the host and the app but not their routes; a link that only one of them "
                    + "routes opens the app in all of them"
            ])
        #expect(files.audit().contradictions == [])
        #expect(try files.assetLinks(host: "a.com").components(separatedBy: "package_name").count == 2)
    }

    @Test func appsOnOneHostAreListedSideBySide() throws {
        let markets = [
            try SiteInput.Market.make("us", hosts: ["a.com"], app: .us, patterns: ["cart"]),
            try SiteInput.Market.make("ca", hosts: ["a.com"], app: .ca, patterns: ["panier"]),
        ]
        let files = try SiteFiles(SiteInput(markets: markets))
        let text = try files.siteAssociation(host: "a.com")
        #expect(text.contains("US7W4LMART.com.example.us") && text.contains("CA7W4LMART.com.example.ca"))
        #expect(try files.assetLinks(host: "a.com").contains("com.example.ca.android"))
        #expect(files.findings.map(\.code) == [.sharedHost])
        #expect(files.audit().contradictions == [])
    }

    // MARK: Errors

    @Test func allProblemsOfInputAreReportedTogether() throws {
        var other = SiteInput.App.us
        other.certificateDigests = [String(repeating: "ff", count: 32)]
        other.teamIdentifier = "OTHER"
        var broken = SiteInput.App.ca
        broken.certificateDigests = ["12"]
        broken.bundleIdentifier = "com example"
        let markets = [
            try SiteInput.Market.make("us", hosts: ["a.com"], app: .us, patterns: ["cart"]),
            try SiteInput.Market.make("mx", hosts: ["https://m.com"], schemes: ["1x"], app: other, patterns: []),
            try SiteInput.Market.make("ca", hosts: [], app: broken, patterns: [":a", ":b"]),
            try SiteInput.Market.make("ca", hosts: [], app: SiteInput.App(), patterns: []),
        ]
        let error = #expect(throws: SiteFilesError.self) { try SiteFiles(SiteInput(markets: markets)) }
        #expect(
            error?.description == """
                market "mx": deepLinking.universalLinks: expected a host name such as "www.walmart.com", got "https://m.com"
                market "mx": deepLinking.schemes: expected a scheme of letters, digits, "+", "-", and ".", got "1x"
                market "ca": appInfo.bundleIdentifier: expected letters, digits, "-", and ".", got "com example"
                market "ca": appInfo.android.certificateDigests: expected 32 pairs of hexadecimal digits (SHA-256), got "12"
                market "ca" appears twice; list each market once
                app "com.example.us.android": markets "us" and "mx" set different values for appInfo.android.certificateDigests, but an app can have only one; make them equal
                app "com.example.us": markets "us" and "mx" set different values for appInfo.teamIdentifier, but an app can have only one; make them equal
                market "ca": the routes cannot be compiled: r1: pattern ":b" conflicts with ":a" of r0: both match "x" with equal rank; change or remove one
                """)
    }

    @Test func missingValuesAreReportedForTheFileThatNeedsThem() throws {
        let market = try SiteInput.Market.make("us", hosts: ["a.com"], app: SiteInput.App(), patterns: ["cart"])
        let files = try SiteFiles(SiteInput(markets: [market]))
        let association = #expect(throws: SiteFilesError.self) { try files.siteAssociation(host: "a.com") }
        #expect(
            association?.description
                == "market \"us\": appInfo.bundleIdentifier is missing, but apple-app-site-association requires it; "
                + "set it in the market file")
        let links = #expect(throws: SiteFilesError.self) { try files.assetLinks(host: "a.com") }
        #expect(
            links?.description
                == "market \"us\" has no Android app, which assetlinks.json requires; set platform.appInfo.android, or omit the file"
        )
    }

    @Test func unknownNamesAreErrors() throws {
        let files = try SiteFiles.make("cart")
        let host = #expect(throws: SiteFilesError.self) { try files.siteAssociation(host: "b.com") }
        #expect(host?.description == "no market has the host \"b.com\"; known: example.com")
        let package = #expect(throws: SiteFilesError.self) { try files.intentFilters(package: "x") }
        #expect(package?.description == "no market has the Android package \"x\"; known: com.example.us.android")
        #expect(throws: SiteFilesError.self) { try files.infoPlist(bundle: "x") }
        #expect(throws: SiteFilesError.self) { try files.entitlements(bundle: "x") }
    }

    @Test func oversizedFileIsAFinding() throws {
        let files = try SiteFiles.make(["cart"], options: SiteFiles.Options(associationSizeLimit: 100))
        #expect(files.findings.map(\.code) == [.oversize])
        #expect(
            files.findings[0].message.hasSuffix(
                " bytes, but devices reportedly read only 100; use fewer routes or a catch-all"))
        #expect(try SiteFiles.make("cart").findings == [])
    }

    private static func propertyList(_ text: String) throws -> [String: Any] {
        let value = try PropertyListSerialization.propertyList(from: Data(text.utf8), format: nil)
        return try #require(value as? [String: Any])
    }
}
