import GlassMarkets
import GlassSchema
import Testing

@testable import GlassAuthoring

/// Changes of flags, and who gets something else.
struct FlagReviewTests {
    private static func told(_ base: String, _ head: String, _ conditions: [String] = ["", ""]) throws -> [String] {
        var (old, new) = (try ReviewFixture.us(), try ReviewFixture.us())
        old["xx.lua"] = ReviewFixture.market("xx", "\(conditions[0]) flags = { \(base) }")
        new["xx.lua"] = ReviewFixture.market("xx", "\(conditions[1]) flags = { \(head) }")
        return try ReviewFixture.changes(old, new).map { "\($0.severity) \($0.rule): \($0.summary)" }
    }

    private static func flag(_ rules: String, _ more: String = "") -> String {
        "f = { kind = \"operations\", owner = \"x\", default = false, rules = { \(rules) } \(more) }"
    }

    private static func share(_ rollout: String, value: String = "true") -> String {
        flag("{ name = \"ramp\", rollout = { \(rollout) }, value = \(value) }")
    }

    private static func split(_ weights: String) -> String {
        """
        f = { kind = "operations", owner = "x", default = "a", variants = { a = 1, b = 2 },
          rules = { { name = "trial", split = { by = "installID", weights = { \(weights) } } } } }
        """
    }

    @Test(
        arguments: [
            (
                share("percent = 10, by = \"installID\""), share("percent = 25, by = \"installID\""),
                ["note flag.moved: f, rule ramp: 10% → 25%: 15% gain, none lose"]
            ),
            (
                share("percent = 25, by = \"installID\""), share("percent = 0.5, by = \"installID\""),
                ["risky flag.moved: f, rule ramp: 25% → 0.5%: none gain, 24.5% lose"]
            ),
            (
                share("percent = 25, by = \"installID\""), flag("{ name = \"ramp\", value = true }"),
                ["note flag.moved: f, rule ramp: 25% → everybody: 75% gain, none lose"]
            ),
            (
                share("percent = 25, by = \"installID\""),
                share("percent = 25, by = \"customerID\", salt = \"s\", like = \"unleash\""),
                [
                    "breaking flag.rebucketed: f, rule ramp: everyone is re-bucketed because the unit changed from "
                        + "installID to customerID and salt changed from \"f\" to \"s\" and like changed from none to unleash"
                ]
            ),
            (
                split("{ \"a\", 50 }, { \"b\", 50 }"), split("{ \"b\", 50 }, { \"a\", 50 }"),
                [
                    "risky flag.moved: f, rule trial: a 50%, b 50% → b 50%, a 50%: 50% change from a to b, "
                        + "50% change from b to a"
                ]
            ),
            (
                share("percent = 10, by = \"installID\""), share("percent = 10, by = \"installID\"", value: "false"),
                [
                    "risky flag.moved: f, rule ramp: 10% → 10%: 10% change from true to false"
                ]
            ),
            (
                flag("{ name = \"a\", when = { build = \"debug\" }, value = true }"),
                flag("{ name = \"b\", when = { build = \"beta\" }, value = true }"),
                [
                    "risky flag.rule: f has the new rule b: true when build = \"beta\"",
                    "risky flag.rule: f no longer has the rule a: true when build = \"debug\"",
                ]
            ),
            (
                flag("{ name = \"a\", when = { build = \"debug\" }, value = true }"),
                flag("{ name = \"a\", when = { build = \"beta\" }, value = true }"),
                [
                    "risky condition.changed: the rule a of the flag f now also holds, for example, when build = \"beta\", "
                        + "and no longer holds, for example, when build = \"debug\""
                ]
            ),
            (
                flag("{ name = \"a\", value = true }", ", expires = \"2099-02-01\""),
                flag("{ name = \"a\", value = true }", ", expires = \"2099-03-01\", enabled = false"),
                [
                    "risky flag.rule: the rules of the flag f no longer apply",
                    "note flag.expiresLater: the flag f expires later: 2099-02-01 → 2099-03-01",
                ]
            ),
            (
                "", flag("{ name = \"a\", value = true }"), ["note flag.added: the flag f is new"]
            ),
            (
                flag("{ name = \"a\", value = true }"), "",
                ["breaking flag.removed: the flag f was removed: code that reads it uses its own default"]
            ),
            (
                flag("{ name = \"a\", value = true }"), flag("{ name = \"a\", value = true }", ", doc = \"new\""),
                ["note key.changed: flags.f.doc changed from \"\" to \"new\""]
            ),
        ])
    func changeIsReported(base: String, head: String, expected: [String]) throws {
        #expect(try Self.told(base, head) == expected)
        #expect(try Self.told(base, base).isEmpty)
    }

    /// Acceptances name fingerprints that were computed from `10 %`, before texts for people lost the space.
    @Test func fingerprintsKeepTheSpaceInPercentages() throws {
        func fingerprints(_ base: String, _ head: String) throws -> [String] {
            var (old, new) = (try ReviewFixture.us(), try ReviewFixture.us())
            old["xx.lua"] = ReviewFixture.market("xx", "flags = { \(base) }")
            new["xx.lua"] = ReviewFixture.market("xx", "flags = { \(head) }")
            return try ReviewFixture.changes(old, new).map(\.fingerprint)
        }
        #expect(
            try fingerprints(
                Self.share("percent = 10, by = \"installID\""), Self.share("percent = 25, by = \"installID\""))
                == [Change.fingerprint(["2", "flag.moved", "xx", "flags.f", "ramp", "10 %", "25 %", ""])])
        #expect(
            try fingerprints(Self.flag(""), Self.share("percent = 10, by = \"installID\""))
                == [
                    Change.fingerprint([
                        "2", "flag.rule", "xx", "flags.f.rules", "ramp", "+", "true when 10 % of installID",
                    ])
                ])
    }

    /// The condition is reported by its name, and not again for the rule that uses it.
    @Test func namedConditionOfFlagsAloneIsReportedOnce() throws {
        let flag = Self.flag("{ name = \"a\", when = \"staff\", value = true }")
        let told = try Self.told(
            flag, flag,
            ["staff", "managers"].map { "conditions = { staff = { audience = \"\($0)\" } }," })
        #expect(told.count == 1, "\(told)")
        #expect(told.first?.hasPrefix("risky condition.changed: the condition staff now also holds") == true)
    }
}
