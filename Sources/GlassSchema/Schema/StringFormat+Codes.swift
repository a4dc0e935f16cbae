import GlassBase

/// Forms of texts that somebody else lists: currencies, countries, languages, and schemes that no app can have.
extension StringFormat {
    /// A locale: language, hyphen, region (BCP 47's simplest form), with a language of ISO 639 and a region of ISO 3166-1.
    public static let locale = StringFormat(
        name: "locale", expectation: "a locale of language and region, such as \"fr-CA\"",
        pattern: "^(\(ISOCodes.languages.alternatives))-(\(ISOCodes.countries.alternatives))$",
        matches: { isLocale($0) }, problem: problem(ofLocale:))

    /// A currency code of ISO 4217.
    public static let currency = StringFormat(
        name: "currency", expectation: "a currency code of three capital letters, such as \"CAD\"",
        pattern: "^(\(ISOCodes.currencies.alternatives))$", matches: { ISOCodes.currencies.contains($0) }
    ) { text in
        let code = text.uppercased()
        if ISOCodes.currencies.contains(code) { return Problem(nil, advice: .write(code, for: text)) }
        guard hasCapitals(text, count: 3) else { return nil }
        return Problem(
            "\(text.quotedForMessage) is no currency of ISO 4217",
            advice: .nearest(to: text, in: ISOCodes.currencies.all) ?? listed)
    }

    /// A country code of ISO 3166-1 alpha-2.
    public static let country = StringFormat(
        name: "country", expectation: "a country code of two capital letters, such as \"CA\"",
        pattern: "^(\(ISOCodes.countries.alternatives))$", matches: { ISOCodes.countries.contains($0) }
    ) { text in
        if let code = suggestedCountry(by: text) { return Problem(nil, advice: .write(code, for: text)) }
        guard hasCapitals(text, count: 2) else { return nil }
        return Problem("\(text.quotedForMessage) is no country of ISO 3166-1", advice: listed)
    }

    /// A URL scheme of an app's own (RFC 3986 §3.1), lower-case as the generic syntax recommends.
    public static let scheme = StringFormat(
        name: "scheme", expectation: "a lower-case URL scheme without \"://\", such as \"walmart.ca\"",
        pattern: #"^(?!(\#(reservedSchemes.sorted().joined(separator: "|")))$)[a-z][a-z0-9+.-]*$"#,
        matches: { isScheme($0) && !reservedSchemes.contains($0) }
    ) { text in
        guard reservedSchemes.contains(text) else { return nil }
        return Problem(
            "\(text.quotedForMessage) cannot be a scheme of the app's own: systems and browsers keep it to themselves",
            advice: Advice(
                text.hasPrefix("http")
                    ? "list the hosts of web links in universalLinks"
                    : "write one that is the app's, such as \"walmart.ca\""))
    }

    /// A URL scheme of another program, whose links an app may open.
    package static let outboundScheme = StringFormat(
        name: "outboundScheme", expectation: "a lower-case URL scheme without \":\", such as \"tel\"",
        pattern: #"^(?!(\#(dangerousSchemes.sorted().joined(separator: "|")))$)[a-z][a-z0-9+.-]*$"#,
        matches: { isScheme($0) && !dangerousSchemes.contains($0) }
    ) { text in
        guard dangerousSchemes.contains(text) else { return nil }
        return Problem(
            "\(text.quotedForMessage) is no scheme that an app may open: its links run code, read files or need no list",
            advice: Advice(
                text.hasPrefix("http")
                    ? "list the domains of web links in allowedDomains"
                    : "write one that another program takes, such as \"tel\""))
    }

    /// Schemes that other programs run or read, and those that a market decides about by domain.
    private static let dangerousSchemes: Set<String> = [
        "about", "blob", "content", "data", "file", "ftp", "http", "https", "intent", "javascript", "vbscript",
        "view-source", "ws", "wss",
    ]

    /// Schemes that mean something everywhere, so that no app is given their links, or none may be.
    private static let reservedSchemes: Set<String> = [
        "about", "blob", "content", "data", "facetime", "file", "ftp", "geo", "http", "https", "intent", "javascript",
        "mailto", "sms", "tel", "vbscript", "view-source", "ws", "wss",
    ]

    private static let listed = Advice("the codes are those of \(ISOCodes.date)")

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

    /// The country that a text of another form means: in small letters, or the code that people expect.
    private static func suggestedCountry(by text: String) -> String? {
        guard text.utf8.count == 2 else { return nil }
        let code = text.uppercased()
        return code == "UK" ? "GB" : ISOCodes.countries.contains(code) ? code : nil
    }

    private static func isLocale(_ text: String) -> Bool {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        return parts.count == 2 && ISOCodes.languages.contains(String(parts[0]))
            && ISOCodes.countries.contains(String(parts[1]))
    }

    @Sendable
    private static func problem(ofLocale text: String) -> Problem? {
        guard text.utf8.count <= 16 else { return nil }
        let parts = text.split(omittingEmptySubsequences: false) { $0 == "-" || $0 == "_" }.map(String.init)
        guard parts.count == 2 else { return nil }
        let written = parts[0].lowercased()
        let language = ISOCodes.shortLanguages[written] ?? written
        let region = suggestedCountry(by: parts[1])
        if ISOCodes.languages.contains(language), let region {
            return Problem(nil, advice: .write("\(language)-\(region)", for: text))
        }
        guard hasCapitals(parts[1], count: 2), parts[0].utf8.allSatisfy(\.isLowercaseLetter), text.contains("-") else {
            return nil
        }
        return ISOCodes.languages.contains(language)
            ? Problem("\(parts[1].quotedForMessage) is no country of ISO 3166-1", advice: listed)
            : Problem("\(parts[0].quotedForMessage) is no language of ISO 639", advice: listed)
    }
}

extension StringFormat.Problem {
    /// A problem of a whole text.
    fileprivate init(_ message: String?, advice: Advice) {
        self.init(offset: nil, message: message, advice: advice)
    }
}
