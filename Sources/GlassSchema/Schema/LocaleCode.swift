import GlassBase

/// The parts of a locale such as `fr-CA`, `zh-Hant-TW`, or `es-419`.
package struct LocaleCode: Sendable, Hashable {
    /// The language, a code of ISO 639.
    package let language: String
    /// The country, a code of ISO 3166-1; nil for a locale of an area of several countries.
    package let country: String?

    /// The areas of several countries that locales have, as codes of UN M.49: the world, Europe, and Latin America.
    static let areas: Set<String> = ["001", "150", "419"]

    /// Nil for any other text.
    package init?(_ text: String) {
        guard text.utf8.count <= 16 else { return nil }
        var parts = text.split(separator: "-", omittingEmptySubsequences: false)[...]
        guard let language = parts.popFirst(), ISOCodes.languages.contains(String(language)),
            let region = parts.popLast()
        else { return nil }
        if let script = parts.popFirst() {
            let letters = Array(script.utf8)
            guard letters.count == 4, letters.allSatisfy({ (0x41...0x5A).contains($0 & 0xDF) }),
                letters[0] & 0x20 == 0, letters.dropFirst().allSatisfy({ $0 & 0x20 != 0 })
            else { return nil }
        }
        let isCountry = ISOCodes.countries.contains(String(region))
        guard parts.isEmpty, isCountry || Self.areas.contains(String(region)) else { return nil }
        self.language = String(language)
        country = isCountry ? String(region) : nil
    }
}
