import CommandTesting
import Foundation
import Testing

/// Suggestions: keys by the end of their path, and links that route nowhere.
@Suite(.timeLimit(.minutes(3)))
struct SuggestionTests {
    @Test func keyIsFoundByEndOfPath() throws {
        let run = try HostRun(["explain", "maxRetries", "-m", "ca"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(run.output.hasPrefix("platform.networking.retry.maxRetries = 4\n"))
        #expect(try HostRun(["show", "retry.jitter"]).output == "platform.networking.retry.jitter = 0.25\n")
    }

    @Test(arguments: [
        (
            ["explain", "suite"],
            "market \"us\" has several keys that end that way: platform.preferences.suite, platform.userDefaultsRegistration.suite\n"
        ),
        (
            ["show", "maxRetires"],
            "market \"us\" has no key \"maxRetires\"; did you mean \"platform.networking.retry.maxRetries\"?\n"
        ),
        (
            ["show", "platform.networkin"],
            "platform of market \"us\" has no key \"networkin\"; did you mean \"networking\"?\n"
        ),
        (
            ["explain", "platform.networkin"],
            "platform of market \"us\" has no key \"networkin\"; did you mean \"networking\"?\n"
        ),
        (
            ["show", "platform.networking.retry.maxAttempts"],
            "platform.networking.retry of market \"us\" has no key \"maxAttempts\"; it was renamed to maxRetries\n"
        ),
        (["explain", "localse"], "market \"us\" has no key \"localse\"; did you mean \"locales\"?\n"),
    ])
    func unknownKeyGetsSuggestion(arguments: [String], text: String) throws {
        let run = try HostRun(arguments + ["-m", "us"])
        #expect(run.status == 1)
        #expect(run.errors == text)
    }

    /// A misspelled option is named, rather than what is missing without it.
    @Test(arguments: [
        (["new", "--plugn"], "Unknown option '--plugn'. Did you mean '--plugin'?"),
        (["open", "--fron", "links.txt"], "Unknown option '--fron'. Did you mean '--from'?"),
        (["diff", "--agianst", "main"], "Unknown option '--agianst'. Did you mean '--against'?"),
        (["new"], "Missing expected argument '<id>'"),
    ])
    func unknownOptionIsReportedFirst(arguments: [String], message: String) throws {
        let run = try HostRun(arguments)
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: \(message)\n"), "\(run.errors)")
    }

    @Test func unroutableLinkSuggestsNearestRoutes() throws {
        let own = try HostRun(["open", "walmart.ca://myacount", "-m", "ca"])
        #expect(own.status == 1)
        #expect(
            own.output.contains("  did you mean \"myaccount\"? (\"myacount\" → \"myaccount\", route of account)\n"),
            "\(own.output)")
        let other = try HostRun(["open", "walmart://carito", "-m", "us"])
        #expect(
            other.output.contains("did you mean \"walmart://cart\"? (route of cart)\n"),
            "\(other.output)")
        let exact = try HostRun(["explain", "walmart://carrito", "-m", "us"])
        #expect(
            exact.output.hasSuffix("did you mean \"walmart.mx://carrito\"? (route of cart in mx)\n"),
            "\(exact.output)")
        let json = try HostRun(["open", "walmart://carito", "-m", "us", "--format", "json"]).json()
        let misses = try #require(json["nearMisses"] as? [[String: Any]])
        #expect(
            misses.contains { $0["market"] as? String == "us" && $0["suggestion"] as? String == "walmart://cart" },
            "a link of the market that was asked")
    }

    @Test(arguments: [
        "https://evil.com/", "https://evil.com/carito", "https://evil.com", "https://www.walmart.mx.evil.com/carrito",
        "evil://carrito", "javascript://carrito",
    ])
    func unrelatedHostOrSchemeGetsNoSuggestion(link: String) throws {
        for command in ["open", "explain"] {
            let run = try HostRun([command, link, "-m", "us"])
            #expect(run.status == 1)
            #expect(!run.output.contains("did you mean"), "\(run.output)")
        }
    }

    @Test func suggestionIsPrintedOnce() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        for id in ["ux", "uy"] {
            let text = "return { id = \"\(id)\", name = \"U\", extends = \"us\" }"
            try Data(text.utf8).write(to: markets.appending(path: "\(id).lua"))
        }
        for command in ["open", "explain"] {
            let run = try HostRun([command, "walmart://acount", "-m", "us", "--markets", markets.path])
            #expect(run.output.split(separator: "did you mean \"account\"").count == 2, "\(run.output)")
        }
    }

    @Test func explainSupportsHeldPreconditions() throws {
        let run = try HostRun(["explain", "walmart://orders", "-m", "us", "--hold", "signedIn"])
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("walmart://orders: waiting\n"), "\(run.output)")
        let typo = try HostRun(["explain", "walmart://orders", "-m", "us", "--hold", "signedin"])
        #expect(typo.status == 2)
        #expect(typo.errors == "--hold: this market has no precondition \"signedin\"; did you mean \"signedIn\"?\n")
    }

    @Test func listIsExplainedByElement() throws {
        let statuses = try HostRun(["explain", "statuses", "-m", "ca"])
        #expect(statuses.status == 0, "\(statuses.errors)")
        #expect(statuses.output.contains("\n  [1] 408  -- markets/us.lua:82:22\n"), "\(statuses.output)")
        #expect(statuses.output.contains("\n  [7] 520  -- markets/ca.lua:51:53 (append)\n"), "\(statuses.output)")
        let options = try HostRun(["explain", "notificationOptions", "-m", "ca"])
        #expect(
            options.output.contains(
                "\n  without \"badge\"  -- markets/ca.lua:86:52 (remove), from markets/us.lua:132:49\n"),
            "\(options.output)")
        let json = try HostRun(["explain", "statuses", "-m", "ca", "--format", "json"]).json()
        let elements = try #require(json["elements"] as? [[String: Any]])
        #expect(elements.count == 7)
        #expect(elements.last?["word"] as? String == "append")
        #expect(elements.first?["word"] is NSNull)
        let inherited = try HostRun(["explain", "linkParameters", "-m", "mx"])
        #expect(inherited.output.contains("\n  [1] \"url\"  -- markets/us.lua:23:24\n"), "\(inherited.output)")
    }

    @Test func droppedKeyIsExplained() throws {
        let run = try HostRun(["explain", "searchRadiusMiles", "-m", "ca"])
        #expect(run.status == 0, "\(run.errors)")
        #expect(
            run.output.hasPrefix(
                """
                platform.userDefaultsRegistration.defaults.searchRadiusMiles = nothing
                  dropped by unset  -- markets/ca.lua:21:63
                  overrides 25.0  -- markets/us.lua:29:113

                """), "\(run.output)")
        let json = try HostRun(["explain", "searchRadiusMiles", "-m", "ca", "--format", "json"]).json()
        #expect(json["value"] is NSNull)
        #expect(json["dropped"] as? String == "markets/ca.lua:21:63")
    }

    @Test(
        arguments: [
            (["show", "currency", "-m", "cz"], 2, "there is no market \"cz\" in markets", "did you mean \"ca\"?"),
            (["diff", "us", "mxx"], 2, "there is no market \"mxx\" in markets", "did you mean \"mx\"?"),
            (
                ["run", "scripts/smok.lua"], 2,
                "cannot read the script scripts/smok.lua: no such file or directory",
                "did you mean \"scripts/smoke.lua\"?"
            ),
            (
                ["run", "smoke"], 2, "cannot read the script smoke: no such file or directory",
                "did you mean \"scripts/smoke.lua\"?"
            ),
            (
                ["show", "platform.netwroking", "-m", "ca"], 1, "platform of market \"ca\" has no key \"netwroking\"",
                "did you mean \"networking\"?"
            ),
        ] as [([String], Int32, String, String?)])
    func unknownNameIsAlsoFinding(arguments: [String], status: Int32, message: String, hint: String?) throws {
        let text = try HostRun(arguments)
        #expect(text.status == status)
        #expect(text.output == "")
        #expect(text.errors == message + (hint.map { "; \($0)" } ?? "") + "\n")
        let run = try HostRun(arguments + ["--format", "json"])
        #expect(run.status == status)
        let finding = try #require((try run.json()["findings"] as? [[String: Any]])?.first)
        #expect(finding["message"] as? String == message)
        #expect(finding["hint"] as? String == hint)
        #expect(finding["severity"] as? String == "error")
    }
}
