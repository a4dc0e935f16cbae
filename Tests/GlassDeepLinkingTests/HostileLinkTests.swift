import Foundation
@testable import GlassDeepLinking
import Testing

@Suite struct HostileLinkTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let input: String
        let expected: String
        var testDescription: String { "\(input) -> \(expected)" }

        /// The link in this row.
        var link: String {
            if input.contains("(10013 chars") { return "walmart://ip/" + String(repeating: "a", count: 10_000) }
            var result = ""
            var rest = Substring(input)
            while let character = rest.popFirst() {
                guard character == "\\", let escape = rest.popFirst() else {
                    result.append(character)
                    continue
                }
                switch escape {
                case "t": result.append("\t")
                case "u":
                    let scalar = UInt32(rest.prefix(4), radix: 16).flatMap(Unicode.Scalar.init)
                    result.unicodeScalars.append(scalar!)
                    rest = rest.dropFirst(4)
                default: result.append(escape)
                }
            }
            return result
        }
    }

    static let rows: [Row] = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("Fixtures/hostile_urls.tsv")
        let text = try! String(contentsOf: file, encoding: .utf8)
        return text.split(separator: "\n").dropFirst().map { line in
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
            return Row(input: String(fields[1]), expected: String(fields[2]))
        }
    }()

    /// The verdict for each row, in words: outcome and reason, or outcome, routable and parameters.
    static let verdicts: [String: String] = [
        "https://www.walmart.com@evil.com/account": "refused userinfo",
        #"https://evil.com\\@www.walmart.com/account"#: "refused backslash",
        "https://evil.com%2F.walmart.com/account": "refused hostEscape",
        "https://evil.com%23.walmart.com/account": "refused hostEscape",
        "https://www.walmart.com%40evil.com/account": "refused hostEscape",
        "https://evilwalmart.com/account": "unroutable unknownHost",
        "https://evil.com/www.walmart.com/account": "unroutable unknownHost",
        "https://evil.com#@www.walmart.com/account": "unroutable unknownHost",
        #"https://www.w\u0430lmart.com/account"#: "refused nonASCIIHost",
        #"https://www.walmart\u3002com/account"#: "refused nonASCIIHost",
        "https://WWW.WALMART.COM/account": "routed account",
        "https://www.walmart.com:443/account": "routed account",
        "https://www.walmart.com:8443/account": "refused port",
        // Policy: a universal link must be https; otherwise an attacker on the network could choose the screen.
        "http://www.walmart.com/account": "refused cleartext",
        // Policy: a link without an authority is equivalent to one with it.
        "walmart:account": "routed account",
        "walmart:/account": "routed account",
        "walmart://account/": "routed account",
        // Policy: legitimate links never escape their host.
        "walmart://%61ccount": "refused hostEscape",
        "walmart://account%2Forders": "refused hostEscape",
        "walmart.ca://account": "unroutable unknownScheme",
        "JaVaScRiPt://www.walmart.com/%0aalert(1)": "refused controlCharacter",
        #"java\tscript:alert(1)"#: "refused controlCharacter",
        "data:text/html,<script>": "unroutable unknownScheme",
        "intent://ip/1#Intent;scheme=walmart;package=com.evil;S.browser_fallback_url=https%3A%2F%2Fevil.com;end":
            "unroutable unknownScheme",
        "walmart://ip/../account": "refused dotSegment",
        "walmart://ip/%252e%252e/account": "routed itemAccount id=%2e%2e",
        // Policy: empty segments are always refused.
        "walmart://ip//123": "refused emptySegment",
        "walmart://ip/12%00": "refused controlCharacter",
        "walmart://ip/%C0%AE%C0%AE": "refused invalidUTF8",
        "walmart://ip/%ED%A0%80": "refused invalidUTF8",
        #"walmart://ip/cafe\u0301"#: "routed item id=cafe\u{301}",
        "walmart://ip/12345678901234567890": "unroutable noRoute",
        // Policy: integers are ASCII digits.
        #"walmart://ip/\u0661\u0662"#: "unroutable noRoute",
        "walmart://ip/aaaaaaa...(10013 chars, repeat)": "refused oversize",
        "walmart://ip/1?id=2": "routed item id=1",
        // Policy: a plus in a query is a space, as web forms encode it.
        "walmart://search?q=a+b%2Bc": "routed search ?q=a b+c",
        "walmart://search?q=%26admin%3D1": "routed search ?q=&admin=1",
        // Policy: an item without a value does not satisfy a required query.
        "walmart://search?q": "unroutable noRoute",
        "walmart://web?url=javascript%3Aalert(1)": "unroutable noRoute",
        "walmart://web?url=%2F%2Fevil.com": "unroutable noRoute",
        "walmart://search?utm_source=a&q=x&unknown=1": "routed search ?utm_source=a ?q=x ?unknown=1",
        "": "refused malformed",
        "://": "refused malformed",
    ]

    /// The same routes, with integer parameters for the rows about integers.
    private func router(for row: Row) throws -> DeepLinkRouter {
        let router = DeepLinkRouter(configuration: .us)
        let isAboutIntegers = row.expected.hasSuffix("id:int") || row.input.contains(#"\u0661"#)
        router.register(routables: [
            TestRoutable(id: "account", actionRoutes: ["account"]),
            TestRoutable(id: "item", actionRoutes: [isAboutIntegers ? "ip/:id(int)" : "ip/:id"]),
            TestRoutable(id: "itemAccount", actionRoutes: ["ip/:id/account"]),
            TestRoutable(id: "search", actionRoutes: ["search?q"]),
        ])
        return router
    }

    @Test(arguments: rows)
    func hostileLinkGetsItsVerdict(row: Row) throws {
        let result = try router(for: row).open(row.link)
        var words = [result.outcome.name]
        if let reason = result.reason { words.append(reason) }
        if result.outcome == .routed {
            words.append(result.routableID ?? "")
            words += result.parameters.elements.map { "\($0.name)=\($0.value)" }
            if result.parameters.isEmpty { words += result.queryItems.map { "?\($0)" } }
        }
        let verdict = try #require(HostileLinkTests.verdicts[row.input], "no verdict for \(row.input)")
        // Compare bytes, because `==` treats composed and decomposed accents as equal.
        #expect(Array(words.joined(separator: " ").utf8) == Array(verdict.utf8))
        switch row.expected.prefix(6) {
        case "reject": #expect(["refused", "unroutable"].contains(result.outcome.name))
        case "route", "route ": #expect(result.outcome == .routed)
        case "miss-i": #expect(result.outcome.name == "unroutable")
        default: #expect(row.expected == "policy")
        }
    }

    @Test func allRowsAreIncluded() {
        #expect(HostileLinkTests.rows.count == 43)
        #expect(HostileLinkTests.verdicts.count == 43)
    }
}
