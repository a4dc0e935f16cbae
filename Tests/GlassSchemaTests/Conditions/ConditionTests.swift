import Testing

@testable import GlassSchema

struct ConditionTests {
    private func condition(_ data: [String: ConfigurationValue]) throws -> Condition {
        try #require(try read(.map(values: data), ConditionReaderTests.attributes, zones: .utc).condition)
    }

    private func list(_ values: ConfigurationValue...) -> ConfigurationValue { .list(values: values) }

    @Test func conditionsReadWell() throws {
        #expect(
            try condition(["build": .string("debug"), "appVersion": .string(">=24.4.0")]).description
                == "appVersion >= 24.4 and build = \"debug\"")
        #expect(
            try condition([
                "any": list(
                    .map(values: ["build": list(.string("debug"), .string("beta"))]),
                    .map(values: ["signedIn": .boolean(true), "region": .string("CA-QC")]))
            ]).description == "build = \"beta\" or \"debug\" or region = \"CA-QC\" and signedIn = true")
        #expect(
            try condition([
                "all": list(
                    .map(values: [
                        "any": list(
                            .map(values: ["build": .string("beta")]), .map(values: ["signedIn": .boolean(true)]))
                    ]),
                    .map(values: ["platform": .map(values: ["no": .string("iOS")])]))
            ]).description == "platform is not \"iOS\" and (build = \"beta\" or signedIn = true)")
        #expect(
            try condition(["email": .map(values: ["suffix": .string("@A.com"), "anyCase": .boolean(true)])]).description
                == "email ends with \"@a.com\" in any case")
        #expect(
            try condition([
                "no": .map(values: ["build": .string("beta"), "osVersion": .map(values: ["is": .string("missing")])])
            ])
            .description == "not (build = \"beta\" and osVersion is missing)")
        #expect(
            try condition(["date": .string("> 2026-11-27T00:00 UTC <= 2026-11-28T00:00:00Z")]).description
                == "date > 2026-11-27T00:00:00Z <= 2026-11-28T00:00:00Z")
    }

    @Test func explanationsNameWhatDecides() throws {
        let condition = try condition([
            "build": .string("debug"), "region": .string("CA-QC"), "audience": .string("associates"),
        ])
        var context = MarketContext(["build": .text("debug"), "region": .text("CA-ON"), "audience": .set([])])
        #expect(condition.explanation(in: context) == "audience = \"associates\": it is empty")
        context["audience"] = .set(["associates", "beta"])
        #expect(condition.explanation(in: context) == "region = \"CA-QC\": it is \"CA-ON\"")
        context["region"] = nil
        #expect(condition.explanation(in: context) == "region = \"CA-QC\": it is missing")
        context["region"] = .text("CA-QC")
        #expect(
            condition.explanation(in: context)
                == "audience = \"associates\" holds; build = \"debug\" holds; region = \"CA-QC\" holds")
        #expect(
            Condition.anyOf([condition, .test("build", .oneOf([.text("debug")]))]).explanation(in: MarketContext())
                == "build = \"debug\": it is missing; audience = \"associates\": it is missing")
        #expect(Condition.always.explanation(in: context) == "it always holds")
    }

    @Test func explanationHidesPersonalValues() throws {
        let condition = try condition(["audience": .string("associates")])
        let context = MarketContext(["audience": .set(["SECRET"])])
        #expect(
            condition.explanation(in: context, hiding: ["audience"]) == "audience = \"associates\": it is (personal)")
        let negated = try self.condition(["no": .map(values: ["region": .string("CA")])])
        #expect(
            negated.explanation(in: MarketContext(["region": .text("CA")]), hiding: ["region"])
                == "region is not \"CA\": it is (personal)")
    }

    @Test func partsOfRegionsAndLanguagesAreCovered() throws {
        let condition = try condition(["region": .string("CA"), "locale": .string("fr")])
        for (region, locale, expected) in [
            ("CA", "fr", true), ("CA-QC", "fr-CA", true), ("CAX", "fr", false), ("CA-QC", "fra", false),
            ("C", "f", false),
        ] {
            let context = MarketContext(["region": .text(region), "locale": .text(locale)])
            #expect(condition.holds(in: context) == expected, "\(region) \(locale)")
        }
    }

    @Test func textsAreComparedByTheirBytes() throws {
        let composed = try condition(["email": .string("caf\u{E9}")])
        #expect(composed.holds(in: MarketContext(["email": .text("caf\u{E9}")])))
        #expect(!composed.holds(in: MarketContext(["email": .text("cafe\u{301}")])))
    }

    @Test func dataFormIsCanonical() throws {
        let one = try condition([
            "platform": list(.string("macOS"), .string("iOS"), .string("macOS")),
            "date": .string(">= 2026-11-27T00:00-05:00"), "appVersion": list(.string("25.0"), .string("< 24.3.0")),
        ])
        #expect(
            one.dataForm
                == .map(values: [
                    "platform": list(.string("iOS"), .string("macOS")), "date": .string(">= 2026-11-27T05:00:00Z"),
                    "appVersion": list(.string("25"), .string("< 24.3")),
                ]))
        #expect(one.attributes == ["appVersion", "date", "platform"])
        #expect(Condition.allOf([one, .always, one]) == one)
        #expect(Condition.negating(.negating(one)) == one)
    }

    @Test func clockChangesConditionsAtTheirDates() throws {
        let condition = try condition([
            "any": list(
                .map(values: ["date": .string("> 2026-11-27T00:00:00Z <= 2026-11-28T00:00:00Z")]),
                .map(values: ["date": .map(values: ["no": .string("2026-12-01T00:00:00Z")])]),
                .map(values: ["localDate": .string("> 2026-11-27T00:00")]))
        ])
        var date = try #require(ContextDate("2026-01-01T00:00:00Z"))
        var changes: [String] = []
        while let next = condition.nextChange(after: date) {
            changes.append(next.description)
            date = next
        }
        #expect(
            changes == [
                "2026-11-27T00:00:01Z", "2026-11-28T00:00:01Z", "2026-12-01T00:00:00Z", "2026-12-01T00:00:01Z",
            ])
    }

    @Test func datesAreWrittenAsTheyAreRead() throws {
        for text in [
            "0000-01-01T00:00:00Z", "0000-03-01T00:00:00Z", "1600-02-29T23:59:59Z", "1900-03-01T00:00:00Z",
            "1969-12-31T23:59:59Z", "2000-02-29T12:00:00Z", "9999-12-31T23:59:59Z",
        ] {
            #expect(ContextDate(text)?.description == text)
        }
        #expect(ContextDate("1970-01-01T00:00:00Z")?.secondsSince1970 == 0)
        #expect(ContextDate("2026-11-27T00:00:00.999+05:30")?.description == "2026-11-26T18:30:00Z")
        for text in [
            "1900-02-29T00:00:00Z", "2026-11-27", "2026-11-27T00:00:60Z", "2026-11-27T00:00:00.Z",
            "2026-11-27T24:00:00Z",
            "2026-11-27T00:00:00Z America/Toronto", " 2026-11-27T00:00:00Z", "+026-11-27T00:00:00Z", "",
        ] {
            #expect(ContextDate(text) == nil, "\(text)")
        }
        #expect(ContextDate(secondsSince1970: .max).description == "9999-12-31T23:59:59Z")
        #expect(ContextDate(secondsSince1970: .min).description == "0000-01-01T00:00:00Z")
    }

    @Test func nothingIsBetweenAVersionAndItsSuccessor() throws {
        for text in ["24.3", "24.3-beta", "24.3-beta.0", "0", "1.2.3.4", "1.2.3.4-0.0"] {
            let version = try #require(ContextVersion(text))
            #expect(version < version.successor)
            #expect(ContextVersion(version.successor.description) == version.successor)
            // The candidates nearest to the version, written in many ways.
            for end in ["-0", ".0", ".0.0", "-beta.0", "-beta.00a", ".1-0", ".0.1-0", ".0.0.1-0", ".0.0.1"] {
                guard let other = ContextVersion(text + end) else { continue }
                #expect(!(version < other && other < version.successor), "\(text) \(other)")
            }
        }
        #expect(try #require(ContextVersion("0-0")) == .smallest)
    }

    @Test func builtInAttributesAreDistinctAndUsable() {
        let names = ContextAttribute.builtIn.map(\.name)
        #expect(Set(names).count == names.count)
        #expect(Set(names).isDisjoint(with: ContextAttribute.reservedNames))
        #expect(ContextAttribute.builtIn.allSatisfy { $0.documentation.hasSuffix(".") })
        #expect(ContextPace.fixed < .build && .build < .start && .start < .live)
        #expect(ContextAttribute.builtIn.filter(\.isPersonal).allSatisfy { $0.pace == .live })
    }
}
