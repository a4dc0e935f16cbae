import GlassBase
import Testing

@testable import GlassSchema

struct ConditionReaderTests {
    static let attributes: [ContextAttribute] =
        ContextAttribute.builtIn.map { attribute in
            var attribute = attribute
            if attribute.name == "locale" { attribute.type = .locale(["en-CA", "fr-CA"]) }
            if attribute.name == "environment" { attribute.type = .choice(["production", "staging"]) }
            return attribute
        } + [
            ContextAttribute("storeNumber", .integer, pace: .live),
            ContextAttribute("score", .number, pace: .live),
            ContextAttribute("email", .text, pace: .live),
            ContextAttribute("groups", .set(["staff", "guests"]), pace: .live),
        ]

    static let zones = ZoneRules { zone, wallClock in
        switch zone {
        case "America/Toronto" where wallClock == 1_772_937_000: .gap
        case "America/Toronto" where wallClock == 1_793_496_600: .fold
        case "America/Toronto": .instant(wallClock + 5 * 3600)
        default: .unknownZone
        }
    }

    private static func map(_ values: [String: ConfigurationValue]) -> ConfigurationValue { .map(values: values) }
    private static func list(_ values: ConfigurationValue...) -> ConfigurationValue { .list(values: values) }

    static let mistakes: [(ConfigurationValue, String)] = [
        (
            map(["bulid": .string("debug")]),
            "unknownAttribute when.bulid: unknown attribute \"bulid\" | did you mean \"build\"?"
        ),
        (
            .string("blakFriday"),
            "unknownCondition when: unknown condition \"blakFriday\" | did you mean \"blackFriday\"?"
        ),
        (
            .integer(3),
            "invalidTest when: expected a condition, got 3 | write the name of a condition, or a test, as in { build = \"debug\" }"
        ),
        (list(.boolean(true)), "invalidTest when: expected a condition, got a list | write any { … } or all { … }"),
        (
            map(["any": map(["build": .string("debug")])]),
            "invalidTest when.any: expected a list of conditions, got a table with keys | write any { { … }, { … } }"
        ),
        (
            map(["no": .boolean(true), "build": .string("debug")]),
            "invalidTest when.no: no must be the only key of its table | combine the two in all { … }"
        ),
        (
            map(["build": .string("relase")]),
            "notAChoice when.build: expected one of \"debug\", \"beta\", \"release\", got \"relase\" | did you mean \"release\"?"
        ),
        (map(["build": .string(">= 3")]), "invalidTest when.build: build does not support comparators"),
        (map(["locale": .string("< fr")]), "invalidTest when.locale: locale does not support comparators"),
        (map(["signedIn": .string("= true")]), "invalidTest when.signedIn: signedIn does not support comparators"),
        (
            map(["email": .string("> 1.0.0")]),
            "invalidTest when.email: email does not support comparators, because its type is text | declare the attribute with the type \"version\", \"number\", or \"date\", or write is = \"> 1.0.0\" to test for exactly this text"
        ),
        (map(["audience": .string("> a")]), "invalidTest when.audience: audience does not support comparators"),
        (map(["signedIn": .integer(1)]), "invalidTest when.signedIn: expected true or false, got 1"),
        (
            map(["appVersion": .string("24.x")]),
            "invalidTest when.appVersion: \"24.x\" is not a version | write one to four numbers, as in \"24.3\""
        ),
        (
            map(["appVersion": .string("v24.3")]),
            "invalidTest when.appVersion: \"v24.3\" is not a version | write \"24.3\""
        ),
        (
            map(["appVersion": .number(24.3)]),
            "invalidTest when.appVersion: expected a version, got 24.3 | write \"24.3\""
        ),
        (map(["appVersion": .integer(24)]), "invalidTest when.appVersion: expected a version, got 24 | write \"24\""),
        (
            map(["appVersion": .string(">= 24.x")]),
            "invalidTest when.appVersion: \">= 24.x\" is not a version | write one to four numbers, as in \">= 24.3\""
        ),
        (
            map(["appVersion": .string(">= 24 > 23")]),
            "invalidTest when.appVersion: \">= 24 > 23\" has two lower bounds"
        ),
        (
            map(["appVersion": .string("< 24 < 23")]),
            "invalidTest when.appVersion: \"< 24 < 23\" has two upper bounds"
        ),
        (
            map(["appVersion": .string("= 24 < 23")]),
            "invalidTest when.appVersion: \"= 24 < 23\" combines = with another comparator"
        ),
        (
            map(["appVersion": .string(">= ")]),
            "invalidTest when.appVersion: \">= \" has no value after >="
        ),
        (
            map(["appVersion": .string("== 24")]),
            "invalidTest when.appVersion: \"== 24\" is not a comparison | write it as in \">= 24.3 < 25\" or \"= 26\""
        ),
        (map(["storeNumber": .number(4.5)]), "invalidTest when.storeNumber: expected a whole number, got 4.5"),
        (map(["storeNumber": .string("> 4.5")]), "invalidTest when.storeNumber: expected a whole number, got 4.5"),
        (map(["storeNumber": .string("> x")]), "invalidTest when.storeNumber: \"> x\" is not a number"),
        (
            map(["storeNumber": .integer(1 << 60)]),
            "invalidTest when.storeNumber: 1152921504606846976 is too large for an attribute"
        ),
        (map(["score": .number(.nan)]), "invalidTest when.score: expected a number, got NaN"),
        (
            map(["date": .string("2026-11-27")]),
            "invalidTest when.date: \"2026-11-27\" has no time zone, and a day is not a single moment | for the local day on each device, write localDate = \">= 2026-11-27 < 2026-11-28\"; for a day in one time zone, add the zone, as in \">= 2026-11-27 America/New_York < 2026-11-28 America/New_York\""
        ),
        (
            map(["date": .string(">= 2026-11-27 < 2026-12-01T00:00:00Z")]),
            "invalidTest when.date: 2026-11-27 has no time zone | write the zone, as in 2026-11-27T00:00 America/New_York"
        ),
        (
            map(["date": .string("> 27/11/2026 America/Toronto")]),
            "invalidTest when.date: \"27/11/2026 America/Toronto\" is not a date | write the year first, then the month and the day, as in 2026-11-27"
        ),
        (
            map(["date": .string("< 2026-11-27T24:00 America/Toronto")]),
            "invalidTest when.date: \"2026-11-27T24:00 America/Toronto\" is not a date | for the end of a day, write 00:00 of the next day"
        ),
        (
            map(["localDate": .string("2027-02-29")]),
            "invalidTest when.localDate: \"2027-02-29\" is not a date | February 2027 has 28 days: write 2027-02-28 for the last"
        ),
        (
            map(["date": .string("> 2026-03-08T02:30 America/Toronto")]),
            "invalidTest when.date: 02:30 does not exist in America/Toronto that day | write the first moment after it: 2026-03-08T02:31 America/Toronto"
        ),
        (
            map(["date": .string("> 2026-11-01T01:30 America/Toronto")]),
            "invalidTest when.date: 01:30 occurs twice in America/Toronto that day | write the offset, as in 2026-11-01T01:30:00-04:00"
        ),
        (
            map(["date": .string("> 2026-11-27 09:30 America/Toronto")]),
            "invalidTest when.date: \"2026-11-27 09:30 America/Toronto\" is not a date | write a T between the date and the time: 2026-11-27T09:30 America/Toronto"
        ),
        (
            map(["date": .string(">= 2026-11-27T09:30+0530")]),
            "invalidTest when.date: \"2026-11-27T09:30+0530\" is not a date | write the offset with a colon: +05:30"
        ),
        (
            map(["date": .string(">= 2026-11-27T09:30:60Z")]),
            "invalidTest when.date: \"2026-11-27T09:30:60Z\" is not a date | seconds range from 00 to 59; for a leap second, write 00 of the next minute"
        ),
        (
            map(["date": .string("> 1795737600")]),
            "invalidTest when.date: \"1795737600\" is not a date | write a date instead of seconds since 1970: 2026-11-27T00:00:00Z"
        ),
        (
            map(["date": .string("> 2026-11-01 Toronto")]),
            "invalidTest when.date: unknown time zone \"Toronto\" | write a name such as America/New_York, or UTC"
        ),
        (
            map(["localDate": .string("> 2026-11-01T00:00Z")]),
            "invalidTest when.localDate: 2026-11-01T00:00Z has a time zone, but localDate does not support one"
        ),
        (
            map(["localDate": .string("Monday")]),
            "invalidTest when.localDate: \"Monday\" is not a date | write it as in 2026-11-27T00:00"
        ),
        (
            map(["groups": .string("stuff")]),
            "notAChoice when.groups: expected one of \"staff\", \"guests\", got \"stuff\" | did you mean \"staff\"?"
        ),
        (
            map(["locale": .string("french")]),
            "invalidTest when.locale: \"french\" is not a locale | write it as in \"fr\" or \"fr-CA\""
        ),
        (
            map(["region": .string("QC")]),
            "invalidTest when.region: \"QC\" is not a region | write a code of ISO 3166, as in \"CA\" or \"CA-QC\""
        ),
        (
            map(["customerID": .string("1")]),
            "invalidTest when.customerID: customerID can only be tested with missing or present"
        ),
        (
            map(["email": map(["prefx": .string("a")])]),
            "invalidTest when.email.prefx: unknown test \"prefx\" | did you mean \"prefix\"?"
        ),
        (
            map(["email": map(["prefix": .string("a"), "suffix": .string("b")])]),
            "invalidTest when.email: prefix and suffix cannot be combined in one test | combine the two in all { … }"
        ),
        (
            map(["email": map(["anyCase": .boolean(true)])]),
            "invalidTest when.email: anyCase requires prefix, suffix, or contains"
        ),
        (
            map(["email": map(["is": .string("missing"), "anyCase": .boolean(true)])]),
            "invalidTest when.email.anyCase: anyCase requires prefix, suffix, or contains"
        ),
        (
            map(["email": map(["prefix": .string("a"), "anyCase": .integer(1)])]),
            "invalidTest when.email.prefix: expected anyCase to be true or false, got 1"
        ),
        (map(["email": map(["prefix": .integer(1)])]), "invalidTest when.email.prefix: expected a string, got 1"),
        (
            map(["build": map(["prefix": .string("de")])]),
            "invalidTest when.build.prefix: build does not support prefix | only the parts of a text can be tested"
        ),
        (
            map(["build": map(["is": .string("gone")])]),
            "invalidTest when.build.is: expected \"missing\" or \"present\", got \"gone\""
        ),
        (
            map(["email": .string(String(repeating: "é", count: 200))]),
            "invalidTest when.email: expected at most 256 bytes, got 400"
        ),
        (
            map(["storeNumber": .list(values: (0..<300).map { .integer($0) })]),
            "tooManySituations when.storeNumber: expected at most 256 elements, got 300"
        ),
        (
            (0..<40).reduce(.boolean(true)) { inner, _ in map(["no": inner]) },
            "tooManySituations when\(String(repeating: ".no", count: 32)): conditions are nested more than 32 levels deep"
        ),
        (
            map(["build": (0..<40).reduce(.string("debug")) { inner, _ in map(["no": inner]) }]),
            "tooManySituations when.build\(String(repeating: ".no", count: 31)): tests are nested more than 32 levels deep"
        ),
    ]

    @Test(arguments: mistakes)
    func mistakeIsExplained(data: ConfigurationValue, expected: String) throws {
        let (condition, findings) = try read(
            data, Self.attributes, named: ["blackFriday": .boolean(true)], zones: Self.zones)
        let found = findings.map { finding in
            "\(finding.code.rawValue) \(finding.path): \(finding.message)" + (finding.hint.map { " | \($0)" } ?? "")
        }
        #expect(condition == nil)
        #expect(found == [expected])
    }

    @Test func eachMistakeIsReportedAtItsPlace() throws {
        func place(_ line: Int) -> SourcePosition { SourcePosition(file: "markets/us.lua", line: line, column: 1) }
        let node = ConfigurationNode(
            .map([
                "bulid": ConfigurationNode(.string("debug"), position: place(3), keyPosition: place(2)),
                "platform": ConfigurationNode(
                    .list([
                        ConfigurationNode(.string("iOS"), position: place(4)),
                        ConfigurationNode(.string("ios"), position: place(5)),
                    ]), position: place(4)),
            ]), position: place(1))
        var reader = ConditionReader(attributes: Self.attributes)
        let findings = FindingList()
        #expect(try reader.condition(node, at: "overlays[1].when", into: findings) == nil)
        #expect(findings.sorted().map { $0.position } == [place(2), place(5)])
        #expect(
            findings.sorted().map { "\($0.path)" } == ["overlays[1].when.bulid", "overlays[1].when.platform[2]"])
    }

    @Test func namesAreReadOnceAndReportCycles() throws {
        let named: [String: ConfigurationValue] = [
            "a": .string("b"), "b": Self.map(["any": Self.list(.string("a"), .string("c"))]),
            "c": Self.map(["build": .string("debug")]), "d": Self.map(["build": .string("x")]),
        ]
        let (condition, findings) = try read(.string("a"), Self.attributes, named: named)
        #expect(condition == nil)
        #expect(findings.map { "\($0.path): \($0.message)" } == ["conditions.b.any[1]: a names b names a"])

        var reader = ConditionReader(
            attributes: Self.attributes, named: named.mapValues { ConfigurationNode($0) })
        let list = FindingList()
        #expect(
            try reader.condition(ConfigurationNode(.string("c")), at: "when", into: list)
                == .test("build", .oneOf([.text("debug")])))
        for _ in 0..<3 {
            #expect(try reader.condition(ConfigurationNode(.string("d")), at: "when", into: list) == nil)
        }
        #expect(list.sorted().map(\.path) == ["conditions.d.build"])
    }

    /// Ten names that each use the one before twice stand for thousands of tests; sixty would stand for 2⁶⁰.
    @Test(.timeLimit(.minutes(1))) func namesCannotGrowWithoutLimit() throws {
        var named: [String: ConfigurationValue] = ["c0": Self.map(["storeNumber": .integer(0)])]
        for index in 1..<10 {
            let inner = ConfigurationValue.string("c\(index - 1)")
            named["c\(index)"] = Self.map([
                "any": Self.list(
                    Self.map(["all": Self.list(inner, Self.map(["storeNumber": .integer(index)]))]),
                    Self.map(["no": inner]))
            ])
        }
        let (condition, findings) = try read(.string("c9"), Self.attributes, named: named)
        #expect(condition == nil)
        #expect(findings.map(\.code) == [.tooManySituations])
        #expect(
            findings.map(\.message) == [
                "the condition has more than 1,024 tests and values, including those of the conditions that it names"
            ])
    }

    @Test func workIsCharged() throws {
        let budget = WorkBudget(work: [.validating: 100])
        var reader = ConditionReader(attributes: Self.attributes, budget: budget)
        let findings = FindingList()
        let node = ConfigurationNode(Self.map(["storeNumber": .list(values: (0..<200).map { .integer($0) })]))
        #expect(throws: WorkBudget.Exceeded.self) { try reader.condition(node, at: "when", into: findings) }
    }

    @Test func valuesOfSituationsAreRead() throws {
        func value(_ name: String, _ text: String) throws -> ContextValue {
            try #require(Self.attributes.first { $0.name == name }).value(from: text, zones: Self.zones)
        }
        #expect(try value("signedIn", "true") == .boolean(true))
        #expect(try value("storeNumber", "12") == .number(12))
        #expect(try value("score", "0.5") == .number(0.5))
        #expect(try value("groups", "staff+guests") == .set(["staff", "guests"]))
        #expect(try value("groups", "") == .set([]))
        #expect(try value("date", "2026-11-27 America/Toronto").description == "2026-11-27T05:00:00Z")
        #expect(try value("localDate", "2026-11-27").description == "2026-11-27T00:00:00")
        #expect(try value("customerID", "100234") == .text("100234"))
        for (name, text, message) in [
            ("signedIn", "yes", "expected true or false, got \"yes\""),
            ("locale", "fr", "expected one of \"en-CA\", \"fr-CA\", got \"fr\""),
            ("storeNumber", "1.5", "expected a whole number, got 1.5"),
            ("groups", "staff+stuff", "expected one of \"staff\", \"guests\", got \"stuff\""),
        ] {
            let error = #expect(throws: ContextValueError.self) { try value(name, text) }
            #expect(error?.message == message)
        }
        for (name, text) in [("date", "2026-11-27T05:00:00Z"), ("groups", "guests+staff"), ("appVersion", "24.3")] {
            #expect(ContextAttribute.commandText(of: try value(name, text)) == text)
        }
    }
}
