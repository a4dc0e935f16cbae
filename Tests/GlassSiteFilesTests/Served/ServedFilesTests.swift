import Foundation
import GlassBase
import Testing

@testable import GlassSiteFiles

/// What a phone makes of files that a site serves, whoever wrote them.
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

    /// A site association file with these components for the market's app.
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

    private func codes(_ file: ServedFile, _ patterns: String...) throws -> [ServedFinding.Code] {
        let market = try SiteInput.Market.make(
            "us", hosts: ["www.example.com", "example.com"], app: .us, patterns: patterns)
        return try SiteFiles(SiteInput(markets: [market])).verify([file], allowance: .unlimited).map(\.code)
    }

    /// The exports say what the routes are, so that nothing is wrong with them.
    @Test func ownExportsHaveNoFinding() throws {
        let files = try Self.files("cart", "ip/:id(int)", "search?q", "help/*topic", "x/:l(en|fr)/:u(uuid)", "/")
        for host in files.hosts {
            let association = Self.file(host, .siteAssociation, try files.siteAssociation(host: host))
            let links = Self.file(host, .assetLinks, try files.assetLinks(host: host))
            #expect(try files.verify([association, links], allowance: .unlimited) == [])
        }
    }

    private static func file(_ host: String, _ kind: ServedFile.Kind, _ text: String) -> ServedFile {
        ServedFile(
            host: host, kind: kind, place: "x", content: .bytes(Array(text.utf8)), contentType: "application/json")
    }

    @Test(
        arguments: [
            // Components in every form that devices read.
            (#"{"/":"/cart*"}"#, []), (#"{"/":"/cart"},{"/":"/cart/"}"#, [.missedSpelling]),
            (#"{"/":"/cart*","caseSensitive":false}"#, []), (#"{"/":"/Cart*"}"#, [.missedRoute]),
            (#"{"/":"/*","exclude":true},{"/":"/cart*"}"#, [.missedRoute]), (#"{}"#, [.overclaim]),
            (#"{"/":"/cart*","?":{"utm":"*"}}"#, []), (#"{"/":"/cart*","?":{"utm":"?*"}}"#, [.missedRoute]),
            (#"{"/":"/cart*","?":""}"#, [.missedRoute]), (##"{"/":"/cart*","#":"x"}"##, [.missedRoute]),
            (#"{"/":"/$(upper)art*"}"#, [.missedRoute]), (#"{"/":"/$(alpha)art*"}"#, []), (#"{"/":"/c?rt*"}"#, []),
            (#"{"/":"cart"}"#, [.malformed, .missedRoute]), (#"{"/":1}"#, [.malformed, .overclaim]),
            (#"{"/":"/cart*","exclued":true}"#, [.malformed]), (#""/cart""#, [.malformed, .missedRoute]),
            ("", [.missedRoute]),
        ] as [(String, [ServedFinding.Code])])
    func componentsAreReadAsDevicesDo(components: String, codes: [ServedFinding.Code]) throws {
        let found = try self.codes(Self.served(Self.association(components)), "cart")
        // The near misses that a wide pattern takes are not what this is about.
        #expect(found.filter { $0 != .overclaim || codes.contains(.overclaim) }.uniqued.contains(all: codes))
        #expect(Set(found).subtracting(codes).subtracting([.overclaim, .missedSpelling]) == [])
    }

    @Test(
        arguments: [
            (#"{"applinks":{"apps":[],"details":[{"appID":"APP","paths":["/cart*"]}]}}"#, []),
            (#"{"applinks":{"details":{"APP":{"paths":["NOT /cart","/cart*"]}}}}"#, [.missedRoute]),
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
        ] as [(String, [ServedFinding.Code])])
    func filesOfEveryFormAreRead(text: String, codes: [ServedFinding.Code]) throws {
        let found = try self.codes(Self.served(text.replacing("APP", with: Self.app)), "cart")
        #expect(Set(found).subtracting([.overclaim, .missedSpelling]) == Set(codes))
    }

    @Test func aMissedRouteIsNamedWithItsLinks() throws {
        let file = Self.served(Self.association(#"{"/":"/ip/?*"}"#, #""defaults":{"caseSensitive":false},"#))
        let findings = try Self.files("ip/:id(int)", "cart").verify([file], allowance: .unlimited)
        let lost = try #require(findings.first { $0.code == .missedRoute })
        #expect(lost.route == ServedFinding.Route(market: "us", routable: "r1", pattern: "cart"))
        #expect(
            lost.links == [
                "https://www.example.com/cart", "https://www.example.com/cart?utm=1", "https://www.example.com/cart/",
            ])
        #expect(
            lost.headline.plain
                == "www.example.com/apple-app-site-association: error: us: r1 (cart): its links stay in the browser")
        #expect(findings.filter { $0.severity == .error }.count == 1)
    }

    @Test(
        arguments: [
            (ServedFile.Kind.siteAssociation, "text/html; charset=utf-8", ServedFinding.Severity.error),
            (.siteAssociation, "application/octet-stream", .warning), (.siteAssociation, nil, .warning),
            (.assetLinks, "text/plain", .error), (.assetLinks, nil, .error),
            (.assetLinks, "Application/JSON; charset=utf-8", nil), (.siteAssociation, "application/json", nil),
        ] as [(ServedFile.Kind, String?, ServedFinding.Severity?)])
    func contentTypesAreLookedAt(kind: ServedFile.Kind, type: String?, severity: ServedFinding.Severity?) throws {
        let text = kind == .assetLinks ? Self.links(nil) : Self.association(#"{"/":"/cart*","caseSensitive":false}"#)
        let findings = try Self.files("cart").verify([Self.served(text, kind, type: type)], allowance: .unlimited)
        #expect(findings.first { $0.code == .contentType }?.severity == severity)
    }

    @Test(arguments: [
        (ServedFile.Content.missing(status: 404), ServedFinding.Code.missing),
        (.redirect(to: "https://x.com/"), .redirected),
        (.status(500), .status), (.tooLong(limit: 9), .tooLarge), (.unreachable("no"), .unreachable),
    ])
    func whatKeepsAPhoneFromAFileIsAnError(content: ServedFile.Content, code: ServedFinding.Code) throws {
        for kind in ServedFile.Kind.allCases {
            let file = ServedFile(host: "www.example.com", kind: kind, place: "x", content: content)
            let findings = try Self.files("cart").verify([file], allowance: .unlimited)
            #expect(findings.map(\.code) == [code] && findings.map(\.severity) == [.error])
        }
    }

    @Test func moreThanDevicesReadIsAnError() throws {
        let filler = #"{"/":"/cart*","comment":"\#(String(repeating: "x", count: 128 * 1024))"}"#
        #expect(try codes(Self.served(Self.association(filler)), "cart").contains(.tooLarge))
    }

    @Test func ofTheTwoNamesOfASiteTheOneThatIsNotListedIsNamed() throws {
        let file = ServedFile(host: "www.example.com", kind: .assetLinks, place: "x", content: .status(500))
        let files = try Self.files("cart", hosts: ["www.example.com"])
        let findings = try files.verify([file, file], allowance: .unlimited)
        #expect(findings.map(\.code) == [.unlistedHost, .status, .status])
        #expect(findings[0].message == "links of example.com stay in the browser" && findings[0].severity == .warning)
    }

    @Test(
        arguments: [
            (nil, []), (#"[{"/":"*"}]"#, []), (#"[{"/":"/cart"},{"/":"/cart/"}]"#, []),
            (#"[{"/":"/cart","exclude":true},{"/":"*"}]"#, [.missedRoute]), (#"[{"/":"/ip/*"}]"#, [.missedRoute]),
            (#"[{"?":{"utm":"*"}}]"#, [.missedRoute]), ("[]", [.malformed]), (#"[{"/":""},{"/":"/no"}]"#, [.malformed]),
            (#"[{"path":"/no"}]"#, [.malformed]), (#"[{"/":"/no","exclude":"yes"}]"#, [.malformed]),
        ] as [(String?, [ServedFinding.Code])])
    func dynamicRulesCanKeepLinksFromTheApp(rules: String?, codes: [ServedFinding.Code]) throws {
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
        #expect(try codes(Self.served("{}", .assetLinks), "cart") == [.malformed, .missingApp])
        let twice = Self.links(#"[{"/":"*"}]"#)
        let both = twice.dropLast() + "," + twice.dropFirst()
        #expect(try codes(Self.served(String(both), .assetLinks), "cart") == [.repeatedRules])
    }

    @Test func aMarketWithoutAnAppIsNotCompared() throws {
        let market = try SiteInput.Market.make(
            "us", hosts: ["a.b.example.com"], app: SiteInput.App(), patterns: ["cart"])
        let files = try SiteFiles(SiteInput(markets: [market]))
        let served = [
            Self.file("a.b.example.com", .siteAssociation, Self.association("")),
            Self.file("a.b.example.com", .assetLinks, "[]"),
        ]
        let findings = try files.verify(served, allowance: .unlimited)
        #expect(findings.map(\.code) == [.noApp, .noApp] && findings.allSatisfy { $0.severity == .warning })
        let none = ServedFile(
            host: "a.b.example.com", kind: .assetLinks, place: "x", content: .missing(status: 404))
        #expect(try files.verify([none], allowance: .unlimited).map(\.code) == [.noApp])
    }

    /// Made by `openssl smime -sign -nodetach -binary -nocerts -outform DER`.
    @Test func aSignedFileIsReadAndNamed() throws {
        let bytes = try #require(Data(base64Encoded: Self.signed, options: .ignoreUnknownCharacters))
        func file(_ bytes: some Sequence<UInt8>) -> ServedFile {
            ServedFile(
                host: "www.example.com", kind: .siteAssociation, place: "x", content: .bytes(Array(bytes)),
                contentType: "application/pkcs7-mime")
        }
        let findings = try Self.files("cart").verify([file(bytes)], allowance: .unlimited)
        #expect(findings.map(\.code) == [.signed] && findings[0].severity == .warning)
        for length in 20..<bytes.count - 1 {
            let cut = try Self.files("cart").verify([file(bytes.prefix(length))], allowance: .unlimited)
            #expect(cut.contains { $0.severity == .error }, "\(length)")
        }
    }

    @Test func aHostileFileRunsOutOfTheAllowance() throws {
        let slow = #"{"/":"\#(String(repeating: "*a", count: 40))"},"#
        let text = Self.association(String(repeating: slow, count: 1_000) + #"{"/":"/cart*"}"#)
        let files = try Self.files("cart", "ip/:id(int)", "search?q", "help/*topic")
        #expect(throws: Allowance.Exceeded.self) {
            try files.verify([Self.served(text)], allowance: Allowance(work: [.exporting: 1_000]))
        }
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

extension [ServedFinding.Code] {
    fileprivate var uniqued: [Element] {
        var seen: Set<Element> = []
        return filter { seen.insert($0).inserted }
    }

    fileprivate func contains(all others: [Element]) -> Bool { Set(others).isSubset(of: self) }
}
