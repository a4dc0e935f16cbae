import CommandTesting
import Foundation
import Testing

/// What `import` does with files of keys and values, whatever their format.
@Suite(.timeLimit(.minutes(5)))
struct ImportCommandTests {
    private static let json = """
        {
          "networking": { "retry": { "max_retries": 4, "jitter": "much" } },
          "requestTimeoutSeconds": 20,
          "theme": "dark",
          "currency": "BRL"
        }
        """

    @Test func keysAreMatchedByNameAndType() throws {
        let folder = try ImportedFolder(["config.json": Self.json])
        let run = try folder.run("config.json", "--extends", "us")
        #expect(
            run.output == """
                mapped  config.json: currency: currency
                lost    config.json: networking.retry.jitter: expected a number from 0.0 to 1.0, got a string; the key is platform.networking.retry.jitter
                mapped  config.json: networking.retry.max_retries: platform.networking.retry.maxRetries
                guessed config.json: requestTimeoutSeconds: platform.urlSession.requestTimeoutSeconds; the only key with this name and type
                lost    config.json: theme: no key has this name
                wrote markets/br.lua
                2 mapped, 1 guessed, 2 lost
                next: edit markets/br.lua, then glass-host check br

                """)
        #expect(run.status == 0 && run.errors.isEmpty)
        let market = try folder.market()
        #expect(market.contains("    networking = { retry = { maxRetries = 4 } },\n"))
        #expect(market.contains("requestTimeoutSeconds = 20,  -- guessed from requestTimeoutSeconds\n"))
        #expect(try HostRun(["check", "br"], folder: folder.folder.url).status == 0)
    }

    /// The same values in each format.
    @Test(arguments: [
        "config.json": #"{"networking": {"retry": {"maxRetries": 5}}, "urlSession": {"waitsForConnectivity": true}}"#,
        "config.plist": """
        <plist version="1.0"><dict><key>networking</key><dict><key>retry</key><dict><key>maxRetries</key><integer>5\
        </integer></dict></dict><key>urlSession</key><dict><key>waitsForConnectivity</key><true/></dict></dict></plist>
        """,
        "App.xcconfig": "// App\nNETWORKING_RETRY_MAX_RETRIES = 5\nURL_SESSION_WAITS_FOR_CONNECTIVITY = YES\n",
    ])
    func everyFormatGivesTheSameKeys(name: String, text: String) throws {
        let folder = try ImportedFolder([name: text])
        let run = try folder.run(name, "--extends", "us", "--quiet")
        #expect(run.output == "wrote markets/br.lua\n" && run.status == 0, "\(run.errors)")
        let market = try folder.market()
        #expect(market.contains("networking = { retry = { maxRetries = 5 } },"), "\(market)")
        #expect(market.contains("waitsForConnectivity = true,"), "\(market)")
    }

    @Test func secretsAreTakenOut() throws {
        let (key, token) = ("b1946ac92492d2347c6235b4d2611184", "ghp_0123456789abcdefghijABCDEFGHIJ")
        let folder = try ImportedFolder([
            "config.json": """
            {"networking": {"consumerKey": "\(key)", "headers": {"Authorization": "Bearer \(key)"}}, "appInfo": {"name": "\(token)"}}
            """
        ])
        let run = try folder.run("config.json", "--extends", "us")
        #expect(run.status == 0)
        let market = try folder.market()
        #expect(market.contains("consumerKey = secret \"GLASS_BR_CONSUMER_KEY\""))
        #expect(market.contains("Authorization = secret \"GLASS_BR_AUTHORIZATION\""))
        for text in [run.output, run.errors, market] { #expect(!text.contains(key) && !text.contains(token)) }
        #expect(
            run.output.contains(
                "lost    config.json: appInfo.name: the value looks like a GitHub token, and the key takes no secret: let a service of the app provide it; the key is platform.appInfo.name\n"
            ), "\(run.output)")
    }

    @Test func marketWithoutBaseIsComplete() throws {
        let folder = try ImportedFolder(["config.json": Self.json])
        let run = try folder.run("config.json")
        #expect(run.status == 0, "\(run.errors)")
        let market = try folder.market()
        #expect(market.contains("locales = { \"pt-BR\""))
        #expect(market.contains("bundleIdentifier = undecided \"com.example.br\""))
        let check = try HostRun(["check", "br"], folder: folder.folder.url)
        #expect(check.status == 0 && check.output.contains("undecided"), "\(check.output)")
    }

    @Test func nothingIsOverwritten() throws {
        let folder = try ImportedFolder(["config.json": Self.json, "markets/br.lua": "return {}"])
        let run = try folder.run("config.json")
        #expect(run.status == 2)
        #expect(run.errors == "markets/br.lua exists; choose another id, or remove the file first\n")
        #expect(try folder.market() == "return {}")
    }

    @Test func dryRunWritesNothing() throws {
        let folder = try ImportedFolder(["config.json": Self.json])
        let run = try folder.run("config.json", "--extends", "us", "--dry-run", "-q")
        #expect(run.status == 0)
        #expect(
            run.output.hasPrefix("-- Brazil, imported from config.json") && run.output.hasSuffix(",\n}\n"),
            "\(run.output)"
        )
        #expect(!folder.isWritten)
    }

    @Test func valueThatTheCheckRejectsIsLost() throws {
        let folder = try ImportedFolder([
            "config.json": #"{"networking": {"defaultService": "nowhere", "retry": {"maxRetries": 2}}}"#
        ])
        let run = try folder.run("config.json", "--extends", "us")
        #expect(run.status == 0)
        #expect(
            run.output.contains("lost    config.json: networking.defaultService: platform.networking.defaultService: "))
        #expect(try folder.market().contains("maxRetries = 2"))
        #expect(try !folder.market().contains("nowhere"))
    }

    @Test func filesThatDisagreeAreReported() throws {
        let folder = try ImportedFolder(["a.json": #"{"currency": "BRL"}"#, "b.json": #"{"currency": "USD"}"#])
        let run = try folder.run("a.json", "b.json", "--extends", "us")
        #expect(
            run.output.contains("lost    b.json: currency: currency is already set by a.json: currency\n"),
            "\(run.output)")
    }

    /// What `show` prints of a market is what `import` reads of one.
    @Test func valuesMakeTheRoundTrip() throws {
        let folder = try ImportedFolder()
        for section in ["urlSession", "networking.retry", "address", "permissions", "cookieStorage"] {
            let show = try HostRun(
                ["show", "platform.\(section)", "-m", "us", "--format", "json"], folder: folder.folder.url)
            let value = try #require(try show.json()["value"])
            var tree = value
            for name in section.split(separator: ".").reversed() { tree = [String(name): tree] }
            let data = try JSONSerialization.data(withJSONObject: tree)
            _ = try folder.folder.write(String(decoding: data, as: UTF8.self), to: "\(section).json")
        }
        let run = try HostRun(
            [
                "import", "zz", "urlSession.json", "networking.retry.json", "address.json", "permissions.json",
                "cookieStorage.json", "--extends", "us",
            ],
            folder: folder.folder.url)
        #expect(run.status == 0 && !run.output.contains("lost  "), "\(run.output)")
        for section in ["urlSession", "networking.retry", "address", "permissions", "cookieStorage"] {
            let diff = try HostRun(["show", "platform.\(section)", "-m", "zz"], folder: folder.folder.url)
            let base = try HostRun(["show", "platform.\(section)", "-m", "us"], folder: folder.folder.url)
            #expect(diff.output == base.output, "\(section)")
        }
    }
}
