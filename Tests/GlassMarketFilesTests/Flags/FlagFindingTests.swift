@testable import GlassMarketFiles
import GlassMarkets
import GlassSchema
import Testing
import MarketTesting

/// What is wrong with flags, at the place where it is written.
struct FlagFindingTests {
    /// Declares a flag with a rule.
    private static func flag(
        _ rule: String, kind: String = "operations", default value: String = "false", more: String = ""
    ) -> String {
        "f = { kind = \"\(kind)\", owner = \"o\", default = \(value), \(more)\nrules = { \(rule) } },"
    }

    private static func split(_ weights: String, by: String = "by = \"installID\", ") -> String {
        flag(
            "{ name = \"r\", split = { \(by)weights = { \(weights) } } }", default: "\"a\"",
            more: "variants = { a = 1, b = 2 },")
    }

    private static func share(_ rollout: String, when: String = "true", more: String = "") -> String {
        flag("{ name = \"r\", when = \(when), rollout = { \(rollout) }, value = true }", more: more)
    }

    /// Flags, and the code, the path below `flags.f` and the message of their only finding.
    private static let rows: [(flags: String, finding: String)] = [
        ("f = { kind = \"relase\", owner = \"o\", default = 1 },", "notAChoice kind: expected one of"),
        (
            "f = { kind = \"release\", owner = \"o\", default = 1 },",
            "inconsistent expires: missing: a release must have an expiry date"
        ),
        ("f = { kind = \"operations\", owner = \"o\" },", "missingKey default: missing"),
        ("f = { kind = \"operations\", default = 1 },", "flagUnowned : the flag has no owner"),
        (
            "[\"1x\"] = { kind = \"operations\", owner = \"o\", default = 1 },",
            "invalidFormat flags[\"1x\"]: expected the key to be a name"
        ),
        ("f = { kind = \"operations\", owner = \"o\", default = function() end },", "wrongType default: expected true"),
        (
            "f = { kind = \"operations\", owner = \"o\", default = \"c\", variants = { a = 1, b = 2 } },",
            "invalidFlag default: expected the name of a variant, got \"c\""
        ),
        (
            "f = { kind = \"operations\", owner = \"o\", default = \"a\", variants = { a = 1, b = true } },",
            "invalidFlag variants.b: expected a value of type integer, like the other variants, got true"
        ),
        (flag("{ name = \"r\", value = \"no\" }"), "invalidFlag rules[1].value: expected a value of type boolean"),
        (
            flag("{ name = \"r\" }"),
            "inconsistent rules[1].value: missing: a rule must have a value, a variant, or a split"
        ),
        (
            flag("{ name = \"r\", value = true, variant = \"a\" }"),
            "inconsistent rules[1].variant: value and variant cannot be in the same rule"
        ),
        (flag("{ name = \"r\", variant = \"a\" }"), "invalidFlag rules[1].variant: unknown variant \"a\""),
        (
            flag("{ name = \"r\", value = true, when = { build = \"debug\" } }, { name = \"r\", value = true }"),
            "duplicate rules[2].name: the flag already has a rule \"r\""
        ),
        (
            flag("{ name = \"r\", value = true, when = \"nobody\" }"),
            "unknownCondition rules[1].when: unknown condition \"nobody\""
        ),
        (
            flag("{ name = \"r\", value = true, when = { bulid = \"debug\" } }"),
            "unknownAttribute rules[1].when.bulid: unknown attribute \"bulid\""
        ),
        (
            flag("{ name = \"r\", value = true, when = { osVersion = \">= 19 < 18\" } }"),
            "neverHolds rules[1]: this condition can never be true: osVersion >= 19 < 18"
        ),
        (
            flag("{ name = \"a\", value = true }, { name = \"b\", value = false }"),
            "unreachable rules[2]: the rule above matches in every situation in which b does"
        ),
        (
            flag(
                "{ name = \"a\", value = true }, { name = \"b\", value = false }, "
                    + "{ name = \"c\", value = false, when = { build = \"debug\" } }"),
            "unreachable rules[2]: the rule above matches in every situation, so b and c never match"
        ),
        (
            flag(
                "{ name = \"a\", value = true, rollout = { percent = 20, by = \"installID\" } }, "
                    + "{ name = \"b\", value = false, rollout = { percent = 10, by = \"installID\" } }"),
            "unreachable rules[2]: the rule above matches in every situation in which b does"
        ),
        (
            share("percent = 130, by = \"installID\""),
            "invalidPercent rules[1].rollout.percent: expected a percentage from 0 to 100, got 130"
        ),
        (
            share("percent = -1, by = \"installID\""),
            "invalidPercent rules[1].rollout.percent: expected a percentage from 0 to 100, got -1"
        ),
        (
            share("percent = 0/0, by = \"installID\""),
            "invalidPercent rules[1].rollout.percent: expected a percentage from 0 to 100, got NaN"
        ),
        (
            share("percent = 10, by = \"installID\", like = \"flagd@99\""),
            "notAChoice rules[1].rollout.like: shares from version 99 of flagd cannot be continued"
        ),
        (
            share("percent = 10.12345, by = \"installID\", like = \"unleash\""),
            "invalidPercent rules[1].rollout.percent: 10.12345 is too precise: Unleash supports only whole percentages"
        ),
        (
            share("percent = 2.00001, by = \"installID\""),
            "invalidPercent rules[1].rollout.percent: 2.00001 is too precise: the smallest step is 0.001%"
        ),
        (
            share("percent = 2.5, by = \"installID\"", more: "like = \"unleash\","),
            "invalidPercent rules[1].rollout.percent: 2.5 is too precise: Unleash supports only whole percentages"
        ),
        (
            share("percent = 100, by = \"installID\""),
            "invalidPercent rules[1].rollout.percent: 100% includes every installation"
        ),
        (share("by = \"installID\""), "missingKey rules[1].rollout.percent: missing: expected a percentage"),
        (share("percent = 5"), "missingKey rules[1].rollout.by: missing: expected an attribute"),
        (
            share("percent = 5, by = \"locale\""),
            "invalidUnit rules[1].rollout.by: \"locale\" has the same value for many people"
        ),
        (
            share("percent = 5, by = \"installId\""),
            "unknownAttribute rules[1].rollout.by: unknown attribute \"installId\""
        ),
        (share("percent = 5, by = \"installID\", seed = 3"), "unknownKey rules[1].rollout.seed: unknown key"),
        (
            share("percent = 5, by = \"installID\", like = \"growthbok\""),
            "notAChoice rules[1].rollout.like: expected one of"
        ),
        (
            share("percent = 5, by = \"customerID\""),
            "unitAtSignIn rules[1]: customerID has no value before sign-in"
        ),
        (split("{ \"a\", 60 }, { \"b\", 50 }"), "invalidWeights rules[1].split.weights: the weights add up to 110%"),
        (split("{ \"a\", 60 }, { \"c\", 40 }"), "invalidFlag rules[1].split.weights[2][1]: unknown variant \"c\""),
        (
            split("{ \"a\", 60 }, { \"a\", 40 }"),
            "duplicate rules[1].split.weights[2]: the split already has the variant"
        ),
        (
            split("\"a\", 50, \"b\", 50"),
            "wrongType rules[1].split.weights: expected a list, each a list of a variant and its percentage, got a list of"
        ),
        (
            split("\"a\", { \"b\", 50 }"),
            "wrongType rules[1].split.weights[1]: expected a list of a variant and its percentage, got \"a\""
        ),
        (
            split("{ \"a\", 60 }, { \"b\", 40 }", by: ""),
            "missingKey rules[1].split.by: missing: expected an attribute"
        ),
        (
            "f = { kind = \"operations\", owner = \"o\", default = 1, layer = \"none\", slots = { 0, 50 } },",
            "invalidFlag layer: unknown layer \"none\""
        ),
        (
            "f = { kind = \"operations\", owner = \"o\", default = 1, layer = \"search\" },",
            "inconsistent slots: missing: a flag in a layer must have slots"
        ),
        (
            "f = { kind = \"operations\", owner = \"o\", default = vary { default = 1 } },",
            "variesTooOften default: vary{…} cannot be inside a flag, because its rules determine the value"
        ),
    ]

    /// Warnings have the exact cure, because nothing else says what is meant.
    @Test(arguments: [
        (
            "f = { kind = \"operations\", owner = \"o\", default = \"false\" }",
            "flags.f.default: \"false\" is a string, which an app does not read as false; write false, without quotes"
        ),
        ("f = { kind = \"operations\", owner = \"o\", default = \"no\" }", ""),
        (
            share("percent = \"10 %\", by = \"installID\""),
            "flags.f.rules[1].rollout.percent: expected a percentage from 0 to 100, got \"10 %\"; "
                + "write 10, without quotes"
        ),
        (
            flag("{ name = \"r\", when = \"f\", value = true }"),
            "flags.f.rules[1].when: \"f\" is a flag, not a condition; conditions cannot depend on flags: declare the "
                + "test of the flag\'s rule in conditions, and use its name in both"
        ),
        (
            flag("{ name = \"r\", when = \"release\", value = true }"),
            "flags.f.rules[1].when: unknown condition \"release\"; write { build = \"release\" }"
        ),
        (
            flag("{ name = \"r\", when = \"associates\", value = true }"),
            "flags.f.rules[1].when: unknown condition \"associates\"; declare it, as in conditions = { associates = { build = "
                + "\"debug\" } }, or write { audience = \"associates\" }"
        ),
    ])
    func findingHasItsCure(flags: String, text: String) throws {
        let found = try Self.findings(in: "flags = { \(flags) }").map { finding in
            "\(finding.path): \(finding.message)" + (finding.hint.map { "; \($0)" } ?? "")
        }
        #expect(found.joined(separator: "\n") == text)
    }

    private static func findings(in addition: String, at now: String? = nil) throws -> [Finding] {
        let text = "return { id = \"xx\", name = \"Test\", extends = \"us\",\n\(addition)\n}"
        var loader = try MarketFixture(flags: false, ["xx.lua": text]).loader(limits: MarketFixture.patientLimits)
        if let date = now.flatMap({ ContextDate($0) }) { loader = loader.warning { date } }
        return try loader.check("xx").findings.filter { $0.code != .secretUnset }
    }

    @Test(arguments: rows.indices) func mistakeHasOneFinding(index: Int) throws {
        let (flags, expected) = Self.rows[index]
        let found = try Self.findings(in: "layers = { search = { by = \"installID\" } },\nflags = { \(flags) }").map {
            finding in
            let path = "\(finding.path)".replacing("flags.f.", with: "").replacing("flags.f", with: "")
                .replacing("flags.", with: "")
            return "\(finding.code.rawValue) \(path): \(finding.message)"
        }
        #expect(found.count == 1 && found.first?.hasPrefix(expected) == true, "\(found)")
    }

    @Test func launchDarklyNeedsItsSalt() throws {
        let rollout = "percent = 5, by = \"installID\""
        func found(_ salt: String) throws -> [FindingCode] {
            try Self.findings(in: "flags = { \(Self.share(rollout, more: "like = \"launchDarkly\", \(salt)")) }").map(
                \.code)
        }
        #expect(try found("") == [.invalidFlag])
        #expect(try found("salt = \"f.8f2b\",") == [])
    }

    @Test func flagsAreInNoOverlay() throws {
        let found = try Self.findings(
            in: "overlays = { { name = \"o\", when = { build = \"debug\" }, flags = { f = { default = 1 } } } }")
        #expect(found.map(\.code) == [.variesTooOften])
        #expect(found.first?.hint == "write a rule of the flag instead")
    }

    /// A share in a condition of its own needs a salt; in a named condition, its name is the salt.
    @Test func conditionWithShareHasSalt() throws {
        let overlay = "{ name = \"o\", when = { rollout = { percent = 5, by = \"installID\" } }, currency = \"CAD\" }"
        #expect(try Self.findings(in: "overlays = { \(overlay) }").map(\.code) == [.missingKey])
        let named = "conditions = { pilot = { rollout = { percent = 5, by = \"installID\" } } },"
        let use = "overlays = { { name = \"o\", when = \"pilot\", currency = \"CAD\" } }"
        #expect(try Self.findings(in: named + use).map(\.description) == [])
    }

    /// An attribute of a person decides about no key that is taken at start.
    @Test func shareOfPersonNeedsLiveKey() throws {
        let named = "conditions = { pilot = { rollout = { percent = 5, by = \"customerID\" } } },"
        let key =
            "platform = { urlSession = { setsCookies = vary { { when = \"pilot\", value = false }, default = true } } }"
        #expect(try Self.findings(in: named + key).map(\.code) == [.variesTooOften])
    }

    @Test func flagsOfLayerShareNoSlots() throws {
        func flag(_ name: String, _ slots: String, _ when: String = "true") -> String {
            """
            \(name) = { kind = "operations", owner = "o", default = false, layer = "search", slots = { \(slots) },
              rules = { { name = "r", when = \(when), rollout = { percent = 50, by = "installID" }, value = true } } },
            """
        }
        func codes(_ flags: String) throws -> [FindingCode] {
            try Self.findings(in: "layers = { search = { by = \"installID\" } }, flags = { \(flags) }").map(\.code)
        }
        #expect(try codes(flag("a", "0, 40") + flag("b", "40, 100")) == [])
        #expect(try codes(flag("a", "0, 40") + flag("b", "39.9, 100")) == [.layerOverlap])
        let (debug, release) = ("{ build = \"debug\" }", "{ build = no \"debug\" }")
        #expect(try codes(flag("a", "0, 40", debug) + flag("b", "0, 40", release)) == [])
        #expect(try codes(flag("a", "0, 40", debug) + flag("b", "0, 40", "{ locale = \"en\" }")) == [.layerOverlap])
    }

    /// The situation of a finding is one that has the problem, with a unit in the share.
    @Test func witnessIsInShares() throws {
        let flags = """
            a = { kind = "operations", owner = "o", default = false, layer = "search", slots = { 10, 12 },
              rules = { { name = "r", value = true } } },
            b = { kind = "operations", owner = "o", default = false, layer = "search", slots = { 11, 20 },
              rules = { { name = "r", value = true } } },
            """
        let found = try Self.findings(in: "layers = { search = { by = \"installID\" } }, flags = { \(flags) }")
        let finding = try #require(found.first { $0.code == .layerOverlap })
        guard case .text(let unit)? = finding.situation?["installID"] else {
            Issue.record("no unit in \(String(describing: finding.situation))")
            return
        }
        #expect((11_000..<12_000).contains(Bucketing.bucket(salt: "search", unit: unit)))
    }

    @Test func expiredFlagIsWarning() throws {
        let flags = """
            flags = { f = { kind = "release", owner = "checkout", expires = "2026-11-14", default = false } }
            """
        #expect(try Self.findings(in: flags, at: "2026-11-14T23:59:59Z").map(\.message) == [])
        #expect(
            try Self.findings(in: flags, at: "2026-11-15T00:00:00Z").map(\.message) == [
                "the flag expired today; its owner is checkout"
            ])
        #expect(
            try Self.findings(in: flags, at: "2026-11-27T12:00:00Z").map(\.message) == [
                "the flag expired 12 days ago; its owner is checkout"
            ])
    }

    /// A market that only changes a flag is not told what is wrong with its declaration.
    @Test func declarationIsJudgedWhereItIsWritten() throws {
        let base = """
            return { id = "yy", name = "Base", extends = "us", flags = { f = {
              kind = "release", expires = "2026-11-14", default = "true",
              rules = { { name = "a", rollout = { percent = 100, by = "installID" }, value = "false" } },
            } } }
            """
        let own = "return { id = \"xx\", name = \"Test\", extends = \"yy\", flags = { f = { enabled = false } } }"
        let now = try #require(ContextDate("2026-11-27T12:00:00Z"))
        let loader = try MarketFixture(flags: false, ["xx.lua": own, "yy.lua": base]).loader().warning { now }
        func codes(_ id: String) throws -> [FindingCode] {
            try loader.check(id).findings.map(\.code).filter { $0 != .secretUnset }
        }
        #expect(try codes("yy") == [.flagUnowned, .flagExpired, .invalidFlag, .invalidPercent])
        #expect(try codes("xx") == [])
    }

    /// Rules that replace all inherited ones are probably meant to be added; rules with one of their names are not.
    @Test(arguments: [
        ("{ { name = \"x\", when = { build = \"debug\" }, value = true } }", true),
        ("prepend { { name = \"x\", when = { build = \"debug\" }, value = true } }", false),
        ("{ { name = \"b\", value = true } }", false),
        ("{}", false),
    ])
    func replacedRulesAreWarning(rules: String, isReported: Bool) throws {
        let base = """
            return { id = "yy", name = "Base", extends = "us", flags = { f = {
              kind = "operations", owner = "o", default = false,
              rules = { { name = "a", when = { build = "release" }, value = true }, { name = "b", value = true } },
            } } }
            """
        let own = "return { id = \"xx\", name = \"Test\", extends = \"yy\", flags = { f = { rules = \(rules) } } }"
        let leaf = "return { id = \"zz\", name = \"Leaf\", extends = \"xx\" }"
        let loader = try MarketFixture(flags: false, ["xx.lua": own, "yy.lua": base, "zz.lua": leaf]).loader()
        let found = try loader.check("xx").findings.filter { $0.code != .secretUnset }
        #expect(
            found.map { "\($0.severity) \($0.path): \($0.message); \($0.hint ?? "")" }
                == (isReported
                    ? [
                        "warning flags.f.rules: this list replaces the rules of the base market: a, b; write rules = prepend "
                            + "{ … } to put these before them, or append { … } to put these after them"
                    ] : []))
        #expect(try !loader.check("zz").findings.contains { $0.code == .rulesReplaced })
    }

    /// A finding about a rule of a base market is one of the base market only.
    @Test func rulesAreJudgedWhereTheyAreWritten() throws {
        let base = """
            return { id = "yy", name = "Base", extends = "us", flags = { f = {
              kind = "operations", default = false,
              rules = { { name = "a", value = true }, { name = "b", value = false } },
            } } }
            """
        let own = "return { id = \"xx\", name = \"Test\", extends = \"yy\" }"
        let loader = try MarketFixture(flags: false, ["xx.lua": own, "yy.lua": base]).loader()
        func codes(_ id: String) throws -> [FindingCode] {
            try loader.check(id).findings.map(\.code).filter { $0 != .secretUnset }
        }
        #expect(try codes("yy") == [.flagUnowned, .unreachable])
        #expect(try codes("xx") == [])
    }
}
