@testable import GlassBase
import Testing

@Suite struct StrictJSONTests {
    private func read(_ text: String, numbers: StrictJSON.Numbers = .integers) throws(StrictJSONError) -> StrictJSON {
        try StrictJSON(reading: Array(text.utf8), limit: 1 << 20, numbers: numbers)
    }

    @Test func membersAreFoundByBytes() throws {
        let json = try read(
            #" { "b" : [ 1 , true , null ] , "a" : { "x" : "y" } , "\u00e9" : 1 , "e\u0301" : 2 } "#)
        #expect(json["a"]?["x"]?.stringValue == "y")
        #expect(json["b"] == .array([.integer(.init(1)), .boolean(true), .null]))
        #expect(json["\u{e9}"]?.intValue == 1)
        #expect(json["e\u{301}"]?.intValue == 2)
        #expect(json["c"] == nil)
        #expect(json["b"]?["a"] == nil)
        #expect(json.members?.map { Array($0.key.utf8) } == [[0x61], [0x62], [0x65, 0xCC, 0x81], [0xC3, 0xA9]])
    }

    @Test func canonicallyEquivalentStringsDiffer() throws {
        #expect(StrictJSON.string("\u{e9}") != .string("e\u{301}"))
        #expect(try read(#"{"é":1}"#) != read("{\"e\u{301}\":1}"))
        #expect(try read(#"{"a":1,"b":2}"#) == read(#"{"b":2,"a":1}"#))
    }

    @Test(arguments: [
        ("0", 0), ("-0", 0), ("-7", -7), ("9223372036854775807", Int.max), ("-9223372036854775808", Int.min),
        ("9223372036854775808", nil), ("-9223372036854775809", nil),
    ])
    func integersKeepTheirDigits(_ text: String, _ value: Int?) throws {
        let json = try read(text)
        #expect(json.intValue == value)
        #expect(json.canonical() == Array((text == "-0" ? "0" : text).utf8))
    }

    @Test func integerWithThousandsOfDigitsRoundTrips() throws {
        let digits = String(repeating: "9", count: 100_000)
        let json = try read(digits)
        #expect(json.intValue == nil)
        #expect(json.text() == Array(digits.utf8))
    }

    @Test(arguments: [
        ("1.0", 1.0, "1.0"), ("1e0", 1, "1.0"), ("-0.5", -0.5, "-0.5"), ("1E+2", 100, "100.0"), ("12e-1", 1.2, "1.2"),
        ("0.1", 0.1, "0.1"), ("1e100", 1e100, "1e+100"), ("5e-324", .leastNonzeroMagnitude, "5e-324"),
        ("-0.0", -0.0, "-0.0"),
        ("0.30000000000000004", 0.30000000000000004, "0.30000000000000004"),
    ])
    func fractionsAreReadWhereAllowed(
        _ text: String, _ value: Double, _ written: String
    ) throws {
        #expect(try read(text, numbers: .all) == .number(value))
        #expect(String(decoding: StrictJSON.number(value).canonical(), as: UTF8.self) == written)
        #expect(try read(written, numbers: .all) == .number(value))
        #expect(throws: StrictJSONError.self) { try read(text) }
        #expect(try read("7", numbers: .all) == .integer(.init(7)))
    }

    @Test func escapesAreDecoded() throws {
        let json = try read(#""\"\\\/\b\f\n\r\t\u00e9\u0000\ud83d\uDE00x\u0065\u0301""#)
        #expect(json == .string("\"\\/\u{8}\u{c}\n\r\t\u{e9}\0\u{1F600}xe\u{301}"))
    }

    @Test func nestingIsLimited() throws {
        let deepest = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        _ = try read(deepest)
        // Siblings are not nested, however many there are.
        _ = try read("[" + Array(repeating: "[[]]", count: 1000).joined(separator: ",") + "]")
        let many = String(repeating: #"{"a":["#, count: 100_000)
        let error = #expect(throws: StrictJSONError.self) { try read(many) }
        #expect(error?.problem == .tooDeep)
        #expect(error?.offset == 16 * 6)
    }

    @Test func limitIsInBytes() throws {
        let text = Array(#""é""#.utf8)
        #expect(try StrictJSON(reading: text, limit: 4) == .string("é"))
        let error = #expect(throws: StrictJSONError.self) { try StrictJSON(reading: text, limit: 3) }
        #expect(error?.description == "1:3: the JSON has more than 3 bytes")
    }

    @Test func membersOfCreatedObjectsAreSorted() {
        let json = StrictJSON.object([("b", .integer(.init(1))), ("\u{e9}", .null), ("e\u{301}", .null), ("a", .null)])
        // Compare bytes, because canonically equivalent strings are equal.
        #expect(json.text() == Array("{\"a\":null,\"b\":1,\"e\u{301}\":null,\"\u{e9}\":null}".utf8))
    }

    @Test func duplicateMemberInCreatedObjectTraps() async {
        await #expect(processExitsWith: .failure) { _ = StrictJSON.object([("a", .null), ("a", .null)]) }
    }

    @Test func anyTextRoundTrips() throws {
        let every = String(String.UnicodeScalarView((0..<0x250).compactMap(Unicode.Scalar.init)))
        let json = StrictJSON.object([
            (every, .string(every)), ("a", .array([.boolean(false), .number(0.1), .object([("", .null)])])),
        ])
        #expect(try StrictJSON(reading: json.text(), limit: 1 << 20, numbers: .all) == json)
        #expect(StrictJSON.string("a\u{1}\n\u{1f}\u{7f}").text() == Array("\"a\\u0001\\u000a\\u001f\u{7f}\"".utf8))
    }
}
