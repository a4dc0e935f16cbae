/// The codes of currencies, countries and languages that there are.
package enum ISOCodes {
    /// The currencies of ISO 4217.
    package static let currencies = words(of: currencyTable)
    /// The countries of ISO 3166-1.
    package static let countries = words(of: countryTable)
    /// The languages of ISO 639, each with its shortest code, as BCP 47 writes them.
    static let languages = words(of: languageTable)
    /// The short codes of languages that have a longer one too, by that.
    static let shortLanguages = Dictionary(
        uniqueKeysWithValues: words(of: shortLanguageTable).map { pair in
            (String(pair.prefix { $0 != "=" }), String(pair.drop { $0 != "=" }.dropFirst()))
        })

    private static func words(of table: String) -> [String] {
        // By bytes: the tables are ASCII, and what is a character takes time that the first load of a market shows.
        table.utf8.split { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }.map { String(Substring($0)) }
    }
}
