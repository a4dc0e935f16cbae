import TestSupport
import Testing

@testable import GlassBase

struct CSVTests {
    @Test(arguments: [
        ("plain", "plain"), ("", ""), ("a,b", "a,b"), ("say \"hi\"", "say \"hi\""), ("\"", "\""),
        ("=HYPERLINK(\"http://x\",\"y\")", "'=HYPERLINK(\"http://x\",\"y\")"), ("+1", "'+1"), ("-1", "'-1"),
        ("@SUM(1)", "'@SUM(1)"), ("'quoted'", "''quoted'"), ("\t=1", "'\\t=1"), ("\r\n=1", "'\\r\\n=1"),
        ("＝1", "'＝1"), ("a\nb", "a\\nb"), ("\u{1b}[31m", "\\u{1b}[31m"), ("a=b", "a=b"),
    ])
    func textRoundTrips(text: String, read: String) {
        let document = CSV.row([.text("key"), .text(text), .number("-1")])
        #expect(CSVReader.rows(of: document) == [["key", read, "-1"]])
        #expect(!document.dropLast().unicodeScalars.contains { $0.needsEscape })
        #expect(DisplayText(csv: document + document).plain == document + document)
    }

    @Test func carriageReturnOutsideRowEndIsEscaped() {
        #expect(DisplayText(csv: "a\rb\u{1b},c\r\n").plain == "a\\rb\\u{1b},c\r\n")
    }
}
