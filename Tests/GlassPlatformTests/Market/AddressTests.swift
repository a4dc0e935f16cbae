import GlassContainer
@testable import GlassPlatform
import GlassPlatformMocks
import GlassSchema
import Testing

/// The rules of the three markets, and public buildings in their countries.
enum Country: String, CaseIterable, CustomTestStringConvertible {
    case us, ca, mx

    var testDescription: String { rawValue }

    var address: AddressConfigurationPlatformAPI { AddressConfigurationPlatformAPI(configuration: configuration) }

    var configuration: AddressConfiguration {
        var rules = AddressConfiguration()
        rules.country = rawValue.uppercased()
        rules.fieldOrder = [.recipient, .street, .unit, .city, .region, .postalCode, .phone]
        rules.requiredFields = [.recipient, .street, .city, .region, .postalCode]
        switch self {
        case .us:
            rules.postalCodePattern = "[0-9]{5}(-[0-9]{4})?"
            rules.postalCodeExample = "72716"
            rules.regions = regions([
                "AR": "Arkansas", "DC": "District of Columbia", "IL": "Illinois", "NY": "New York",
            ])
        case .ca:
            rules.postalCodePattern = "[ABCEGHJ-NPRSTVXY][0-9][ABCEGHJ-NPRSTV-Z] ?[0-9][ABCEGHJ-NPRSTV-Z][0-9]"
            rules.postalCodeExample = "L5N 1P9"
            rules.regions = regions(["ON": "Ontario", "QC": "Québec", "BC": "British Columbia", "MB": "Manitoba"])
            rules.lines = ["{recipient}", "{unit}-{street}", "{city} {region}  {postalCode}"]
        case .mx:
            rules.fieldOrder = [.recipient, .street, .unit, .neighborhood, .postalCode, .city, .region, .phone]
            rules.requiredFields = [.recipient, .street, .neighborhood, .city, .region, .postalCode, .phone]
            rules.postalCodePattern = "[0-9]{5}"
            rules.postalCodeExample = "11520"
            rules.regions = regions(["CMX": "Ciudad de México", "JAL": "Jalisco", "MEX": "México", "NLE": "Nuevo León"])
            rules.lines = [
                "{recipient}", "{street}, {unit}", "Col. {neighborhood}", "{postalCode} {city}, {regionName}",
            ]
        }
        return rules
    }

    private func regions(_ names: [String: String]) -> [AddressConfiguration.Region] {
        names.sorted { $0.key < $1.key }.map { code, name in
            var region = AddressConfiguration.Region()
            region.code = code
            region.name = name
            return region
        }
    }
}

struct AddressTests {
    @Test(
        arguments: [
            (
                .us,
                [
                    .recipient: "Chicago City Hall", .street: "121 N LaSalle St", .city: "Chicago", .region: "IL",
                    .postalCode: "60602",
                ],
                ["Chicago City Hall", "121 N LaSalle St", "Chicago, IL 60602"]
            ),
            (
                .us,
                [
                    .recipient: "Crystal Bridges Museum of American Art", .street: "600 Museum Way",
                    .city: "Bentonville", .region: "arkansas", .postalCode: "72712-4947",
                ],
                ["Crystal Bridges Museum of American Art", "600 Museum Way", "Bentonville, AR 72712-4947"]
            ),
            (
                .us,
                [
                    .recipient: " The  Metropolitan\nMuseum of Art ", .street: "1000 Fifth Avenue", .unit: "Floor 2",
                    .city: "New York", .region: "ny", .postalCode: " 10028 ", .phone: "212-535-7710",
                ],
                ["The Metropolitan Museum of Art", "1000 Fifth Avenue Floor 2", "New York, NY 10028"]
            ),
            (
                .ca,
                [
                    .recipient: "National Gallery of Canada", .street: "380 Sussex Drive", .city: "Ottawa",
                    .region: "Ontario", .postalCode: "k1n9n4",
                ],
                ["National Gallery of Canada", "380 Sussex Drive", "Ottawa ON  K1N 9N4"]
            ),
            (
                .ca,
                [
                    .recipient: "Hôtel de ville de Montréal", .street: "275, rue Notre-Dame Est", .unit: "1",
                    .city: "Montréal", .region: "Quebec", .postalCode: "H2Y 1C6",
                ],
                ["Hôtel de ville de Montréal", "1-275, rue Notre-Dame Est", "Montréal QC  H2Y 1C6"]
            ),
            (
                .ca,
                [
                    .recipient: "Vancouver City Hall", .street: "453 West 12th Avenue", .city: "Vancouver",
                    .region: "BC", .postalCode: "V5Y-1V4",
                ],
                ["Vancouver City Hall", "453 West 12th Avenue", "Vancouver BC  V5Y 1V4"]
            ),
            (
                .mx,
                [
                    .recipient: "Museo Nacional de Antropología", .street: "Av. Paseo de la Reforma s/n",
                    .neighborhood: "Polanco", .postalCode: "11560", .city: "Miguel Hidalgo",
                    .region: "Ciudad de Mexico", .phone: "55 5553 6266",
                ],
                [
                    "Museo Nacional de Antropología", "Av. Paseo de la Reforma s/n", "Col. Polanco",
                    "11560 Miguel Hidalgo, Ciudad de México",
                ]
            ),
            (
                .mx,
                [
                    .recipient: "Palacio Municipal de Guadalajara", .street: "Av. Hidalgo 400", .unit: "Planta alta",
                    .neighborhood: "Centro", .postalCode: "44100", .city: "Guadalajara", .region: "JAL",
                    .phone: "33 3837 4400",
                ],
                [
                    "Palacio Municipal de Guadalajara", "Av. Hidalgo 400, Planta alta", "Col. Centro",
                    "44100 Guadalajara, Jalisco",
                ]
            ),
        ] as [(Country, [AddressField: String], [String])])
    func addressOfPublicBuildingIsValid(
        country: Country, fields: [AddressField: String], lines: [String]
    ) {
        #expect(country.address.problems(in: fields) == [])
        #expect(country.address.lines(for: fields) == lines)
    }

    @Test(
        arguments: [
            (.us, ["72716", "00501", "72716-0001"], ["7271", "727160", "72716-", "72716 0001", "ABCDE", "٧٢٧١٦", ""]),
            (
                .ca, ["K1A 0B1", "K1A0B1", "V5Y 1V4"],
                ["D1A 0B1", "K1A  0B1", "K1O 0B1", "W1A 0B1", "k1a 0b1", "72716"]
            ),
            (.mx, ["06050", "44100"], ["6050", "441000", "A4100", "44100 "]),
        ] as [(Country, [String], [String])])
    func countryRecognizesItsPostalCodes(country: Country, good: [String], bad: [String]) {
        for code in good { #expect(country.address.isPostalCode(code), "\(code)") }
        for code in bad { #expect(!country.address.isPostalCode(code), "\(code)") }
        for other in Country.allCases where (other == .ca) != (country == .ca) {
            #expect(!other.address.isPostalCode(country.address.postalCodeExample))
        }
    }

    @Test(
        arguments: [
            (
                .us, [.street: "1 A St", .city: "X", .region: "IK", .postalCode: "K1A 0B1", .neighborhood: "Loop"],
                [
                    "recipient: is required", "region: \"IK\" is not a region of US; did you mean \"IL\"?",
                    "postalCode: \"K1A 0B1\" is not a postal code, such as \"72716\"",
                    "neighborhood: is not part of an address in US",
                ]
            ),
            (
                .ca, [.recipient: "  ", .street: "\t", .city: "Ottawa", .region: "ON", .postalCode: "k1a-0b"],
                [
                    "recipient: is required", "street: is required",
                    "postalCode: \"K1A-0B\" is not a postal code, such as \"L5N 1P9\"",
                ]
            ),
            (
                .mx, [.recipient: "A", .street: "B", .city: "C", .region: "MEX", .postalCode: "11520"],
                ["neighborhood: is required", "phone: is required"]
            ),
        ] as [(Country, [AddressField: String], [String])])
    func problemsAreReportedInFormOrder(
        country: Country, fields: [AddressField: String], problems: [String]
    ) {
        #expect(country.address.problems(in: fields).map(\.description) == problems)
    }

    @Test func normalizingTwiceChangesNothing() {
        let typed: [AddressField: String] = [
            .recipient: " A\u{0}\r\nB ", .region: "québec", .postalCode: "h2y1c6", .unit: " ", .street: "1 e\u{301}",
        ]
        let once = Country.ca.address.normalized(typed)
        #expect(once == [.recipient: "A B", .region: "QC", .postalCode: "H2Y 1C6", .street: "1 e\u{301}"])
        #expect(Country.ca.address.normalized(once) == once)
    }

    @Test(
        arguments: [
            (["{street} {unit}"], [.street: "S", .unit: "U"], ["S U"]),
            (["{street} {unit}"], [.unit: "U"], ["U"]),
            (["{street} {unit}"], [.street: "S"], ["S"]),
            (["{city}, {region} {postalCode}"], [.city: "C", .postalCode: "1"], ["C 1"]),
            (["C.P. {postalCode} {city}"], [.city: "C"], ["C"]),
            (["C.P. {postalCode} {city}"], [.postalCode: "1"], ["C.P. 1"]),
            (["({street})", "<{phone}>"], [.street: "S"], ["(S)"]),
            (["{street}", "{unit}"], [:], []),
        ] as [([String], [AddressField: String], [String])])
    func literalTextIsOnlyWrittenNextToField(lines: [String], fields: [AddressField: String], written: [String]) {
        var configuration = AddressConfiguration()
        configuration.lines = lines
        #expect(AddressConfigurationPlatformAPI(configuration: configuration).lines(for: fields) == written)
    }

    @Test(arguments: ["city", "{town}", "{city", "city}", "{city}}", "{{city}", "{}", ""])
    func lineWithoutFieldIsAnError(line: String) throws {
        let type = try #require(AddressConfiguration.declaration.key("lines")).type
        let findings = ConfigurationValidator.findings(
            in: ConfigurationNode(.list(values: [.string(line)])), type: type, path: "lines")
        #expect(
            findings.map(\.description) == [
                "error: lines[1]: expected a line with fields in braces, such as \"{city}, {region} {postalCode}\", "
                    + "got \(line.quotedForMessage) [invalidFormat]"
            ])
    }

    @Test func fieldMissingFromLinesIsAnError() {
        var configuration = Country.mx.configuration
        #expect(configuration.inconsistencies().isEmpty)
        configuration.lines.remove(at: 2)
        #expect(configuration.inconsistencies().map(\.message) == ["\"neighborhood\" is not on any of the lines"])
        #expect(
            Country.us.configuration.inconsistencies().isEmpty && Country.ca.configuration.inconsistencies().isEmpty)
    }

    @Test(arguments: ServiceKind.allCases)
    func validAddressHasLinesForScripts(kind: ServiceKind) async throws {
        let address: any AddressConfigurationAPI = kind.container().get()
        let region = try #require(address.regions.keys.first)
        var fields: [AddressField: String] = [:]
        for field in address.fieldOrder {
            fields[field] =
                switch field {
                case .region: region.lowercased()
                case .postalCode: " \(address.postalCodeExample) "
                default: field.rawValue
                }
        }
        #expect(address.problems(in: fields) == [])
        let lines = address.lines(for: fields)
        #expect(!lines.isEmpty && lines.joined().contains(address.postalCodeExample))
        let typed = ScriptValue.map(
            Dictionary(uniqueKeysWithValues: fields.map { ($0.key.rawValue, ScriptValue.string($0.value)) }))
        func call(_ name: String) async throws -> ScriptValue {
            let method = try #require(address.scriptMethods.first { $0.name == name })
            return try await method([typed])
        }
        #expect(try await call("lines") == .list(lines.map { .string($0) }))
        guard case .map(let normalized) = try await call("normalized") else {
            Issue.record("no table")
            return
        }
        #expect(normalized["region"] == .string(region))
        let method = try #require(address.scriptMethods.first { $0.name == "lines" })
        let error = await #expect(throws: ScriptArgumentError.self) { try await method([["town": "x"]]) }
        #expect(error?.description.hasPrefix("lines: expected the fields recipient, street") == true)
    }
}
