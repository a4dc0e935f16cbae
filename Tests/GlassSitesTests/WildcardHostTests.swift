import Foundation
import GlassBase
import Testing

@testable import GlassSites

/// The files of hosts with a wildcard. Both systems read them from the host behind it: Apple's TN3155, and Android's
/// "Verify Android App Links".
@Suite struct WildcardHostTests {
    private static func files(_ hosts: String...) throws -> SiteFiles {
        try SiteFiles(SiteInput(markets: [.make("us", hosts: hosts, app: .us, patterns: ["cart"])]))
    }

    @Test func fileOfAWildcardIsOnTheHostBehindIt() throws {
        let files = try Self.files("www.shop.example", "*.stores.shop.example")
        #expect(files.hosts == ["www.shop.example", "stores.shop.example"])
        #expect(
            try files.siteAssociation(host: "*.Stores.shop.example")
                == files.siteAssociation(host: "stores.shop.example"))
        #expect(try files.assetLinks(host: "stores.shop.example").contains("com.example.us.android"))
        #expect(throws: SiteFilesError.self) { try files.siteAssociation(host: "berlin.stores.shop.example") }
        #expect(files.fileHost(for: "a.stores.shop.example") == "stores.shop.example")
        #expect(files.fileHost(for: "stores.shop.example") == nil)
        #expect(files.fileHost(for: "www.shop.example") == "www.shop.example")
    }

    @Test func appsClaimTheWildcard() throws {
        let files = try Self.files("shop.example", "*.shop.example")
        // One file, for both.
        #expect(files.hosts == ["shop.example"])
        #expect(files.association.count == 1)
        let entitlements = try files.entitlements(bundle: "com.example.us")
        #expect(entitlements.contains("<string>applinks:*.shop.example</string>"))
        #expect(entitlements.contains("<string>applinks:shop.example</string>"))
        let filters = try files.intentFilters(package: "com.example.us.android")
        #expect(filters.contains("<data android:host=\"shop.example\" />"))
        #expect(filters.contains("<data android:host=\"*.shop.example\" />"))
        #expect(files.supportedLinks().contains("Hosts: `https://shop.example`, `https://*.shop.example`"))
    }

    @Test func wildcardIsFirstAndWhole() throws {
        for host in ["*", "*shop.example", "www.*.example", "*.", "*.*.example"] {
            #expect(throws: SiteFilesError.self) { try Self.files(host) }
        }
    }

    private func codes(_ files: SiteFiles, _ text: String, host: String) -> [SiteFinding] {
        files.verify(
            [
                ServedFile(
                    host: host, kind: .siteAssociation, place: "x", content: .bytes(Array(text.utf8)),
                    contentType: "application/json")
            ], budget: .unlimited)
    }

    @Test func missedLinksAreOfAHostThatTheWildcardCovers() throws {
        let files = try Self.files("*.stores.shop.example")
        let own = try files.siteAssociation(host: "stores.shop.example")
        #expect(codes(files, own, host: "stores.shop.example") == [])
        let missed = codes(files, own.replacing("/cart", with: "/other"), host: "stores.shop.example")
        #expect(missed.contains { $0.links.contains("https://any.stores.shop.example/cart") })
        #expect(files.audit().claims.allSatisfy { $0.reasons.allSatisfy { !$0.witness.contains("//stores.") } })
    }

    /// A wildcard covers `www`, and not the host behind it.
    @Test func hostBehindAWildcardIsNotCovered() throws {
        func unlisted(_ hosts: String..., at host: String) throws -> [String] {
            let market = try SiteInput.Market.make("us", hosts: hosts, app: .us, patterns: ["cart"])
            let files = try SiteFiles(SiteInput(markets: [market]))
            return codes(files, try files.siteAssociation(host: host), host: host).map(\.message)
        }
        #expect(try unlisted("*.shop.example", at: "shop.example") == ["links of shop.example stay in the browser"])
        #expect(try unlisted("shop.example", "*.shop.example", at: "shop.example") == [])
        #expect(
            try unlisted("www.shop.example", at: "www.shop.example") == ["links of shop.example stay in the browser"])
        #expect(try unlisted("www.shop.example", "*.shop.example", at: "www.shop.example") == [])
        #expect(try unlisted("*.stores.shop.example", at: "stores.shop.example") == [])
    }

    /// Apps with the host and with the wildcard share a file, and no link.
    @Test func hostAndWildcardOfTwoAppsDoNotShareLinks() throws {
        func shared(_ one: String, _ other: String) throws -> Bool {
            let files = try SiteFiles(
                SiteInput(markets: [
                    .make("us", hosts: [one], app: .us, patterns: ["cart"]),
                    .make("ca", hosts: [other], app: .ca, patterns: ["cart"]),
                ]))
            #expect(try files.siteAssociation(host: files.hosts[0]).components(separatedBy: "appIDs").count == 3)
            return files.findings.contains { $0.code == .sharedHost }
        }
        #expect(try !shared("shop.example", "*.shop.example"))
        #expect(try shared("*.shop.example", "*.shop.example"))
    }
}
