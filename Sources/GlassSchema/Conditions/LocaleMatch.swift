/// The locale of a market that suits a person's languages best; empty if the market offers none.
///
/// For each language in turn, from the most preferred one, a locale suits if CLDR's parents lead from both to one locale:
/// `es-MX` and `es-US` to `es-419`, and both of them and `es-ES` to `es`. A tag without a script has the likely one. Of
/// several, the one wins whose common parent is nearest to the person's language; then the one that the parent
/// usually means, such as `fr-FR` for `fr`; then the first. If no language suits, the result is the first locale of the
/// market. Extensions such as `-u-ca-gregory` are ignored.
///
/// ```swift
/// localeMatch(wanted: ["de-AT", "fr-FR"], offered: ["en-CA", "fr-CA"])    // "fr-CA"
/// ```
package func localeMatch(wanted: [String], offered: [String]) -> String {
    let available = offered.map { LanguageTag($0).parents }
    for tag in wanted.lazy.map({ LanguageTag($0) }) {
        var best: (index: Int, distance: Int, isOther: Bool)?
        for (index, parents) in available.enumerated() {
            guard let distance = tag.parents.firstIndex(where: parents.contains) else { continue }
            let parent = tag.parents[distance]
            let isOther = parents.first.map { $0 != parent && !LanguageTag.standsFor(parent, $0) } ?? true
            if let best, (best.distance, best.isOther ? 1 : 0) <= (distance, isOther ? 1 : 0) { continue }
            best = (index, distance, isOther)
        }
        if let best { return offered[best.index] }
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

    /// The tag in its shortest form, followed by its parents, nearest first. Without the root, which all locales have.
    var parents: [String] {
        let usual = Self.likelyScript(of: language, in: "")
        let own = script == usual ? language : "\(language)-\(script.prefix(1).uppercased())\(script.dropFirst())"
        var chain = [region.isEmpty ? own : "\(own)-\(region)"]
        // No chain of CLDR is longer.
        while chain.count < 8, let last = chain.last {
            let shorter = last.hasSuffix("-\(region)") && chain.count == 1 && !region.isEmpty ? own : nil
            guard let parent = Self.exceptions[last] ?? shorter ?? Self.withoutRegion(last) else { break }
            chain.append(parent)
        }
        return chain
    }

    /// What is left of a parent such as `es-419` or `zh-Hant-HK` without its region; nil if it has none.
    private static func withoutRegion(_ tag: String) -> String? {
        let parts = tag.split(separator: "-")
        guard parts.count > 1, let last = parts.last, last.utf8.count < 4 else { return nil }
        return parts.dropLast().joined(separator: "-")
    }

    /// Whether a locale is one that its parent usually means: `fr-FR` for `fr`. Some languages have two of them.
    static func standsFor(_ parent: String, _ locale: String) -> Bool {
        likelyRegions[parent].map { locale == "\(parent)-\($0)" } == true || paradigms[parent] == locale
    }

    /// The second paradigm locales of CLDR.
    private static let paradigms = ["en": "en-GB", "en-001": "en-GB", "es": "es-419", "pt": "pt-PT"]

    /// The parents of the locales that have another one than what is left without their region.
    private static let exceptions: [String: String] = localeParentTable.split(whereSeparator: \.isWhitespace).reduce(
        into: [:]
    ) { (exceptions: inout [String: String], row: Substring) in
        let parts = row.split(separator: "=")
        guard parts.count == 2 else { return }
        for locale in parts[1].split(separator: ",") { exceptions[String(locale)] = String(parts[0]) }
    }

    private static let likelyRegions: [String: String] = likelyRegionTable.split(whereSeparator: \.isWhitespace).reduce(
        into: [:]
    ) { (regions: inout [String: String], row: Substring) in
        guard let end = row.lastIndex(of: "-") else { return }
        regions[String(row[..<end])] = String(row[row.index(after: end)...])
    }

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

// Written by scripts/locale-parents from CLDR, as Babel 2.19.0 contains it. Do not edit what follows.

/// The source of the tables of locales, with its version.
let localeTableSource = "CLDR of Babel 2.19.0"

/// The locales whose parent is not what is left without their region, after their parent.
private let localeParentTable = """
    en-001=en-150,en-AG,en-AI,en-AU,en-BB,en-BM,en-BS,en-BW,en-BZ,en-CC,en-CK,en-CM,en-CX,en-CY,en-DG,en-DM,en-ER,en-FJ,en-FK,en-FM,en-GB,en-GD,en-GG,en-GH,en-GI,en-GM,en-GS,en-GY,en-HK,en-ID,en-IE,en-IL,en-IM,en-IN,en-IO,en-JE,en-JM,en-KE,en-KI,en-KN,en-KY,en-LC,en-LR,en-LS,en-MG,en-MO,en-MS,en-MT,en-MU,en-MV,en-MW,en-MY,en-NA,en-NF,en-NG,en-NR,en-NU,en-NZ,en-PG,en-PK,en-PN,en-PW,en-RW,en-SB,en-SC,en-SD,en-SG,en-SH,en-SL,en-SS,en-SX,en-SZ,en-TC,en-TK,en-TO,en-TT,en-TV,en-TZ,en-UG,en-VC,en-VG,en-VU,en-WS,en-ZA,en-ZM,en-ZW \
    en-150=en-AT,en-BE,en-CH,en-CZ,en-DE,en-DK,en-EE,en-ES,en-FI,en-FR,en-GE,en-HU,en-IT,en-LT,en-LV,en-NL,en-NO,en-PL,en-PT,en-RO,en-SE,en-SI,en-SK,en-UA \
    en-IN=hi-Latn \
    es-419=es-AR,es-BO,es-BR,es-BZ,es-CL,es-CO,es-CR,es-CU,es-DO,es-EC,es-GT,es-HN,es-JP,es-MX,es-NI,es-PA,es-PE,es-PR,es-PY,es-SV,es-US,es-UY,es-VE \
    no=nb,nn pt-PT=pt-AO,pt-CH,pt-CV,pt-FR,pt-GQ,pt-GW,pt-LU,pt-MO,pt-MZ,pt-ST,pt-TL zh-Hant-HK=zh-Hant-MO
    """

/// Languages, some with a script, each with its likely region.
private let likelyRegionTable = """
    aa-ET ab-GE ae-IR af-ZA ak-GH am-ET an-ES ar-EG as-IN av-RU ay-BO az-AZ az-Arab-IR ba-RU be-BY bg-BG bi-VU \
    bm-ML bn-BD bo-CN br-FR bs-BA ca-ES ce-RU ch-GU co-FR cr-CA cs-CZ cu-Glag-BG cu-RU cv-RU cy-GB da-DK de-DE \
    dv-MV dz-BT ee-GH el-GR en-Shaw-GB en-US eo-001 es-ES et-EE eu-ES fa-IR ff-Adlm-GN ff-SN fi-FI fj-FJ fo-FO \
    fr-FR fy-NL ga-IE gd-GB gl-ES gn-PY gu-IN gv-IM ha-NG he-IL hi-IN ho-PG hr-HR ht-HT hu-HU hy-AM hz-NA ia-001 \
    id-ID ie-EE ig-NG ii-CN ik-US in-ID io-001 is-IS it-IT iu-CA iw-IL ja-JP ji-UA jv-ID jw-ID ka-GE kg-CD ki-KE \
    kj-NA kk-Arab-CN kk-KZ kl-GL km-KH kn-IN ko-KR kr-NG ks-IN ku-Arab-IQ ku-Cyrl-AM ku-TR ku-Yezi-GE kv-RU kw-GB \
    ky-Arab-CN ky-KG ky-Latn-TR la-VA lb-LU lg-UG li-NL ln-CD lo-LA lt-LT lu-CD lv-LV mg-MG mh-MH mi-NZ mk-MK \
    ml-IN mn-MN mn-Mong-CN mo-RO mr-IN ms-MY mt-MT my-MM na-NR nb-NO nd-ZW ne-NP ng-NA nl-NL nn-NO no-NO nr-ZA \
    nv-US ny-MW oc-FR oj-CA om-ET or-IN os-GE pa-Arab-PK pa-IN pi-Deva-IN pi-GB pi-Mymr-MM pi-Sinh-LK pi-Thai-TH \
    pl-PL ps-AF pt-BR qu-PE rm-CH rn-BI ro-RO ru-RU rw-RW sa-IN sc-IT sd-Deva-IN sd-Khoj-IN sd-PK sd-Sind-IN se-NO \
    sg-CF si-LK sk-SK sl-SI sm-WS sn-ZW so-SO sq-AL sr-RS ss-ZA st-ZA su-ID sv-SE sw-TZ ta-IN te-IN tg-Arab-PK \
    tg-TJ th-TH ti-ET tk-TM tl-PH tn-ZA to-TO tr-TR ts-ZA tt-RU ty-PF ug-CN ug-Cyrl-KZ uk-UA ur-PK uz-Arab-AF \
    uz-UZ ve-ZA vi-VN vo-001 wa-BE wo-SN xh-ZA yi-UA yo-NG za-CN zh-Bopo-TW zh-CN zh-Hanb-TW zh-Hant-TW zu-ZA
    """
