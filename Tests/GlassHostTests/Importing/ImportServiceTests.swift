import CommandTesting
import Foundation
import Testing

/// Where a service's idea of people differs from that of a market: nobody gets what the service does not give them, and
/// the report says so.
@Suite(.timeLimit(.minutes(5)))
struct ImportServiceTests {
    // MARK: Unleash

    /// An export has the dependencies of all flags in one list.
    @Test func dependencyBesideTheFeaturesLeavesTheChildOff() throws {
        let folder = try ImportedFolder([
            "export.json": """
            {"features": [{"name": "parent", "type": "operational"}, {"name": "child", "type": "operational"}],
             "featureStrategies": [
               {"featureName": "parent", "name": "default", "parameters": {}, "constraints": []},
               {"featureName": "child", "name": "default", "parameters": {}, "constraints": []}],
             "featureEnvironments": [
               {"featureName": "parent", "environment": "production", "enabled": true},
               {"featureName": "child", "environment": "production", "enabled": true}],
             "dependencies": [
               {"feature": "parent", "dependencies": []},
               {"feature": "child", "dependencies": [{"feature": "parent", "enabled": true}]}]}
            """
        ])
        #expect(
            try folder.values("export.json", "--extends", "us") == [
                "features.parent mapped flags.parent", "features.child.dependencies lost -",
                "features.child guessed flags.child",
            ])
        #expect(try folder.run("export.json", "--extends", "us").status == 0)
        #expect(try folder.market().components(separatedBy: "value = true").count == 2)
    }

    /// Some exports have only the names of segments, and a strategy would be for everyone without its constraints.
    @Test(arguments: [
        #"{"id": 3, "name": "Warszawa"}"#, #"{"name": "Warszawa", "constraints": []}"#,
        #"{"id": 3, "name": "Warszawa", "constraints": []}"#,
    ])
    func strategyWithASegmentWithoutConstraintsIsLost(segment: String) throws {
        let folder = try ImportedFolder([
            "export.json": """
            {"features": [{"name": "seg", "type": "operational"}],
             "featureStrategies": [{"featureName": "seg", "name": "default", "constraints": [], "segments": [3]}],
             "featureEnvironments": [{"featureName": "seg", "environment": "production", "enabled": true}],
             "segments": [\(segment)]}
            """
        ])
        let run = try folder.run("export.json", "--extends", "us")
        let message = "the file does not have the constraints of its segment"
        #expect(run.output.contains("lost    export.json: features.seg.strategies[0]: \(message)\n"), "\(run.output)")
        #expect(try !folder.market().contains("value = true"))
    }

    /// What counts the people of a share must be the same in the app, and a session is over too soon.
    @Test(arguments: [
        ("userId", "guessed", "customerID is what the app gives the service as the key"),
        ("deviceId", "guessed", "installID is what the app gives the service as deviceId"),
        ("sessionId", "lost   ", "a share cannot be by session, because sessions change; write the rule with by ="),
        ("random", "lost   ", "a share cannot be by \"random\""),
    ])
    func unitOfAShareIsNeverTakenForGranted(stickiness: String, status: String, message: String) throws {
        let folder = try ImportedFolder([
            "features.json": """
            {"features": [{"name": "half", "type": "operational", "enabled": true, "strategies": [
              {"name": "flexibleRollout", "parameters": {"rollout": "50", "stickiness": "\(stickiness)"}}]}]}
            """
        ])
        let run = try folder.run("features.json", "--extends", "us")
        let line = run.output.split(separator: "\n").first { $0.contains(message) } ?? ""
        #expect(line.hasPrefix("\(status) features.json: features.half"), "\(run.output)")
        #expect(!run.output.contains("mapped "), "\(run.output)")
        #expect(try folder.market().contains("percent = 50") == (status == "guessed"))
    }

    // MARK: LaunchDarkly

    private static func flag(_ clause: String, _ more: String = #""fallthrough": {"variation": 1}"#) -> String {
        """
        {"flags": {"gate": {"on": true, "salt": "s", "offVariation": 1, "variations": [true, false],
          "rules": [{"variation": 0, "clauses": [\(clause)]}], \(more)}}}
        """
    }

    /// In LaunchDarkly a clause about a missing attribute is false, even if it is negated.
    @Test(arguments: [
        (
            #"{"attribute": "plan", "op": "in", "values": ["gold"], "negate": true}"#,
            #"when = all { { plan = { is = "present" } }, no { plan = "gold" } }, value = true"#
        ),
        (
            #"{"attribute": "plan", "op": "in", "values": ["gold"], "negate": true}, {"attribute": "os", "op": "in", "values": ["ios"]}"#,
            #"when = all { { plan = { is = "present" } }, no { plan = "gold" }, { platform = "iOS" } },"#
        ),
        (
            #"{"attribute": "os", "op": "in", "values": ["macos"], "negate": true}"#,
            #"when = no { platform = "macOS" }, value = true"#
        ),
    ])
    func negatedClauseNeedsItsAttribute(clause: String, text: String) throws {
        let folder = try ImportedFolder(["flags.json": Self.flag(clause)])
        let run = try folder.run("flags.json", "--extends", "us")
        #expect(run.status == 0, "\(run.errors)")
        let market = try folder.market()
        #expect(market.contains(text), "\(market)")
    }

    @Test(arguments: [
        ("device_id", "its shares stay as they are if installID is what the app gives the service as device_id"),
        ("sessionId", "a share cannot be by session, because sessions change"),
        ("tenant", #"a share cannot be by "tenant""#),
    ])
    func attributeOfASplitIsNeverTakenForGranted(attribute: String, message: String) throws {
        let shares = #"[{"variation": 0, "weight": 10000}, {"variation": 1, "weight": 90000}]"#
        let rollout = #"{"bucketBy": "\#(attribute)", "variations": \#(shares)}"#
        let folder = try ImportedFolder([
            "flags.json": """
            {"flags": {"gate": {"on": true, "salt": "s", "offVariation": 1, "variations": [true, false],
              "fallthrough": {"rollout": \(rollout)}}}}
            """
        ])
        let run = try folder.run("flags.json", "--extends", "us", "--dry-run")
        #expect(run.output.contains(message) && !run.output.contains("mapped "), "\(run.output)")
        #expect(run.output.contains("guessed flags.json: flags.gate"), "\(run.output)")
    }

    @Test(arguments: [
        (#"{"attribute": "signedIn", "op": "in", "values": [true]}"#, "check that it means the same"),
        (#"{"attribute": "country", "op": "in", "values": ["CA"]}"#, "the market's region is that of the store"),
        (#"{"attribute": "language", "op": "in", "values": ["pt"]}"#, "the market's locale is not always the"),
    ])
    func similarAttributeIsGuessed(clause: String, message: String) throws {
        let folder = try ImportedFolder(["flags.json": Self.flag(clause)])
        let run = try folder.run("flags.json", "--extends", "us")
        let line = run.output.split(separator: "\n").first { $0.contains("flags.gate: flags.gate") } ?? ""
        #expect(line.hasPrefix("guessed ") && line.contains(message), "\(run.output)")
        #expect(!run.output.contains("lost  "), "\(run.output)")
    }

    @Test(arguments: [
        (
            #"{"attribute": "anonymous", "op": "in", "values": [true]}"#,
            "anonymous has no equivalent; test signedIn = false instead"
        ),
        (
            #"{"attribute": "appVersion", "op": "lessThan", "values": [5.6]}"#,
            "the built-in attribute appVersion cannot be compared in this way"
        ),
    ])
    func attributeThatDoesNotFitLosesItsRuleAlone(clause: String, message: String) throws {
        let folder = try ImportedFolder(["flags.json": Self.flag(clause)])
        let run = try folder.run("flags.json", "--extends", "us")
        #expect(run.output.contains("lost    flags.json: flags.gate.rules[0]: \(message)\n"), "\(run.output)")
        #expect(run.output.contains("guessed flags.json: flags.gate: flags.gate"), "\(run.output)")
    }

    // MARK: Firebase

    private static func template(_ conditions: [(String, String)], _ parameters: String) throws -> String {
        let list = conditions.map { ["name": $0.0, "expression": $0.1] }
        let data = try JSONSerialization.data(withJSONObject: list)
        return #"{"conditions": \#(String(decoding: data, as: UTF8.self)), "parameters": {\#(parameters)}}"#
    }

    /// A lost value leaves its people to the values below it.
    @Test func valuesBelowALostOneAreKeptIfTheyAreTheSame() throws {
        let values = #""Holdout": {"value": "false"}, "iOS": {"value": "true"}, "Beta": {"value": "false"}"#
        let same = #""Holdout": {"value": "true"}, "iOS": {"value": "true"}, "Beta": {"value": "false"}"#
        let android = #""Android": {"value": "false"}, "iOS": {"value": "true"}"#
        let above = #""Holdout": {"value": "9"}, "iOS": {"value": "2"}"#
        let folder = try ImportedFolder([
            "RemoteConfig.json": try Self.template(
                [
                    ("Android", "device.os == 'android'"), ("Holdout", "percent <= 10"), ("iOS", "device.os == 'ios'"),
                    ("Beta", "app.version.>=(['9.0.0'])"),
                ],
                """
                "a": {"defaultValue": {"value": "false"}, "valueType": "BOOLEAN", "conditionalValues": {\(values)}},
                "b": {"defaultValue": {"value": "false"}, "valueType": "BOOLEAN", "conditionalValues": {\(same)}},
                "c": {"defaultValue": {"value": "false"}, "valueType": "BOOLEAN", "conditionalValues": {\(android)}},
                "max_retries": {"defaultValue": {"value": "4"}, "conditionalValues": {\(above)}}
                """)
        ])
        #expect(
            try folder.values("RemoteConfig.json", "--extends", "us").filter { !$0.hasPrefix("conditions.") } == [
                "parameters.a.conditionalValues.Holdout lost -", "parameters.a.conditionalValues.iOS lost -",
                "parameters.a.conditionalValues.Beta lost -", "parameters.a guessed flags.a",
                "parameters.b.conditionalValues.Holdout lost -", "parameters.b.conditionalValues.Beta lost -",
                "parameters.b guessed flags.b",
                "parameters.c.conditionalValues.Android lost -", "parameters.c guessed flags.c",
                "parameters.max_retries.conditionalValues.Holdout lost -",
                "parameters.max_retries.conditionalValues.iOS lost -",
                "parameters.max_retries guessed platform.networking.retry.maxRetries",
            ])
        let run = try folder.run("RemoteConfig.json", "--extends", "us")
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.contains(
                "conditionalValues.iOS: a condition above it is lost, and this value would reach its users\n"),
            "\(run.output)")
        let market = try folder.market()
        let rule = #"{ name = "iOS", when = "iOS", value = true }"#
        #expect(market.components(separatedBy: rule).count == 3, "\(market)")
        #expect(market.contains("maxRetries = 4"), "\(market)")
    }

    @Test(arguments: [
        ("device.language in ['en']", "the market's locale is not always the language of the device"),
        (
            "device.country in ['CA']",
            "the market's region is that of the store or address, and not always the country of the device"
        ),
        (
            "app.audiences.inAtLeastOne(['Staff'])",
            "the app must set the audiences that Google Analytics has for Firebase"
        ),
    ])
    func similarConditionIsGuessed(expression: String, message: String) throws {
        let parameters = #""a": {"defaultValue": {"value": "1"}}"#
        let folder = try ImportedFolder([
            "RemoteConfig.json": try Self.template([("when", expression)], parameters)
        ])
        let run = try folder.run("RemoteConfig.json", "--extends", "us", "--dry-run")
        #expect(
            run.output.contains("guessed RemoteConfig.json: conditions.when: conditions.when; \(message)\n"),
            "\(run.output)")
    }

    /// Nobody without the property is in a condition that only denies something of it.
    @Test(arguments: ["notContains", "notExactlyMatches"])
    func negatedPropertyNeedsTheProperty(operation: String) throws {
        let folder = try ImportedFolder([
            "RemoteConfig.json": try Self.template(
                [("when", "app.userProperty['tier'].\(operation)(['gold'])")],
                #""a": {"defaultValue": {"value": "1"}}"#)
        ])
        let run = try folder.run("RemoteConfig.json", "--extends", "us", "--dry-run")
        #expect(run.output.contains(#"when = all { { tier = { is = "present" } }, no { tier ="#), "\(run.output)")
    }

    @Test func numbersOfAFlagHaveOneType() throws {
        let folder = try ImportedFolder([
            "RemoteConfig.json": try Self.template(
                [("iOS", "device.os == 'ios'")],
                #""price": {"defaultValue": {"value": "1"}, "valueType": "NUMBER", "conditionalValues": {"iOS": {"value": "2.5"}}}"#
            )
        ])
        let run = try folder.run("RemoteConfig.json", "--extends", "us")
        #expect(run.status == 0 && !run.output.contains("lost  "), "\(run.output)")
        let market = try folder.market()
        #expect(market.contains("default = 1.0") && market.contains("value = 2.5"), "\(market)")
    }
}
