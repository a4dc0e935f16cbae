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
        // Antarctica has no currency, and the new guilder of these two is younger than the list of ISO 4217.
        #expect(Country.all.filter(\.currencies.isEmpty).map(\.code) == ["AQ", "CW", "SX"])
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
}
