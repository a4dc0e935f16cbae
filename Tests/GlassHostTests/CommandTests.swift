import CommandTesting
import Foundation
import Testing

@Suite(.serialized, .timeLimit(.minutes(5)))
struct CommandTests {
    // MARK: run

    @Test func smokeScriptPasses() throws {
        let run = try HostRun(["run", "scripts/smoke.lua"])
        #expect(run.status == 0, "\(run.errors)")
        let last = run.output.split(separator: "\n").last.map(String.init) ?? ""
        #expect(last.hasSuffix(" passed, 0 failed"))
        #expect((Int(last.prefix { $0.isNumber }) ?? 0) >= 40)
    }

    @Test func missingScriptExitsWith2() throws {
        let run = try HostRun(["run", "scripts/nothing.lua"])
        #expect(run.status == 2)
        #expect(run.errors == "cannot read the script scripts/nothing.lua: no such file or directory\n")
        #expect(run.output == "")
    }

    @Test func failedTestExitsWith1AndNamesItsLine() throws {
        let folder = try TestFolder()
        let script = try folder.write(
            "glass.test(\"sum\", function()\n  glass.expect(1 + 1):toBe(3)\nend)\n", to: "t.lua")
        let run = try HostRun(["run", script])
        #expect(run.status == 1)
        #expect(run.output.hasPrefix("FAIL sum\n     \(script):2:23: expected 2 to be 3\n"))
        #expect(run.output.hasSuffix("0 passed, 1 failed\n"))
    }

    @Test func scriptErrorExitsWith1AndPrintsTraceback() throws {
        let folder = try TestFolder()
        let script = try folder.write("local function f() error(\"boom\") end\nf()\n", to: "t.lua")
        let run = try HostRun(["run", script])
        #expect(run.status == 1)
        #expect(run.errors.hasPrefix("error: \(script):1:20: boom\n"))
        #expect(run.errors.contains("\(script):2: in main chunk"))
    }

    @Test func endlessScriptEndsAtTimeout() throws {
        let folder = try TestFolder()
        let script = try folder.write("while true do end", to: "t.lua")
        let run = try HostRun(["run", script, "--timeout", "0.2"])
        #expect(run.status == 1)
        #expect(run.errors.contains("\(script):1: time limit exceeded: 200 ms"))
    }

    @Test func memoryBombEndsAtMemoryLimit() throws {
        let folder = try TestFolder()
        let script = try folder.write("local t = {}\nwhile true do t[#t + 1] = {} end", to: "t.lua")
        let run = try HostRun(["run", "--memory", "8", script])
        #expect(run.status == 1)
        #expect(run.errors.contains("memory limit exceeded: 8 MB"))
    }

    @Test func argumentsReachTheScript() throws {
        let folder = try TestFolder()
        let script = try folder.write("print(table.concat(arg, \",\"))", to: "t.lua")
        let run = try HostRun(["run", script, "a", "--", "--b", "-c"])
        #expect(run.output == "a,--b,-c\n")
    }

    @Test func jsonKeepsScriptOutputOffStandardOutput() throws {
        let folder = try TestFolder()
        let script = try folder.write("print(\"hello\") glass.test(\"t\", function() end)", to: "t.lua")
        let run = try HostRun(["--format", "json", "run", script])
        let json = try run.json()
        #expect(json["schema"] as? Int == 1)
        #expect(json["passed"] as? Int == 1)
        #expect(json["error"] is NSNull)
        #expect(run.errors == "hello\n")
    }

    @Test func interruptExitsWith130() throws {
        let folder = try TestFolder()
        let script = try folder.write("print(\"started\") while true do end", to: "t.lua")
        let run = try HostProcess(["run", script], interruptAfter: "started")
        #expect(run.status == 130)
    }

    // MARK: check

    @Test func realMarketsPass() throws {
        let run = try HostRun(["check"])
        #expect(run.status == 0)
        #expect(
            run.output
                == "warning: 6 secrets are not set; --verbose lists them\n3 markets: 0 errors, 6 warnings\n")
        let all = try HostRun(["check", "-v"]).output
        #expect(all.matches(of: /warning: .* is not set/).count == 6)
        #expect(!all.contains("secrets are not set"))
        let json = try HostRun(["check", "--format", "json"]).json()
        #expect((json["findings"] as? [Any])?.count == 6)
    }

    @Test func undecidedIdentityIsReported() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write(
            "return { id = \"zz\", name = \"Z\", extends = \"ca\", currency = \"CAD\", locales = append { \"de-AT\" },\n"
                + "deepLinking = { schemes = { \"z\" }, universalLinks = unset } }", to: "markets/zz.lua")
        let run = try HostRun(["check", "zz"], folder: folder.url)
        #expect(run.status == 0)
        #expect(
            run.output.contains(
                "markets/zz.lua:1:43: warning: extends: platform.appInfo.bundleIdentifier, "
                    + "platform.cookieStorage.sharedGroup, platform.preferences.suite and "
                    + "platform.userDefaultsRegistration.suite are inherited from \"ca\"\n"), "\(run.output)")
        let hint = "hint: set each explicitly, even to the same value, or write inherit = true in their tables\n"
        #expect(run.output.contains(hint))
        let json = try HostRun(["check", "zz", "--format", "json"], folder: folder.url).json()
        let codes = (json["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String }
        #expect(codes?.filter { $0 == "undecided" }.count == 1)
    }

    @Test func fileNameWithUppercaseLettersGetsValidHint() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try FileManager.default.moveItem(
            at: markets.appending(path: "us.lua"), to: markets.appending(path: "US.lua"))
        let run = try HostRun(["check", "US"], folder: folder.url)
        #expect(run.status == 1)
        #expect(run.output.contains("\n  hint: rename the file to us.lua\n"), "\(run.output)")
    }

    @Test(arguments: [
        ("pr", "write id = \"pr\""), ("PR", "rename the file to pr.lua and write id = \"pr\""),
    ])
    func copyOfMarketGetsValidHint(name: String, hint: String) throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try FileManager.default.copyItem(
            at: markets.appending(path: "ca.lua"), to: markets.appending(path: "\(name).lua"))
        let run = try HostRun(["check", name], folder: folder.url)
        #expect(run.output.contains("got \"ca\"\n"))
        #expect(run.output.contains("\n  hint: \(hint)\n"), "\(run.output)")
    }

    @Test func invalidNumberIsReported() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write(
            "return { id = \"zz\", name = \"Z\", extends = \"us\",\n"
                + "platform = { networking = { retry = { jitter = 0/0, multiplier = 1/0 } } } }", to: "markets/zz.lua")
        let run = try HostRun(["check", "zz", "-q"], folder: folder.url)
        #expect(run.output.contains("got NaN"), "\(run.output)")
        #expect(run.output.contains("got infinity"), "\(run.output)")
    }

    @Test func marketsAreFoundFromNestedFolder() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let below = folder.url.appending(path: "docs/deep")
        try FileManager.default.createDirectory(at: below, withIntermediateDirectories: true)
        let run = try HostRun(["show", "currency", "-m", "ca", "-v"], folder: below)
        #expect(run.output.hasPrefix("currency = \"CAD\"  -- ../../markets/ca.lua:9:14"), "\(run.output)\(run.errors)")
        #expect(try HostRun(["test"], folder: below).errors.contains("no folder ../../scripts"))
        // An empty `markets` here takes precedence over one above; above, only a folder with a market counts.
        try FileManager.default.createDirectory(
            at: below.appending(path: "markets"), withIntermediateDirectories: true)
        #expect(try HostRun(["check"], folder: below).errors.contains("there is no market in markets"))
    }

    @Test func globalOptionsAreOnlyInProgramHelp() throws {
        let root = try HostRun(["--help"]).output
        #expect(root.components(separatedBy: "GLOBAL OPTIONS:").count == 2)
        #expect(root.contains("\n  --markets <dir>") && root.contains("\nSUBCOMMANDS:\n"))
        let page = try HostRun(["show", "--help"]).output
        #expect(!page.contains("--markets <dir>") && !page.contains("GLOBAL OPTIONS"))
        #expect(page.contains("see 'glass-host --help'"))
        #expect(try HostRun(["help", "show"]).output == page)
    }

    @Test(arguments: [
        ([], 0, "glass-host --market ca open"), (["--version"], 0, "0.1.0\n"), (["help"], 0, "USAGE: glass-host <"),
        (["open", "--help"], 0, "USAGE: glass-host open ["), (["help", "open"], 0, "USAGE: glass-host open ["),
        (["schema"], 0, "USAGE: glass-host schema <"),
        (["schema", "record", "--help"], 0, "USAGE: glass-host schema record"),
        (["open"], 64, "\nUsage: glass-host open ["), (["check", "--nothing"], 64, "\nUsage: glass-host check ["),
        (["schema", "record", "--nothing"], 64, "\nUsage: glass-host schema record"),
    ])
    func helpAndErrorsUseTheCalledName(arguments: [String], status: Int32, text: String) throws {
        let run = try HostRun(arguments)
        #expect(run.status == status)
        let printed = status == 0 ? run.output : run.errors
        #expect(printed.contains(text), "\(run.output)\(run.errors)")
    }

    @Test func valuesOfOptionAreInHelpAndError() throws {
        let help = try HostRun(["--help"]).output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        #expect(help.contains("(values: auto, always, never; default: auto)"))
        let run = try HostRun(["check", "--color", "sometimes"])
        #expect(run.status == 64)
        #expect(run.errors.contains("Please provide one of 'auto', 'always' or 'never'."), "\(run.errors)")
    }

    @Test func shellCompletesFolders() throws {
        let script = try HostRun(["--generate-completion-script", "fish"]).output
        let line = try #require(script.split(separator: "\n").first { $0.contains("markets") && $0.contains("-l") })
        #expect(line.contains("complete_directories"), "\(line)")
    }

    @Test func committedCommandPageIsUpToDate() throws {
        let run = try HostRun(["--generate-markdown-page"])
        let page = "Sources/GlassHost/GlassHost.docc/Commands.md"
        let committed = try String(contentsOf: CommandRun.repository.appending(path: page), encoding: .utf8)
        #expect(run.output == committed, "renew it: scripts/glass-host --generate-markdown-page > \(page)")
        #expect(run.status == 0)
    }

    @Test func manualPageIsMadeByGenerator() throws {
        let run = try HostRun(["--generate-manual-page"])
        #expect(run.status == 64 && run.output.isEmpty)
        #expect(
            run.errors
                == "--generate-manual-page was removed; scripts/install makes manual pages with ArgumentParser's generate-manual\n"
        )
    }

    @Test(arguments: [40, 80, 200])
    func servicesFitTerminalWidth(width: Int) throws {
        let run = try HostRun(["services"], environment: ["COLUMNS": "\(width)"])
        let lines = run.output.split(separator: "\n")
        #expect((lines.map(\.count).max() ?? 0) <= width)
        #expect(lines.contains { $0.hasPrefix("UserDefaultsRegistrationAPI ") && $0.contains(" yes") }, "\(run.output)")
        #expect(!run.output.contains("…"), "\(run.output)")
    }

    @Test func singleServiceIsShownInFull() throws {
        let run = try HostRun(["services", "AnalyticsTracking"])
        #expect(run.status == 0)
        #expect(run.output.hasPrefix("AnalyticsTracking: Receives events"))
        #expect(run.output.contains("\n  needs: Analytics\n") && run.output.contains("\n  needed by: "))
        let wrong = try HostRun(["services", "Netwroking"])
        #expect(wrong.status == 2)
        #expect(wrong.errors == "the market us has no service \"Netwroking\"; did you mean \"Networking\"?\n")
    }

    @Test(arguments: [["diff", "us", "ca"], ["doctor"]])
    func outputWrapsBetweenWords(arguments: [String]) throws {
        let wide = try HostRun(arguments, environment: ["COLUMNS": "1000"])
        let narrow = try HostRun(arguments, environment: ["COLUMNS": "60"])
        func words(_ text: String) -> [Substring] { text.split { $0 == " " || $0 == "\n" } }
        #expect(words(narrow.output.replacing("60 columns", with: "1000 columns")) == words(wide.output))
        for line in narrow.output.split(separator: "\n") where line.count > 60 {
            // Only a word that is wider than the line may exceed it.
            #expect(words(String(line)).count == 1 || words(String(line)).contains { $0.count > 40 }, "\(line)")
        }
    }

    @Test(arguments: [
        ["new", "zz", "--markets", "README.md"], ["doctor", "--state", "README.md"],
        ["check", "--markets", "README.md"],
    ])
    func invalidFolderIsReportedWithoutErrorTypeNames(arguments: [String]) throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        _ = try folder.write("x", to: "README.md")
        let run = try HostRun(arguments, folder: folder.url)
        #expect(run.status == 1 || run.status == 2)
        let said = run.output + run.errors
        #expect(said.lowercased().contains("not a directory"), "\(said)")
        #expect(!said.contains("Cocoa") && !said.contains("Code="), "\(said)")
    }

    @Test func setSecretsCauseNoWarning() throws {
        let names = ["US", "CA", "MX"].flatMap { ["GLASS_\($0)_CONSUMER_KEY", "GLASS_\($0)_ANIVIA_WRITE_KEY"] }
        let run = try HostRun(["check"], environment: Dictionary(uniqueKeysWithValues: names.map { ($0, "x") }))
        #expect(run.output == "3 markets: 0 errors, 0 warnings\n")
        #expect(run.status == 0)
    }

    @Test func typoIsReportedAtItsPosition() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacingOccurrences(of: "maxRetries", with: "maxRetires").write(
            to: file, atomically: true, encoding: .utf8)
        let run = try HostRun(["check", "--markets", markets.path])
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                """
                \(markets.path)/ca.lua:51:17: error: platform.networking.retry.maxRetires: unknown key
                   51 |       retry = { maxRetires = 4, statuses = append { 520 } },
                      |                 ^
                  hint: did you mean "maxRetries"?
                """))
        let json = try HostRun(["check", "ca", "--markets", markets.path, "--format", "json"]).json()
        let finding = try #require(
            (json["findings"] as? [[String: Any]])?.first { $0["severity"] as? String == "error" })
        #expect(finding["code"] as? String == "unknownKey")
        #expect(finding["line"] as? Int == 51 && finding["column"] as? Int == 17)
        #expect(finding["key"] as? String == "platform.networking.retry.maxRetires")
    }

    @Test func formerKeyNameIsReportedWithNewName() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacing("maxRetries", with: "maxAttempts").write(to: file, atomically: true, encoding: .utf8)
        let run = try HostRun(["check", "ca", "--markets", markets.path])
        #expect(run.status == 1)
        #expect(
            run.output.contains(
                """
                \(markets.path)/ca.lua:51:17: error: platform.networking.retry.maxAttempts: this key was renamed to maxRetries
                   51 |       retry = { maxAttempts = 4, statuses = append { 520 } },
                      |                 ^
                  hint: write maxRetries
                """))
        let json = try HostRun(["check", "ca", "--markets", markets.path, "--format", "json"]).json()
        let finding = try #require(
            (json["findings"] as? [[String: Any]])?.first { $0["severity"] as? String == "error" })
        #expect(finding["code"] as? String == "renamedKey")
        #expect(finding["line"] as? Int == 51 && finding["column"] as? Int == 17)
        #expect(finding["key"] as? String == "platform.networking.retry.maxAttempts")
        #expect(finding["hint"] as? String == "write maxRetries")
    }

    @Test func quietPrintsOnlyFindings() throws {
        let run = try HostRun(["check", "-q"])
        #expect(run.output == "")
        #expect(run.status == 0)
        #expect(try HostRun(["run", "-q", "scripts/smoke.lua"]).output == "")
    }

    @Test func verbosePrintsCostOfEachMarket() throws {
        let run = try HostRun(["check", "-v"])
        #expect(run.output.contains("MARKET  ROUTES  SERVICES  CPU"))
    }

    @Test func unreadableFileDoesNotHideOtherFindings() throws {
        let folder = try TestFolder()
        _ = try folder.write("return { id = \"aa\", extends = 3 }", to: "aa.lua")
        try FileManager.default.createDirectory(
            at: folder.url.appending(path: "dd.lua"), withIntermediateDirectories: false)
        let run = try HostRun(["check", "--markets", folder.url.path])
        #expect(run.status == 2)
        #expect(run.output.contains("/aa.lua:1:31: error: extends: "))
        #expect(run.errors.contains("dd.lua: it is not a regular file"))
        let json = try HostRun(["check", "--markets", folder.url.path, "--format", "json"]).json()
        #expect(
            (json["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String } == ["wrongType", "unreadable"])
    }

    @Test func unreadableFileExitsWith2() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        try FileManager.default.createDirectory(
            at: markets.appending(path: "dd.lua"), withIntermediateDirectories: false)
        let run = try HostRun(["check", "--markets", markets.path])
        #expect(run.status == 2)
        #expect(run.errors == "cannot read \(markets.path)/dd.lua: it is not a regular file\n")
    }

    @Test func missingMarketExitsWith2() throws {
        let run = try HostRun(["check", "cq"])
        #expect(run.status == 2)
        #expect(run.errors == "there is no market \"cq\" in markets; did you mean \"ca\"?\n")
    }

    @Test func emptyFolderExitsWith2() throws {
        let folder = try TestFolder()
        let run = try HostRun(["check", "--markets", folder.url.path])
        #expect(run.status == 2)
        #expect(run.errors == "there is no market in \(folder.url.path); name another folder with --markets DIR\n")
    }

    // MARK: open

    @Test(arguments: [
        (["open", "walmart://account"], 0, "routed account (account)\n  tab account › account\n"),
        (
            ["--market", "ca", "open", "walmart.ca://myaccount"], 0,
            "routed account (myaccount)\n  tab account › account\n"
        ),
        (
            ["--market", "ca", "open", "walmart.ca://account"], 1,
            """
            unroutable
              no route matches the link
              did you mean "myaccount"? ("account" → "myaccount", route of account)
              did you mean "walmart://account"? ("walmart.ca://account" → "walmart://account", route of account in us)

            """
        ),
        (
            ["open", "walmart://orders", "--hold", "signedIn"], 1,
            "waiting orders (orders)\n  the link waits for signedIn\n"
        ),
        (
            ["open", "https://help.walmart.com/x"], 1,
            "external\n  no route matches the link; its domain may open outside the app\n"
        ),
        (["open", "https://www.walmart.com/ip/12", "--dry-run"], 0, "routed item (ip/:itemID(int))\n  itemID = 12\n"),
    ])
    func outcomeOfLinkIsPrinted(arguments: [String], status: Int32, output: String) throws {
        let run = try HostRun(arguments)
        #expect(run.status == status)
        #expect(run.output == output)
    }

    @Test(arguments: ["", "account", "walmart://ip/../x", "https://www.walmart.com@evil.com/account"])
    func invalidLinkIsRejected(link: String) throws {
        let run = try HostRun(["open", link, "--format", "json"])
        #expect(run.status == 1)
        #expect(try run.json()["outcome"] as? String == "refused")
    }

    @Test func jsonOfLinkHasAllKeys() throws {
        let run = try HostRun(["open", "walmart://cart?a=1&a=2&b", "--format", "json"])
        #expect(
            run.output.filter { !$0.isWhitespace }
                == """
                {"market":"us","navigation":{"screens":[{"name":"cart","parameters":{}}],"tab":"cart"},"nearMisses":[],"outcome":"routed","parameters":{},"pattern":"cart",\
                "query":[{"name":"a","value":"1"},{"name":"a","value":"2"},{"name":"b","value":null}],"reason":null,\
                "routable":"cart","schema":1,"situations":[]}
                """)
    }

    @Test func unknownPreconditionExitsWith2() throws {
        let run = try HostRun(["open", "walmart://cart", "--hold", "signedin"])
        #expect(run.status == 2)
        #expect(run.errors == "--hold: this market has no precondition \"signedin\"; did you mean \"signedIn\"?\n")
    }

    @Test func marketComesFromEnvironmentUnlessNamed() throws {
        #expect(try HostRun(["open", "walmart.mx://mi-cuenta"], environment: ["GLASS_MARKET": "mx"]).status == 0)
        #expect(
            try HostRun(["open", "walmart://account", "-m", "us"], environment: ["GLASS_MARKET": "mx"]).status == 0)
    }

    @Test func editedPathRoutesWithoutCompiling() throws {
        let folder = try TestFolder()
        let markets = try folder.markets()
        let file = markets.appending(path: "ca.lua")
        let text = try String(contentsOf: file, encoding: .utf8)
        try text.replacingOccurrences(of: "\"myaccount\"", with: "\"profile\"").write(
            to: file, atomically: true, encoding: .utf8)
        let run = try HostRun(["--markets", markets.path, "-m", "ca", "open", "walmart.ca://profile"])
        #expect(run.status == 0)
    }

    // MARK: open --from

    @Test func linkFileIsReplayedAndComparedWithRecord() throws {
        let folder = try TestFolder()
        let links = try folder.write(
            "walmart://account\n\n# a comment\nwalmart://ip/4\r\nwalmart://nope\n", to: "links.txt")
        let recorded = try HostRun(["open", "--from", links, "--format", "json"])
        #expect(recorded.status == 1)
        #expect(
            recorded.output.hasPrefix(
                """
                {"link":"walmart://account","outcome":"routed","parameters":{},"pattern":"account","reason":null,"routable":"account","schema":1}
                {"link":"walmart://ip/4","outcome":"routed","parameters":{"itemID":"4"},"pattern":"ip/:itemID(int)","reason":null,"routable":"item","schema":1}
                {"link":"walmart://nope","outcome":"unroutable","parameters":{},"pattern":null,"reason":"noRoute","routable":null,"schema":1}
                {"links":3,"nearMatches":[],"outcomes":{"routed":2,"unroutable":1},"patterns":{"account":1,"ip/:itemID(int)":1},"routables":{"account":1,"item":1},"schema":1,
                """))
        let golden = try folder.write(recorded.output, to: "links.golden")
        let same = try HostRun(["open", "--from", links, "--golden", golden, "--format", "json"])
        #expect(same.status == 0)
        #expect(same.output.hasPrefix("{\"changes\":0,\"links\":3"))
        _ = try folder.write("walmart://account\nwalmart://ip/4\nwalmart://cart\n", to: "links.txt")
        let changed = try HostRun(["open", "--from", links, "--golden", golden])
        #expect(changed.status == 1)
        #expect(
            changed.output.hasPrefix(
                "line 3: walmart://cart\n  was walmart://nope, unroutable: noRoute\n  is  routed cart (cart)\n"))
        #expect(changed.output.hasSuffix("3 links, 1 changed\n"))
        _ = try folder.write("walmart://account\n", to: "links.txt")
        #expect(
            try HostRun(["open", "--from", links, "--golden", golden]).output.hasSuffix("1 link, 2 changed\n"))
    }

    @Test func missingLinkFileExitsWith2() throws {
        #expect(try HostRun(["open", "--from", "/nowhere/links.txt"]).status == 2)
        #expect(try HostRun(["open"]).status == 64)
        #expect(try HostRun(["open", "a://b", "--from", "x"]).status == 64)
        #expect(try HostRun(["open", "a://b", "--golden", "x"]).status == 64)
    }

    // MARK: routes, services, show

    @Test func verboseRoutesHavePositions() throws {
        let run = try HostRun(["routes", "-m", "ca", "-v"])
        #expect(run.status == 0)
        let line = run.output.split(separator: "\n").first { $0.hasPrefix("myaccount ") }
        #expect(line?.hasSuffix("markets/ca.lua:90:27") == true, "\(line ?? "")")
        #expect(run.output.contains("routes; the worst-case link, \""))
        #expect(run.output.contains("\", visits "))
    }

    @Test func everyServiceIsListedLiveAndMocked() throws {
        let live = try HostRun(["services", "--format", "json"])
        let mock = try HostRun(["services", "--format", "json", "--services", "mock"])
        #expect(live.status == 0 && mock.status == 0)
        let names = try (live.json()["services"] as? [[String: Any]])?.compactMap { $0["name"] as? String }
        #expect(names == names?.sorted())
        #expect(names?.count == 34)
        let implementations = try (mock.json()["services"] as? [[String: Any]])?.compactMap {
            $0["implementation"] as? String
        }
        #expect(implementations?.filter { $0.hasSuffix("Mock") }.count == 33)
    }

    @Test func showPrintsEffectiveValuesWithoutSecrets() throws {
        let run = try HostRun(
            ["show", "platform.networking", "-m", "ca"], environment: ["GLASS_CA_CONSUMER_KEY": "hunter2"])
        #expect(run.status == 0)
        #expect(run.output.contains("platform.networking.retry.maxRetries = 4\n"))
        #expect(run.output.contains("platform.networking.consumerKey = <secret GLASS_CA_CONSUMER_KEY>\n"))
        #expect(!run.output.contains("hunter2"))
        let verbose = try HostRun(["show", "platform.networking.retry.jitter", "-m", "ca", "-v"])
        #expect(verbose.output == "platform.networking.retry.jitter = 0.25  -- markets/us.lua:81:18\n")
    }

    @Test func showNamesPlatformsOfKey() throws {
        let run = try HostRun(["show", "platform.urlSession.waitsForConnectivity", "-v"])
        #expect(run.output.hasSuffix("= true  -- markets/us.lua:71:30, applies on: Apple\n"))
    }

    @Test func showSuggestsNearestKey() throws {
        let run = try HostRun(["show", "platform.networkin"])
        #expect(run.status == 1)
        #expect(run.errors == "platform of market \"us\" has no key \"networkin\"; did you mean \"networking\"?\n")
    }

    @Test func showNamesRenamedKey() throws {
        let run = try HostRun(["show", "platform.networking.retry.maxAttempts"])
        #expect(run.status == 1)
        #expect(
            run.errors
                == "platform.networking.retry of market \"us\" has no key \"maxAttempts\"; it was renamed to maxRetries\n"
        )
    }

    @Test func showAsJSONIsOneObject() throws {
        let json = try HostRun(["show", "platform.networking.retry", "--format", "json"]).json()
        #expect(json["schema"] as? Int == 1)
        #expect((json["value"] as? [String: Any])?["maxRetries"] as? Int == 3)
    }

    // MARK: explain

    @Test func explainNamesOriginAndOverriddenValues() throws {
        let run = try HostRun(["explain", "platform.networking.retry.maxRetries", "-m", "ca"])
        #expect(run.status == 0)
        #expect(
            run.output == """
                platform.networking.retry.maxRetries = 4
                  from markets/ca.lua:51:30
                  overrides 3  -- markets/us.lua:77:22
                  The maximum number of retries of a failed request.
                  accepts an integer from 0 to 10
                  remote configuration may change it
                  read by MediaNetworking, Networking, RetryNotifyingFactory

                """)
    }

    @Test func explainShowsRemoteConfigurationAsTopLayer() throws {
        let folder = try TestFolder()
        let state = folder.url.appending(path: "state")
        let file = state.appending(path: "ca/remote-configuration.json")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        let arguments = ["explain", "platform.networking.retry.maxRetries", "-m", "ca", "--state", state.path]
        func keep(_ retry: String) throws {
            let kept = #"{"platform":{"networking":{"retry":\#(retry)}}}"#
            try Data(
                #"{"schema":1,"earlier":[],"receivedAt":1795341600,"configuration":\#(kept)}"#.utf8
            ).write(to: file)
        }
        try keep(#"{"maxRetries":7}"#)
        let run = try HostRun(arguments)
        #expect(run.status == 0)
        #expect(
            run.output.hasPrefix(
                """
                platform.networking.retry.maxRetries = 7
                  from remote configuration of 2026-11-22T10:00:00Z (\(file.path))
                  overrides 4  -- markets/ca.lua:51:30
                  overrides 3  -- markets/us.lua:77:22

                """), "\(run.output)")
        let json = try HostRun(arguments + ["--format", "json"]).json()
        #expect(json["value"] as? Int == 7 && json["isRemote"] as? Bool == true)
        #expect(json["remote"] as? String == "remote configuration of 2026-11-22T10:00:00Z (\(file.path))")
        #expect((json["beat"] as? [Any])?.count == 2)
        // A configuration that an app would reject is not a layer, and the reason is printed.
        try keep(#"{"maxRetries":70}"#)
        let refused = try HostRun(arguments)
        #expect(refused.output.hasPrefix("platform.networking.retry.maxRetries = 4\n  from markets/ca.lua:51:30\n"))
        #expect(
            refused.errors == "the remote configuration is not used: platform.networking.retry.maxRetries: expected an "
                + "integer from 0 to 10, got 70\n")
    }

    @Test func explainNamesReadersOfKeyAndHidesSecrets() throws {
        let json = try HostRun(
            ["explain", "platform.appInfo.version", "-m", "mx", "--format", "json"]
        ).json()
        #expect(json["readBy"] as? [String] == ["AppInfoAPI"])
        #expect((json["beat"] as? [[String: Any]])?.first?["value"] as? String == "24.3.0")
        let secret = try HostRun(
            ["explain", "platform.networking.consumerKey"], environment: ["GLASS_US_CONSUMER_KEY": "hunter2"])
        #expect(secret.output.hasPrefix("platform.networking.consumerKey = <secret GLASS_US_CONSUMER_KEY>\n"))
        #expect(!secret.output.contains("hunter2"))
    }

    @Test func explainSuggestsNearestKey() throws {
        let run = try HostRun(["explain", "platform.networkin"])
        #expect(run.status == 1)
        #expect(run.errors == "platform of market \"us\" has no key \"networkin\"; did you mean \"networking\"?\n")
    }

    @Test func explainNamesRoutableThatOpensLink() throws {
        let routed = try HostRun(["explain", "walmart://account"])
        #expect(routed.status == 0)
        #expect(
            routed.output == """
                walmart://account: routed
                gate: passed
                scheme: walmart
                segments: account
                + account (account): matches, most specific
                waits for: appStarted, signedIn, storeSelected
                goes to: tab account › account

                """)
        let missed = try HostRun(["explain", "walmart://acount"])
        #expect(missed.status == 1)
        #expect(missed.output.contains("did you mean \"account\"? (\"acount\" → \"account\", route of account)\n"))
        let foreign = try HostRun(["explain", "walmart.ca://myaccount", "-m", "us", "--format", "json"])
        #expect(foreign.status == 1)
        #expect(try foreign.json()["takers"] as? [String] == ["ca"])
        let refused = try HostRun(["explain", "https://www.walmart.com@evil.com/"])
        #expect(refused.output.contains("gate: "))
        #expect(refused.status == 1)
    }

    @Test(
        arguments: [
            ("walmart://account", "ca", 0, "walmart.ca://myaccount\n"),
            ("https://www.walmart.com/cart", "mx", 0, "https://www.walmart.com.mx/carrito\n"),
            ("walmart://pharmacy", "ca", 1, ""), ("walmart://nothing", "ca", 1, ""), ("walmart://account", "cq", 2, ""),
        ] as [(String, String, Int32, String)])
    func linkIsTranslatedIntoAnotherMarket(link: String, market: String, status: Int32, output: String) throws {
        let run = try HostRun(["open", link, "--translate-to", market])
        #expect(run.status == status)
        #expect(run.output == output)
    }

    // MARK: export

    @Test(arguments: [
        ("aasa", "\"appIDs\": [\"CA7W4LMART.com.walmart.canada\"]"),
        ("assetlinks", "\"package_name\": \"com.walmart.android.ca\""),
        ("intent-filters", "<data android:host=\"www.walmart.ca\" />"), ("info-plist", "<string>walmart.ca</string>"),
        ("entitlements", "applinks:www.walmart.ca"), ("links-md", "`myaccount`"),
        ("links-md", "\n## Legend\n\n- exact: "),
    ])
    func fileIsExportedFromRoutes(file: String, part: String) throws {
        let run = try HostRun(["export", file, "-m", "ca"])
        #expect(run.status == 0)
        #expect(run.output.contains(part))
    }

    @Test(arguments: [
        ("aasa", ""), ("assetlinks", ""), ("info-plist", ""), ("entitlements", ""),
        ("intent-filters", "on Android below"),
        ("links-md", "on Android below"),
    ])
    func exportEndsWithLineFeedAndWarns(file: String, warning: String) throws {
        let run = try HostRun(["export", file, "-m", "ca"])
        #expect(run.output.hasSuffix("\n") && !run.output.hasSuffix("\n\n"))
        #expect(warning.isEmpty ? run.errors == "" : run.errors.contains(warning), "\(run.errors)")
    }

    @Test func siteFileIsJSONAndRoutesHaveLabels() throws {
        let run = try HostRun(["export", "aasa", "--format", "json"])
        let json = try run.json()
        let content = try #require(json["content"] as? String)
        #expect(try JSONSerialization.jsonObject(with: Data(content.utf8)) is [String: Any])
        let labels = try #require(json["labels"] as? [[String: Any]])
        #expect(
            Set(labels.compactMap { $0["target"] as? String })
                == ["aasa", "android-35", "android-31", "url-types"])
        #expect(labels.allSatisfy { $0["fit"] as? String == "exact" || ($0["rules"] as? [String])?.isEmpty == false })
        #expect(try HostRun(["export", "aasa", "--labels"]).output.hasPrefix("MARKET"))
        let all = try HostRun(["export", "aasa", "--all"])
        #expect(all.status == 1)
        #expect(all.errors.contains("choose one with --host: www.walmart.ca, www.walmart.com.mx, www.walmart.com"))
        let one = try HostRun(["export", "aasa", "--all", "--host", "www.walmart.com.mx"])
        #expect(one.status == 0)
        #expect(one.output.contains("MX7W4LMART.com.walmart.mexico"))
        #expect(try HostRun(["export", "robots"]).status == 64)
    }

    // MARK: The command line

    @Test(arguments: [
        ["opne", "x"], ["open"], ["open", "a", "b"], ["run"], ["run", "x.lua", "--timeout", "-1"],
        ["check", "--format", "xml"], ["run", "x.lua", "--collector", "http://collector.example.com"],
    ])
    func invalidUsageExitsWith64(arguments: [String]) throws {
        let run = try HostRun(arguments)
        #expect(run.status == 64)
        #expect(run.output == "")
    }

    /// A script can make a service print messages without limit.
    @Test func serviceMessagesAreLimited() throws {
        let folder = try TestFolder()
        _ = try folder.markets()
        let limit = CommandRun.outputLimit
        let script = try folder.write(
            """
            local handler = glass.market("us").container:get("ApplicationURLHandler")
            local link = "https://www.walmart.com/" .. ("x"):rep(1500)
            for i = 1, \(limit / 1290) do handler:open(link) end
            """, to: "s.lua")
        // Under a sanitizer, the calls take longer than a script's default time limit.
        let run = try HostRun(["run", script, "--timeout", "300"], folder: folder.url, outputLimit: limit)
        #expect(run.status == 0)
        #expect(run.errors.utf8.count <= limit * 17 / 16)
        #expect(run.errors.hasPrefix("would open https://www.walmart.com/xxx"))
        #expect(run.errors.hasSuffix("\nthe messages of services exceed \(limit >> 20) MB; the rest is omitted\n"))
    }

    /// The argument parser repeats an argument on one line of its message only.
    @Test(arguments: [
        ["check", "--\nerror: forged"], ["check", "--no\tsuch=\nerror: forged"], ["open", "a", "\nerror: forged"],
        ["graph", "--as", "dot\nerror: forged"], ["run", "x", "--timeout", "1\nerror: forged"],
        ["check", "--format=\nerror: forged"], ["check", "-\nerror: forged"],
        ["matrix", "--below", "..\nerror: forged"],
        ["help", "\nerror: forged"], ["new", "\nerror: forged"], ["open", "--golden", "\nerror: forged", "a://b"],
    ])
    func usageErrorsEscapeLinesOfArguments(arguments: [String]) throws {
        let run = try HostRun(arguments)
        #expect(run.status == 64)
        let lines = (run.errors + run.output).split(separator: "\n")
        #expect(!lines.contains { $0.hasPrefix("error: forged") }, "\(run.errors)")
        #expect(!run.errors.contains("\t"))
    }

    @Test func collectorURLMustBeHTTPSOrLocal() throws {
        let errors = try HostRun(["run", "x.lua", "--collector", "http://collector.example.com"]).errors
        #expect(
            errors.contains(
                "--collector: expected an https URL without query, such as \"https://api.walmart.ca/v1\", "
                    + "got \"http://collector.example.com\""), "\(errors)")
    }

    @Test func mistypedCommandGetsSuggestion() throws {
        #expect(try HostRun(["opne", "x"]).errors == "there is no command \"opne\"; did you mean \"open\"?\n")
    }

    @Test(arguments: [
        "run", "check", "fix", "open", "routes", "services", "show", "explain", "export", "graph", "test", "repl",
        "new", "import",
        "doctor",
        "schema",
    ])
    func everyCommandHasHelpWithAnExample(command: String) throws {
        let run = try HostRun([command, "--help"])
        #expect(run.status == 0)
        #expect(run.output.contains("EXAMPLES\n  glass-host "))
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func completionScriptNamesCommands(shell: String) throws {
        let run = try HostRun(["--generate-completion-script", shell])
        #expect(run.status == 0)
        #expect(run.output.contains("explain") && run.output.contains("doctor"))
    }

    @Test func globalOptionsMayPrecedeOrFollowCommand() throws {
        let before = try HostRun(["--market=ca", "--format", "json", "-q", "show", "currency"])
        let after = try HostRun(["show", "currency", "-m", "ca", "--format=json", "--quiet"])
        #expect(before.status == 0)
        #expect(before.output == after.output)
    }

    @Test func unknownOptionBeforeCommandIsReported() throws {
        let run = try HostRun(["--markets", "markets", "--jsn", "check"])
        #expect(run.status == 64)
        #expect(run.errors.hasPrefix("Error: Unknown option '--jsn'"))
        #expect(try HostRun(["-m=ca", "show", "id"]).output == "id = \"ca\"\n")
    }

    @Test func resultsAreColoredOnlyOnRequest() throws {
        #expect(try !HostRun(["routes"]).output.contains("\u{1B}["))
        #expect(try HostRun(["routes", "--color", "always"]).output.contains("\u{1B}[1m"))
    }

    @Test func closedPipeEndsCommandWithoutLeftovers() throws {
        let folder = try TestFolder()
        let links = try folder.write(String(repeating: "walmart://account\n", count: 200_000), to: "links.txt")
        let temporary = folder.url.appending(path: "tmp")
        try FileManager.default.createDirectory(at: temporary, withIntermediateDirectories: true)
        let shell = Process()
        shell.executableURL = URL(fileURLWithPath: "/bin/bash")
        shell.arguments = [
            "-c", "\(HostProcess.executable.path) open --from \(links) | head -1; exit ${PIPESTATUS[0]}",
        ]
        shell.currentDirectoryURL = CommandRun.repository
        shell.environment = HostProcess.environment(["TMPDIR": temporary.path])
        shell.standardOutput = FileHandle.nullDevice
        try shell.run()
        shell.waitUntilExit()
        #expect(shell.terminationStatus == 141)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
    }

    @Test func runLeavesNothingBehindByDefault() throws {
        let folder = try TestFolder()
        let temporary = folder.url.appending(path: "tmp")
        let home = folder.url.appending(path: "home")
        let state = folder.url.appending(path: "state")
        for made in [temporary, home] {
            try FileManager.default.createDirectory(at: made, withIntermediateDirectories: true)
        }
        let environment = ["TMPDIR": temporary.path, "HOME": home.path]
        #expect(try HostRun(["run", "scripts/smoke.lua"], environment: environment).status == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: temporary.path) == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: home.path) == [])
        #expect(try HostRun(["services", "--state", state.path], environment: environment).status == 0)
        #expect(FileManager.default.fileExists(atPath: state.path))
    }

    @Test func stateFolderIsPrivate() throws {
        let folder = try TestFolder()
        let state = folder.url.appending(path: "state")
        try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
        func setMode(_ mode: Int) throws {
            try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: state.path)
        }
        func mode() throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: state.path)[.posixPermissions] as? Int
        }
        let note = "other users could open the state folder \(state.path); now only its owner can (0700)\n"
        try setMode(0o755)
        let told = try HostRun(["services", "-v", "--state", state.path])
        #expect(told.status == 0)
        #expect(told.errors == note)
        #expect(try mode() == 0o700)
        #expect(try HostRun(["services", "-v", "--state", state.path]).errors == "")
        try setMode(0o755)
        #expect(try HostRun(["services", "--state", state.path]).errors == "")
        #expect(try mode() == 0o700)
        let shared = try HostRun(["services", "--state", "/tmp"])
        #expect(shared.status == 2)
        #expect(shared.errors.hasPrefix("cannot use the state folder /tmp: the folder /tmp "))
        #expect(shared.errors.contains("; use a folder "))
    }

    @Test func requestedFilesRespectUmask() throws {
        let folder = try TestFolder()
        _ = try folder.write("glass.test(\"t\", function() end)", to: "a_test.lua")
        let script = """
            umask 0022; "$0" test a_test.lua --junit r.xml --markets "$1" >/dev/null && stat -c %a r.xml
            """
        let shell = Process()
        let output = Pipe()
        shell.executableURL = URL(fileURLWithPath: "/bin/sh")
        let markets = CommandRun.repository.appending(path: "markets").path
        shell.arguments = ["-c", script, HostProcess.executable.path, markets]
        shell.currentDirectoryURL = folder.url
        shell.environment = HostProcess.environment([:])
        shell.standardOutput = output
        try shell.run()
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        shell.waitUntilExit()
        #expect(text == "644\n")
    }
}
