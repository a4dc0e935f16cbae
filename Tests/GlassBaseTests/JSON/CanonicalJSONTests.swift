@testable import GlassBase
import Testing

/// The canonical form that python-tuf writes; produced with securesystemslib 1.6.0.
@Suite struct CanonicalJSONTests {
    @Test(arguments: [
        // keys are sorted
        (#"{"b":1,"a":2}"#, "7b2261223a322c2262223a317d"),
        // no white space
        (#" { "a" : [ 1 , 2 ] } "#, "7b2261223a5b312c325d7d"),
        // only " and \ are escaped: control characters are raw bytes
        (#"{"a":"\u00e9\n\t\u0001"}"#, "7b2261223a22c3a90a0901227d"),
        // a solidus is not escaped
        (#""\/""#, "222f22"),
        // quotes and backslashes are
        (#""\"\\""#, "225c225c5c22"),
        // code point order: U+FF61 before U+10000
        (#"{"\ud800\udc00":1,"\uff61":2}"#, "7b22efbda1223a322c22f0908080223a317d"),
        // two keys that are equal only when normalized
        (#"{"\u00e9":1,"e\u0301":2,"f":3}"#, "7b2265cc81223a322c2266223a332c22c3a9223a317d"),
        // not case-insensitive, not numeric
        (#"{"B":1,"a":2,"10":3,"9":4}"#, "7b223130223a332c2239223a342c2242223a312c2261223a327d"),
        // literals
        (#"[true,false,null]"#, "5b747275652c66616c73652c6e756c6c5d"),
        // beyond 2^53
        (#"9007199254740993"#, "39303037313939323534373430393933"),
        // minus zero becomes 0
        (#"-0"#, "30"),
        // floats have no canonical form
        (#"1.0"#, nil),
        // nor do exponents
        (#"1e2"#, nil),
        // empty list
        (#"[]"#, "5b5d"),
        // empty object
        (#"{}"#, "7b7d"),
        // empty string
        (#""""#, "2222"),
    ])
    func canonicalFormMatchesSecuresystemslib(_ text: String, _ hexadecimal: String?) throws {
        guard let hexadecimal else {
            #expect(throws: StrictJSONError.self) { try StrictJSON(reading: Array(text.utf8), limit: 1000) }
            return
        }
        let canonical = try StrictJSON(reading: Array(text.utf8), limit: 1000).canonical()
        let digits = canonical.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
        #expect(digits == hexadecimal)
    }
}
