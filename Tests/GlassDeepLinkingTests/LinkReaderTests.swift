@testable import GlassDeepLinking
import TestSupport
import Testing

@Suite struct LinkReaderTests {
    struct Refused: Sendable {
        let link: String
        let text: String
    }

    @Test(arguments: [
        Refused(
            link: "",
            text: #"link refused (malformed) at byte 0: "" is not a link; write scheme://path or https://host/path"#),
        Refused(
            link: "https:/www.walmart.com",
            text:
                #"link refused (malformed) at byte 0: "https:/www.walmart.com" is not a link; write scheme://path or https://host/path"#
        ),
        Refused(
            link: "https:///account",
            text:
                #"link refused (malformed) at byte 0: "https:///account" is not a link; write scheme://path or https://host/path"#
        ),
        Refused(
            link: "1walmart://account",
            text:
                #"link refused (malformed) at byte 0: "1walmart://account" is not a link; write scheme://path or https://host/path"#
        ),
        Refused(
            link: "walmart://" + String(repeating: "a", count: 2_039),
            text: "link refused (oversize) at byte 2048: the link has 2049 bytes, but the limit is 2048; shorten it"),
        Refused(
            link: "walmart://a" + String(repeating: "/b", count: 32),
            text: "link refused (oversize) at byte 74: the link has 33 path segments, but the limit is 32; shorten it"),
        Refused(
            link: "walmart://a?" + String(repeating: "b&", count: 65),
            text: "link refused (oversize) at byte 140: the link has more than 64 query items; shorten it"),
        Refused(
            link: "walmart://a\u{7F}",
            text:
                #"link refused (controlCharacter) at byte 11: the link contains the control character \u{7f}; remove it"#
        ),
        Refused(
            link: "walmart://a/\u{85}",
            text:
                #"link refused (controlCharacter) at byte 12: the link contains the control character \u{85}; remove it"#
        ),
        Refused(
            link: "walmart://a?b=%0A",
            text: "link refused (controlCharacter) at byte 14: the link contains the control character %0A; remove it"),
        Refused(
            link: "walmart://a/%C2%85",
            text:
                "link refused (controlCharacter) at byte 12: the link contains the control character %C2%85; remove it"),
        Refused(
            link: "walmart://a b",
            text: "link refused (whitespace) at byte 11: the link contains a space; write it as %20"),
        Refused(
            link: #"walmart://a\b"#,
            text:
                "link refused (backslash) at byte 11: the link contains a backslash, which parsers interpret differently; write it as %5C"
        ),
        Refused(
            link: "https://a:b@www.walmart.com/",
            text: #"link refused (userinfo) at byte 8: user information "a:b@" precedes the host; remove it"#),
        Refused(
            link: "walmart:me@account",
            text: #"link refused (userinfo) at byte 8: user information "me@" precedes the host; remove it"#),
        Refused(
            link: "walmart://%61ccount",
            text:
                #"link refused (hostEscape) at byte 10: the host "%61ccount" contains a percent escape; write it without"#
        ),
        Refused(
            link: "https://café.com",
            text:
                #"link refused (nonASCIIHost) at byte 8: the host "café.com" contains characters outside ASCII; write its xn-- form"#
        ),
        Refused(
            link: "https://[::1]/",
            text:
                #"link refused (addressHost) at byte 8: the host "[::1]" is a network address; write a host name"#
        ),
        Refused(
            link: "https://a<b/",
            text:
                #"link refused (hostCharacter) at byte 8: the host "a<b" contains a character that is invalid in host names; remove it"#
        ),
        Refused(
            link: "https://0x7F.1./a",
            text: #"link refused (addressHost) at byte 8: the host "0x7F.1." is a network address; write a host name"#),
        Refused(
            link: "https://127.0.0.1:443/",
            text: #"link refused (addressHost) at byte 8: the host "127.0.0.1" is a network address; write a host name"#
        ),
        Refused(
            link: "https://www.walmart.com:/account",
            text: #"link refused (port) at byte 24: the port "" is not the default port; remove it"#),
        Refused(
            link: "walmart://account:80",
            text: #"link refused (port) at byte 18: the port "80" is not the default port; remove it"#),
        Refused(
            link: "walmart://search?q=100%",
            text: #"link refused (invalidEscape) at byte 22: "%" is not a percent escape; write a percent sign as %25"#),
        Refused(
            link: "walmart://a/%zz",
            text:
                #"link refused (invalidEscape) at byte 12: "%zz" is not a percent escape; write a percent sign as %25"#),
        Refused(
            link: "walmart://a?b=%FF",
            text:
                #"link refused (invalidUTF8) at byte 14: "%FF" is not valid UTF-8; encode the text as UTF-8 before escaping it"#
        ),
        Refused(
            link: "walmart://a/.%2e/b",
            text:
                #"link refused (dotSegment) at byte 12: the path contains the dot segment ".%2e"; write the path without it"#
        ),
        Refused(
            link: "walmart://../a",
            text:
                #"link refused (dotSegment) at byte 10: the path contains the dot segment ".."; write the path without it"#
        ),
        Refused(
            link: "walmart://a//",
            text:
                #"link refused (emptySegment) at byte 11: the path "//" contains an empty segment; remove the extra slash"#
        ),
    ])
    func refusalHasRulePositionAndHint(row: Refused) {
        let error = #expect(throws: DeepLinkRefusal.self) { try DeepLink(row.link) }
        #expect(error?.description == row.text)
    }

    @Test func offendingPartIsTruncated() throws {
        let error = #expect(throws: DeepLinkRefusal.self) {
            try DeepLink("https://" + String(repeating: "a", count: 70) + "%")
        }
        #expect(error?.part == String(repeating: "a", count: 60) + "…")
    }

    struct Parsed: Sendable {
        let link: String
        let host: String
        let segments: [String]
        var query: [QueryItem] = []
        var fragment: String?
    }

    @Test(arguments: [
        Parsed(link: "walmart://account", host: "account", segments: ["account"]),
        Parsed(link: "WALMART://Account/Me", host: "account", segments: ["account", "Me"]),
        Parsed(link: "walmart:account/orders", host: "account", segments: ["account", "orders"]),
        Parsed(link: "walmart:/account", host: "", segments: ["account"]),
        Parsed(link: "walmart:///account", host: "", segments: ["account"]),
        Parsed(link: "walmart://", host: "", segments: []),
        Parsed(link: "walmart:", host: "", segments: []),
        Parsed(link: "walmart://?a=b", host: "", segments: [], query: [QueryItem(name: "a", value: "b")]),
        Parsed(link: "https://www.walmart.com", host: "www.walmart.com", segments: []),
        Parsed(link: "https://WWW.walmart.com:443/ip/Milk/", host: "www.walmart.com", segments: ["ip", "Milk"]),
        Parsed(link: "walmart://ip/a%2Fb", host: "ip", segments: ["ip", "a/b"]),
        Parsed(link: "walmart://ip/%2525", host: "ip", segments: ["ip", "%25"]),
        Parsed(link: "walmart://ip/a+b", host: "ip", segments: ["ip", "a+b"]),
        Parsed(link: "walmart://ip/ñ%C3%B1", host: "ip", segments: ["ip", "ññ"]),
        Parsed(
            link: "walmart://s?a=1&&b=x=y&c&=v&d=&a=2#top%20/%3F", host: "s", segments: ["s"],
            query: [
                QueryItem(name: "a", value: "1"), QueryItem(name: "b", value: "x=y"), QueryItem(name: "c", value: nil),
                QueryItem(name: "", value: "v"), QueryItem(name: "d", value: ""), QueryItem(name: "a", value: "2"),
            ], fragment: "top /?"),
        Parsed(
            link: "walmart://s?q=a+b%2Bc;d", host: "s", segments: ["s"], query: [QueryItem(name: "q", value: "a b+c;d")]
        ),
        Parsed(link: "walmart://s#a?b", host: "s", segments: ["s"], fragment: "a?b"),
    ])
    func linkIsSplitBeforeDecoding(row: Parsed) throws {
        let link = try DeepLink(row.link)
        #expect(link.host == row.host)
        #expect(link.segments == row.segments)
        #expect(link.queryItems == row.query)
        #expect(link.fragment == row.fragment)
        #expect(link.text == row.link)
    }

    @Test func limitsAreInclusive() throws {
        let limits = DeepLinkLimits(length: 17, segments: 3, queryItems: 2)
        #expect(throws: Never.self) { try DeepLink("w://a/b/c?d=1&e=2", limits: limits) }
        #expect(throws: DeepLinkRefusal.self) { try DeepLink("w://a/b/c?d=1&e=22", limits: limits) }
        #expect(throws: DeepLinkRefusal.self) { try DeepLink("w://a/b/c/d", limits: limits) }
        #expect(throws: DeepLinkRefusal.self) { try DeepLink("w://a?d&e&f", limits: limits) }
    }

    @Test func invalidUTF8IsRefused() {
        let bytes = Array("walmart://ip/".utf8) + [0xFF]
        let error = #expect(throws: DeepLinkRefusal.self) { try DeepLink(bytes: bytes) }
        #expect(error?.rule == .invalidUTF8)
    }

    @Test func bytesAndStringParseAlike() throws {
        let text = "walmart://search?q=caf%C3%A9"
        #expect(try DeepLink(bytes: Array(text.utf8)) == DeepLink(text))
    }

    @Test func onlyExactSchemesAreWebSchemes() {
        for scheme in ["https://", "http://"].map({ Array($0.utf8) }) {
            for place in scheme.indices {
                for byte in UInt8.min...UInt8.max {
                    var bytes = scheme
                    bytes[place] = byte
                    let isLetter = place < scheme.count - 3
                    let isScheme = isLetter ? ASCII.lowercased(byte) == scheme[place] : byte == scheme[place]
                    let link = try? DeepLink(bytes: bytes + "a.b/".utf8)
                    #expect((link?.isWebLink ?? false) == isScheme, "\(bytes)")
                }
            }
        }
    }

    @Test func composedAndDecomposedLinksDiffer() throws {
        #expect(try DeepLink("walmart://ip/caf\u{E9}") != DeepLink("walmart://ip/cafe\u{301}"))
    }

    @Test func queryValueReturnsFirstItem() throws {
        let link = try DeepLink("walmart://s?q=1&q=2&empty=&bare&n=7")
        #expect(link.queryValue("q") == "1")
        #expect(link.queryValue("bare") == "")
        #expect(link.queryValue("missing") == nil)
        #expect(link.value("empty") == nil)
        #expect(link.integer("n") == 7)
    }

    @Test func randomBytesNeverTrap() {
        var random = SplitMix64(state: 2)
        let pieces = [
            "walmart", "https", ":", "/", "//", "?", "#", "@", "%", "%2F", "%C3", "é", "..", "&", "=", "+", "a", "\\",
            "[", "]",
        ]
        for _ in 0..<20_000 {
            let link = (0..<Int.random(in: 0...9, using: &random)).map { _ in pieces.randomElement(using: &random)! }
                .joined()
            do {
                let parsed = try DeepLink(link)
                #expect(!parsed.segments.contains(""))
                #expect(!parsed.segments.contains(".."))
            } catch {
                #expect(error.offset <= link.utf8.count)
            }
        }
    }
}

@Suite struct HostNameTests {
    @Test(arguments: [
        ("https://..walmart.com/a", "hostLabel"), ("https://-.walmart.com/a", "hostLabel"),
        ("https://.walmart.com/a", "hostLabel"), ("https://a..walmart.com/a", "hostLabel"),
        ("https://-a.walmart.com/a", "hostLabel"), ("https://a-.walmart.com/a", "hostLabel"),
        ("https://www.walmart.com-/a", "hostLabel"), ("https://www.walmart.com./a", "hostLabel"),
        ("https://a_b.walmart.com/a", "hostCharacter"), ("https://_.walmart.com", "hostCharacter"),
        ("https://\(String(repeating: "a", count: 64)).walmart.com", "hostLabel"),
        ("https://\(String(repeating: "a.", count: 126))com", "hostLabel"),
        ("https://\(String(repeating: "a", count: 63)).walmart.com", nil),
        ("https://\(String(repeating: "a.", count: 125))com", nil),
        ("https://a-b.walmart.com/a", nil), ("https://a--b.walmart.com/a", nil), ("https://7.walmart.com/a", nil),
        // In a custom scheme, the host is a segment of the path.
        ("walmart://a_b/c", nil), ("walmart://-/c", nil), ("walmart://my--account-", nil),
    ])
    func labelConsistsOfLettersDigitsAndInnerHyphens(link: String, rule: String?) {
        var found: String?
        do { _ = try DeepLink(link) } catch { found = error.rule.rawValue }
        #expect(found == rule)
    }

    @Test func hyphenAtLabelEdgeIsDetectedAtAnyPosition() {
        for length in 1...20 {
            let name = String(repeating: "a", count: length)
            for bad in ["-.", ".-", "..", "_."] {
                #expect(throws: DeepLinkRefusal.self, "\(bad)") { try DeepLink("https://\(name)\(bad)walmart.com/x") }
            }
            #expect(throws: Never.self) { try DeepLink("https://\(name)-b.walmart.com/x") }
        }
    }
}

@Suite struct SegmentTests {
    @Test func segmentsAreFoundAtAnyPosition() throws {
        let table = try RouteTable(patterns: ["first/:a/middle/:b/last", "first/:a/*rest"])
        for first in 1...70 {
            for second in [1, 7, 8, 9, 50, 64] {
                let values = [first, second].map { String(repeating: "v", count: $0) }
                let segments = ["first", values[0], "middle", values[1], "last"]
                for end in ["", "/", "?q=/", "/?q=/"] {
                    let path = segments.joined(separator: "/")
                    for start in ["https://www.walmart.com/", "w://"] {
                        let link = try DeepLink(start + path + end)
                        #expect(link.segments == segments, "\(link)")
                        let match = table.bestMatch(for: link)
                        #expect(match?.ordinal == 0, "\(link)")
                        #expect(match?.parameters["b"] == values[1], "\(link)")
                    }
                }
            }
        }
    }
}

@Suite struct RawValueTests {
    private let table = try! RouteTable(patterns: ["ip/:id/x", "files/*rest"])

    private func elements(_ link: String) throws -> [RouteParameters.Element] {
        try table.bestMatch(for: DeepLink(link))?.parameters.elements ?? []
    }

    @Test(arguments: [
        ("walmart://ip/a%2Fb/x", "a/b", "a%2Fb", true), ("walmart://ip/a%5cb/x", "a\\b", "a%5cb", true),
        ("walmart://ip/100%25/x", "100%", "100%25", true), ("walmart://ip/caf%C3%A9/x", "café", "caf%C3%A9", false),
        ("walmart://ip/a%20b/x", "a b", "a%20b", false), ("walmart://ip/ab/x", "ab", "ab", false),
        ("walmart://files/a/b", "a/b", "a/b", false), ("walmart://files/a%2Fb/c", "a/b/c", "a%2Fb/c", true),
        ("https://www.walmart.com/ip/a%3Fb/x", "a?b", "a%3Fb", true),
    ])
    func escapedValueIsMarkedAmbiguous(link: String, value: String, raw: String, isAmbiguous: Bool) throws {
        let element = try #require(elements(link).first)
        #expect(element.value == value)
        #expect(element.rawValue == raw)
        #expect(element.isAmbiguous == isAmbiguous)
    }

    @Test func rawValuesAreFoundByName() throws {
        let parameters = try #require(try table.bestMatch(for: DeepLink("walmart://ip/a%2Fb/x"))?.parameters)
        #expect(parameters.rawValue("id") == "a%2Fb")
        #expect(parameters.rawValue("other") == nil)
        #expect(parameters.ambiguousRawValues == ["id": "a%2Fb"])
        #expect(parameters == RouteParameters(["id": "a/b"]))
    }
}
