import CommandTesting
import Foundation
import Testing

/// Values of another type than their key's, and values without a key.
@Suite(.timeLimit(.minutes(5)))
struct ImportValueTests {
    @Test(arguments: [
        ("a.yaml", "networking: { retry: { maxRetries: \"5\" } }\n", "retry = { maxRetries = 5 }"),
        ("a.json", #"{"networking": {"retry": {"jitter": "0.5"}}}"#, "retry = { jitter = 0.5 }"),
        ("a.yaml", "appInfo: { appStoreIdentifier: 338137227 }\n", #"appStoreIdentifier = "338137227""#),
        ("a.yaml", "locales: pt-BR\n", #"locales = { "pt-BR" }"#),
        ("a.xcconfig", "LOCALES = pt-BR en-BR\n", #"locales = { "pt-BR", "en-BR" }"#),
    ])
    func valueThatMeansOneThingIsRead(name: String, text: String, line: String) throws {
        let folder = try ImportedFolder([name: text])
        let run = try folder.run(name, "--extends", "us", "--dry-run")
        #expect(run.output.contains(line) && run.output.contains("mapped  \(name)"), "\(run.output)")
    }

    @Test func numberForAVersionIsLost() throws {
        let folder = try ImportedFolder(["a.yaml": "appInfo: { version: 8.10 }\n"])
        let run = try folder.run("a.yaml", "--extends", "us", "--dry-run")
        #expect(
            run.output.contains("got a number: write it in quotes, because a number loses zeros at its ends;"),
            "\(run.output)")
    }

    @Test func credentialWithoutAKeyIsReported() throws {
        let token = "ghp_0123456789abcdefghijABCDEFGHIJ"
        let folder = try ImportedFolder(["a.json": #"{"partner": {"zugang": "\#(token)"}}"#])
        let run = try folder.run("a.json", "--extends", "us")
        #expect(
            run.output.contains(
                "partner.zugang: no key has this name, and the value looks like a token of GitHub; revoke it, and write secret \"GLASS_BR_ZUGANG\" for the key that needs it\n"
            ), "\(run.output)")
        #expect(!run.output.contains(token))
    }

    /// A rule that never holds changes nothing, so that the flag is kept without it.
    @Test func ruleThatNeverHoldsIsTakenOutAlone() throws {
        let rule = #"{"variation": 0, "clauses": [{"attribute": "country", "op": "in", "values": ["CA"]}]}"#
        let folder = try ImportedFolder([
            "flags.json": """
            {"flags": {"gate": {"on": true, "salt": "s", "offVariation": 1, "variations": [true, false],
              "rules": [\(rule), \(rule)], "fallthrough": {"variation": 1}}}}
            """
        ])
        #expect(
            try folder.values("flags.json", "--extends", "us") == [
                "flags.gate mapped flags.gate", "flags.gate: rule2 lost -",
            ])
    }
}
