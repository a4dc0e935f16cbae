import Foundation
import GlassSchema
import Testing

@testable import GlassAuthoring

/// The table of countries.
@Suite struct CountryTests {
    @Test func everyCountryHasValidCodes() throws {
        #expect(Country.all.map(\.code) == ISOCodes.countries.all)
        let currencies = Set(ISOCodes.currencies.all)
        for country in Country.all {
            #expect(!country.officialLanguages.isEmpty, "\(country.code)")
            #expect(country.locales.allSatisfy { StringFormat.locale.matches($0) }, "\(country.locales)")
            #expect(country.currencies.allSatisfy(currencies.contains), "\(country.currencies)")
            #expect(Set(country.officialLanguages).isDisjoint(with: country.otherLanguages), "\(country.code)")
            let codes = country.regions.map(\.code) + country.innerRegionCodes
            #expect(Set(codes).count == codes.count, "\(country.code)")
            #expect(country.regions.allSatisfy { !$0.name.isEmpty && $0.code.count <= 3 }, "\(country.code)")
        }
        // Antarctica has no currency.
        #expect(Country.all.filter(\.currencies.isEmpty).map(\.code) == ["AQ"])
    }

    @Test func tableSaysWhatIsKnown() throws {
        let canada = try #require(Country("CA"))
        #expect(canada.currencies == ["CAD"] && canada.locales == ["en-CA", "fr-CA"] && canada.name == "Canada")
        #expect(canada.regions.count == 13 && canada.regions.contains(Country.Region(code: "QC", name: "Quebec")))
        let switzerland = try #require(Country("CH"))
        #expect(switzerland.officialLanguages == ["de", "fr", "it"])
        #expect(canada.region(named: "québec")?.code == "QC" && canada.region(named: "Bavaria") == nil)
        let italy = try #require(Country("IT"))
        #expect(italy.regions.count == 20 && italy.innerRegionCodes.contains("RM"))
        #expect(Country("HT")?.currencies == ["HTG", "USD"])
        #expect(Country("ES")?.regions.contains(Country.Region(code: "AS", name: "Principado de Asturias")) == true)
        for unknown in ["", "C", "ca", "XX", "CA|", "UK"] { #expect(Country(unknown) == nil, "\(unknown)") }
    }

    /// A code leaves no list of accepted ones: what is over is a warning.
    @Test func formerCurrencyIsAWarning() throws {
        let text = "currency = \"BGN\", locales = { \"bg-BG\" }, platform = { address = { country = \"BG\" } },"
        let found = try LintFixture(["xx.lua": LintFixture.file(text)]).findings().filter {
            $0.path == "currency"
        }
        #expect(found.map(\.severity) == [.warning])
        #expect(found.first?.message == "BGN is no longer in use: it was legal tender until 2026-01-31")
        #expect(found.first?.hint == "write \"EUR\"")
    }

    @Test(arguments: [
        ("es-419", true), ("zh-Hant-TW", true), ("en-001", true), ("zh-hant-TW", false), ("es-420", false),
    ])
    func localesHaveScriptsAndAreas(text: String, isLocale: Bool) {
        #expect(StringFormat.locale.matches(text) == isLocale)
        #expect((LocaleCode(text) != nil) == isLocale)
    }
}
