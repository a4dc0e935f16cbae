@testable import GlassSchema
import Testing

struct StringFormatTests {
    @Test(
        arguments: [
            (.scheme, ["walmart", "walmart.ca", "a+b-c.1"], ["", "Walmart", "walmart://", "1a", "a b", "é"]),
            (
                .host, ["www.walmart.ca", "a-b.c1", String(repeating: "a", count: 63) + ".b"],
                [
                    "walmart", "WWW.walmart.ca", "-a.b", "a-.b", "a..b", "a.b/", "a_b.c", "",
                    String(repeating: "a", count: 64) + ".b",
                ]
            ),
            (
                .httpsURL,
                [
                    "https://api.walmart.ca", "https://a.b:8443/v1/x", "https://localhost:1/", "http://127.0.0.1:8080",
                    "http://localhost:1/v1", "http://localhost",
                ],
                [
                    "http://127.0.0.1.example.com", "http://127.0.0.2", "http://localhost.a", "http://localhost:0",
                    "http://u@localhost", "http://", "http://127.0.0.1?q",
                    "http://a.b", "https://", "https://a", "https://a.b?q", "https://a.b/#x", "https://u@a.b",
                    "https://a.b:0", "https://a.b:x",
                ]
            ),
            (.marketID, ["us", "ca-fr", "a1"], ["", "US", "1a", "a_b", "../us"]),
            (.locale, ["en-US", "fil-PH", "zza-ZW"], ["en", "en_US", "EN-us", "en-USA", "-", "-US", "en-"]),
            (.currency, ["CAD", "AED", "ZWL"], ["cad", "CA", "ED", "CADX", "AED AFN", ""]),
            (.version, ["1", "24.3.0", "1.2.3.4"], ["", "1.", "1.2.3.4.5", "v1", "1.-2"]),
            (.bundleIdentifier, ["com.walmart.ca", "group.com.x-y_z"], ["com", "com..a", ".com.a", "com.a b"]),
            (.teamIdentifier, ["US7W4LMART"], ["us7w4lmart", "SHORT", "US7W4LMARTX"]),
            (.digits, ["0", "338137227"], ["", "1a", "-1", "١"]),
            (.headerName, ["Accept-Language", "X_1"], ["", "A B", "A:", "é"]),
            (.headerValue, ["a, b;q=0.9"], ["", "a\r\nb", "é"]),
            (.identifier, ["a", "storeID", "a_1"], ["", "1a", "_a", "a-b"]),
            (.textPattern, ["[0-9]{5}(-[0-9]{4})?"], ["[0-9", "(", "*a", "(a+)+", "a.b"]),
            (.absolutePath, ["/", "/a/b"], ["", "a", "/a b", "/é"]),
            (.country, ["CA", "AD", "ZW"], ["ca", "CAN", "D", "AD AE"]),
            (.nonEmpty, ["x"], [""]),
        ] as [(StringFormat, [String], [String])])
    func formatMatchesOnlyValidText(format: StringFormat, good: [String], bad: [String]) throws {
        #expect(good.filter { !format.matches($0) } == [], "\(format.name)")
        #expect(bad.filter { format.matches($0) } == [], "\(format.name)")
        guard let pattern = format.pattern else { return }
        // Generated schemas contain the pattern, so it must accept the same texts.
        let expression = try Regex(pattern)
        for text in good + bad {
            #expect((text.firstMatch(of: expression) != nil) == format.matches(text), "\(format.name): \(text)")
        }
    }

    /// Swift's string comparison treats the Kelvin sign and the letter K as equal; other programs that read the market
    /// do not.
    @Test func codeIsComparedByBytes() {
        #expect(StringFormat.country.matches("KE"))
        #expect(!StringFormat.country.matches("\u{212A}E"))
    }

    @Test func fingerprintHas32Pairs() {
        let fingerprint = Array(repeating: "A0", count: 32).joined(separator: ":")
        #expect(StringFormat.sha256Fingerprint.matches(fingerprint))
        #expect(!StringFormat.sha256Fingerprint.matches(fingerprint.lowercased()))
        #expect(!StringFormat.sha256Fingerprint.matches(String(fingerprint.dropLast(3))))
    }
}
