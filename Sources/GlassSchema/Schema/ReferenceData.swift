/// The data of others that markets are checked against, with its versions: what is right for a market can change with it.
package enum ReferenceData {
    /// The source of the currencies, countries, and languages that keys accept, with its day.
    package static var codes: String { "iso-codes of \(ISOCodes.date)" }

    /// The source of the parents and likely regions of locales, with its version.
    package static var locales: String { localeTableSource }
}
