import TestSupport
import Testing

@testable import GlassDeepLinking

/// Processing eight bytes at once has the same results as one byte at a time.
@Suite struct ByteWordTests {
    private func bits(_ bytes: [UInt8], _ isStop: (UInt8) -> Bool) -> UInt64 {
        bytes.enumerated().reduce(0) { $0 | (isStop($1.element) ? 0x80 << UInt64($1.offset * 8) : 0) }
    }

    @Test func everyByteIsClassifiedAtAnyPosition() {
        for byte in UInt8.min...UInt8.max {
            // Next to bytes that would carry into their neighbor if a carry were possible.
            for neighbor: UInt8 in [0, 0x2E, 0x30, 0x7F, 0x80, 0xFF] {
                let bytes = (0..<8).map { $0 % 2 == 0 ? byte : neighbor }
                bytes.withUnsafeBufferPointer { buffer in
                    let word = ByteWord(buffer, at: 0)
                    let isPlain: (UInt8) -> Bool = { $0 >= 0x28 && $0 < 0x7F && $0 != UInt8(ascii: "\\") }
                    #expect(word.equal(to: 0x2F) == bits(bytes) { $0 == 0x2F })
                    #expect(word.stopsInPath == bits(bytes) { !isPlain($0) || "/?".utf8.contains($0) })
                    #expect(
                        word.stopsInHost
                            == bits(bytes) { !ASCII.isAlphanumeric($0) && !"-._".utf8.contains($0) })
                    #expect(word.stopsInQuery == bits(bytes) { !isPlain($0) })
                    #expect(
                        word.folded == bytes.reduce(0) { $0 << 8 | UInt64(ASCII.lowercased($1)) }, "\(bytes)")
                }
            }
        }
    }

    @Test func onlyExactSecureSchemeIsRecognized() {
        let scheme = Array("https://".utf8)
        for place in scheme.indices {
            for byte in UInt8.min...UInt8.max {
                var bytes = scheme
                bytes[place] = byte
                let isScheme = place < 5 ? ASCII.lowercased(byte) == scheme[place] : byte == scheme[place]
                bytes.withUnsafeBufferPointer {
                    #expect(ByteWord($0, at: 0).isSecureWebScheme == isScheme, "\(bytes)")
                }
            }
        }
    }

    @Test func hashOfSliceIsHashOfItsBytes() {
        var random = SplitMix64(state: 1)
        let bytes = (0..<40).map { _ in UInt8.random(in: 0...255, using: &random) }
        bytes.withUnsafeBufferPointer { buffer in
            for start in 0...40 {
                for end in start...40 {
                    #expect(FoldedHash(buffer, start, end) == FoldedHash(bytes[start..<end]), "\(start)..<\(end)")
                }
            }
        }
    }

    @Test func bytesPastTheEndAreZero() {
        for count in 0...12 {
            let bytes = (0..<count).map { UInt8($0 + 1) }
            bytes.withUnsafeBufferPointer { buffer in
                for index in 0...count {
                    let expected = (0..<8).reduce(UInt64(0)) { word, place in
                        word | UInt64(index + place < count ? bytes[index + place] : 0) << UInt64(place * 8)
                    }
                    #expect(ByteWord(buffer, padded: index).bits == expected, "\(count), \(index)")
                }
            }
        }
    }
}
