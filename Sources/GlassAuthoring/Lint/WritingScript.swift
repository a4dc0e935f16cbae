import GlassSchema

/// A script in which languages are written, by its name in Unicode.
enum WritingScript: String, Sendable {
    case arabic, armenian, bengali, cyrillic, devanagari, ethiopic, georgian, greek, gujarati, gurmukhi, han, hangul
    case hebrew, hiragana, kannada, katakana, khmer, lao, latin, malayalam, myanmar, sinhala, tamil, telugu, thai
    case tibetan

    /// The name in messages.
    var name: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

    /// Whether the script has capital letters, with which the names of brands and people begin.
    var hasCase: Bool {
        switch self {
        case .armenian, .cyrillic, .greek, .latin: true
        default: false
        }
    }

    /// The script of a letter; nil for a character that is no letter, or a letter of a script that is not listed.
    init?(_ scalar: Unicode.Scalar) {
        guard scalar.properties.isAlphabetic, let block = Self.blocks.last(where: { $0.start <= scalar.value }),
            scalar.value <= block.end
        else { return nil }
        self = block.script
    }

    /// The blocks of Unicode that consist of letters of one script, in their order: <https://unicode.org/charts/>.
    private static let blocks: [(start: UInt32, end: UInt32, script: WritingScript)] = [
        (0x0041, 0x02AF, .latin), (0x0370, 0x03FF, .greek), (0x0400, 0x052F, .cyrillic), (0x0530, 0x058F, .armenian),
        (0x0590, 0x05FF, .hebrew), (0x0600, 0x06FF, .arabic), (0x0750, 0x077F, .arabic), (0x08A0, 0x08FF, .arabic),
        (0x0900, 0x097F, .devanagari), (0x0980, 0x09FF, .bengali), (0x0A00, 0x0A7F, .gurmukhi),
        (0x0A80, 0x0AFF, .gujarati), (0x0B80, 0x0BFF, .tamil), (0x0C00, 0x0C7F, .telugu), (0x0C80, 0x0CFF, .kannada),
        (0x0D00, 0x0D7F, .malayalam), (0x0D80, 0x0DFF, .sinhala), (0x0E00, 0x0E7F, .thai), (0x0E80, 0x0EFF, .lao),
        (0x0F00, 0x0FFF, .tibetan), (0x1000, 0x109F, .myanmar), (0x10A0, 0x10FF, .georgian), (0x1100, 0x11FF, .hangul),
        (0x1200, 0x139F, .ethiopic), (0x1780, 0x17FF, .khmer), (0x1C90, 0x1CBF, .georgian), (0x1E00, 0x1EFF, .latin),
        (0x1F00, 0x1FFF, .greek), (0x3040, 0x309F, .hiragana), (0x30A0, 0x30FF, .katakana), (0x3130, 0x318F, .hangul),
        (0x31F0, 0x31FF, .katakana), (0x3400, 0x4DBF, .han), (0x4E00, 0x9FFF, .han), (0xAC00, 0xD7AF, .hangul),
        (0xF900, 0xFAFF, .han), (0xFB50, 0xFDFF, .arabic), (0xFE70, 0xFEFF, .arabic), (0x20000, 0x3134F, .han),
    ]
}

extension WritingScript {
    /// The scripts that a locale is written in; nil if that is not known for certain, so that no rule can say that a text
    /// is in another one.
    static func all(of locale: String) -> Set<WritingScript>? {
        let parts = locale.split(separator: "-")
        // A locale that names its script has no other.
        if let script = parts.dropFirst().first, script.count == 4 { return codes[String(script)] }
        return parts.first.flatMap { languages[String($0)] }
    }

    /// The scripts by their codes in ISO 15924.
    private static let codes: [String: Set<WritingScript>] = [
        "Arab": [.arabic], "Armn": [.armenian], "Beng": [.bengali], "Cyrl": [.cyrillic], "Deva": [.devanagari],
        "Ethi": [.ethiopic], "Geor": [.georgian], "Grek": [.greek], "Gujr": [.gujarati], "Guru": [.gurmukhi],
        "Hang": [.hangul], "Hans": [.han], "Hant": [.han], "Hebr": [.hebrew], "Jpan": [.han, .hiragana, .katakana],
        "Khmr": [.khmer], "Knda": [.kannada], "Kore": [.hangul, .han], "Laoo": [.lao], "Latn": [.latin],
        "Mlym": [.malayalam], "Mymr": [.myanmar], "Sinh": [.sinhala], "Taml": [.tamil], "Telu": [.telugu],
        "Thai": [.thai], "Tibt": [.tibetan],
    ]

    /// The scripts of the languages that are written in these only: the first and the secondary scripts in the language
    /// data of CLDR (<https://www.unicode.org/cldr/charts/46/supplemental/languages_and_scripts.html>). Languages with
    /// scripts that are not listed above, and those that people often write in Latin letters, are left out or have both.
    private static let languages: [String: Set<WritingScript>] = {
        let table: [(Set<WritingScript>, String)] = [
            (
                [.latin],
                "af ca cs cy da de en es et eu fi fil fo fr fy ga gd gl haw hr hu id ig is it lb lt lv mi mt nb nl nn no "
                    + "pl pt rm sk sl sm so sq sv sw to tr vi xh yo zu"
            ),
            ([.cyrillic], "ba be bg ce cv mk ru sah uk"), ([.cyrillic, .latin], "bs ro sr"),
            ([.cyrillic, .latin, .arabic], "az kk ky tg tk tt uz"),
            ([.arabic], "ar ckb fa ps ur"), ([.arabic, .latin, .cyrillic], "ku"), ([.arabic, .latin], "ms ha"),
            ([.hebrew], "he yi"), ([.greek], "el"), ([.armenian], "hy"), ([.georgian], "ka"),
            ([.devanagari, .latin], "hi mr"), ([.devanagari], "ne"), ([.bengali], "as bn"), ([.gujarati], "gu"),
            ([.gurmukhi, .arabic], "pa"), ([.tamil], "ta"), ([.telugu], "te"), ([.kannada], "kn"),
            ([.malayalam], "ml"), ([.sinhala], "si"), ([.thai], "th"), ([.lao], "lo"), ([.khmer], "km"),
            ([.myanmar], "my"), ([.tibetan], "bo dz"), ([.ethiopic], "am ti"), ([.han, .hiragana, .katakana], "ja"),
            ([.hangul, .han], "ko"), ([.han], "yue zh"),
        ]
        var languages: [String: Set<WritingScript>] = [:]
        for (scripts, codes) in table { for code in codes.split(separator: " ") { languages[String(code)] = scripts } }
        return languages
    }()
}

extension WritingScript {
    /// The script that a whole sentence is written in, if all of it is in scripts other than the given ones.
    ///
    /// URLs, domains, placeholders such as `{name}` or `%@`, and words with digits do not matter, and neither do words
    /// with capital letters, because brands keep their script in every language. A short text has no result: it may be a
    /// name.
    static func foreign(in text: String, to scripts: Set<WritingScript>) -> WritingScript? {
        var counts: [WritingScript: (words: Int, small: Int, letters: Int)] = [:]
        for word in text.withoutBraces.split(whereSeparator: \.isWhitespace) where word.isWord {
            let letters = word.unicodeScalars.compactMap { scalar in WritingScript(scalar).map { (scalar, $0) } }
            let isName = letters.contains { $0.0.properties.isUppercase }
            let own = letters.filter { scripts.contains($0.1) }
            // A word is one of the language even if it begins with a name: `iPhoneの`.
            if own.contains(where: { !isName || $0.1 != .latin }) { return nil }
            guard own.isEmpty, let script = letters.first?.1 else { continue }
            var count = counts[script] ?? (0, 0, 0)
            count.words += 1
            count.letters += letters.count
            if !isName, letters.count >= 3 { count.small += 1 }
            counts[script] = count
        }
        return counts.filter { script, count in
            script.hasCase ? count.words >= 3 && count.small >= 2 : count.letters >= 8
        }.max { ($0.value.letters, $0.key.rawValue) < ($1.value.letters, $1.key.rawValue) }?.key
    }
}

extension Substring {
    private static let symbols = Set("@%$/\\_#<>".unicodeScalars)

    /// Whether the letters between spaces are a word, and no URL, address, placeholder, or number of a product.
    fileprivate var isWord: Bool {
        let inner = unicodeScalars.dropFirst().dropLast()
        return !unicodeScalars.contains { $0.properties.generalCategory == .decimalNumber || Self.symbols.contains($0) }
            // A full stop or a colon ends a word, and is inside of a domain or a URL.
            && !zip(inner, inner.dropFirst()).contains {
                ".:".unicodeScalars.contains($0) && $1.properties.isAlphabetic
            }
    }
}

extension String {
    /// The text without the placeholders in braces.
    fileprivate var withoutBraces: String { replacing(/\{[^{}]*\}/, with: " ") }
}
