/// The modules of a QR code before it is masked.
struct QRGrid {
    private let version: QRVersion
    private let size: Int
    /// The modules row by row; true is dark.
    private var modules: [Bool]
    /// Whether a module belongs to a pattern or to the information about the format or the version.
    private var isReserved: [Bool]

    /// Places the patterns and the codewords.
    init(_ version: QRVersion, codewords: [UInt8]) {
        self.version = version
        size = version.size
        modules = Array(repeating: false, count: size * size)
        isReserved = modules
        placePatterns()
        placeVersion()
        placeFormat(mask: 0)  // reserves the modules
        place(codewords)
    }

    /// The code with a mask (7.8.2), which covers only the modules of the codewords.
    func masked(with mask: Int) -> QRSymbol {
        var grid = self
        for y in 0..<size {
            for x in 0..<size where !isReserved[y * size + x] && Self.inverts(x, y, mask) {
                grid.modules[y * size + x].toggle()
            }
        }
        grid.placeFormat(mask: mask)
        return QRSymbol(size: size, modules: grid.modules, mask: mask)
    }

    /// Whether a mask inverts a module (table 10).
    private static func inverts(_ x: Int, _ y: Int, _ mask: Int) -> Bool {
        switch mask {
        case 0: (x + y) % 2 == 0
        case 1: y % 2 == 0
        case 2: x % 3 == 0
        case 3: (x + y) % 3 == 0
        case 4: (y / 2 + x / 3) % 2 == 0
        case 5: x * y % 2 + x * y % 3 == 0
        case 6: (x * y % 2 + x * y % 3) % 2 == 0
        default: ((x + y) % 2 + x * y % 3) % 2 == 0
        }
    }

    private mutating func reserve(_ x: Int, _ y: Int, _ isDark: Bool) {
        guard (0..<size).contains(x), (0..<size).contains(y) else { return }
        modules[y * size + x] = isDark
        isReserved[y * size + x] = true
    }

    /// Places the finder, timing and alignment patterns (6.3).
    private mutating func placePatterns() {
        for index in 0..<size {
            reserve(index, 6, index % 2 == 0)
            reserve(6, index, index % 2 == 0)
        }
        // A finder is a dark square, a light ring, a dark ring, and a light separator.
        for (x, y) in [(3, 3), (size - 4, 3), (3, size - 4)] { placeSquares(x, y, radius: 4) { $0 != 2 && $0 != 4 } }
        let lines = version.alignment
        for x in lines {
            for y in lines where !isFinder(x, y) { placeSquares(x, y, radius: 2) { $0 != 1 } }
        }
    }

    /// Whether the center of an alignment pattern would be in a finder.
    private func isFinder(_ x: Int, _ y: Int) -> Bool {
        (x, y) == (6, 6) || (x, y) == (6, size - 7) || (x, y) == (size - 7, 6)
    }

    private mutating func placeSquares(_ x: Int, _ y: Int, radius: Int, isDark: (Int) -> Bool) {
        for dx in -radius...radius {
            for dy in -radius...radius { reserve(x + dx, y + dy, isDark(max(abs(dx), abs(dy)))) }
        }
    }

    /// Places the level and the mask twice (7.9).
    private mutating func placeFormat(mask: Int) {
        let level = 0b00  // M
        let bits = Self.protected(level << 3 | mask, by: 10, 0b101_0011_0111) ^ 0b101_0100_0001_0010
        for index in 0..<15 {
            let isDark = bits >> index & 1 == 1
            // Beside the top left finder, around the timing patterns.
            switch index {
            case 0..<6: reserve(8, index, isDark)
            case 6: reserve(8, 7, isDark)
            case 7: reserve(8, 8, isDark)
            case 8: reserve(7, 8, isDark)
            default: reserve(14 - index, 8, isDark)
            }
            // Below the top right finder, and beside the bottom left one.
            if index < 8 { reserve(size - 1 - index, 8, isDark) } else { reserve(8, size - 15 + index, isDark) }
        }
        reserve(8, size - 8, true)
    }

    /// Places the version twice, if the code is large enough to have it (7.10).
    private mutating func placeVersion() {
        guard version.number >= 7 else { return }
        let bits = Self.protected(version.number, by: 12, 0b1_1111_0010_0101)
        for index in 0..<18 {
            let (near, far) = (index / 3, size - 11 + index % 3)
            reserve(near, far, bits >> index & 1 == 1)
            reserve(far, near, bits >> index & 1 == 1)
        }
    }

    /// A value followed by the remainder of its division by a generator polynomial over GF(2) (annexes C and D).
    private static func protected(_ value: Int, by count: Int, _ generator: Int) -> Int {
        var rest = value << count
        while rest >> count != 0 {
            rest ^= generator << (Int.bitWidth - rest.leadingZeroBitCount - 1 - count)
        }
        return value << count | rest
    }

    /// Places the codewords in columns of two modules, from right to left, alternately upward and downward (7.7.3).
    private mutating func place(_ codewords: [UInt8]) {
        let all: [Bool] = codewords.flatMap { codeword in
            (0..<8).reversed().map { codeword >> $0 & 1 == 1 }
        }
        var bits = all.makeIterator()
        var isUpward = true
        // The column of the timing pattern is skipped.
        for right in Array(stride(from: size - 1, to: 6, by: -2)) + [5, 3, 1] {
            for row in 0..<size {
                let y = isUpward ? size - 1 - row : row
                for x in [right, right - 1] where !isReserved[y * size + x] {
                    modules[y * size + x] = bits.next() ?? false
                }
            }
            isUpward.toggle()
        }
    }
}

/// A masked QR code.
struct QRSymbol {
    let size: Int
    /// The modules row by row; true is dark.
    let modules: [Bool]
    let mask: Int
    /// How hard the code is to read (7.8.3).
    let penalty: Int

    init(size: Int, modules: [Bool], mask: Int) {
        self.size = size
        self.modules = modules
        self.mask = mask
        let rows = (0..<size).map { Array(modules[$0 * size..<($0 + 1) * size]) }
        let columns = (0..<size).map { x in rows.map { $0[x] } }
        penalty =
            (rows + columns).reduce(0) { $0 + Self.runs($1) + Self.finders($1) }
            + Self.blocks(rows) + Self.imbalance(modules)
    }

    /// Runs of five or more modules of one color.
    private static func runs(_ line: [Bool]) -> Int {
        var (points, length) = (0, 0)
        for (index, module) in line.enumerated() {
            length = index > 0 && module == line[index - 1] ? length + 1 : 1
            points += length == 5 ? 3 : length > 5 ? 1 : 0
        }
        return points
    }

    /// What looks like a finder: dark and light in the ratio 1:1:3:1:1, with four light modules before or after it. The
    /// margin is light.
    private static func finders(_ line: [Bool]) -> Int {
        let finder = [true, false, true, true, true, false, true]
        let margin = [Bool](repeating: false, count: 4)
        let line = margin + line + margin
        return (4...line.count - 11).count { start in
            line[start..<start + 7].elementsEqual(finder)
                && (!line[start - 4..<start].contains(true) || !line[start + 7..<start + 11].contains(true))
        } * 40
    }

    /// Squares of four modules of one color.
    private static func blocks(_ rows: [[Bool]]) -> Int {
        var points = 0
        for (row, next) in zip(rows, rows.dropFirst()) {
            for x in 1..<row.count where row[x] == row[x - 1] && row[x] == next[x] && row[x] == next[x - 1] {
                points += 3
            }
        }
        return points
    }

    /// How far the proportion of dark modules is from a half, in steps of 5%.
    private static func imbalance(_ modules: [Bool]) -> Int {
        let dark = modules.count(where: \.self)
        return abs(20 * dark - 10 * modules.count) / modules.count * 10
    }
}
