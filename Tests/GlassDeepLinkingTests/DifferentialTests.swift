import Foundation
import TestSupport
import Testing

@testable import GlassDeepLinking

@Suite struct DifferentialTests {
    struct Case: Sendable {
        let input: String
        let isFailure: Bool
        let hostname: String
    }

    static let cases: [Case] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/urltestdata.json")
        let json = try! JSONSerialization.jsonObject(with: Data(contentsOf: file)) as! [Any]
        return json.compactMap { $0 as? [String: Any] }.filter { $0["base"] is NSNull || $0["base"] == nil }.map {
            Case(
                input: $0["input"] as! String, isFailure: $0["failure"] as? Bool ?? false,
                hostname: $0["hostname"] as? String ?? "")
        }
    }()

    @Test func allCasesWithoutBaseAreIncluded() {
        #expect(DifferentialTests.cases.count > 500)
    }

    @Test func linksThatBrowsersRejectAreNotWebLinks() {
        var parsed = 0
        for row in DifferentialTests.cases {
            guard let link = try? DeepLink(row.input), link.isWebLink else { continue }
            parsed += 1
            #expect(!row.isFailure, "\(row.input.debugDescription) passes the gate with host \(link.host)")
            #expect(row.isFailure || link.host == row.hostname, "\(row.input.debugDescription): \(link.host)")
        }
        #expect(parsed > 20)
    }

    @Test func linksThatBrowsersRejectAreNotRouted() throws {
        // A router that would accept anything: every scheme and host in the cases, and every path.
        let hosts = DifferentialTests.cases.map(\.hostname).filter { !$0.isEmpty }
        let router = DeepLinkRouter(configuration: DeepLinkConfiguration(schemes: ["walmart"], universalLinks: hosts))
        try router.add(patterns: ["", "*rest"], waitForPreconditions: false) { _, _ in true }
        var routed = 0
        for row in DifferentialTests.cases where router.open(row.input).outcome == .routed {
            routed += 1
            #expect(!row.isFailure, "\(row.input.debugDescription)")
        }
        #expect(routed > 4)
    }

    @Test(arguments: [
        ("https://xn--/", false), ("https://xn--a/", false), ("https://xn--a-/", false),
        ("https://xn--zn7c.com/", false), ("https://xn--mnchen-3ya.de/", true), ("https://www.xn--caf-dma.com/", true),
        ("https://xn--99999999/", false), ("https://a--b.com/", true),
    ])
    func punycodeLabelsAreValidated(link: String, isGood: Bool) {
        var rule: DeepLinkRule?
        do { _ = try DeepLink(link) } catch { rule = error.rule }
        #expect(rule == (isGood ? nil : .invalidPunycode))
    }

    @Test func invalidPunycodeRefusalHasHint() {
        let error = #expect(throws: DeepLinkRefusal.self) { try DeepLink("https://xn--a/") }
        #expect(
            error?.description
                == #"link refused (invalidPunycode) at byte 8: the host "xn--a" has an xn-- label that does not encode a name; use the name's own xn-- form"#
        )
    }

    /// A link has the parts that the regular expression in appendix B of RFC 3986 finds.
    @Test func linkHasPartsOfRFC3986() throws {
        let expression = /(([^:\/?#]+):)?(\/\/([^\/?#]*))?([^?#]*)(\?([^#]*))?(#(.*))?/
        var random = SplitMix64(state: 7)
        let pieces = [
            "walmart", "https", "http", "://", ":", "/", "//", "?", "#", "@", "%", "%2F", "%20", "%2e", "%C3%A9", "é",
            "%00", "%1F", "%7e", "%7F",
            "_", "-.", ".-", "a-b", "long-label-of-a-host", "9",
            ".", "..", "&", "=", "+", "a", "B", "-", "--", "xn--a", "1", "_", "~", "\\", " ", "\u{85}", ":443",
        ]
        var accepted = 0
        for round in 0..<60_000 {
            let start = round % 2 == 0 ? ["walmart://", "https://a.b/"].randomElement(using: &random)! : ""
            let text =
                start
                + (0..<Int.random(in: 0...8, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            guard let link = try? DeepLink(text, limits: DeepLinkLimits(segments: 4, queryItems: 3)) else { continue }
            accepted += 1
            let parts = try #require(try expression.wholeMatch(in: text)).output
            func decoded(_ part: Substring) throws -> String { try #require(String(part).removingPercentEncoding) }
            #expect(link.scheme == parts.2?.lowercased(), "\(text)")
            var path = try parts.5.split(separator: "/").map(decoded)
            var host = parts.4?.lowercased() ?? ""
            if link.isWebLink {
                if let port = host.firstIndex(of: ":") { host = String(host[..<port]) }
            } else if parts.3 == nil, !parts.5.hasPrefix("/"), !path.isEmpty {
                host = path.removeFirst().lowercased()  // `walmart:account`
            }
            #expect(link.host == host, "\(text)")
            #expect(link.segments == (link.isWebLink || host.isEmpty ? [] : [host]) + path, "\(text)")
            let items = try (parts.7 ?? "").split(separator: "&").map { item in
                let sides = item.replacing("+", with: " ").split(
                    separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                return QueryItem(
                    name: try decoded(sides[0]), value: sides.count == 2 ? try decoded(sides[1]) : nil)
            }
            #expect(link.queryItems == items, "\(text)")
            #expect(try link.fragment == parts.9.map(decoded), "\(text)")
        }
        #expect(accepted > 3_000)
    }
}

@Suite struct NestedLinkTests {
    private func router() throws -> DeepLinkRouter {
        var configuration = DeepLinkConfiguration.us
        configuration.linkParameters = ["url"]
        let router = DeepLinkRouter(configuration: configuration)
        try router.add(patterns: ["web", "open/:url", "deep"], waitForPreconditions: false) { _, _ in true }
        return router
    }

    @Test(arguments: [
        ("walmart://web", "routed"), ("walmart://web?url=", "routed"),
        ("walmart://web?url=walmart%3A%2F%2Fdeep", "routed"),
        ("walmart://web?url=https%3A%2F%2Fhelp.walmart.com%2Fa", "routed"),
        ("walmart://web?other=javascript%3Aalert(1)", "routed"),
        ("walmart://web?url=javascript%3Aalert(1)", "nestedLink"), ("walmart://web?url=%2F%2Fevil.com", "nestedLink"),
        ("walmart://web?url=https%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://web?url=http%3A%2F%2Fwww.walmart.com", "nestedLink"),
        ("walmart://web?url=https%3A%2F%2Fwww.walmart.com%40evil.com", "nestedLink"),
        ("walmart://web?url=walmart%3A%2F%2Fweb%3Furl%3Dhttps%253A%252F%252Fevil.com", "nestedLink"),
        ("walmart://open/https%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://open/walmart%3A%2F%2Fdeep", "routed"),
        // Servers and web forms read all of these as the item "url".
        ("walmart://web?URL=https%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://web?Url%5B%5D=https%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://web?url[0]=https%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://web?url[a][b]=https%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://web?+url=https%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://web?url[]=walmart%3A%2F%2Fdeep", "routed"), ("walmart://web?curl=https%3A%2F%2Fevil.com", "routed"),
        ("walmart://deep#https://evil.com", "nestedLink"), ("walmart://deep#javascript:alert(1)", "nestedLink"),
        ("walmart://deep#//evil.com/a", "nestedLink"), ("walmart://deep#%68ttps%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://deep#https://help.walmart.com/a", "routed"), ("walmart://deep#walmart://deep", "routed"),
        ("walmart://deep#reviews", "routed"), ("walmart://deep#step:2", "routed"), ("walmart://deep#", "routed"),
        ("walmart://deep#a=1&url=https%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://deep#/page?URL=https%3A%2F%2Fevil.com", "nestedLink"),
        ("walmart://web?url=walmart%3A%2F%2Fdeep%23https%3A%2F%2Fevil.com", "nestedLink"),
    ])
    func nestedLinksPassThroughSameGate(link: String, verdict: String) throws {
        let router = try router()
        for result in [router.dryRun(link), router.open(link)] {
            #expect((result.reason ?? result.outcome.name) == verdict)
        }
    }

    @Test(arguments: [
        "walmart://web?url=data%3Ax&b=2", "walmart://open/https%3A%2F%2Fevil.com?b=2", "http://www.walmart.com/web?b=2",
        "walmart://deep?b=2#https://evil.com",
    ])
    func dryRunOfRefusedLinkHasResultOfOpening(link: String) throws {
        let router = try router()
        let result = router.open(link)
        #expect(result.outcome.name == "refused")
        #expect(router.dryRun(link) == result)
    }

    @Test func nestingIsLimited() throws {
        let router = try router()
        var link = "walmart://deep"
        var outcomes: [String] = []
        for _ in 0..<4 {
            link = "walmart://web?url=" + Array(link.utf8).percentEncoded
            outcomes.append(router.dryRun(link).outcome.name)
        }
        #expect(outcomes == ["routed", "routed", "refused", "refused"])
    }

    @Test func nestedRefusalNamesParameterAndValue() throws {
        guard case .refused(let refusal) = try router().open("walmart://web?url=data%3Ax").outcome else {
            Issue.record("not refused")
            return
        }
        #expect(
            refusal.explanation
                == "the nested link \"url=data:x\" may not be opened; use one that this market accepts")
    }
}
