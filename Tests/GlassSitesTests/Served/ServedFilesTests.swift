import Foundation
import GlassBase
import GlassSchema
import Testing

@testable import GlassSites

/// How a phone treats the files that a site serves, whatever they contain.
@Suite struct ServedFilesTests {
    private static let app = "US7W4LMART.com.example.us"

    static func files(_ patterns: String..., hosts: [String] = ["www.example.com", "example.com"]) throws -> SiteFiles {
        let market = try SiteInput.Market.make("us", hosts: hosts, app: .us, patterns: patterns)
        return try SiteFiles(SiteInput(markets: [market]))
    }

    private static func served(
        _ text: String, _ kind: ServedFile.Kind = .siteAssociation, type: String? = "application/json"
    ) -> ServedFile {
        ServedFile(
            host: "www.example.com", kind: kind, place: "https://www.example.com" + kind.path,
            content: .bytes(Array(text.utf8)), contentType: type)
    }

    /// An association file with these components for the market's app.
    private static func association(_ components: String, _ more: String = "") -> String {
        #"{"applinks":{\#(more)"details":[{"appIDs":["\#(app)"],"components":[\#(components)]}]}}"#
    }

    private static func links(_ rules: String?, digest: String = String(repeating: "0A:", count: 31) + "0A") -> String {
        let relation = "delegate_permission/common.handle_all_urls"
        let more =
            rules.map { #","relation_extensions":{"\#(relation)":{"dynamic_app_link_components":\#($0)}}"# } ?? ""
        return """
            [{"relation":["\(relation)"],"target":{"namespace":"android_app","package_name":"com.example.us.android",\
            "sha256_cert_fingerprints":["\(digest)"]}\(more)}]
            """
    }

    private func codes(_ file: ServedFile, _ patterns: String...) throws -> [SiteFinding.Code] {
        let market = try SiteInput.Market.make(
            "us", hosts: ["www.example.com", "example.com"], app: .us, patterns: patterns)
        return try SiteFiles(SiteInput(markets: [market])).verify([file], budget: .unlimited).map(\.code)
    }

    /// The exports match the routes, so they have no findings.
    @Test func ownExportsHaveNoFindings() throws {
        let files = try Self.files("cart", "ip/:id(int)", "search?q", "help/*topic", "x/:l(en|fr)/:u(uuid)", "/")
        for host in files.hosts {
            let association = Self.file(host, .siteAssociation, try files.siteAssociation(host: host))
            let links = Self.file(host, .assetLinks, try files.assetLinks(host: host))
            #expect(files.verify([association, links], budget: .unlimited) == [])
        }
    }

    private static func file(_ host: String, _ kind: ServedFile.Kind, _ text: String) -> ServedFile {
        ServedFile(
            host: host, kind: kind, place: "x", content: .bytes(Array(text.utf8)), contentType: "application/json")
    }

    @Test(
        arguments: [
            // Components in every syntax that devices read.
            (#"{"/":"/cart*"}"#, []), (#"{"/":"/cart"}"#, [.missedSpelling]),
            (#"{"/":"/cart*","caseSensitive":false}"#, []), (#"{"/":"/Cart*"}"#, [.missedRoute]),
            (#"{"/":"/*","exclude":true},{"/":"/cart*"}"#, [.missedRoute]), (#"{}"#, [.overclaim]),
            (#"{"/":"/cart*","?":{"utm":"*"}}"#, []), (#"{"/":"/cart*","?":{"utm":"?*"}}"#, [.missedRoute]),
            (#"{"/":"/cart*","?":""}"#, [.missedRoute]), (##"{"/":"/cart*","#":"x"}"##, [.missedRoute]),
            (#"{"/":"/$(upper)art*"}"#, [.missedRoute]), (#"{"/":"/$(alpha)art*"}"#, []), (#"{"/":"/c?rt*"}"#, []),
            (#"{"/":"cart"}"#, []), (#"{"/":1}"#, [.malformed, .unknownRoute]), (#"{"/":"/cart/*"}"#, []),
            (#"{"/":"*//*","exclude":true},{"/":"/cart"}"#, [.malformed, .unknownRoute]),
            (#"{"/":"/cart*","exclued":true}"#, [.malformed]), (#""/cart""#, [.malformed, .missedRoute]),
            ("", [.missedRoute]),
        ] as [(String, [SiteFinding.Code])])
    func componentsAreReadLikeOnDevices(components: String, codes: [SiteFinding.Code]) throws {
        let found = try self.codes(Self.served(Self.association(components)), "cart")
        // Near misses that a wide pattern also matches are not the subject of this test.
        #expect(found.filter { $0 != .overclaim || codes.contains(.overclaim) }.uniqued.contains(all: codes))
        #expect(Set(found).subtracting(codes).subtracting([.overclaim, .missedSpelling]) == [])
    }

    @Test(
        arguments: [
            (#"{"applinks":{"apps":[],"details":[{"appID":"APP","paths":["/cart*"]}]}}"#, []),
            (#"{"applinks":{"details":{"APP":{"paths":["NOT /cart","/cart*"]}}}}"#, [.malformed, .missedRoute]),
            (#"{"applinks":{"details":[{"appIDs":["APP"],"paths":["/no"],"components":[{"/":"/cart*"}]}]}}"#, []),
            (#"{"applinks":{"details":[{"appIDs":["APP"]}]}}"#, [.malformed, .missedRoute]),
            (
                #"{"applinks":{"substitutionVariables":{"w":["c?rt","x"]},"details":[{"appID":"APP","components":[{"/":"/$(w)*"}]}]}}"#,
                []
            ),
            (
                #"{"applinks":{"details":[{"appIDs":["OTHER12345.com.example.us"],"components":[{"/":"*"}]}]}}"#,
                [.wrongTeam]
            ),
            (
                #"{"applinks":{"details":[{"appIDs":["OTHER12345.com.example.ca"],"components":[{"/":"*"}]}]}}"#,
                [.missingApp]
            ),
            (#"{"webcredentials":{"apps":["APP"]}}"#, [.malformed, .missingApp]),
            (#"{"applinks":{"details":[{"appID":"APP","paths":[]}],"details":[]}}"#, [.notJSON]),
            (#"<html>"#, [.notJSON]), ("", [.notJSON]),
        ] as [(String, [SiteFinding.Code])])
    func filesInEveryFormatAreRead(text: String, codes: [SiteFinding.Code]) throws {
        let found = try self.codes(Self.served(text.replacing("APP", with: Self.app)), "cart")
        #expect(Set(found).subtracting([.overclaim, .missedSpelling]) == Set(codes))
    }

    @Test func missedRouteIsReportedWithLinks() throws {
        let file = Self.served(Self.association(#"{"/":"/ip/?*"}"#, #""defaults":{"caseSensitive":false},"#))
        let findings = try Self.files("ip/:id(int)", "cart").verify([file], budget: .unlimited)
        let lost = try #require(findings.first { $0.code == .missedRoute })
        #expect(lost.route == SiteFinding.Route(market: "us", routable: "r1", pattern: "cart"))
        #expect(
            lost.links == [
                "https://www.example.com/cart", "https://www.example.com/cart?utm=1", "https://www.example.com/cart/",
            ])
        #expect(
            lost.headline.plain
                == "www.example.com/apple-app-site-association: error: us: r1 (cart): its links stay in the browser [missedRoute]"
        )
        #expect(findings.filter { $0.severity == .error }.count == 1)
    }

    @Test func someMissedLinksAreShownAndAllCounted() throws {
        let findings = try Self.files("ip/:id(int)").verify([Self.served(Self.association(""))], budget: .unlimited)
        let lost = try #require(findings.first { $0.code == .missedRoute })
        #expect(lost.links.count == 3)
        #expect(lost.message == "us: r0 (ip/:id(int)): its links stay in the browser; showing 3 of 8")
    }

    @Test(
        arguments: [
            (ServedFile.Kind.siteAssociation, "text/html; charset=utf-8", Finding.Severity.error),
            (.siteAssociation, "application/octet-stream", .warning), (.siteAssociation, nil, .warning),
            (.assetLinks, "text/plain", .error), (.assetLinks, nil, .error),
            (.assetLinks, "Application/JSON; charset=utf-8", nil), (.siteAssociation, "application/json", nil),
        ] as [(ServedFile.Kind, String?, Finding.Severity?)])
    func contentTypeIsChecked(kind: ServedFile.Kind, type: String?, severity: Finding.Severity?) throws {
        let text = kind == .assetLinks ? Self.links(nil) : Self.association(#"{"/":"/cart*","caseSensitive":false}"#)
        let findings = try Self.files("cart").verify([Self.served(text, kind, type: type)], budget: .unlimited)
        #expect(findings.first { $0.code == .contentType }?.severity == severity)
    }

    @Test(arguments: [
        (ServedFile.Content.missing(status: 404), SiteFinding.Code.missing),
        (.redirect(to: "https://x.com/"), .redirected),
        (.status(500), .status), (.tooLong(limit: 9), .tooLarge), (.unreachable("no"), .unreachable),
    ])
    func unusableFileIsAnError(content: ServedFile.Content, code: SiteFinding.Code) throws {
        for kind in ServedFile.Kind.allCases {
            let file = ServedFile(host: "www.example.com", kind: kind, place: "x", content: content)
            let findings = try Self.files("cart").verify([file], budget: .unlimited)
            #expect(findings.map(\.code) == [code] && findings.map(\.severity) == [.error])
        }
    }

    @Test func unlistedHostNameOfSiteIsReported() throws {
        let file = ServedFile(host: "www.example.com", kind: .assetLinks, place: "x", content: .status(500))
        let files = try Self.files("cart", hosts: ["www.example.com"])
        let findings = files.verify([file, file], budget: .unlimited)
        #expect(findings.map(\.code) == [.unlistedHost, .status, .status])
        #expect(findings[0].message == "links of example.com stay in the browser" && findings[0].severity == .warning)
    }

    @Test(
        arguments: [
            (nil, []), (#"[{"/":"*"}]"#, []), (#"[{"/":"/cart"},{"/":"/cart/"}]"#, []),
            (#"[{"/":"/cart","exclude":true},{"/":"*"}]"#, [.missedRoute]), (#"[{"/":"/ip/*"}]"#, [.missedRoute]),
            (#"[{"?":{"utm":"*"}}]"#, [.missedRoute]), ("[]", [.malformed]), (#"[{"/":""},{"/":"/no"}]"#, [.malformed]),
            (#"[{"path":"/no"}]"#, [.malformed]), (#"[{"/":"/no","exclude":"yes"}]"#, [.malformed]),
        ] as [(String?, [SiteFinding.Code])])
    func dynamicRulesCanExcludeLinks(rules: String?, codes: [SiteFinding.Code]) throws {
        #expect(try self.codes(Self.served(Self.links(rules), .assetLinks), "cart").uniqued == codes)
    }

    @Test func certificatesAndAppsAreCompared() throws {
        let foreign = String(repeating: "0B:", count: 31) + "0B"
        #expect(
            try codes(Self.served(Self.links(nil, digest: foreign), .assetLinks), "cart")
                == [.missingDigest, .foreignDigest])
        #expect(
            try codes(Self.served(Self.links(nil, digest: foreign.lowercased()), .assetLinks), "cart")
                == [.malformed, .missingDigest])
        #expect(try codes(Self.served("[]", .assetLinks), "cart") == [.missingApp])
        #expect(
            try codes(Self.served(#"[{"include":"https://x.com/a.json"}]"#, .assetLinks), "cart") == [
                .include, .missingApp,
            ])
        let odd = Self.links(nil).replacing(#""relation""#, with: #""include":null,"relation""#)
        #expect(try codes(Self.served(odd, .assetLinks), "cart") == [.malformed])
        #expect(try codes(Self.served("{}", .assetLinks), "cart") == [.malformed])
        let twice = Self.links(#"[{"/":"*"}]"#)
        let both = twice.dropLast() + "," + twice.dropFirst()
        #expect(try codes(Self.served(String(both), .assetLinks), "cart") == [.repeatedRules])
    }

    @Test func marketWithoutAppIsNotCompared() throws {
        let market = try SiteInput.Market.make(
            "us", hosts: ["a.b.example.com"], app: SiteInput.App(), patterns: ["cart"])
        let files = try SiteFiles(SiteInput(markets: [market]))
        let served = [
            Self.file("a.b.example.com", .siteAssociation, Self.association("")),
            Self.file("a.b.example.com", .assetLinks, "[]"),
        ]
        let findings = files.verify(served, budget: .unlimited)
        #expect(findings.map(\.code) == [.noApp, .noApp] && findings.allSatisfy { $0.severity == .warning })
        let none = ServedFile(
            host: "a.b.example.com", kind: .assetLinks, place: "x", content: .missing(status: 404))
        #expect(files.verify([none], budget: .unlimited).map(\.code) == [.noApp])
    }

    /// Created with `openssl smime -sign -nodetach -binary -nocerts -outform DER`.
    @Test func signedFileIsReadAndMentioned() throws {
        let bytes = try #require(Data(base64Encoded: Self.signed, options: .ignoreUnknownCharacters))
        func file(_ bytes: some Sequence<UInt8>) -> ServedFile {
            ServedFile(
                host: "www.example.com", kind: .siteAssociation, place: "x", content: .bytes(Array(bytes)),
                contentType: "application/pkcs7-mime")
        }
        let findings = try Self.files("cart").verify([file(bytes)], budget: .unlimited)
        #expect(findings.map(\.code) == [.signed] && findings[0].severity == .warning)
        for length in 20..<bytes.count - 1 {
            let cut = try Self.files("cart").verify([file(bytes.prefix(length))], budget: .unlimited)
            #expect(cut.contains { $0.severity == .error }, "\(length)")
        }
    }

    /// A value of the wrong type is reported at its key with its type, and not as missing.
    @Test(
        arguments: [
            ("[]", nil, "expected an object with applinks, got a list"),
            (#"{"applinks":"x"}"#, "applinks", "expected an object with details, got a string"),
            (
                #"{"applinks":{"details":"x"}}"#, "applinks.details",
                "expected a list of apps and their components, got a string"
            ),
            (
                #"{"applinks":{"details":["x"]}}"#, "applinks.details[0]",
                "expected an object with appIDs and components, got a string"
            ),
            (
                #"{"applinks":{"details":[{"appIDs":"APP","components":[]}]}}"#, "applinks.details[0].appIDs",
                "expected a list of strings, got a string"
            ),
            (
                #"{"applinks":{"details":[{"appIDs":[["APP"]],"components":[]}]}}"#, "applinks.details[0].appIDs[0]",
                "expected a string, got a list"
            ),
            (
                #"{"applinks":{"details":[{"appID":["APP"],"components":[]}]}}"#, "applinks.details[0].appID",
                "expected a string, got a list"
            ),
            (
                #"{"applinks":{"details":[{"appIDs":["APP"],"components":{"/":"*"}}]}}"#,
                "applinks.details[0].components", "expected a list of objects, got an object"
            ),
            (
                #"{"applinks":{"details":[{"appIDs":["APP"],"paths":"*"}]}}"#, "applinks.details[0].paths",
                "expected a list of strings, got a string"
            ),
        ] as [(String, String?, String)])
    func wrongTypeInAssociationIsAnError(text: String, key: String?, message: String) throws {
        let file = Self.served(text.replacing("APP", with: Self.app))
        let findings = try Self.files("cart").verify([file], budget: .unlimited)
        let told = try #require(findings.first { $0.code == .malformed })
        #expect(told.key == key && told.message == message && told.severity == .error)
        #expect(!findings.contains { $0.code == .missingApp })
    }

    @Test(
        arguments: [
            (#"{"applinks":{"apps":{},"details":[BLOCK]}}"#, "applinks.apps", "expected an empty list, got an object"),
            (#"{"applinks":{"defaults":[],"details":[BLOCK]}}"#, "applinks.defaults", "expected an object, got a list"),
            (
                #"{"applinks":{"defaults":{"exclude":1},"details":[BLOCK]}}"#, "applinks.defaults.exclude",
                "expected true or false, got a number"
            ),
            (
                #"{"applinks":{"substitutionVariables":[],"details":[BLOCK]}}"#, "applinks.substitutionVariables",
                "expected an object of lists of strings, got a list"
            ),
            (
                #"{"applinks":{"substitutionVariables":{"v":"x"},"details":[BLOCK]}}"#,
                "applinks.substitutionVariables.v", "expected a list of strings, got a string"
            ),
            (
                #"{"applinks":{"substitutionVariables":{"v":[1]},"details":[BLOCK]}}"#,
                "applinks.substitutionVariables.v[0]", "expected a string, got a number"
            ),
            (
                #"{"applinks":{"details":{"APP":{"components":[{"/":"*"}]}}}}"#, "applinks.details",
                "is an object, as before iOS 9; expected a list of apps and their components"
            ),
            (
                #"{"applinks":{"details":[BLOCK,{"appIDs":["APP"],"components":[1]}]}}"#,
                "applinks.details[1].components[0]", ##"expected an object with "/", "?", or "#", got a number"##
            ),
            (
                #"{"applinks":{"details":[BLOCK,{"appIDs":["APP"],"components":[{"?":true}]}]}}"#,
                #"applinks.details[1].components[0]["?"]"#, "expected a string or an object of strings, got true"
            ),
            (
                #"{"applinks":{"details":[BLOCK,{"appIDs":["APP"],"components":[{"?":{"a":null}}]}]}}"#,
                #"applinks.details[1].components[0]["?"]["a"]"#,
                #"expected a string, got null: devices therefore ignore all of "?""#
            ),
            (
                #"{"applinks":{"details":[BLOCK,{"appIDs":["APP"],"paths":[1]}]}}"#, "applinks.details[1].paths[0]",
                "expected a string, got a number"
            ),
        ] as [(String, String, String)])
    func wrongTypeWithoutEffectIsAWarning(text: String, key: String, message: String) throws {
        let block = #"{"appIDs":["APP"],"components":[{"/":"*"}]}"#
        let file = Self.served(text.replacing("BLOCK", with: block).replacing("APP", with: Self.app))
        let findings = try Self.files("cart").verify([file], budget: .unlimited)
        let told = try #require(findings.first { $0.code == .malformed })
        #expect(told.key == key && told.message == message && told.severity == .warning)
        #expect(!findings.contains { $0.severity == .error })
    }

    @Test(
        arguments: [
            (#"{"relation":["R"],"target":T}"#, nil, "expected a list of statements, got an object"),
            (#"["x"]"#, "[0]", "expected an object with a relation and a target, got a string"),
            (#"[{"relation":"R","target":T}]"#, "[0].relation", "expected a list of strings, got a string"),
            (#"[{"relation":[["R"]],"target":T}]"#, "[0].relation[0]", "expected a string, got a list"),
            (#"[{"relation":["R"],"target":[T]}]"#, "[0].target", "expected an object with a namespace, got a list"),
            (
                #"[{"relation":["R"],"target":{"namespace":["android_app"]}}]"#, "[0].target.namespace",
                "expected a string, got a list"
            ),
            (
                #"[{"relation":["R"],"target":{"namespace":"android_app","package_name":["P"]}}]"#,
                "[0].target.package_name", "expected a string, got a list"
            ),
            (
                #"[{"relation":["R"],"target":{"namespace":"android_app","package_name":"P","sha256_cert_fingerprints":"D"}}]"#,
                "[0].target.sha256_cert_fingerprints", "expected a list of strings, got a string"
            ),
            (
                #"[{"relation":["R"],"target":{"namespace":"android_app","package_name":"P","sha256_cert_fingerprints":[["D"]]}}]"#,
                "[0].target.sha256_cert_fingerprints[0]", "expected a string, got a list"
            ),
        ] as [(String, String?, String)])
    func wrongTypeInAssetLinksIsAnError(text: String, key: String?, message: String) throws {
        let target = #"{"namespace":"android_app","package_name":"P","sha256_cert_fingerprints":["D"]}"#
        let text = text.replacing("T}", with: "\(target)}").replacing("[T]", with: "[\(target)]")
            .replacing(#""P""#, with: #""com.example.us.android""#)
            .replacing(#""R""#, with: #""delegate_permission/common.handle_all_urls""#)
            .replacing(#""D""#, with: "\"\(String(repeating: "0A:", count: 31))0A\"")
        let findings = try Self.files("cart").verify([Self.served(text, .assetLinks)], budget: .unlimited)
        #expect(findings.map(\.code) == [.malformed])
        #expect(findings.first?.key == key && findings.first?.message == message)
        #expect(findings.first?.severity == .error)
    }

    @Test(arguments: [
        (#"[S,{"include":1}]"#, "[1].include", "expected a string, got a number"),
        (
            #"[{"relation":["R"],"relation_extensions":1,TARGET}]"#, "[0].relation_extensions",
            "expected an object, got a number"
        ),
        (
            #"[{"relation":["R"],"relation_extensions":{"R":1},TARGET}]"#, #"[0].relation_extensions["R"]"#,
            "expected an object, got a number"
        ),
    ])
    func wrongTypeNextToValidStatementIsAWarning(text: String, key: String, message: String) throws {
        let relation = "delegate_permission/common.handle_all_urls"
        let statement = String(Self.links(nil).dropFirst().dropLast())
        let target = try #require(statement.split(separator: #"],"target""#).last).dropLast()
        let text = text.replacing("S,", with: statement + ",").replacing("TARGET", with: #""target"\#(target)"#)
            .replacing(#""R""#, with: "\"\(relation)\"")
        let findings = try Self.files("cart").verify([Self.served(text, .assetLinks)], budget: .unlimited)
        #expect(findings.map(\.code) == [.malformed] && findings.map(\.severity) == [.warning])
        #expect(findings.first?.key == key.replacing(#""R""#, with: "\"\(relation)\""))
        #expect(findings.first?.message == message)
    }

    @Test func fileAtSiteRootIsUsedWithWarning() throws {
        let text = Self.association(#"{"/":"/cart*","caseSensitive":false}"#)
        let file = ServedFile(
            host: "www.example.com", kind: .siteAssociation,
            place: "https://www.example.com/apple-app-site-association", content: .bytes(Array(text.utf8)),
            contentType: "application/json", isAtOlderPlace: true)
        let findings = try Self.files("cart").verify([file], budget: .unlimited).filter { $0.code != .overclaim }
        #expect(findings.map(\.code) == [.olderPlace] && findings.map(\.severity) == [.warning])
        #expect(
            findings.first?.message
                == "is at https://www.example.com/apple-app-site-association, which devices try second")
    }

    // MARK: Limits

    @Test func hostileFileHasOneFindingThatNamesLimit() throws {
        let slow = #"{"/":"\#(String(repeating: "*a", count: 40))"},"#
        let text = Self.association(String(repeating: slow, count: 1_000) + #"{"/":"/cart*"}"#)
        let files = try Self.files("cart", "ip/:id(int)", "search?q", "help/*topic")
        let findings = files.verify(
            [Self.served(text), Self.served("[]", .assetLinks)], budget: WorkBudget(work: [.comparing: 1_000]))
        #expect(findings.map(\.code) == [.tooLarge] && findings.map(\.severity) == [.error])
        #expect(
            findings.first?.message
                == "was not compared completely, and later files not at all: comparing takes more than 1,000 steps")
    }

    @Test func oversizedFileIsNotCompared() throws {
        let filler = #"{"/":"/no","comment":"\#(String(repeating: "x", count: 128 * 1024))"}"#
        #expect(try codes(Self.served(Self.association(filler)), "cart") == [.tooLarge])
    }

    @Test func findingsBeyondLimitAreCounted() throws {
        let wrong = Array(repeating: #"{"nope":1}"#, count: 1_000).joined(separator: ",")
        let findings = try Self.files("cart").verify(
            [Self.served(Self.association(wrong))], budget: .unlimited
        ).filter { $0.code == .malformed }
        #expect(findings.count == SiteFindings.maximumOfACode + 1)
        #expect(findings.last?.message == "975 more of these are not shown" && findings.last?.severity == .warning)
        // An error among the omitted findings still counts as one.
        let digests = (0..<100).map { _ in "1" }.joined(separator: ",")
        let links = Self.links(nil).replacing(String(repeating: "0A:", count: 31) + #"0A""#, with: #"x","# + digests)
            .replacing(",]", with: "]")
        let others = try Self.files("cart").verify([Self.served(links, .assetLinks)], budget: .unlimited)
        #expect(others.last?.severity == .error && others.last?.code == .malformed)
    }

    @Test func longTextsFromFilesAreTruncated() throws {
        let long = String(repeating: "x", count: 100_000)
        let files = try Self.files("cart")
        let served = [
            Self.served(Self.association(#"{"\#(long)":1}"#)),
            Self.served(#"[{"include":"\#(long)"}]"#, .assetLinks, type: long),
        ]
        for finding in files.verify(served, budget: .unlimited) {
            #expect(finding.headline.plain.utf8.count < 1_000)
        }
    }

    /// How devices treat such a variable is unknown, so neither are the matches of its pattern.
    @Test(arguments: [#"["cart",5]"#, #""cart""#])
    func variableOfWrongTypeMakesResultUnknown(value: String) throws {
        for components in [#"{"/":"/$(v)*"}"#, #"{"/":"/$(v)*","exclude":true},{"/":"/cart*"}"#] {
            let text = Self.association(components)
                .replacing(#""details""#, with: #""substitutionVariables":{"v":\#(value)},"details""#)
            let found = try self.codes(Self.served(text), "cart")
            #expect(found.contains(.malformed), "\(components) \(found)")
            #expect(found.contains(.unknownRoute) && !found.contains(.missedRoute), "\(components) \(found)")
        }
    }

    @Test func findingsOfManyHostsAreLimited() {
        let findings = SiteFindings()
        for index in 0..<10_000 {
            findings.add(SiteFinding(.missing, of: "h\(index)", file: .assetLinks, "none"))
        }
        let all = findings.all
        #expect(all.count <= SiteFindings.maximum + SiteFindings.maximumOfACode + 1)
        #expect(all.last?.message.hasPrefix("9,4") == true && all.last?.severity == .error)
    }

    private static let signed = """
        MIIDEQYJKoZIhvcNAQcCoIIDAjCCAv4CAQExDzANBglghkgBZQMEAgEFADCBowYJKoZIhvcNAQcBoIGVBIGSeyJhcHBsaW5rcyI6eyJkZXRhaWxz
        IjpbeyJhcHBJRHMiOlsiVVM3VzRMTUFSVC5jb20uZXhhbXBsZS51cyJdLCJjb21wb25lbnRzIjpbeyIvIjoiL2NhcnQifSx7Ii8iOiIvY2FydC8i
        fV0sImRlZmF1bHRzIjp7ImNhc2VTZW5zaXRpdmUiOmZhbHNlfX1dfX0xggJAMIICPAIBATAuMBYxFDASBgNVBAMMC2V4YW1wbGUuY29tAhQbxdp9
        Ey8Qc1Fp6CviaykaewtvxTANBglghkgBZQMEAgEFAKCB5DAYBgkqhkiG9w0BCQMxCwYJKoZIhvcNAQcBMBwGCSqGSIb3DQEJBTEPFw0yNjExMjIx
        MTEyMDZaMC8GCSqGSIb3DQEJBDEiBCAyTIjSy4rKNK/vEzUpak4+fsoxzjgoaZWwHf3CjdC2NTB5BgkqhkiG9w0BCQ8xbDBqMAsGCWCGSAFlAwQB
        KjALBglghkgBZQMEARYwCwYJYIZIAWUDBAECMAoGCCqGSIb3DQMHMA4GCCqGSIb3DQMCAgIAgDANBggqhkiG9w0DAgIBQDAHBgUrDgMCBzANBggq
        hkiG9w0DAgIBKDANBgkqhkiG9w0BAQEFAASCAQBn9oud5GVSyUZzu494qAF7yqUpgjq1RKx4Q6UkjDmmdfa/ZuT2awBDMqY4HiAfWGE4eFV9j/zh
        AvkzTSVCenwJYcKUwCwX8dW70lG3ukdwyeRLJfiC+HQUKYzF8f3L5WnrVVehbQ/D1jZnAGq7V39DYalJuZiHfNwHFqVOSabtvjs4FHFWYKCcXzaJ
        XDn6W0e8fKRqgNM6gRxFwizbE5WNOmBqWEfIc6YUTzY21qYuVCjeDpVkldRom+HdONBs+wJix2tmxg6znPdQEH6fyj16PZEKZ0VSgU5ElakoCw+a
        LhEjnlGFiVRK+KhnUQKL7FOO1Zce8cSbckjQZ+sxqkf8
        """
}

extension [SiteFinding.Code] {
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }

    fileprivate func contains(all others: [Element]) -> Bool { Set(others).isSubset(of: self) }
}
