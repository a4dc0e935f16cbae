/// A list of existing codes of currencies, countries or languages.
package struct ISOCodes: Sendable {
    /// The currencies of ISO 4217.
    package static let currencies = ISOCodes(table: currencyTable)
    /// Former currencies, each with the last day on which it was legal tender. Markets may still have them: a code that
    /// was accepted once stays accepted.
    package static let formerCurrencies = pairs(of: formerCurrencyTable)
    /// The currencies that a market can have.
    static let acceptedCurrencies = ISOCodes(
        table: "\(currencyTable) \(formerCurrencies.keys.sorted().joined(separator: " "))")
    /// The countries of ISO 3166-1.
    package static let countries = ISOCodes(table: countryTable)
    /// The languages of ISO 639, each with its shortest code, as in BCP 47.
    package static let languages = ISOCodes(table: languageTable)
    /// The short codes of languages that also have a longer code, by the longer code.
    static let shortLanguages = pairs(of: shortLanguageTable)

    /// The codes, in ASCII, separated by single spaces.
    private let table: String

    /// All codes; built on each access.
    package var all: [String] { ISOCodes.words(of: table) }

    /// The codes as alternatives in a regular expression.
    var alternatives: String { all.joined(separator: "|") }

    /// Whether a text is one of the codes.
    ///
    /// A market contains only a few codes, and building a set takes longer than scanning the table for each.
    func contains(_ text: String) -> Bool {
        let code = Array(text.utf8)
        guard !code.isEmpty else { return false }
        // The number of bytes of the word that match the code so far; nil after a byte that does not.
        var matched: Int? = 0
        for byte in table.utf8 {
            if byte == UInt8(ascii: " ") {
                if matched == code.count { return true }
                matched = 0
            } else if let count = matched {
                matched = count < code.count && code[count] == byte ? count + 1 : nil
            }
        }
        return matched == code.count
    }

    /// The pairs of a table, such as `deu=de`.
    private static func pairs(of table: String) -> [String: String] {
        Dictionary(
            uniqueKeysWithValues: words(of: table).map { pair in
                (String(pair.prefix { $0 != "=" }), String(pair.drop { $0 != "=" }.dropFirst()))
            })
    }

    private static func words(of table: String) -> [String] {
        // By bytes: the tables are ASCII, and splitting by characters is slower.
        table.utf8.split(separator: UInt8(ascii: " ")).map { String(Substring($0)) }
    }
}
