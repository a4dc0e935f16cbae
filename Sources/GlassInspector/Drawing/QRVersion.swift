/// The sizes of a version of QR codes with error correction level M.
struct QRVersion: Sendable, Equatable {
    /// The number of the version, from 1 to 40.
    let number: Int

    /// Creates a version.
    init(_ number: Int) {
        self.number = number
    }

    /// The smallest version that has room for a number of bytes; nil if none has.
    static func smallest(for count: Int) -> QRVersion? {
        (1...40).lazy.map(QRVersion.init).first { $0.capacity >= count }
    }

    /// The number of error correction codewords in each block, by version (table 9).
    private static let correctionLengths = [
        10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28, 28, 28, 28, 28, 28,
        28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28, 28,
    ]

    /// The number of blocks, by version (table 9).
    private static let blockCounts = [
        1, 1, 1, 2, 2, 4, 4, 4, 5, 5, 5, 8, 9, 9, 10, 10, 11, 13, 14, 16, 17, 17, 18, 20, 21, 23, 25, 26, 28, 29, 31,
        33, 35, 37, 38, 40, 43, 45, 47, 49,
    ]

    /// The number of modules on each side (5.3.1).
    var size: Int { 17 + 4 * number }

    /// The coordinates of the centers of the alignment patterns, along both axes (annex E): evenly spaced from the far
    /// edge, by an even number of modules.
    var alignment: [Int] {
        guard number > 1 else { return [] }
        let gaps = number / 7 + 1
        let (first, last) = (6, size - 7)
        // The table's only exception is version 32.
        let step = number == 32 ? 26 : (last - first + 2 * gaps - 1) / (2 * gaps) * 2
        return [first] + (0..<gaps).reversed().map { last - $0 * step }
    }

    /// The number of codewords: what the function patterns and the information about the format and the version leave.
    var codewordCount: Int {
        let (finders, timing, format) = (3 * 64, 2 * (size - 16), 2 * 15 + 1)
        let lines = alignment.count
        // Three corners have finders, and on the timing lines five modules belong to both patterns.
        let alignments = lines == 0 ? 0 : (lines * lines - 3) * 25 - (lines - 2) * 2 * 5
        return (size * size - finders - timing - format - alignments - (number < 7 ? 0 : 2 * 18)) / 8
    }

    /// The number of error correction codewords in each block.
    private var correctionLength: Int { Self.correctionLengths[number - 1] }

    /// The number of blocks.
    private var blockCount: Int { Self.blockCounts[number - 1] }

    /// The number of codewords for data.
    private var dataCount: Int { codewordCount - blockCount * correctionLength }

    /// The number of bits of the length (table 3).
    private var lengthBits: Int { number < 10 ? 8 : 16 }

    /// The number of bytes of a text that fit.
    var capacity: Int { dataCount - (4 + lengthBits + 7) / 8 }

    /// The codewords of bytes, in the order in which they are placed (7.4 to 7.6).
    func codewords(of bytes: [UInt8]) -> [UInt8] {
        precondition(bytes.count <= capacity, "the text does not fit into this version")
        let blocks = blocks(of: data(of: bytes))
        let correction = ReedSolomon(length: correctionLength)
        let corrections = blocks.map { correction.remainder(of: $0) }
        var result: [UInt8] = []
        for index in 0..<(blocks.last?.count ?? 0) {
            for block in blocks where index < block.count { result.append(block[index]) }
        }
        for index in 0..<correctionLength { result += corrections.map { $0[index] } }
        return result
    }

    /// The data: the mode, the length, the bytes, a terminator, and padding.
    private func data(of bytes: [UInt8]) -> [UInt8] {
        var bits: [Bool] = []
        func append(_ value: Int, _ count: Int) {
            for place in (0..<count).reversed() { bits.append(value >> place & 1 == 1) }
        }
        append(0b0100, 4)  // byte mode
        append(bytes.count, lengthBits)
        for byte in bytes { append(Int(byte), 8) }
        // The mode has as many bits as the terminator, so that together they fill a byte.
        append(0, 4)
        var data = stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0 as UInt8) { $0 << 1 | ($1 ? 1 : 0) }
        }
        for index in 0..<dataCount - data.count { data.append(index % 2 == 0 ? 0xEC : 0x11) }
        return data
    }

    /// The blocks of the data; the last ones may be one codeword longer than the first ones.
    private func blocks(of data: [UInt8]) -> [[UInt8]] {
        let (length, longer) = data.count.quotientAndRemainder(dividingBy: blockCount)
        var start = 0
        return (0..<blockCount).map { index in
            let end = start + length + (index < blockCount - longer ? 0 : 1)
            defer { start = end }
            return Array(data[start..<end])
        }
    }
}

/// The error correction of a block (7.5.2): the remainder of its polynomial over GF(2⁸), modulo x⁸ + x⁴ + x³ + x² + 1.
struct ReedSolomon {
    /// The coefficients of the generator polynomial after the first one, which is 1.
    private let generator: [UInt8]

    /// Creates the error correction with a number of codewords.
    init(length: Int) {
        var generator: [UInt8] = [1]
        var root: UInt8 = 1
        for _ in 0..<length {
            // Multiplied by x - root; in this field, subtraction and addition are the same.
            generator = (generator + [0]).enumerated().map { index, term in
                index == 0 ? term : term ^ Self.product(generator[index - 1], root)
            }
            root = Self.product(root, 2)
        }
        self.generator = Array(generator.dropFirst())
    }

    /// The error correction codewords of a block.
    func remainder(of block: [UInt8]) -> [UInt8] {
        var rest = [UInt8](repeating: 0, count: generator.count)
        for byte in block {
            let factor = byte ^ rest[0]
            rest = zip(rest.dropFirst() + [0], generator).map { $0 ^ Self.product($1, factor) }
        }
        return rest
    }

    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var (result, one, other) = (0 as UInt8, one, other)
        while other != 0 {
            if other & 1 == 1 { result ^= one }
            one = one << 1 ^ (one & 0x80 == 0 ? 0 : 0x1D)
            other >>= 1
        }
        return result
    }
}
