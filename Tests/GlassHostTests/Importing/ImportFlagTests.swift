import CommandTesting
import Foundation
import Testing

/// What a lost part of a flag or of a condition leaves: never more than the service gives.
@Suite(.timeLimit(.minutes(5)))
struct ImportFlagTests {
    private static func flag(_ fields: String) -> String {
        """
        {"flags": {"gate": {"on": true, "salt": "s", "offVariation": 1, "variations": [true, false], \(fields)}}}
        """
    }

    /// A part that may keep people from what follows it.
    @Test(arguments: [
        (#""prerequisites": [{"key": "other", "variation": 0}], "fallthrough": {"variation": 0}"#, "prerequisites"),
        (#""targets": [{"values": ["u-1"], "variation": 1}], "fallthrough": {"variation": 0}"#, "targets"),
        (
            #"""
            "rules": [{"variation": 1, "clauses": [{"attribute": "plan", "op": "matches", "values": ["^g"]}]}],
            "fallthrough": {"variation": 0}
            """#, "rules[0]"
        ),
    ])
    func lostExclusionLeavesTheFlagOff(fields: String, part: String) throws {
        let folder = try ImportedFolder(["flags.json": Self.flag(fields)])
        #expect(
            try folder.values("flags.json", "--extends", "us") == [
                "flags.gate.\(part) lost -", "flags.gate.fallthrough lost -", "flags.gate guessed flags.gate",
            ])
        let run = try folder.run("flags.json", "--extends", "us")
        #expect(run.output.contains("flags.gate; \(part) may exclude people, so nothing after it is imported"))
        let market = try folder.market()
        #expect(market.contains("default = false") && !market.contains("value = true"), "\(market)")
    }

    /// Whoever loses their own value here gets what everyone gets.
    @Test func lostInclusionKeepsTheRest() throws {
        let fields = #""targets": [{"values": ["u-1"], "variation": 0}], "fallthrough": {"variation": 0}"#
        let folder = try ImportedFolder(["flags.json": Self.flag(fields)])
        let run = try folder.run("flags.json", "--extends", "us")
        #expect(run.output.contains("guessed flags.json: flags.gate: flags.gate; it is without the lost targets\n"))
        #expect(try folder.market().contains(#"{ name = "everyone", value = true }"#))
    }

    /// A market's flag gives its default while it is off, as the service gives its off variation.
    @Test func offVariationIsTheDefault() throws {
        let folder = try ImportedFolder(["flags.json": Self.flag(#""fallthrough": {"variation": 0}"#)])
        #expect(try folder.values("flags.json", "--extends", "us") == ["flags.gate mapped flags.gate"])
        #expect(try folder.run("flags.json", "--extends", "us").status == 0)
        let market = try folder.market()
        #expect(market.contains("default = false"), "\(market)")
        #expect(market.contains(#"{ name = "everyone", value = true }"#), "\(market)")
    }

    @Test func segmentThatNamesPeopleIsLost() throws {
        let folder = try ImportedFolder([
            "flags.json": """
            {"segments": {"beta": {"excluded": ["u-1"], "rules": [{"clauses": [
               {"attribute": "country", "op": "in", "values": ["CA"]}]}]}},
             "flags": {"gate": {"on": true, "salt": "s", "offVariation": 1, "variations": [true, false],
               "rules": [{"variation": 0, "clauses": [{"attribute": "", "op": "segmentMatch", "values": ["beta"]}]}],
               "fallthrough": {"variation": 1}}}}
            """
        ])
        #expect(
            try folder.values("flags.json", "--extends", "us") == [
                "conditions.beta lost -", "flags.gate.rules[0] lost -", "flags.gate guessed flags.gate",
            ])
    }

    // MARK: Firebase

    private static func template(_ expression: String) throws -> String {
        let conditions = [["name": "when", "expression": expression]]
        let data = try JSONSerialization.data(withJSONObject: [
            "conditions": conditions, "parameters": ["a": ["defaultValue": ["value": "1"]]],
        ])
        return String(decoding: data, as: UTF8.self)
    }

    @Test(arguments: [
        ("device.country in ['CL'] && device.os == 'ios'", #"when = { platform = "iOS", region = "CL" },"#),
        (
            "device.country in ['CL'] || device.os == 'ios'",
            #"when = any { { region = "CL" }, { platform = "iOS" } },"#
        ),
        ("!(device.country in ['CL'])", #"when = no { region = "CL" },"#),
        (
            "dateTime < dateTime('2029-06-04T00:00:00', 'America/Santiago')",
            #"when = { date = "< 2029-06-04T00:00 America/Santiago" },"#
        ),
        (
            "app.id == '1:482910573321:ios:9f1c' && device.country in ['cl']",
            #"when = { platform = "iOS", region = "CL" },"#
        ),
    ])
    func expressionIsReadAsAWhole(expression: String, text: String) throws {
        let folder = try ImportedFolder(["RemoteConfig.json": try Self.template(expression)])
        let run = try folder.run("RemoteConfig.json", "--extends", "us", "--dry-run")
        #expect(run.output.contains(text), "\(run.output)")
        // The country of a device and the id of an app only resemble what a market knows.
        let status = expression.hasPrefix("dateTime") ? "mapped " : "guessed"
        #expect(run.output.contains("\(status) RemoteConfig.json: conditions.when: conditions.when"), "\(run.output)")
    }

    @Test(arguments: [
        ("device.country in ['CL'] foo bar", #"cannot read "foo bar" in the expression"#),
        ("device.os = 'ios'", #"cannot read "= 'ios'" in the expression"#),
        ("(device.os == 'ios'", "the expression ends too early"),
        ("device.os == 'ios", #"cannot read "'ios" in the expression"#),
        ("", "the expression ends too early"),
        (String(repeating: "(", count: 8_000), "the parentheses are nested too deeply"),
        (
            "app.id == '1:482910573321:android:9f1c'",
            #"the condition is about "android", which is not a platform of markets"#
        ),
        ("app.firebaseInstallationId in ['a']", #"a condition cannot depend on "app.firebaseInstallationId""#),
    ])
    func expressionThatIsNotReadIsLost(expression: String, message: String) throws {
        let folder = try ImportedFolder(["RemoteConfig.json": try Self.template(expression)])
        let run = try folder.run("RemoteConfig.json", "--extends", "us", "--dry-run")
        #expect(run.output.contains("lost    RemoteConfig.json: conditions.when: \(message)\n"), "\(run.output)")
    }

    @Test(arguments: [
        ("percent <= 10", "10"), ("percent('s') between 25 and 50", "25"), ("percent between 20 and 40", "20"),
        ("percent > 12.5", "87.5"), ("percent between 0.1 and 0.3 && device.os == 'ios'", "0.2"),
    ])
    func adviceHasTheSizeOfTheShare(expression: String, percent: String) throws {
        let folder = try ImportedFolder(["RemoteConfig.json": try Self.template(expression)])
        let run = try folder.run("RemoteConfig.json", "--extends", "us", "--dry-run")
        #expect(run.output.contains("write rollout = { percent = \(percent), by"), "\(run.output)")
    }

    @Test func parameterWithTheNameOfOneKeyIsGuessed() throws {
        let folder = try ImportedFolder([
            "RemoteConfig.json": """
            {"conditions": [{"name": "ios", "expression": "device.os == 'ios'"}], "parameters": {
              "max_retries": {"defaultValue": {"value": "4"}, "conditionalValues": {"ios": {"value": "2"}}},
              "requestTimeoutSeconds": {"defaultValue": {"value": "20"}},
              "welcome": {"defaultValue": {"value": "Oi"}}}}
            """
        ])
        #expect(
            try folder.values("RemoteConfig.json", "--extends", "us") == [
                "conditions.ios mapped conditions.ios",
                "parameters.max_retries guessed platform.networking.retry.maxRetries",
                "parameters.requestTimeoutSeconds guessed platform.urlSession.requestTimeoutSeconds",
                "parameters.welcome guessed flags.welcome",
            ])
        let run = try folder.run("RemoteConfig.json", "--extends", "us")
        #expect(run.output.contains("flags.welcome; no key has this name, so it is a flag\n"), "\(run.output)")
    }

    @Test func kindOfAnExperimentIsNamedWell() throws {
        let folder = try ImportedFolder([
            "features.json": """
            {"features": [{"name": "a", "type": "experiment", "enabled": true, "strategies": [],
              "dependencies": [{"feature": "b"}]}]}
            """
        ])
        let run = try folder.run("features.json", "--extends", "us")
        #expect(run.output.contains("because the file has no last day for an experiment"), "\(run.output)")
        #expect(try !folder.market().contains("value = true"))
    }
}
