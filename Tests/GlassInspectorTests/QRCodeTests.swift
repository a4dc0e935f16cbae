import Testing

@testable import GlassInspector

/// The expected values come from the Python packages qrcode 8 (the modules) and segno 1.6 (the capacities and the
/// penalties), with error correction level M, byte mode, and the version and the mask given.
@Suite struct QRCodeTests {
    /// A text of a number of bytes.
    private static func text(_ count: Int) -> String {
        let unit = "https://example.com/?q=0123456789&"
        return String(String(repeating: unit, count: count / unit.count + 1).prefix(count))
    }

    /// The 64-bit FNV-1a hash of modules, row by row.
    private static func hash(_ modules: [Bool]) -> UInt64 {
        modules.reduce(0xCBF2_9CE4_8422_2325) { ($0 ^ ($1 ? 1 : 0)) &* 0x100_0000_01B3 }
    }

    @Test func aLinkIsTheExpectedCode() throws {
        let code = try #require(QRCode("walmart.ca://myaccount"))
        #expect(code.version == 2)
        let rows = (0..<code.size).map { y in String((0..<code.size).map { x in code[x, y] ? "#" : "." }) }
        #expect(
            rows == [
                "#######.#.#..####.#######",
                "#.....#..####.#.#.#.....#",
                "#.###.#.......#.#.#.###.#",
                "#.###.#.####.####.#.###.#",
                "#.###.#.#.#.#.###.#.###.#",
                "#.....#.#.###...#.#.....#",
                "#######.#.#.#.#.#.#######",
                "........#.##..###........",
                "#...#.###.#.#....#####..#",
                "##.###.#.##..#.##...###..",
                "##..###....#..##.#.####..",
                ".#...#..#.###.###.....#..",
                "##....##..##...##.##..#.#",
                "#..#....#...#.####..###..",
                "..###.###.######.##.#.#..",
                "..##......##...#.####.#.#",
                "##.#.####.#.#..######.###",
                "........#.#..#..#...#..#.",
                "#######.###...#.#.#.#.#..",
                "#.....#..##.#...#...#.###",
                "#.###.#.#..#.##.#########",
                "#.###.#..#..#.###.##...##",
                "#.###.#..######..##..#.#.",
                "#.....#..###.#.#..#...##.",
                "#######.###.##...#..#####",
            ])
    }

    /// The maximum lengths, and the hashes of codes with mask `version % 8` of texts of those lengths.
    static let versions: [(version: Int, capacity: Int, hash: UInt64)] = Array(
        zip(
            zip(
                1...40,
                [
                    14, 26, 42, 62, 84, 106, 122, 152, 180, 213, 251, 287, 331, 362, 412, 450, 504, 560, 624, 666, 711,
                    779, 857, 911, 997, 1059, 1125, 1190, 1264, 1370, 1452, 1538, 1628, 1722, 1809, 1911, 1989, 2099,
                    2213, 2331,
                ]),
            [
                0x331D_16EF_BDF8_8945, 0xE115_90DE_A6CE_22ED, 0xABC2_9B0B_CA80_A375, 0x6B7C_6315_D474_9B07,
                0xFBC9_B7F0_82EB_BDDC, 0xD96D_4A31_B768_CF27, 0x9F3F_47EB_5728_CA95, 0x2D34_E636_93BE_A0A7,
                0x2674_6B94_DF65_CEF4, 0x4997_1199_C559_3EC1, 0xC41B_36BB_957C_D321, 0x40C4_88EB_14E0_C533,
                0x9222_D88F_2E73_540D, 0xCA6F_2FBE_6CE5_6443, 0x1A54_16AE_969A_8146, 0xD862_33EC_98A9_ED77,
                0xFE6C_0978_3E37_E6B8, 0x7583_9457_1645_7823, 0x84BC_C77E_4F7F_9D51, 0x023B_4201_6CBA_1309,
                0x8BBC_90CF_D9A3_21B8, 0x3FA4_C228_3B4A_BA95, 0x7523_17D5_E474_ABC3, 0xE3C2_4CB2_B458_B031,
                0x4165_95C2_22BF_A8F2, 0xE550_FB98_6E30_2711, 0x0CDF_1066_E8CE_324F, 0xB6ED_89B1_20AC_0FCE,
                0x889A_EB8B_19A2_7B38, 0x079B_ACCB_1D3F_E172, 0x55A3_184B_D948_BE04, 0xDF32_9050_D3E3_B81B,
                0xCF8C_13E6_22B3_4B12, 0x95FA_B11E_19E3_627D, 0x950D_D6EF_55EC_4ACD, 0x0138_FF10_3245_1071,
                0x6C80_EEA8_F5AF_CDC7, 0x800F_C982_B5FC_EDC1, 0xE4CB_2766_25B7_DBC4, 0x3ED9_431F_5F60_BEE7,
            ] as [UInt64])
    ).map { ($0.0, $0.1, $1) }

    @Test(arguments: versions) func everyVersionHasTheExpectedCode(version: Int, capacity: Int, hash: UInt64) {
        #expect(QRVersion(version).capacity == capacity)
        #expect(QRVersion.smallest(for: capacity)?.number == version)
        let code = QRCode(Self.text(capacity), version: QRVersion(version), mask: version % 8)
        #expect(Self.hash(code.modules) == hash)
    }

    @Test(arguments: [
        ("a", [1086, 1084, 1068, 1042, 1060, 1028, 1053, 1047]),
        ("walmart.ca://myaccount", [1162, 1150, 1156, 1172, 1136, 1234, 1152, 1351]),
        ("https://www.walmart.ca/en/ip/x/42", [1359, 1286, 1356, 1239, 1454, 1355, 1349, 1245]),
        (String(repeating: "é", count: 40), [1727, 1886, 1578, 1635, 1878, 1713, 1788, 1697]),
    ])
    func theMaskWithTheLowestPenaltyIsUsed(text: String, penalties: [Int]) throws {
        let version = try #require(QRVersion.smallest(for: text.utf8.count))
        let grid = QRGrid(version, codewords: version.codewords(of: Array(text.utf8)))
        #expect((0..<8).map { grid.masked(with: $0).penalty } == penalties)
        #expect(QRCode(text)?.mask == penalties.firstIndex(of: penalties.min() ?? 0))
    }

    @Test func aLongerTextHasNoCode() {
        #expect(QRCode.maximumBytes == 2331)
        #expect(QRCode(Self.text(2331))?.version == 40)
        #expect(QRCode(Self.text(2332)) == nil)
        #expect(QRCode("")?.version == 1)
    }

    @Test func theElementIsDarkOnLightWithAMargin() throws {
        let code = try #require(QRCode("walmart.ca://myaccount"))
        let svg = code.svg(label: "\"<b>\u{202E}")
        #expect(svg.contains("viewBox=\"0 0 33 33\""))
        #expect(svg.contains("aria-label=\"&quot;&lt;b&gt;\\u{202e}\""))
        #expect(svg.contains("<rect width=\"33\" height=\"33\" fill=\"#fff\"/><path d=\"M4 4h7v1h-7z"))
        // The content security policy allows no inline styles.
        #expect(!svg.contains("style"))
    }
}
