import CommandTesting
import Foundation
import Testing

/// Values of another type than their key's, and values without a key.
@Suite(.timeLimit(.minutes(5)))
struct ImportValueTests {
    @Test(arguments: [
        ("a.json", #"{"networking": {"retry": {"maxRetries": "5"}}}"#, "retry = { maxRetries = 5 }"),
        ("a.json", #"{"networking": {"retry": {"jitter": "0.5"}}}"#, "retry = { jitter = 0.5 }"),
        ("a.json", #"{"appInfo": {"appStoreIdentifier": 338137227}}"#, #"appStoreIdentifier = "338137227""#),
        ("a.json", #"{"locales": "pt-BR"}"#, #"locales = { "pt-BR" }"#),
        ("a.xcconfig", "LOCALES = pt-BR en-BR\n", #"locales = { "pt-BR", "en-BR" }"#),
    ])
    func valueThatMeansOneThingIsRead(name: String, text: String, line: String) throws {
        let folder = try ImportedFolder([name: text])
        let run = try folder.run(name, "--extends", "us", "--dry-run")
        #expect(run.output.contains(line) && run.output.contains("mapped  \(name)"), "\(run.output)")
    }

    /// The order of names and files does not matter.
    @Test(arguments: [
        [#"{"legacy": {"maxRetries": 9}, "networking": {"retry": {"maxRetries": 4}}}"#],
        [#"{"networking": {"retry": {"maxRetries": 4}}, "legacy": {"maxRetries": 9}}"#],
        [#"{"legacy": {"maxRetries": 9}}"#, #"{"networking": {"retry": {"maxRetries": 4}}}"#],
        [#"{"a": {"maxRetries": 9}, "b": {"maxRetries": 8}}"#, #"{"networking": {"retry": {"maxRetries": 4}}}"#],
    ])
    func wholeNameWinsOverGuess(texts: [String]) throws {
        let names = texts.indices.map { "\($0).json" }
        let folder = try ImportedFolder(Dictionary(uniqueKeysWithValues: zip(names, texts)))
        let run = try folder.run(names + ["--extends", "us", "--dry-run"])
        #expect(run.output.contains("retry = { maxRetries = 4 }"), "\(run.output)")
        #expect(run.output.contains("mapped  ") && run.output.contains("lost    "), "\(run.output)")
    }

    /// A list that several files make up has no guesses in it.
    @Test(arguments: [["a.json", "Info.plist"], ["Info.plist", "a.json"]])
    func wholeNameOfAListWinsOverGuess(files: [String]) throws {
        let folder = try ImportedFolder([
            "a.json": #"{"app": {"schemes": ["guessed"]}}"#,
            "Info.plist": """
            <plist version="1.0"><dict><key>CFBundleIdentifier</key><string>com.example.loja</string>
            <key>CFBundleURLTypes</key><array><dict><key>CFBundleURLSchemes</key><array><string>loja</string></array>
            </dict></array></dict></plist>
            """,
        ])
        let run = try folder.run(files + ["--extends", "us", "--dry-run"])
        #expect(run.output.contains("schemes = { \"loja\" }"), "\(run.output)")
    }

    /// Nothing says which of two guesses is meant.
    @Test func severalGuessesAreLost() throws {
        let folder = try ImportedFolder([
            "a.json": #"{"dev": {"maxRetries": 0}, "prod": {"maxRetries": 5}, "qa": {"maxRetries": 5}}"#
        ])
        let run = try folder.run("a.json", "--extends", "us", "--dry-run")
        #expect(!run.output.contains("maxRetries = "), "\(run.output)")
        for name in ["dev", "prod", "qa"] {
            #expect(
                run.output.contains(
                    "lost    a.json: \(name).maxRetries: the files have several different values that could belong to platform.networking.retry.maxRetries; "
                ),
                "\(run.output)")
        }
    }

    @Test func numberForAVersionIsLost() throws {
        let folder = try ImportedFolder(["a.json": #"{"appInfo": {"version": 8.10}}"#])
        let run = try folder.run("a.json", "--extends", "us", "--dry-run")
        #expect(
            run.output.contains("got a number: write it in quotes, because a number loses leading and trailing zeros;"),
            "\(run.output)")
    }

    /// A key that has the name is named, whatever is wrong with the value.
    @Test(arguments: [
        (#"{"app": {"version": 5.10}}"#, "app.version: expected a version of numbers and dots"),
        (#"{"market": {"locales": ["pl_PL", "en"]}}"#, "market.locales: expected "),
        (
            #"{"shop": {"waitsForConnectivity": "often"}}"#,
            "shop.waitsForConnectivity: expected true or false, got a string"
        ),
    ])
    func valueThatDoesNotFitItsKeyIsExplained(text: String, message: String) throws {
        let folder = try ImportedFolder(["a.json": text])
        let run = try folder.run("a.json", "--extends", "us", "--dry-run")
        #expect(run.output.contains("lost    a.json: \(message)"), "\(run.output)")
        #expect(run.output.contains("; the key is ") && !run.output.contains("no key has this name"), "\(run.output)")
    }

    /// One field of a table in a list is lost alone.
    @Test func fieldWithoutAKeyIsLostAlone() throws {
        let cookie = #"{"name": "zk_store", "value": "0042", "domain": ".loja.example", "maxAge": 5}"#
        let folder = try ImportedFolder(["a.json": #"{"cookies": {"cookies": [\#(cookie)]}}"#])
        #expect(
            try folder.values("a.json", "--extends", "us") == [
                "cookies.cookies[0].maxAge lost -", "cookies.cookies guessed platform.cookieStorage.cookies",
            ])
        #expect(try folder.run("a.json", "--extends", "us").status == 0)
        #expect(try folder.market().contains(#"name = "zk_store""#))
    }

    /// The check names the environment that lacks a service, not the one whose service is new.
    @Test(arguments: ["https://a.example", "https://\(String(repeating: "a", count: 60)).example"])
    func serviceThatOtherEnvironmentsLackIsLost(url: String) throws {
        let folder = try ImportedFolder([
            "a.json": """
            {"currency": "brl", "environment": {"environments": {"production": {"services": {
              "gateway": "\(url)", "identity": "\(url)"}}}}}
            """
        ])
        #expect(
            try folder.values("a.json", "--extends", "us") == [
                "currency mapped currency", "environment.environments.production.services.gateway lost -",
                "environment.environments.production.services.identity mapped "
                    + "platform.environment.environments.production.services.identity",
            ])
        let run = try folder.run("a.json", "--extends", "us")
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.contains("has this service; every environment needs a base URL for each service\n"))
    }

    /// An environment without a service that other keys name is lost, and nothing else.
    @Test func environmentWithOtherServicesIsLost() throws {
        let folder = try ImportedFolder([
            "a.json": """
            {"environment": {"default": "live", "environments": {"live": {"services": {
              "gateway": "https://a.example", "identity": "https://b.example"}}}},
             "networking": {"retry": {"jitter": 0.3}}}
            """
        ])
        let values = try folder.values("a.json", "--extends", "us")
        #expect(
            values.filter { !$0.contains(" lost ") } == [
                "networking.retry.jitter mapped platform.networking.retry.jitter"
            ])
        #expect(values.count == 4)
        #expect(try folder.run("a.json", "--extends", "us").status == 0)
    }

    /// Files that agree lose a value together.
    @Test func valueOfTwoFilesIsLostInBoth() throws {
        let folder = try ImportedFolder([
            "a.xcconfig": "DEFAULT_SERVICE = nowhere\n", "b.json": #"{"networking": {"default_service": "nowhere"}}"#,
        ])
        #expect(
            try folder.values("a.xcconfig", "b.json", "--extends", "us") == [
                "DEFAULT_SERVICE lost -", "networking.default_service lost -",
            ])
    }

    @Test func credentialWithoutAKeyIsReported() throws {
        let token = "ghp_0123456789abcdefghijABCDEFGHIJ"
        let folder = try ImportedFolder(["a.json": #"{"partner": {"zugang": "\#(token)"}}"#])
        let run = try folder.run("a.json", "--extends", "us")
        #expect(
            run.output.contains(
                "partner.zugang: no key has this name, and the value looks like a GitHub token; revoke it, and write secret \"GLASS_BR_ZUGANG\" for the key that needs it\n"
            ), "\(run.output)")
        #expect(!run.output.contains(token))
    }
}
