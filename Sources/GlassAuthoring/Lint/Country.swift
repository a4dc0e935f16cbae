import Foundation
import GlassBase
import GlassSchema

/// What CLDR and ISO 3166-2 say about a country: its currencies, languages, and regions.
package struct Country: Sendable {
    /// A region of a country, such as a state or a province.
    package struct Region: Sendable, Equatable {
        /// The code of ISO 3166-2 without the country.
        package let code: String
        /// The name, in a language of the country.
        package let name: String
    }

    /// The code of ISO 3166-1, in capital letters.
    package let code: String
    /// The currencies that are legal tender, the most usual first; empty for Antarctica.
    package let currencies: [String]
    /// The official languages, those of most people first; never empty.
    package let officialLanguages: [String]
    /// Other languages that are official in a part of the country, or that at least one in 200 people speaks.
    package let otherLanguages: [String]
    /// The largest regions, by code; empty for a country that ISO 3166-2 does not divide.
    package let regions: [Region]
    /// The codes of the parts of these regions, such as the provinces of Italy's regions.
    package let innerRegionCodes: [String]

    /// Finds a country.
    ///
    /// - Parameter code: The code of ISO 3166-1, in capital letters.
    /// - Complexity: O(*n*) in the size of the table.
    package init?(_ code: String) {
        guard code.utf8.count == 2, !code.contains("|"),
            let line = Self.lines.first(where: { $0.hasPrefix("\(code)|") })
        else { return nil }
        self.init(line)
    }

    /// All countries, by code.
    package static var all: [Country] { lines.map(Country.init) }

    private static let lines = table.split(separator: "\n")

    private init(_ line: Substring) {
        let fields = line.split(separator: "|", omittingEmptySubsequences: false)
        func words(_ field: Substring) -> [String] { field.split(separator: " ").map(String.init) }
        code = String(fields[0])
        currencies = words(fields[1])
        officialLanguages = words(fields[2])
        otherLanguages = words(fields[3])
        regions = fields[4].split(separator: ";").map { region in
            Region(
                code: String(region.prefix { $0 != "=" }), name: String(region.drop { $0 != "=" }.dropFirst()))
        }
        innerRegionCodes = words(fields[5])
    }

    /// The name in English.
    package var name: String { Locale(identifier: "en").localizedString(forRegionCode: code) ?? code }

    /// The locales of the official languages, such as `en-CA` and `fr-CA`.
    package var locales: [String] { officialLanguages.map { "\($0)-\(code)" } }

    /// The region with a name, ignoring case and accents.
    package func region(named name: String) -> Region? {
        func folded(_ text: String) -> String {
            text.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: Locale(identifier: "en"))
        }
        let name = folded(name)
        return regions.first { folded($0.name) == name }
    }

    /// The name of a language in English.
    package static func languageName(_ code: String) -> String {
        Locale(identifier: "en").localizedString(forLanguageCode: code) ?? code
    }
}
