/// The locale of a market that suits a person's languages best; empty if the market offers none.
///
/// For each language in turn, from the most preferred one, a locale matches if it has the same language and script,
/// where a tag without a script has the likely one. Among these, the one with the same region wins, otherwise the first.
/// If no language matches, the result is the first locale of the market. Extensions such as `-u-ca-gregory` are ignored.
///
/// ```swift
/// localeMatch(wanted: ["de-AT", "fr-FR"], offered: ["en-CA", "fr-CA"])    // "fr-CA"
/// ```
package func localeMatch(wanted: [String], offered: [String]) -> String {
    let available = offered.map { LanguageTag($0) }
    for tag in wanted.lazy.map({ LanguageTag($0) }) {
        let suitable = offered.indices.filter { available[$0].hasSameLanguage(as: tag) }
        guard let first = suitable.first else { continue }
        let exact = tag.region.isEmpty ? nil : suitable.first { available[$0].region == tag.region }
        return offered[exact ?? first]
    }
    return offered.first ?? ""
}

/// The language, script and region of a BCP 47 tag.
private struct LanguageTag {
    var language = ""
    var script = ""
    var region = ""

    init(_ text: String) {
        let parts = text.split(maxSplits: 8, whereSeparator: { $0 == "-" || $0 == "_" })
        language = String(parts.first ?? "").lowercased()
        language = Self.currentLanguages[language] ?? language
        for part in parts.dropFirst() {
            switch part.utf8.count {
            case 4 where script.isEmpty && region.isEmpty && part.utf8.allSatisfy(\.isASCIILetter):
                script = part.lowercased()
            case 2 where region.isEmpty, 3 where region.isEmpty && part.utf8.allSatisfy(\.isASCIIDigit):
                region = part.uppercased()
            case 1:
                finish()
                return  // what follows is an extension
            default: break
            }
        }
        finish()
    }

    private mutating func finish() {
        if script.isEmpty { script = Self.likelyScript(of: language, in: region) }
    }

    func hasSameLanguage(as other: LanguageTag) -> Bool { language == other.language && script == other.script }

    /// Codes that stand for a language under another code.
    private static let currentLanguages = ["in": "id", "iw": "he", "ji": "yi", "no": "nb", "tl": "fil"]

    /// The scripts of languages that are usually not written in Latin letters, after the likely subtags of CLDR.
    private static let scripts: [String: String] = [
        "am": "ethi", "ar": "arab", "as": "beng", "be": "cyrl", "bg": "cyrl", "bn": "beng", "bo": "tibt",
        "ckb": "arab", "dv": "thaa", "dz": "tibt", "el": "grek", "fa": "arab", "gu": "gujr", "he": "hebr",
        "hi": "deva", "hy": "armn", "ja": "jpan", "ka": "geor", "kk": "cyrl", "km": "khmr", "kn": "knda",
        "ko": "kore", "ks": "arab", "ky": "cyrl", "lo": "laoo", "mk": "cyrl", "ml": "mlym", "mn": "cyrl",
        "mr": "deva", "my": "mymr", "ne": "deva", "or": "orya", "pa": "guru", "ps": "arab", "ru": "cyrl",
        "sa": "deva", "sd": "arab", "si": "sinh", "sr": "cyrl", "ta": "taml", "te": "telu", "tg": "cyrl",
        "th": "thai", "ti": "ethi", "tt": "cyrl", "ug": "arab", "uk": "cyrl", "ur": "arab", "yi": "hebr",
        "yue": "hant", "zh": "hans",
    ]

    /// The regions in which a language has another script than elsewhere.
    private static let regionalScripts: [String: String] = [
        "az-IQ": "arab", "az-IR": "arab", "az-RU": "cyrl", "kk-CN": "arab", "kk-IR": "arab", "ky-CN": "arab",
        "ky-TR": "latn", "mn-CN": "mong", "pa-PK": "arab", "sr-ME": "latn", "sr-RO": "latn", "sr-TR": "latn",
        "tg-PK": "arab", "uz-AF": "arab", "uz-CN": "cyrl", "yue-CN": "hans", "zh-AU": "hant", "zh-BN": "hant",
        "zh-GB": "hant", "zh-GF": "hant", "zh-HK": "hant", "zh-ID": "hant", "zh-MO": "hant", "zh-PA": "hant",
        "zh-PF": "hant", "zh-PH": "hant", "zh-SR": "hant", "zh-TH": "hant", "zh-TW": "hant", "zh-US": "hant",
        "zh-VN": "hant",
    ]

    private static func likelyScript(of language: String, in region: String) -> String {
        regionalScripts["\(language)-\(region)"] ?? scripts[language] ?? "latn"
    }
}
