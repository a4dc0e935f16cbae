import GlassBase

/// Formats with external lists: currencies, countries, languages, and schemes that no app can have.
extension StringFormat {
    /// A locale: language, a script if it is not the usual one, and region (BCP 47), such as `fr-CA`, `zh-Hant-TW`, and
    /// `es-419`. The language is one of ISO 639, and the region one of ISO 3166-1 or an area of several countries.
    public static let locale = StringFormat(
        name: "locale", expectation: "a locale of language and region, such as \"fr-CA\"",
        pattern: "^(\(ISOCodes.languages.alternatives))(-[A-Z][a-z]{3})?"
            + "-(\(ISOCodes.countries.alternatives)|\(LocaleCode.areas.sorted().joined(separator: "|")))$",
        matches: { LocaleCode($0) != nil }, problem: problem(ofLocale:))

    /// A currency code of ISO 4217, including former currencies.
    public static let currency = StringFormat(
        name: "currency", expectation: "a currency code of three capital letters, such as \"CAD\"",
        pattern: "^(\(ISOCodes.acceptedCurrencies.alternatives))$",
        matches: { ISOCodes.acceptedCurrencies.contains($0) }
    ) { text in
        let code = text.uppercased()
        if ISOCodes.acceptedCurrencies.contains(code) { return Problem(nil, advice: .write(code, for: text)) }
        guard hasCapitals(text, count: 3) else { return nil }
        return Problem(
            "\(text.quotedForMessage) is not an ISO 4217 currency code",
            advice: .nearest(to: text, in: ISOCodes.currencies.all) ?? listed)
    }

    /// A country code of ISO 3166-1 alpha-2.
    public static let country = StringFormat(
        name: "country", expectation: "a country code of two capital letters, such as \"CA\"",
        pattern: "^(\(ISOCodes.countries.alternatives))$", matches: { ISOCodes.countries.contains($0) }
    ) { text in
        if let code = suggestedCountry(by: text) { return Problem(nil, advice: .write(code, for: text)) }
        guard hasCapitals(text, count: 2) else { return nil }
        return Problem("\(text.quotedForMessage) is not an ISO 3166-1 country code", advice: listed)
    }

    /// An app-specific URL scheme (RFC 3986 §3.1), in lowercase as the generic syntax recommends.
    public static let scheme = StringFormat(
        name: "scheme", expectation: "a lowercase URL scheme without \"://\", such as \"walmart.ca\"",
        pattern: #"^(?!(\#(reservedSchemes.sorted().joined(separator: "|")))$)[a-z][a-z0-9+.-]*$"#,
        matches: { isScheme($0) && !reservedSchemes.contains($0) }
    ) { text in
        guard reservedSchemes.contains(text) else { return problem(ofScheme: text, excluding: reservedSchemes) }
        return Problem(
            "\(text.quotedForMessage) is reserved by systems and browsers",
            advice: Advice(
                text.hasPrefix("http")
                    ? "list the hosts of web links in universalLinks"
                    : "use an app-specific scheme, such as \"walmart.ca\""))
    }

    /// A URL scheme of another app, whose links an app may open.
    package static let outboundScheme = StringFormat(
        name: "outboundScheme", expectation: "a lowercase URL scheme without \":\", such as \"tel\"",
        pattern: #"^(?!(\#(dangerousSchemes.sorted().joined(separator: "|")))$)[a-z][a-z0-9+.-]*$"#,
        matches: { isScheme($0) && !dangerousSchemes.contains($0) }
    ) { text in
        guard dangerousSchemes.contains(text) else { return problem(ofScheme: text, excluding: dangerousSchemes) }
        return Problem(
            "\(text.quotedForMessage) cannot be listed: its links run code, read files, or do not need to be listed",
            advice: Advice(
                text.hasPrefix("http")
                    ? "list the domains of web links in allowedDomains"
                    : "use the scheme of another app, such as \"tel\""))
    }

    /// Schemes that other programs execute or read, and those that a market allows by domain.
    private static let dangerousSchemes: Set<String> = [
        "about", "blob", "content", "data", "file", "ftp", "http", "https", "intent", "javascript", "vbscript",
        "view-source", "ws", "wss",
    ]

    /// Schemes reserved by systems and browsers, which an app cannot or must not claim.
    private static let reservedSchemes: Set<String> = [
        "about", "blob", "content", "data", "facetime", "file", "ftp", "geo", "http", "https", "intent", "javascript",
        "mailto", "sms", "tel", "vbscript", "view-source", "ws", "wss",
    ]

    /// The problem of a scheme in another form: a URL, or a name in capitals or with spaces.
    private static func problem(ofScheme text: String, excluding excluded: Set<String>) -> Problem? {
        guard text.utf8.count <= maximumCorrectedLength else { return nil }
        let trimmed = text.trimmingWhitespace
        let name = trimmed.prefix { $0 != ":" && $0 != "/" }.lowercased()
        if name == "http" || name == "https", let web = HostSpelling(text) {
            return Problem(nil, advice: Advice("list the hosts of web links in universalLinks: \"\(web.host)\""))
        }
        let meant = String(name.map { $0.isWhitespace || $0 == "_" ? "-" : $0 })
        guard isScheme(meant), !excluded.contains(meant) else { return nil }
        return Problem(
            nil,
            advice: meant == name
                ? .write(meant, for: text)
                : Advice("write \"\(meant)\"", .spelling(text, meant: meant, isUnambiguous: false)))
    }

    private static let listed = Advice("the list of codes is from \(ISOCodes.date)")

    @Sendable
    private static func isScheme(_ text: String) -> Bool {
        guard let first = text.utf8.first, first.isLowercaseLetter else { return false }
        return text.utf8.allSatisfy {
            $0.isLowercaseLetter || $0.isDigit || $0 == UInt8(ascii: "+") || $0 == UInt8(ascii: "-")
                || $0 == UInt8(ascii: ".")
        }
    }

    private static func hasCapitals(_ text: String, count: Int) -> Bool {
        text.utf8.count == count && text.utf8.allSatisfy { $0.isLetter && !$0.isLowercaseLetter }
    }

    /// The country that a text in another form stands for: lowercase letters, or the code that people expect.
    private static func suggestedCountry(by text: String) -> String? {
        guard text.utf8.count == 2 else { return nil }
        let code = text.uppercased()
        return code == "UK" ? "GB" : ISOCodes.countries.contains(code) ? code : nil
    }

    /// An example of a locale with a language, as the end of a sentence; empty if no example is known.
    private static func example(ofLocaleIn language: String) -> String {
        let countries = [
            "ar": "EG", "da": "DK", "de": "DE", "en": "US", "es": "MX", "fr": "CA", "hi": "IN", "it": "IT", "ja": "JP",
            "ko": "KR", "nl": "NL", "pl": "PL", "pt": "BR", "sv": "SE", "tr": "TR", "zh": "CN",
        ]
        return countries[language].map { ", such as \"\(language)-\($0)\"" } ?? ""
    }

    /// The languages of countries whose codes are no language codes, but are often taken for them.
    private static let languagesOfCountryCodes = [
        "at": "de", "cl": "es", "cn": "zh", "cz": "cs", "dk": "da", "gb": "en", "hk": "zh", "il": "he", "in": "hi",
        "jp": "ja", "kr": "ko", "mx": "es", "nz": "en", "ph": "en", "tw": "zh", "ua": "uk", "us": "en",
    ]

    @Sendable
    private static func problem(ofLocale text: String) -> Problem? {
        guard text.utf8.count <= 16 else { return nil }
        var parts = text.trimmingWhitespace.split(omittingEmptySubsequences: false) {
            $0 == "-" || $0 == "_"
        }.map(String.init)
        // A script between language and region: zh-Hans-CN.
        var script = ""
        if parts.count == 3, parts[1].utf8.count == 4, parts[1].utf8.allSatisfy(\.isLetter) {
            script = "-" + parts.remove(at: 1).capitalizedASCII
        }
        guard parts.count == 2 else {
            guard parts.count == 1, ISOCodes.languages.contains(text) else { return nil }
            return Problem(
                nil, advice: Advice("add the code of the market's country\(example(ofLocaleIn: text))"))
        }
        let written = parts[0].lowercased()
        let language = ISOCodes.shortLanguages[written] ?? written
        let region = LocaleCode.areas.contains(parts[1]) ? parts[1] : suggestedCountry(by: parts[1])
        if ISOCodes.languages.contains(language), let region {
            return Problem(nil, advice: .write("\(language)\(script)-\(region)", for: text))
        }
        guard hasCapitals(parts[1], count: 2), parts[0].utf8.allSatisfy(\.isLowercaseLetter), text.contains("-") else {
            return nil
        }
        return ISOCodes.languages.contains(language)
            ? Problem(
                "\(parts[1].quotedForMessage) is not an ISO 3166-1 country code",
                advice: Advice(
                    "write the code of the market's country after \(language)-\(example(ofLocaleIn: language)); "
                        + "the list of codes is from \(ISOCodes.date)"))
            : Problem(
                "\(parts[0].quotedForMessage) is not an ISO 639 language code",
                advice: languagesOfCountryCodes[written].map { .write("\($0)-\(parts[1])", for: text) } ?? listed)
    }
}

extension StringFormat.Problem {
    /// Creates a problem of the whole text.
    fileprivate init(_ message: String?, advice: Advice) {
        self.init(offset: nil, message: message, advice: advice)
    }
}

extension String {
    /// The text with its first letter as a capital, and the others in lowercase.
    fileprivate var capitalizedASCII: String { prefix(1).uppercased() + dropFirst().lowercased() }
}
