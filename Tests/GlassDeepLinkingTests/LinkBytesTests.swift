import TestSupport
import Testing

@testable import GlassDeepLinking

@Suite struct LinkBytesTests {
    @Test(arguments: [
        ("", []), ("a", ["a"]), ("a/b", ["a", "b"]), ("a/", ["a"]), ("/a", ["", "a"]), ("/", [""]),
        ("a//b", ["a", "", "b"]), ("a//", ["a", ""]),
    ])
    func separatorAtEndStartsNoPart(text: String, parts: [String]) {
        // Within other bytes, which belong to no part.
        let bytes = Array("//\(text)//".utf8)
        bytes.withUnsafeBufferPointer { buffer in
            let found = LinkParts(buffer, 2..<bytes.count - 2, separator: "/").map {
                String(decoding: buffer[$0], as: UTF8.self)
            }
            #expect(found == parts)
        }
    }

    @Test(arguments: [
        ("a%20b", "a b"), ("%C3%A9", "é"), ("+", " "), ("%2B", "+"), ("%252B", "%2B"), ("%2525", "%25"), ("", ""),
    ])
    func escapesAreDecodedOnce(text: String, decoded: String) {
        Array(text.utf8).withUnsafeBufferPointer { bytes in
            let found = DecodedBytes(bytes, bytes.indices, plusIsSpace: true)
            #expect(String(decoding: Array(found), as: UTF8.self) == decoded)
        }
    }

    @Test func hashIgnoresOnlyASCIICase() {
        for byte in UInt8.min...UInt8.max {
            let bytes = Array("aB".utf8) + [byte]
            #expect(bytes.foldedHash == bytes.asciiFolded.foldedHash)
            let isLetter = ASCII.isLetter(byte)
            #expect((bytes.foldedHash == (Array("ab".utf8) + [byte ^ 0x20]).foldedHash) == isLetter, "\(byte)")
        }
    }
}
