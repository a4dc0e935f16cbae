@testable import GlassBase
import Testing

@Suite struct StrictJSONErrorTests {
    @Test(arguments: [
        // Two members with the same name, whether spelled alike or not, adjacent or not.
        (#"{"a":1,"a":1}"#, #"1:8: a duplicate member "a""#),
        (#"{"a":1,"\u0061":1}"#, #"1:8: a duplicate member "a""#),
        (#"{"z":1,"b":1,"a":[{"b":1}],"b":1}"#, #"1:28: a duplicate member "b""#),
        ("[\n {\"é\": 1,\n  \"\\u00e9\": 2}]", "3:3: a duplicate member \"é\""),
        // Numbers.
        ("1.0", "1:1: a number with a fraction or an exponent, where only integers are allowed"),
        ("[1e0]", "1:2: a number with a fraction or an exponent, where only integers are allowed"),
        ("-1E5", "1:1: a number with a fraction or an exponent, where only integers are allowed"),
        ("01", "1:2: '1' where '.', 'e' or the end of the number is expected"),
        ("-", "1:2: the JSON ends inside a value"),
        ("+1", "1:1: '+' where a value is expected"),
        ("-a", "1:2: 'a' where a digit is expected"),
        ("1.", "1:3: the JSON ends inside a value"),
        (".5", "1:1: '.' where a value is expected"),
        ("1e+", "1:4: the JSON ends inside a value"),
        ("[1_000]", "1:3: '_' where ',' or ']' is expected"),
        ("0x10", "1:2: there is content after the JSON value"),
        ("NaN", "1:1: 'N' where a value is expected"),
        ("-Infinity", "1:2: 'I' where a digit is expected"),
        // Strings.
        (#""\ud800""#, "1:2: half of a surrogate pair"),
        (#""\udc00\ud800""#, "1:2: half of a surrogate pair"),
        (#""\ud800\u0041""#, "1:2: half of a surrogate pair"),
        (#""\ud800\n""#, "1:2: half of a surrogate pair"),
        (#""\ud83d\ud83d""#, "1:2: half of a surrogate pair"),
        (#""\x41""#, "1:2: an unknown escape"),
        (#""\u00g0""#, "1:6: 'g' where a hexadecimal digit is expected"),
        (#""\u00"#, "1:6: the JSON ends inside a value"),
        ("\"a\0b\"", "1:3: the control character byte 0x00 in a string; write it as an escape"),
        ("\"a\nb\"", "1:3: the control character byte 0x0A in a string; write it as an escape"),
        ("'a'", "1:1: ''' where a value is expected"),
        (#""a"#, "1:3: the JSON ends inside a value"),
        (#""\"#, "1:3: the JSON ends inside a value"),
        // Between values.
        ("", "1:1: the JSON ends inside a value"),
        (" \n ", "2:2: the JSON ends inside a value"),
        ("[1,]", "1:4: ']' where a value is expected"),
        (#"{"a":1,}"#, "1:8: '}' where the name of a member is expected"),
        ("{a:1}", "1:2: 'a' where the name of a member is expected"),
        (#"{"a"}"#, "1:5: '}' where ':' is expected"),
        (#"{"a":1]"#, "1:7: ']' where ',' or '}' is expected"),
        ("[1 2]", "1:4: '2' where ',' or ']' is expected"),
        ("[1", "1:3: the JSON ends inside a value"),
        ("{} {}", "1:4: there is content after the JSON value"),
        ("{}\0", "1:3: there is content after the JSON value"),
        ("\0{}", "1:1: byte 0x00 where a value is expected"),
        ("\u{FEFF}{}", "1:1: the JSON begins with a byte order mark"),
        ("\u{A0}1", "1:1: byte 0xC2 where a value is expected"),
        ("// x\n1", "1:1: '/' where a value is expected"),
        ("True", "1:1: 'T' where a value is expected"),
        ("tru", "1:4: the JSON ends inside a value"),
        ("trux", "1:4: 'x' where the word true is expected"),
        ("nulll", "1:5: there is content after the JSON value"),
        ("<html>", "1:1: '<' where a value is expected"),
    ])
    func invalidJSONIsReportedWithPosition(_ text: String, _ message: String) {
        let error = #expect(throws: StrictJSONError.self) {
            try StrictJSON(reading: Array(text.utf8), limit: 1000)
        }
        #expect(error?.description == message)
    }

    @Test(
        arguments: [
            [0x80], [0xBF], [0xC0, 0xAF], [0xC1, 0xBF], [0xC3], [0xE0, 0x80, 0x80], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
            [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x80, 0x80, 0x80], [0xF0, 0x9F, 0x98],
            [0xF4, 0x90, 0x80, 0x80],
            [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF],
        ] as [[UInt8]])
    func invalidUTF8IsReported(_ bytes: [UInt8]) {
        for end in [[], [UInt8(ascii: "\"")], [UInt8(ascii: "a"), UInt8(ascii: "\"")]] {
            let error = #expect(throws: StrictJSONError.self) {
                try StrictJSON(reading: [UInt8(ascii: "\""), UInt8(ascii: "a")] + bytes + end, limit: 1000)
            }
            #expect(error?.description == "1:3: bytes that are not UTF-8")
            #expect(error?.offset == 2)
        }
    }

    @Test func utf16IsRejected() {
        let little = "{}".utf16.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
        #expect(throws: StrictJSONError.self) { try StrictJSON(reading: little, limit: 1000) }
        #expect(throws: StrictJSONError.self) { try StrictJSON(reading: [0xFF, 0xFE] + little, limit: 1000) }
    }

    @Test func numberBeyondDoubleIsTooLarge() {
        for text in ["1e400", "-1e400", "1e99999999999999999999"] {
            let error = #expect(throws: StrictJSONError.self) {
                try StrictJSON(reading: Array(text.utf8), limit: 1000, numbers: .all)
            }
            #expect(error?.problem == .numberTooLarge)
        }
    }

    @Test func longNameIsTruncatedInMessage() {
        let name = String(repeating: "a\u{202e}", count: 1000)
        let error = #expect(throws: StrictJSONError.self) {
            try StrictJSON(reading: Array("{\"\(name)\":1,\"\(name)\":2}".utf8), limit: 100_000)
        }
        #expect(error?.description.utf8.count ?? .max < 400)
        #expect(error?.description.contains("\u{202e}") == false)
    }
}
