@testable import GlassBase
import Testing

struct SafeTextTests {
    /// A character of each kind that must not reach a terminal unescaped, and its escaped form.
    static let unsafe: [(scalar: Unicode.Scalar, shown: String)] = [
        ("\u{0}", "\\u{0}"), ("\u{7}", "\\u{7}"), ("\t", "\\t"), ("\n", "\\n"), ("\u{B}", "\\u{b}"), ("\r", "\\r"),
        ("\u{1B}", "\\u{1b}"), ("\u{1F}", "\\u{1f}"), ("\u{7F}", "\\u{7f}"), ("\u{80}", "\\u{80}"),
        ("\u{85}", "\\u{85}"), ("\u{9B}", "\\u{9b}"), ("\u{9F}", "\\u{9f}"), ("\u{AD}", "\\u{ad}"),
        ("\u{61C}", "\\u{61c}"), ("\u{180E}", "\\u{180e}"), ("\u{200B}", "\\u{200b}"), ("\u{200E}", "\\u{200e}"),
        ("\u{200F}", "\\u{200f}"), ("\u{2028}", "\\u{2028}"), ("\u{2029}", "\\u{2029}"), ("\u{202A}", "\\u{202a}"),
        ("\u{202E}", "\\u{202e}"), ("\u{2060}", "\\u{2060}"), ("\u{2066}", "\\u{2066}"), ("\u{2069}", "\\u{2069}"),
        ("\u{206F}", "\\u{206f}"), ("\u{FEFF}", "\\u{feff}"), ("\u{FFF9}", "\\u{fff9}"), ("\u{FFFB}", "\\u{fffb}"),
        ("\u{E0001}", "\\u{e0001}"), ("\u{E007F}", "\\u{e007f}"),
    ]

    /// Their neighbors, and characters that occur in words and emoji.
    static let harmless: [Unicode.Scalar] = [
        " ", "~", "\u{A0}", "é", "\u{AC}", "\u{AE}", "\u{61B}", "\u{61D}", "\u{200A}", "\u{200C}", "\u{200D}",
        "\u{2010}", "\u{2027}", "\u{202F}", "\u{205F}", "\u{2070}", "\u{FE0F}", "\u{FF08}", "\u{FFFC}", "\u{FFFD}",
        "🛒", "\u{E0080}", "\u{E0100}", "\u{10FFFF}",
    ]

    /// Every control, format and separator character in Unicode except the ones that are kept for a reason.
    @Test func everyControlCharacterIsEscaped() {
        let kept: Set<Unicode.Scalar> = ["\u{200C}", "\u{200D}"]
        var missed: [String] = []
        for value in UInt32(0)...0x10FFFF {
            guard let scalar = Unicode.Scalar(value), !kept.contains(scalar) else { continue }
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator:
                if !scalar.needsEscape { missed.append(scalar.escape) }
            case .format:
                // Marks that are visible, or that shape visible text.
                let isShown = [
                    0x600...0x605, 0x6DD...0x6DD, 0x70F...0x70F, 0x890...0x891, 0x8E2...0x8E2, 0x110BD...0x110BD,
                    0x110CD...0x110CD, 0x13430...0x1345F, 0x1BCA0...0x1BCA3, 0x1D173...0x1D17A,
                ].contains { $0.contains(value) }
                if !isShown, !scalar.needsEscape { missed.append(scalar.escape) }
            default:
                if scalar.needsEscape, !(0x2000...0x206F).contains(value), !(0xE0000...0xE007F).contains(value) {
                    missed.append("not \(scalar.escape)")
                }
            }
        }
        #expect(missed.isEmpty)
    }

    @Test(arguments: unsafe)
    func invisibleCharactersInValuesAreEscaped(scalar: Unicode.Scalar, shown: String) {
        let value = "a\(scalar)b"
        #expect(DisplayText(value).plain == "a\(shown)b")
        #expect(("\(value)" as DisplayText).plain == "a\(shown)b")
        #expect(("x \(Described(description: value), .red)" as DisplayText).plain == "x a\(shown)b")
        #expect((DisplayText() + DisplayText(value)).description == "a\(shown)b")
        let isLine = scalar == "\n" || scalar == "\t"
        #expect(DisplayText(lines: value).plain == (isLine ? value : "a\(shown)b"))
    }

    @Test(arguments: harmless)
    func visibleCharactersAreKept(scalar: Unicode.Scalar) {
        #expect(Array(DisplayText("a\(scalar)b").plain.unicodeScalars) == ["a", scalar, "b"])
    }

    @Test func literalsKeepOnlyLineFeedsAndTabs() {
        #expect(("a\n\tb\r\u{1B}[31m\u{202E}" as DisplayText).plain == "a\n\tb\\r\\u{1b}[31m\\u{202e}")
        #expect(("\n" as DisplayText).plain == "\n")
    }

    @Test func carriageReturnBeforeLineFeedIsEscaped() {
        let value = "a\r\nb"
        #expect(DisplayText(lines: value).plain == "a\\r\nb")
        #expect(DisplayText(value).plain == "a\\r\\nb")
    }

    @Test func stylesDoNotCountAsCharacters() {
        let text: DisplayText = "\("no", .red): \("a\u{1B}[0m")"
        #expect(text.plain == "no: a\\u{1b}[0m")
        #expect(text.colored == "\u{1B}[31mno\u{1B}[0m: a\\u{1b}[0m")
        #expect(text.count == text.plain.count)
        #expect(text.styled(.dim).colored == "\u{1B}[31mno\u{1B}[0m\u{1B}[2m: a\\u{1b}[0m\u{1B}[0m")
        #expect(text.styled(nil) == text)
    }

    @Test func widthCountsEscapedCharacters() {
        let text: DisplayText = "\("a\nb", .bold)c"
        #expect(text.count == 5)
        #expect(text.padded(to: 7).plain == "a\\nbc  ")
        #expect(text.padded(to: 2) == text)
        #expect(text.padded(to: 9).trimmed == text)
        #expect(text.prefix(4).plain == "a\\nb")
        #expect(text.suffix(2).plain == "bc")
        #expect(text.cut(to: 3).plain == "a\\…")
        #expect(text.cut(to: 5) == text)
        #expect(DisplayText("abcdefghij").shortened(to: 7).plain == "ab…ghij")
        #expect(("a\nb" as DisplayText).indented(by: 2).plain == "  a\n  b")
        #expect([text, text].joined(separator: "\n").plain == "a\\nbc\na\\nbc")
        #expect(([] as [DisplayText]).joined().isEmpty && DisplayText("").isEmpty)
    }

    private struct Described: CustomStringConvertible {
        let description: String
    }

    @Test(arguments: [
        ("one two three", 7, "one two\n  three"), ("one two", 20, "one two"), ("", 5, ""),
        ("  ~ a: b c d", 8, "  ~ a: b\n  c d"), ("abcdefghij kl", 5, "abcdefghij\n  kl"),
        ("aaaa bbbb cccc", 6, "aaaa\n  bbbb\n  cccc"), ("a   b", 3, "a\n  b"),
    ])
    func textWrapsBetweenWords(text: String, width: Int, wrapped: String) {
        #expect(DisplayText(text).wrapped(to: width, indent: 2).plain == wrapped)
        #expect(DisplayText(text).styled(.red).wrapped(to: width, indent: 2).plain == wrapped)
    }

    @Test(arguments: [
        (0, "0 bytes"), (1, "1 byte"), (1023, "1023 bytes"), (1024, "1 KB"), (1536, "1.5 KB"), (16 << 20, "16 MB"),
        (3 << 29, "1.5 GB"), (1 << 50, "1024 TB"),
    ])
    func bytesAreFormattedWithReadableUnit(count: Int, text: String) {
        #expect(count.formattedBytes == text)
    }
}
