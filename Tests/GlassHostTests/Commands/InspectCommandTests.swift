import CommandTesting
import ArgumentParser
import Foundation
import GlassBase
import GlassInspector
import GlassMarkets
import GlassPlatform
import GlassPlatformMocks
import Testing
import TestSupport

@testable import GlassHost

extension InspectorDataSource {
    /// Responds to a request in the default situation.
    func answer(_ question: InspectorRequest) throws -> InspectorResponse {
        try answer(question, in: InspectorSituation())
    }
}

/// `inspect`: its responses about real markets, and how the command starts and ends.
@Suite(.serialized, .timeLimit(.minutes(2)))
struct InspectCommandTests {
    /// The markets of a folder, as the page requests them.
    struct Page {
        let folder: TestFolder
        let markets: URL
        let answers: MarketInspectorDataSource
        let events = Lock<[String]>([])

        init(
            _ prepare: (URL) throws -> Void = { _ in }, editor: String? = nil, options arguments: [String] = []
        ) throws {
            folder = try TestFolder()
            markets = try folder.markets()
            try prepare(markets)
            let options = try GlobalOptions.parse(
                ["--markets", markets.path, "--state", folder.url.path + "/state"] + arguments)
            let program = HostSettings(module: .platform, mocks: Service.platformMocks)
            let session = HostSettings.$current.withValue(program) {
                Session(options, servicesByDefault: .mock, resultLimit: nil)
            }
            answers = try MarketInspectorDataSource(session, editor: editor)
            let events = events
            try answers.follow { text in events.withLock { $0.append(text) } }
        }

        func object(
            _ question: InspectorRequest, in situation: [String: String] = [:]
        ) throws -> [String: Any] {
            let answer = try answers.answer(question, in: InspectorSituation(situation))
            return try #require(try JSONSerialization.jsonObject(with: Data(answer.bytes)) as? [String: Any])
        }

        func columns(
            _ link: String, _ held: [String] = [], in situation: [String: String] = [:]
        ) throws -> [String: [String: Any]] {
            let columns = try object(.link(link, held: held), in: situation)["markets"] as? [[String: Any]] ?? []
            return Dictionary(columns.map { ($0["market"] as? String ?? "", $0) }) { first, _ in first }
        }

        /// Changes a market like an editor would, and loads it.
        func change(_ id: String, _ old: String, _ new: String) throws {
            let file = markets.appending(path: "\(id).lua")
            let text = try String(contentsOf: file, encoding: .utf8)
            #expect(text.contains(old))
            try Data(text.replacing(old, with: new).utf8).write(to: file)
            answers.store.reload(id)
        }
    }

    @Test func everyMarketExplainsLink() throws {
        let page = try Page()
        let columns = try page.columns("walmart.ca://myaccount")
        let dispatch = try #require(columns["ca"]?["dispatch"] as? [String: Any])
        #expect(dispatch["outcome"] as? String == "routed" && dispatch["routable"] as? String == "account")
        #expect((dispatch["navigation"] as? [String: Any])?["tab"] as? String == "account")
        #expect(columns["us"]?["translated"] as? String == "walmart://account")
        #expect((columns["us"]?["explanation"] as? [String: Any])?["reason"] as? String == "unknownScheme")
        // Links do not affect each other.
        let again = try page.columns("walmart.ca://myaccount")
        #expect((again["ca"]?["dispatch"] as? NSDictionary) == (dispatch as NSDictionary))
    }

    @Test func everyMarketAnswersInOneSentence() throws {
        let page = try Page()
        func sentences(_ link: String, _ held: [String] = []) throws -> [String: String] {
            try page.columns(link, held).compactMapValues { ($0["sentence"] as? [String: Any])?["text"] as? String }
        }
        #expect(
            try sentences("walmart.ca://cart") == [
                "ca": "Opens the Cart screen on the Cart tab.",
                "mx": "Not a link of México. It is a link of Canada.",
                "us": "Not a link of United States. It is a link of Canada.",
            ])
        #expect(
            try sentences("walmart.ca://orders", ["signedIn"])["ca"]
                == "Waits until the customer is signed in, then opens the Orders screen on the Account tab.")
        #expect(try sentences("walmart.ca://nothing")["ca"] == "Canada has no screen for this link.")
        #expect(try sentences("walmart.ca://nothing")["mx"] == "Not a link of México. It is a link of Canada.")
        #expect(
            try sentences("https://walmart.ca/ip/42")["ca"] == "Opens in the browser: the app has no screen for it.")
        #expect(try sentences("tel:1").values.allSatisfy { $0.hasPrefix("Not a link of ") && !$0.contains("It is") })
        try page.change("ca", "maxRetries", "maxRetires")
        #expect(
            try sentences("walmart.ca://cart")["ca"]
                == "A link of Canada, but its file has errors, so the link cannot be checked until they are fixed.")
    }

    @Test func cardHasLinksFlagsAndChanges() async throws {
        let page = try Page()
        func card(_ id: String, in situation: [String: String] = [:]) throws -> [String: Any] {
            let markets = try page.object(.state, in: situation)["markets"] as? [[String: Any]] ?? []
            return try #require(markets.first { $0["id"] as? String == id })
        }
        /// Waits until an event has all of the texts.
        func event(_ texts: String...) async throws {
            while !page.events.withLock({ $0.contains { event in texts.allSatisfy { event.contains($0) } } }) {
                try await Task.sleep(for: .milliseconds(5))
            }
        }
        let canada = try card("ca")
        // Flyers and help wait for nothing, so they come first.
        let links = try #require(canada["links"] as? [String])
        #expect(links.prefix(2) == ["walmart.ca://flyers", "walmart.ca://help"] && links.count == 4, "\(links)")
        #expect(links.last?.hasPrefix("https://www.walmart.ca/") == true)
        for link in links {
            let sentence = try page.columns(link)["ca"]?["sentence"] as? [String: Any]
            #expect(sentence?["kind"] as? String == "opens", "\(link)")
        }
        let flag = try #require((canada["flags"] as? [[String: Any]])?.first)
        #expect(flag["name"] as? String == "newCheckout" && flag["value"] as? String == "Off")
        #expect(
            flag["rules"] as? [String] == [
                "Off if region = \"CA-QC\" (rule quebec)", "On if audience = \"associates\" (rule associates)",
                "On for 10% of installations (rule ramp)", "Otherwise off",
            ])
        #expect(canada["overlays"] as? [String] == [] && canada["base"] as? String == "us")
        #expect(try card("ca", in: ["build": "debug"])["overlays"] as? [String] == ["debugBuild"])
        #expect(canada["lastChange"] is NSNull && canada["brokenSince"] is NSNull)

        try page.change("ca", "maxRetries = 4", "maxRetries = 5")
        try await event("applied", "networking.retry.maxRetries")
        let change = try card("ca")["lastChange"] as? [String: Any]
        #expect(change?["lines"] as? [String] == ["platform.networking.retry.maxRetries: 4 → 5"])
        try page.change("ca", "maxRetries", "maxRetires")
        try await event("rejected", "maxRetires")
        let since = try #require(try card("ca")["brokenSince"] as? String)
        // Another save with errors does not change since when.
        try page.change("ca", "maxRetires", "maxRetirse")
        try await event("rejected", "maxRetirse")
        #expect(try card("ca")["brokenSince"] as? String == since)
        try page.change("ca", "maxRetirse", "maxRetries")
        try await event("restored")
        #expect(try card("ca")["brokenSince"] is NSNull)
        #expect(try card("ca")["lastChange"] as? NSDictionary == change as NSDictionary?)
    }

    @Test func filesAreReviewedAgainstCommit() throws {
        let page = try Page()
        // There is no repository yet.
        #expect(throws: InspectorFailure.self) { try page.answers.answer(.review(base: "HEAD")) }
        try GitFixture(in: page.folder.url).commit()
        #expect((try page.object(.review(base: "HEAD"))["changes"] as? [Any])?.isEmpty == true)
        try page.change("ca", "\"myaccount\"", "\"profile\"")
        let changes = try page.object(.review(base: "HEAD"))["changes"] as? [[String: Any]] ?? []
        #expect(changes.first?["severity"] as? String == "breaking")
        #expect(changes.first?["witness"] as? String == "walmart.ca://myaccount")
        for base in ["", "-q", "nothing", "HEAD..HEAD", "HEAD:markets", "\u{0}"] {
            #expect(throws: InspectorFailure.self, "\(base)") { try page.answers.answer(.review(base: base)) }
        }
        // A market that does not load cannot be reviewed, and the response has the reason.
        try page.change("ca", "\"profile\"", "\"profile")
        #expect(throws: InspectorFailure.self) { try page.answers.answer(.review(base: "HEAD")) }
    }

    @Test func heldPreconditionsKeepALinkWaiting() throws {
        let page = try Page()
        let waiting = try page.columns("walmart.ca://myaccount", ["signedIn", "notOfThisMarket"])
        #expect((waiting["ca"]?["dispatch"] as? [String: Any])?["outcome"] as? String == "waiting")
        #expect((waiting["ca"]?["dispatch"] as? [String: Any])?["reason"] as? String == "signedIn")
        let routed = try page.columns("walmart.ca://myaccount")
        #expect((routed["ca"]?["dispatch"] as? [String: Any])?["outcome"] as? String == "routed")
    }

    @Test(arguments: [
        "", " ", "not a link", "javascript:alert(1)", "walmart://<img onerror=alert(1)>", "https://evil.example/",
        "walmart://user:password@ip/42", String(repeating: "a", count: 10_000), "walmart://\u{0}",
        "https://www.walmart.ca/../..",
    ])
    func invalidLinkIsExplained(link: String) throws {
        let columns = try Page().columns(link)
        #expect(columns.count == 3)
        for column in columns.values {
            #expect(column["dispatch"] is NSNull)
            #expect((column["explanation"] as? [String: Any])?["outcome"] as? String != "routed")
        }
    }

    @Test func cardSaysWhatCheckSays() throws {
        let page = try Page()
        try page.change("ca", "locales = { \"en-CA\", \"fr-CA\" }", "locales = { \"en-CA\", \"fr-CA\", \"pl-PL\" }")
        let markets = try page.object(.state)["markets"] as? [[String: Any]] ?? []
        let canada = try #require(markets.first { $0["id"] as? String == "ca" })
        let findings = canada["findings"] as? [[String: Any]] ?? []
        #expect(
            findings.map { $0["message"] as? String } == [
                "\"pl-PL\" is not a locale of CA (Canada), the market's country", "2 secrets are not set",
            ])
    }

    @Test func brokenFileKeepsLastValidVersion() throws {
        let page = try Page()
        try page.change("ca", "maxRetries", "maxRetires")
        let state = try page.object(.state)
        let markets = state["markets"] as? [[String: Any]] ?? []
        let canada = try #require(markets.first { $0["id"] as? String == "ca" })
        #expect(canada["isCurrent"] as? Bool == false && canada["revision"] is String)
        let findings = canada["findings"] as? [[String: Any]] ?? []
        let finding = try #require(findings.first { $0["severity"] as? String == "error" })
        #expect(finding["key"] as? String == "platform.networking.retry.maxRetires")
        #expect(finding["caret"] as? Int == 16)
        let column = try #require(try page.columns("walmart.ca://myaccount")["ca"])
        #expect(column["dispatch"] is NSNull && column["note"] is String)
        #expect((column["explanation"] as? [String: Any])?["outcome"] as? String == "routed")
        try page.change("ca", "maxRetires", "maxRetries")
        #expect(try page.columns("walmart.ca://myaccount")["ca"]?["note"] is NSNull)
    }

    @Test func marketWithoutValidVersionIsListedWithReason() throws {
        let page = try Page { try Data("return {".utf8).write(to: $0.appending(path: "zz.lua")) }
        #expect(try page.columns("walmart://account")["zz"]?["explanation"] is NSNull)
        let failure = #expect(throws: InspectorFailure.self) { try page.answers.answer(.values(market: "zz")) }
        #expect(failure?.message == "the market zz has no valid version yet; its findings say why")
        let missing = #expect(throws: InspectorFailure.self) { try page.answers.answer(.values(market: "yy")) }
        #expect(missing == InspectorFailure("there is no market \"yy\"", isMissing: true))
        #expect(throws: Never.self) { try page.answers.answer(.picture(market: "zz")) }
    }

    @Test func valuesHaveOriginAndOverriddenValues() throws {
        let page = try Page()
        let rows = try page.object(.values(market: "ca"))["values"] as? [[String: Any]] ?? []
        let row = try #require(rows.first { $0["key"] as? String == "platform.networking.retry.maxRetries" })
        #expect(row["text"] as? String == "4")
        #expect((row["position"] as? String)?.hasSuffix("/ca.lua:51:30") == true)
        let beat = try #require((row["beat"] as? [[String: Any]])?.first)
        #expect(beat["text"] as? String == "3" && (beat["position"] as? String)?.hasSuffix("/us.lua:77:22") == true)
        let about = try page.object(.value(market: "ca", key: "maxRetries"))
        #expect(about["accepts"] as? String == "an integer from 0 to 10")
        // Readers of a key are determined by the real services, not by their mocks.
        let readers = try #require(about["readBy"] as? [String])
        #expect(readers.contains("RetryNotifyingFactory") && !readers.contains("LocationPermissionProvider"))
        let misspelled = #expect(throws: InspectorFailure.self) {
            try page.answers.answer(.value(market: "ca", key: "platform.networking.retyr"))
        }
        #expect(misspelled?.message.contains("did you mean \"retry\"?") == true)
    }

    @Test func secretsAreShownByName() throws {
        setenv("GLASS_CA_CONSUMER_KEY", "the value of a secret", 1)
        defer { unsetenv("GLASS_CA_CONSUMER_KEY") }
        let page = try Page()
        let questions: [InspectorRequest] = [
            .state, .values(market: "ca"), .value(market: "ca", key: "platform.networking.consumerKey"), .matrix,
            .comparison("us", "ca"), .schema, .services(market: "ca"), .link("walmart.ca://myaccount", held: []),
        ]
        for question in questions {
            let text = String(decoding: try page.answers.answer(question).bytes, as: UTF8.self)
            #expect(!text.contains("the value of a secret"), "\(question)")
        }
        let values = String(decoding: try page.answers.answer(.values(market: "ca")).bytes, as: UTF8.self)
        #expect(values.contains("GLASS_CA_CONSUMER_KEY"))
    }

    @Test func otherViewsMatchOutputOfCommands() throws {
        let page = try Page()
        let matrix = try HostProcess(["matrix", "--format", "json", "--markets", page.markets.path]).json()
        #expect(try page.object(.matrix)["rows"] as? NSArray == matrix["rows"] as? NSArray)
        let diff = try HostProcess(["diff", "us", "ca", "--format", "json", "--markets", page.markets.path]).json()
        let comparison = try #require((diff["comparisons"] as? [NSDictionary])?.first)
        #expect(try page.object(.comparison("us", "ca")) as NSDictionary == comparison)
    }

    @Test func schemaListsMarketsThatSetKey() throws {
        let rows = try Page().object(.schema)["keys"] as? [[String: Any]] ?? []
        let keys = Dictionary(rows.map { ($0["key"] as? String ?? "", $0) }) { first, _ in first }
        #expect(keys["platform.networking.retry.jitter"]?["usedBy"] as? [String] == ["us"])
        #expect(keys["platform.networking.retry.statuses"]?["usedBy"] as? [String] == ["ca", "us"])
        #expect(keys["platform.networking.retry"]?["usedBy"] as? [String] == ["ca", "mx", "us"])
        #expect(keys["platform.networking.retry.maxRetries"]?["formerNames"] as? [String] == ["maxAttempts"])
        #expect(keys["id"]?["isRequired"] as? Bool == true)
    }

    @Test func commandPrintsURLAndEndsWithCtrlC() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let run = try HostProcess(["inspect", "--markets", markets.path], interruptAfter: "\n")
        #expect(run.status == 130 && run.errors.isEmpty)
        #expect(run.output.wholeMatch(of: /http:\/\/127\.0\.0\.1:[0-9]+\/#token=[0-9a-f]{32}\n/) != nil)
    }

    @Test(arguments: [
        (["--services", "live"], 64, "inspect opens links with mocks only; remove --services live"),
        (["--editor", "https://example.com/{path}"], 64, "--editor takes the URL of an editor"),
        (["--editor", "javascript://{path}"], 64, "--editor takes the URL of an editor"),
        (["--editor", "vscode://file"], 64, "--editor takes the URL of an editor"),
        (["--port", "99999"], 64, "99999"), (["--host", "0.0.0.0"], 64, "Unknown option '--host'"),
        (["--markets", "nowhere"], 2, "nowhere"),
    ])
    func invalidOptionIsReported(options: [String], status: Int, message: String) throws {
        let run = try HostProcess(["inspect"] + options)
        #expect(run.status == Int32(status))
        #expect(run.errors.contains(message), "\(run.errors)")
    }
}
